import Glibc
import PortolanDocuments
import PortolanEditing
import PortolanFiles
import PortolanGraphics
import PortolanPrinting
import PortolanTerminals

/// What keys cost in the desk, without drawing: moving, picking, snapping, moving a vertex.
struct EditingBenchmarks: BenchmarkSuite {
  let name = "editing"

  func run() throws {
    for (rings, vertices) in [(1900, 1000), (10_600, 1000)] {
      try measure(document(rings: rings, vertices: vertices))
    }
    for (rings, vertices) in [(28_000, 2), (153_000, 13)] {
      try measureMoves(document(rings: rings, vertices: vertices), features: rings)
    }
    for versions in [10, 24_000] { try measureHistory(versions: versions) }
  }

  /// All features moved at once, and undone.
  private func measureMoves(_ document: Document, features: Int) throws {
    var desk = Desk(document: document, screenSize: CellSize(columns: 200, rows: 60))
    try desk.run(line: "select all")
    let world = World(files: RealFileSystem())
    report("\(features) features: move all", 5) { _ in
      try? desk.run(line: "move --by 1,0")
      // A long one is a job, which the world does.
      for effect in desk.takeEffects() {
        guard case .perform(let request, let job?) = effect else { continue }
        _ = desk.handle(.replied(job, request.reply(in: world)))
      }
    }
    report("\(features) features: undo of it", 5) { _ in try? desk.run(line: "undo") }
  }

  /// A small edit behind many others, and its undo.
  private func measureHistory(versions: Int) throws {
    var desk = Desk(document: try document(rings: 10, vertices: 10))
    for version in 0..<versions { try desk.run(line: "rename rings\(version % 2)") }
    report("edit behind \(versions) versions", 400) { index in
      try? desk.run(line: "rename rings\(index % 2)")
    }
    report("undo behind \(versions) versions", 400) { _ in try? desk.run(line: "undo") }
  }

  private func measure(_ document: Document) throws {
    let total = document.layers.reduce(0) { sum, layer in
      sum + ((layer as? FeatureLayer)?.blocks.reduce(0) { $0 + $1.geometry.vertexCount } ?? 0)
    }
    let size = "\(total / 100_000 * 100) k vertices"
    var desk = Desk(document: document, screenSize: CellSize(columns: 200, rows: 60))
    try desk.run(line: "fit all")
    try desk.run(line: "go to 10 10")
    report("\(size): cursor key", 400) { index in
      _ = desk.handle(.terminal(.key(Key(.character(index % 2 == 0 ? "l" : "h")))))
    }
    report("\(size): zoom key", 100) { index in
      _ = desk.handle(.terminal(.key(Key(.character(index % 2 == 0 ? "+" : "-")))))
    }
    for zoom in [2, 8, 14] {
      try desk.run(line: "zoom to \(zoom)")
      report("\(size): pick at zoom \(zoom)", 100) { _ in _ = desk.featuresHere }
      report("\(size): snap at zoom \(zoom)", 100) { _ in _ = desk.snappedCursor }
    }
    try desk.run(line: "next feature")
    try desk.run(line: "next vertex")
    report("\(size): move one vertex", 100) { _ in
      try? desk.run(line: "move")
      try? desk.run(line: "cursor left")
      try? desk.run(line: "drop")
    }
    report("\(size): undo", 90) { _ in try? desk.run(line: "undo") }
    report("\(size): search that finds nothing", 5) { index in
      try? desk.run(line: "search zz\(index)")
    }
  }

  /// Prints the median and the slowest of some runs, in microseconds.
  private func report(_ what: String, _ count: Int, _ work: (Int) -> Void) {
    var times: [Double] = []
    for index in 0..<count {
      let start = now()
      work(index)
      times.append((now() - start) * 1e6)
    }
    times.sort()
    let late = times[min(count - 1, count * 99 / 100)]
    print(
      "editing: \(what): median \(Figures.fixed(times[count / 2], decimals: 1)) us, "
        + "p99 \(Figures.fixed(late, decimals: 1)) us")
  }

  /// Wavy rings spread over the world.
  private func document(rings: Int, vertices: Int) throws -> Document {
    var builder = FeatureBlockBuilder()
    let role = PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true)
    for ring in 0..<rings {
      let x = Double((ring * 7919) % 3400) / 10 - 170
      let y = Double((ring * 104_729) % 1400) / 10 - 70
      var pairs: [Double] = []
      pairs.reserveCapacity(2 * vertices)
      for vertex in 0..<vertices {
        let angle = 2 * Double.pi * Double(vertex % (vertices - 1)) / Double(vertices - 1)
        let radius = 2 + 0.3 * sin(angle * 40)
        pairs.append(x + radius * cos(angle))
        pairs.append(y + radius * sin(angle))
      }
      builder.geometry.appendPath(role, pairs: pairs)
      builder.endRow(.polygon, shape: .plain)
    }
    var document = Document()
    document.layers = [
      FeatureLayer(
        id: LayerID(document.makeID()), name: "rings", style: .standard(forDimension: 2, index: 0),
        blocks: builder.finish(), nextFeatureID: builder.nextFeatureID)
    ]
    return document
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
