import PortolanCBaseMap
import PortolanDocuments
import PortolanEditing
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The base map: reading its archive, and frames of a panned map with it and without, at 200x60.
struct BaseMapBenchmarks: BenchmarkSuite {
  let name = "base"

  func run() throws {
    var count = 0
    let bytes = portolan_base_map(&count)
    let archive = Array(UnsafeBufferPointer(start: bytes, count: count))
    let times = (0..<20).map { _ in
      let start = now()
      _ = BuiltInBase { archive }.map(.coast)
      return now() - start
    }
    print("base read \(count) bytes: \(figures(times))")
    let builtIn = BuiltInBase { archive }
    for zoom in [0, 1, 2, 4, 6] {
      for choice in [BaseChoice.none, .coast, .countries] {
        var desk = Desk(document: try document(), screenSize: CellSize(columns: 200, rows: 60))
        desk.session.base.builtIn = builtIn
        desk.session.base.choice = choice
        try desk.run(line: "go to 10 45")
        try desk.run(line: "zoom to \(zoom)")
        try desk.run(line: "center")
        print("base z\(zoom) \(choice.word): \(figures(pan(desk)))")
      }
    }
  }

  private func document() throws -> Document {
    var desk = Desk()
    try desk.run(line: "new-layer sites")
    return desk.document
  }

  /// The times of the frames of a map that is panned, after a first one.
  private func pan(_ desk: Desk) -> [Double] {
    var desk = desk
    var memory = RenderMemory()
    _ = desk.frame(size: desk.screenSize, memory: &memory)
    return (0..<200).map { step in
      try? desk.run(line: "pan cells \(step % 20 < 10 ? 3 : -3) 1")
      let start = now()
      _ = desk.frame(size: desk.screenSize, memory: &memory)
      return now() - start
    }
  }

  private func figures(_ times: [Double]) -> String {
    let sorted = times.sorted()
    let high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    return "p50 \(milli(sorted[sorted.count / 2])), p99 \(milli(high))"
  }
}
