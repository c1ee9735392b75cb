import Archiving
import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanTestSupport
import Testing

@Suite("Document files")
struct DocumentFileTests {
  private let fileSystem = RealFileSystem()

  private func sample() -> Document {
    var document = Document(metadata: DocumentMetadata(title: "Sample"))
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points",
      style: .standard(forDimension: 0, index: 0))
    _ = layer.add(
      geometry: .point(Coordinate(x: 13.4, y: 52.5)), attributes: [("name", .string("Berlin"))])
    document.layers = [layer]
    return document
  }

  @Test("The same document gives the same bytes")
  func deterministic() throws {
    let bytes = try DocumentFile.bytes(of: sample())
    #expect(try DocumentFile.bytes(of: sample()) == bytes)
    #expect(FileKind.of(bytes) == .document)
    #expect(try DocumentFile.bytes(of: DocumentFile.open(bytes).document) == bytes)
  }

  @Test(
    "Other files are named for what they are",
    arguments: [
      ("", FileKind.empty), ("{\"type\":\"FeatureCollection\"}", .json), ("\u{FEFF} [1]", .json),
      ("name,lat,lon\n", .text), ("PK\u{3}\u{4}", .zip), ("%PDF-1.7", .pdf),
      ("<?xml version=\"1.0\"?><!DOCTYPE plist><plist/>", .xmlPropertyList),
      ("\u{4}\u{B}streamtyped", .typedstream), ("bplist00", .binaryPropertyList),
      ("bplist17", .text), ("\u{0}\u{1}", .unknown),
    ])
  func kinds(text: String, kind: FileKind) {
    #expect(FileKind.of(Array(text.utf8)) == kind)
    let error = #expect(throws: DocumentFileError.self) {
      try DocumentFile.open(Array(text.utf8))
    }
    let line = error?.description ?? ""
    #expect(!line.isEmpty && !line.contains("\n"))
    if kind != .binaryPropertyList { #expect(error?.code == .notADocument(kind)) }
  }

  @Test("A Word file and a gzip file say what they are and what to do")
  func binaries() {
    let word: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0]
    let error = #expect(throws: DocumentFileError.self) { try DocumentFile.open(word) }
    #expect(
      error?.description
        == "not a Portolan document but a Microsoft Office file: "
        + "open it with the program that made it")
    #expect(FileKind.of([0x1F, 0x8B, 8]) == .gzip)
  }

  @Test("An archive of something else is told by its class")
  func otherArchive() throws {
    let bytes = try KeyedArchiver.archive(Legend())
    let error = #expect(throws: DocumentFileError.self) { try DocumentFile.open(bytes) }
    #expect(error?.code == .notADocument(.otherArchive("Legend")))
  }

  @Test("A newer version says that a newer program is needed")
  func newerVersion() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObject(Future(), forKey: "root")
    let bytes = try archiver.finish()
    let error = #expect(throws: DocumentFileError.self) { try DocumentFile.open(bytes) }
    #expect(error?.code == .newerVersion)
    #expect(error?.description.contains("newer") == true)
  }

  @Test("A cut document gives one clear line")
  func cut() throws {
    let bytes = try DocumentFile.bytes(of: sample())
    let error = #expect(throws: DocumentFileError.self) {
      try DocumentFile.open(Array(bytes.prefix(bytes.count / 2)))
    }
    #expect(error?.code == .corrupt)
  }

  @Test("No archive of the hostile collection opens or traps")
  func hostile() throws {
    guard Shared.exists("hostile") else { return print("skipped: no \(Shared.folder)") }
    var count = 0
    for folder in ["keyed", "semantic", "bplist"] {
      let path = Shared.path("hostile/" + folder)
      for name in try fileSystem.names(in: path) {
        let bytes = try fileSystem.read(path + "/" + name, limit: 64 << 20)
        #expect(throws: DocumentFileError.self, "\(name)") { try DocumentFile.open(bytes) }
        count += 1
      }
    }
    #expect(count > 100)
  }
}

private struct Legend: Coding {
  static var archivedClass: ArchivedClass { "Legend" }
  init() {}
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws {}
}

private struct Future: Coding {
  static var archivedClass: ArchivedClass { "PortolanDocument" }
  init() {}
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(99, forKey: "formatVersion")
    try coder.encodeString("no layers any more", forKey: "layers")
  }
  init(coder: any DecodingCoder) throws {}
}
