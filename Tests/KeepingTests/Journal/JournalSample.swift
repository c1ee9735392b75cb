import PortolanDocuments
import PortolanFiles
import PortolanGraphics

@testable import PortolanKeeping

/// A document that is edited a little further at each step, and its journal.
struct JournalSample {
  let path = "/home/site.doc"
  let files: MemoryFileSystem
  let folder: JournalFolder
  /// The document at the start, and after each step.
  private(set) var versions: [Document]

  init(files: MemoryFileSystem = MemoryFileSystem(), steps: Int = 6) throws {
    self.files = files
    try files.makeDirectories("/home")
    folder = JournalFolder(StateFolder(path: "/state/portolan"), in: files)
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: Style(name: "", mark: MarkStyle()))
    for x in 0..<3 { _ = layer.add(geometry: .point(Self.place(x)), attributes: []) }
    document.layers = [layer]
    versions = [document]
    for step in 1...steps {
      switch step % 3 {
      case 0: document.metadata.title = "step \(step)"
      case 1: _ = layer.add(geometry: .point(Self.place(step)), attributes: [])
      default:
        try layer.setAttribute(
          "name", to: .string("step \(step)"), of: [FeatureID(1), FeatureID(3)])
      }
      document.layers = [layer]
      versions.append(document)
    }
  }

  private static func place(_ number: Int) -> Coordinate {
    Coordinate(x: Double(number), y: 50)
  }

  /// A head for a journal that begins with a version.
  func head(isEmbedded: Bool = true) -> JournalHead {
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)
    return JournalHead(
      path: path, base: isEmbedded ? .embedded(nil) : .file(identity), title: "opened", begun: 1,
      process: 7)
  }

  /// Begins a journal that holds a version.
  func begun(with version: Int = 0) throws -> JournalFile {
    var file = try folder.create(head())
    try writeBase(version, to: &file)
    return file
  }

  func writeBase(_ version: Int, to file: inout JournalFile) throws {
    let bytes = try DocumentFile.bytes(of: versions[version])
    try file.appendBase(bytes[...], offset: 0)
    try file.appendBaseEnd(total: bytes.count, digest: SHA256.digest(of: bytes))
  }

  /// Appends a step to a version.
  func append(_ version: Int, to file: inout JournalFile) throws {
    let change = try DocumentChange(from: versions[version - 1], to: versions[version])
    try file.append(.step, JournalStep(title: "\(version)", time: 1, change: change))
  }

  /// Which version a document is.
  func number(of document: Document) throws -> Int? {
    let bytes = try DocumentFile.bytes(of: document)
    return try versions.firstIndex { try DocumentFile.bytes(of: $0) == bytes }
  }

  /// The version that a journal leads to; `nil` if it has no document to begin with.
  func recovered(_ journal: Journal) throws -> Int? {
    guard let base = journal.base else { return nil }
    return try number(
      of: JournalReplay(journal, base: DocumentFile.open(base).document).history.value)
  }
}
