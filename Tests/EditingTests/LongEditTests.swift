import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import Synchronization
import Testing

@testable import PortolanEditing

/// Long edits are jobs: with progress, to be cancelled, and alone.
@Suite struct LongEditTests {
  private func large() -> Document {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "lines", style: .standard(forDimension: 1, index: 0))
    let path = (0..<1_000).map { Coordinate(x: Double($0) / 100, y: Double($0 % 7)) }
    for _ in 0..<260 { _ = layer.add(geometry: .line(path), attributes: []) }
    document.layers = [layer]
    return document
  }

  /// So many points that an edit of their attributes is long.
  private func points(
    _ count: Int = 100_001, _ attributes: (inout FeatureBlockBuilder, Int) -> Void
  ) -> Document {
    var builder = FeatureBlockBuilder()
    for index in 0..<count {
      builder.geometry.appendPaths(of: .point(Coordinate(x: Double(index % 100), y: 0)))
      attributes(&builder, index)
      builder.endRow(.point, shape: .plain)
    }
    var document = Document()
    document.layers = [
      FeatureLayer(
        id: LayerID(document.makeID()), name: "points",
        style: .standard(forDimension: 0, index: 0), blocks: builder.finish(),
        nextFeatureID: builder.nextFeatureID)
    ]
    return document
  }

  /// The request that a line makes, and its job.
  private func asked(_ desk: inout Desk, _ line: String) throws -> (EditRequest, JobID) {
    try desk.run(line: line)
    for case .perform(let request as EditRequest, let job?) in desk.takeEffects() {
      return (request, job)
    }
    throw EditingError(.refused, "no long edit")
  }

  @Test func `A long move is a job that nothing else edits beside`() throws {
    var desk = Desk(document: large())
    try desk.run(line: "select all")
    let (request, job) = try asked(&desk, "move --by 1,1")
    #expect(desk.jobs.map(\.name) == ["move 260 features"])
    #expect(!desk.isEdited)
    #expect(throws: EditingError.self) { try desk.run(line: "delete") }
    #expect(throws: EditingError.self) { try desk.run(line: "undo") }
    // Looking around goes on.
    try desk.run(line: "zoom in")
    let world = World(files: MemoryFileSystem())
    let reply = request.reply(in: world)
    _ = desk.handle(.replied(job, reply))
    #expect(desk.isEdited)
    #expect(desk.message?.text.hasPrefix("moved 260 features") == true)
    let first = FeatureReference(layer: desk.document.layers[0].id, feature: FeatureID(1))
    #expect(desk.document.feature(first)?.geometry.paths[0].vertices[0] == Coordinate(x: 1, y: 1))
    #expect(desk.selection.count == 260)
    try desk.run(line: "undo")
    #expect(!desk.isEdited)
    #expect(desk.selection.count == 260)
  }

  private func points(_ count: Int) -> Document {
    points(count) { builder, index in
      builder.setAttribute("n", to: .number("\(index * index % 65_537)"))
    }
  }

  @Test func `Many copies are pasted as a job, like the same ones one by one`() throws {
    var desk = Desk(document: points(50_001))
    try desk.run(line: "select all")
    try desk.run(line: "yank")
    let (request, job) = try asked(&desk, "paste --in-place")
    #expect(!desk.isEdited)
    _ = desk.handle(.replied(job, request.reply(in: World(files: MemoryFileSystem()))))
    #expect(desk.message?.text == "50001 features pasted into points")
    let layer = try #require(desk.document.layers[0] as? FeatureLayer)
    #expect(layer.count == 100_002)
    #expect(desk.selection.count == 50_001)
    #expect(desk.selection.features.first?.feature == FeatureID(50_002))
    #expect(desk.selection.features.last?.feature == FeatureID(100_002))
    try desk.run(line: "undo")
    #expect(desk.document.layers[0].count == 50_001 && !desk.isEdited)
  }

  @Test func `Natural breaks of many numbers are a job, in the panel, too`() throws {
    let document = points(50_001)
    var desk = Desk(document: document)
    let line = "style --by n --classes 5 --method jenks"
    let (request, job) = try asked(&desk, line)
    #expect(!desk.isEdited)
    let world = World(files: MemoryFileSystem())
    let fractions = Mutex<[Double]>([])
    let progress = World.Progress { part in fractions.withLock { $0.append(part) } }
    _ = desk.handle(.replied(job, request.reply(in: world, progress)))
    #expect(desk.message?.text == "points: 5 classes of n by jenks in viridis")
    let told = fractions.withLock { $0 }
    #expect(told.count > 8 && told == told.sorted() && told.allSatisfy { (0...1).contains($0) })
    // The panel makes the same classes when they are taken.
    var chosen = Desk(document: document)
    for line in ["classes", "classes next", "classes down", "classes next 2"] {
      try chosen.run(line: line)
    }
    #expect(chosen.classPanel?.value(of: .method) == "jenks")
    let (same, other) = try asked(&chosen, "classes accept")
    _ = chosen.handle(.replied(other, same.reply(in: world)))
    #expect(chosen.document.layers[0].style.content == desk.document.layers[0].style.content)
    try chosen.run(line: "undo")
    #expect(!chosen.isEdited)
  }

  @Test func `Natural breaks are cancelled while they are made`() throws {
    var desk = Desk(document: points(50_001))
    let (request, _) = try asked(&desk, "style --by n --classes 5 --method jenks")
    let cancellation = Cancellation()
    let progress = World.Progress(cancellation: cancellation) { part in
      if part > 0.3 { cancellation.cancel() }
    }
    let failure = #expect(throws: Failure.self) {
      _ = try request.perform(in: World(files: MemoryFileSystem()), progress)
    }
    #expect(failure?.code == .interrupted)
  }

  @Test(arguments: ["export -o /out.geojson", "render -o /out.svg --size 300x200"])
  func `A cancelled export or picture is not written`(line: String) throws {
    var desk = Desk(document: points(3_000))
    try desk.run(line: line)
    let effects = desk.takeEffects()
    let requests = effects.compactMap { effect -> (any Request)? in
      if case .perform(let request, _) = effect { request } else { nil }
    }
    let request = try #require(requests.first)
    let files = MemoryFileSystem()
    let cancellation = Cancellation()
    cancellation.cancel()
    _ = request.reply(in: World(files: files), World.Progress(cancellation: cancellation))
    for name in ["/out.geojson", "/out.svg"] {
      #expect((try? files.read(name, limit: 1 << 20)) == nil)
    }
    try desk.run(line: "cancel")
    #expect(desk.message?.text.hasPrefix("cancelled: ") == true)
    #expect(desk.jobs.isEmpty)
  }

  @Test func `A long set tells which types it changed only when it is done`() throws {
    let document = points { builder, number in
      builder.setAttribute("n", to: number % 3 == 0 ? .bool(true) : .string("x"))
    }
    var desk = Desk(document: document)
    try desk.run(line: "select all")
    let (request, job) = try asked(&desk, "set n=7")
    #expect(desk.message?.text.contains("became") != true)
    _ = desk.handle(.replied(job, request.reply(in: World(files: MemoryFileSystem()))))
    #expect(desk.message?.text.contains("33334 true or false became numbers") == true)
  }

  @Test func `A cancelled one leaves all as it was, and edits go on`() throws {
    var desk = Desk(document: large())
    try desk.run(line: "select all")
    let (request, job) = try asked(&desk, "move --by 1,1")
    let cancellation = Cancellation()
    cancellation.cancel()
    let failure = #expect(throws: Failure.self) {
      _ = try request.perform(
        in: World(files: MemoryFileSystem()), World.Progress(cancellation: cancellation))
    }
    #expect(failure?.code == .interrupted)
    try desk.run(line: "cancel")
    _ = desk.handle(.replied(job, request.replied(EditRequest.Answer(document: Document()))))
    #expect(!desk.isEdited)
    #expect(desk.document.layers.count == 1)
    try desk.run(line: "delete")
    #expect(desk.document.layers[0].count == 0)
  }

  @Test(arguments: [false, true])
  func `What was read meanwhile comes into the document after the end of the edit`(
    isCancelled: Bool
  ) throws {
    var desk = Desk(document: large())
    try desk.run(line: "select all")
    let version = VersionRequest(path: "/m/a.doc", number: 3, use: .restore)
    desk.request(version)
    let (request, job) = try asked(&desk, "move --by 1,1")
    let restoring = try #require(desk.jobs.first?.id)
    try desk.run(line: "import /m/b.geojson")
    let importing = try #require(desk.jobs.last?.id)
    #expect(desk.jobs.count == 3)
    let old = Document.towns
    _ = desk.handle(.replied(restoring, version.replied(.restored(old))))
    let read = ImportedData(path: "b.geojson", layers: Array(Document.towns.layers.prefix(1)))
    _ = desk.handle(.imported(importing, read))
    #expect(!desk.isEdited)
    #expect(desk.message?.severity != .error, "\(desk.message?.text ?? "")")
    #expect(desk.jobs.count == 3)
    if isCancelled {
      try desk.run(line: "cancel")
      // The restored version is taken with the next event, the cancelled import is not.
      _ = desk.handle(.terminal(.resumed))
      #expect(desk.document.layers.map(\.name) == old.layers.map(\.name))
      #expect(desk.history.past.count == 1)
    } else {
      _ = desk.handle(.replied(job, request.reply(in: World(files: MemoryFileSystem()))))
      #expect(desk.document.layers.count == old.layers.count + 1)
      #expect(desk.history.past.count == 3)
      try desk.run(line: "undo 2")
      #expect(desk.document.layers.map(\.name) == ["lines"])
      #expect(desk.document.layers[0].extent.minX == 1)
    }
    #expect(desk.jobs.isEmpty)
  }

  @Test func `Attributes of very many features are set by a job, which tells how far it is`() throws
  {
    let document = points { _, _ in }
    var desk = Desk(document: document)
    try desk.run(line: "select all")
    let (request, job) = try asked(&desk, "set n=1")
    let told = Mutex<[Double]>([])
    let reply = request.reply(
      in: World(files: MemoryFileSystem()),
      World.Progress(tell: { part in told.withLock { $0.append(part) } }))
    _ = desk.handle(.replied(job, reply))
    #expect(told.withLock { $0.count } == 6)
    let layer = try #require(desk.document.layers.first as? any FeatureHolding)
    for id in [1, 100_000, 100_001] {
      #expect(layer.attribute("n", of: FeatureID(UInt64(id))) == .number("1"))
    }
    try desk.run(line: "undo")
    #expect(!desk.isEdited)
  }

  @Test func `Without an editor it is done before the next line`() throws {
    let files = MemoryFileSystem()
    let lines = (0..<130).map { _ in
      let path = (0..<2_000).map { "[\(Double($0) / 100),\($0 % 7)]" }.joined(separator: ",")
      return
        #"{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[\#(path)]}}"#
    }
    files.put(
      Array(
        (#"{"type":"FeatureCollection","features":["# + lines.joined(separator: ",") + "]}").utf8),
      at: "/m/a.geojson")
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(
      script: "open /m/a.geojson\nselect all\nmove --by 0,1\nmove --by 0,1\nundo", name: "s")
    #expect(runner.desk.history.past.count == 1)
    let layer = try #require(runner.desk.document.layers.first as? any FeatureHolding)
    #expect(layer.extent.minY == 1)
  }
}
