import Documents
import Editing
import Files
import Graphics
import Interchange

/// Keeping an edit of a document of 1.9 million vertices: what the editor waits for, and what the
/// journal's own thread does then.
struct JournalBenchmarks: BenchmarkSuite {
  let name = "journal"

  func run() throws {
    var document = Document()
    document.layers = [DocumentBenchmarks.coast()]
    try measureRecords(document)
    try measureWriter(document)
  }

  /// Finding, coding and appending what one edit changed.
  private func measureRecords(_ start: Document) throws {
    let files = MemoryFileSystem()
    let folder = JournalFolder(StateFolder(path: "/state"), in: files)
    var file = try folder.create(
      JournalHead(path: "", base: .embedded(nil), title: "opened", begun: 0, process: 1))
    var document = start
    var times: [Duration] = []
    for number in 0..<50 {
      let changed = try edited(document, number)
      times.append(
        try ContinuousClock().measure {
          let change = try DocumentChange(from: document, to: changed)
          try file.append(.step, JournalStep(title: "move vertex", time: 0, change: change))
        })
      document = changed
    }
    times.sort()
    let bytes = file.count / times.count
    print(
      "journal record of one moved vertex: median \(Self.text(times[25])), "
        + "max \(Self.text(times[49])), \(bytes) bytes each")
  }

  /// What handing an edit to the writer costs the editor, with the edit itself.
  private func measureWriter(_ start: Document) throws {
    let folder = JournalFolder(StateFolder(path: "/state"), in: MemoryFileSystem())
    let writer = JournalWriter(folder: folder, process: 1, now: { 0 }, report: { _ in })
    var history = History(start)
    writer.begin(
      JournalWriter.Start(
        path: "", identity: nil, history: history, basePlace: 0, isBaseSaved: true))
    var times: [Duration] = []
    for number in 0..<50 {
      times.append(
        try ContinuousClock().measure {
          let former = history.value
          history.record(try edited(former, number), title: "move vertex")
          writer.add([.step(title: "move vertex", from: former, to: history.value)])
        })
    }
    times.sort()
    print(
      "journal edit and handing over, while 1.9 million vertices are copied: "
        + "median \(Self.text(times[25])), max \(Self.text(times[49]))")
    let rest = ContinuousClock().measure { writer.drain() }
    print("journal thread done after \(Self.text(rest))")
  }

  private func edited(_ document: Document, _ number: Int) throws -> Document {
    guard var layer = document.layers.first as? FeatureLayer else { return document }
    let id = FeatureID(UInt64(1 + number * layer.count / 50))
    guard var geometry = layer.feature(id)?.geometry else { return document }
    geometry.paths[0].vertices[0].x += 0.001
    try layer.setGeometry(geometry, of: id)
    var document = document
    document.layers[0] = layer
    return document
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return "\((milliseconds * 1000).rounded() / 1000) ms"
  }
}
