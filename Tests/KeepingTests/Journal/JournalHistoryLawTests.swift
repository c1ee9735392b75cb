import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanKeeping

/// Long histories: after any edits, undo and redo, a replay of the journal gives the present
/// document, and the journal stays within its size limit.
@Suite struct JournalHistoryLawTests {
  private static let path = "/home/site.doc"

  /// A document with a text of so many bytes, in a layer.
  private func document(bytes: Int) throws -> Document {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns", style: Style(name: "", mark: MarkStyle()))
    let text = String(repeating: "x", count: bytes)
    let id = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    try layer.setAttribute("text", to: .string(text), of: [id])
    document.layers = [layer]
    return document
  }

  private func edited(
    _ document: Document, _ number: Int, _ bytes: Int, with generator: inout SeededGenerator
  ) throws -> Document {
    var document = document
    let text = "\(number)" + String(repeating: "y", count: bytes)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: document.metadata.author = text
    case 1: document.layers[0].name = "layer \(number)"
    default:
      guard var layer = document.layers[0] as? FeatureLayer else { break }
      try layer.setAttribute("name \(number % 3)", to: .string(text), of: [FeatureID(1)])
      document.layers[0] = layer
    }
    return document
  }

  /// Sizes of the document, of an edit at most; whether it is in a file.
  struct Case: Sendable, CustomTestStringConvertible {
    let seed: UInt64
    var size: Int {
      seed % 12 == 0 ? 9 << 20 : [0, 40_000, 400_000, 1_500_000][Int(seed % 4)]
    }
    var editMax: Int { seed % 12 == 0 ? 200_000 : [40, 4_000, 60_000][Int(seed % 3)] }
    var isFile: Bool { seed % 5 != 1 }
    var testDescription: String { "seed \(seed), \(size) bytes, file \(isFile)" }
  }

  /// The size of all files in the folder of journals.
  private func byteCount(_ files: MemoryFileSystem) throws -> Int {
    let path = "/state/portolan/recovery"
    guard files.exists(path) else { return 0 }
    return try files.names(in: path).reduce(0) { count, name in
      count + Int(try files.status(FilePath.join(path, name), in: nil).identity.size)
    }
  }

  @Test(arguments: Seeds.some(12).map(Case.init))
  func `The journal leads to the present document, whatever is undone`(test: Case) throws {
    var generator = SeededGenerator(seed: test.seed)
    let files = MemoryFileSystem()
    let folder = JournalFolder(StateFolder(path: "/state/portolan"), in: files)
    let writer = JournalWriter(folder: folder, process: 1, now: { 1 }, report: { _ in })
    var keeper = JournalKeeper(writer: writer)
    let start = try document(bytes: test.size)
    let startCount = try DocumentFile.bytes(of: start).count
    if test.isFile { files.put(try DocumentFile.bytes(of: start), at: Self.path) }
    let identity = try? files.status(Self.path, in: nil).identity
    var history = History(start, isSaved: test.isFile)
    var size = 0
    for round in 0..<(test.size > 4 << 20 ? 30 : 80) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        for _ in 0...Int.random(in: 0...round, using: &generator) { history.undo() }
      case 1:
        for _ in 0...Int.random(in: 0...round, using: &generator) { history.redo() }
      default:
        for number in 0...Int.random(in: 0...3, using: &generator) {
          let bytes = Int.random(in: 0...test.editMax, using: &generator)
          history.record(
            try edited(history.value, 10 * round + number, bytes, with: &generator),
            title: "edit")
        }
      }
      keeper.observe(
        JournaledDocument(id: 1, history: history, path: Self.path, isFile: test.isFile)
      ) { _ in identity.map { FileBase(identity: $0, isArchive: true) } }
      writer.drain()
      size = max(size, try byteCount(files))
      guard round % 10 == 9, let entry = folder.entries().first else { continue }
      let present = try DocumentFile.bytes(of: history.value)
      // An edit is written before the journal is found too long.
      #expect(size <= 2 * max(startCount, present.count) + 1 << 20 + 8 * test.editMax)
      let journal = try Journal(files.read(entry.path, limit: 1 << 30))
      let base = try journal.base.map { try DocumentFile.open($0).document } ?? start
      let replay = JournalReplay(journal, base: base)
      #expect(replay.problem == nil)
      #expect(try DocumentFile.bytes(of: replay.history.value) == present)
    }
    writer.close(atMost: 5)
  }
}
