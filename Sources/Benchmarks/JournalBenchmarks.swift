import Glibc
import PortolanDocuments
import PortolanEditing
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping

/// Keeping an edit of a document of 1.9 million vertices: what the editor waits for, and what the
/// journal's own thread does then.
///
/// Edits are spread over all features; the largest ring is told by itself, for an edit costs what
/// its block holds. Journals are real files in a folder of their own.
struct JournalBenchmarks: BenchmarkSuite {
  let name = "journal"

  private static let editCount = 500

  func run() throws {
    var document = Document()
    document.layers = [DocumentBenchmarks.coast()]
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/portolan-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw PseudoTerminal.Failure(description: "no temporary folder: \(errno)")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let files = RealFileSystem()
    let folder = JournalFolder(StateFolder(path: path), in: files)
    defer {
      rmdir(folder.state.path(of: .recovery))
      rmdir(path)
    }
    try measureRecords(document, folder)
    try measureWriter(document, folder)
  }

  /// An edit and its record, one after the other: changing the document, finding, coding and
  /// appending what changed.
  private func measureRecords(_ start: Document, _ folder: JournalFolder) throws {
    var file = try folder.create(
      JournalHead(path: "", base: .embedded(nil), title: "opened", begun: 0, process: 1))
    defer { try? file.remove() }
    var document = start
    var edits: [Double] = []
    var records: [Double] = []
    let largest = try Self.largest(start)
    for number in 0...Self.editCount {
      let begin = now()
      let changed = try edited(document, number < Self.editCount ? id(number, document) : largest)
      let middle = now()
      let change = try DocumentChange(from: document, to: changed)
      try file.append(.step, JournalStep(title: "move vertex", time: 0, change: change))
      edits.append(middle - begin)
      records.append(now() - middle)
      document = changed
    }
    let (edit, record) = (edits.removeLast(), records.removeLast())
    let bytes = file.count / records.count
    print("journal edit, one moved vertex: \(Self.text(edits))")
    print("journal record of it: \(Self.text(records)), \(bytes) bytes each")
    print("journal edit with its record: \(Self.text(zip(edits, records).map { $0 + $1 }))")
    print(
      "journal edit of the largest ring: \(Self.milliseconds(edit)), "
        + "its record \(Self.milliseconds(record))")
  }

  /// What an edit costs the editor while the writer is at work, with handing it over.
  private func measureWriter(_ start: Document, _ folder: JournalFolder) throws {
    let writer = JournalWriter(folder: folder, process: 1, now: { 0 }, report: { _ in })
    var history = History(start)
    writer.begin(
      JournalWriter.Start(
        path: "", identity: nil, history: history, basePlace: 0, isBaseSaved: true))
    var times: [Double] = []
    for number in 0..<Self.editCount {
      let begin = now()
      let former = history.present
      let changed = try edited(former.value, id(number, former.value))
      history.record(changed, title: "move vertex")
      writer.add([.step(title: "move vertex", from: former, to: history.present)])
      times.append(now() - begin)
      usleep(2000)
    }
    print(
      "journal edit and handing over, while 1.9 million vertices are copied: \(Self.text(times))")
    let begin = now()
    writer.drain()
    print("journal thread done after \(Self.milliseconds(now() - begin))")
    writer.end()
    writer.close(atMost: 60)
  }

  /// Features spread over the layer, but for the largest.
  private func id(_ number: Int, _ document: Document) throws -> FeatureID {
    let count = (document.layers.first as? FeatureLayer)?.count ?? 0
    return FeatureID(UInt64(count - number * (count - 100) / Self.editCount))
  }

  private static func largest(_ document: Document) throws -> FeatureID {
    guard let layer = document.layers.first as? FeatureLayer,
      let block = layer.blocks.max(by: { $0.geometry.vertexCount < $1.geometry.vertexCount }),
      let id = block.featureIDs.first
    else { throw PseudoTerminal.Failure(description: "no features") }
    return id
  }

  private func edited(_ document: Document, _ id: FeatureID) throws -> Document {
    guard var layer = document.layers.first as? FeatureLayer,
      var geometry = layer.feature(id)?.geometry
    else { throw PseudoTerminal.Failure(description: "no feature \(id.rawValue)") }
    geometry.paths[0].vertices[0].x += 0.001
    try layer.setGeometry(geometry, of: id)
    var document = document
    document.layers[0] = layer
    return document
  }

  private static func text(_ times: [Double]) -> String {
    let times = times.sorted()
    let late = times[min(times.count - 1, times.count * 99 / 100)]
    return "median \(milliseconds(times[times.count / 2])), p99 \(milliseconds(late)), "
      + "max \(milliseconds(times[times.count - 1]))"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    "\((seconds * 1e6).rounded() / 1000) ms"
  }
}
