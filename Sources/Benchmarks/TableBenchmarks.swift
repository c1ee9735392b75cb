import Glibc
import PortolanDocuments
import PortolanEditing
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// What the table of 150,000 rows costs: opening, scrolling, sorting, filtering.
struct TableBenchmarks: BenchmarkSuite {
  let name = "table"

  private static let size = CellSize(columns: 200, rows: 60)

  func run() throws {
    let document = document(rows: 150_000)
    var memory = RenderMemory()
    report("open, with the first frame", 20) { _ in
      var desk = Desk(document: document, screenSize: Self.size)
      let start = now()
      try? desk.run(line: "table --here")
      _ = desk.frame(size: Self.size, memory: &memory)
      return now() - start
    }
    var desk = Desk(document: document, screenSize: Self.size)
    try desk.run(line: "table --here")
    for (what, key) in [("a row down", "j"), ("a page down", "<pagedown>"), ("to the end", "G")] {
      let keys = try EventNotation.events(key)
      report("\(what), with the frame", 100) { _ in
        let start = now()
        for event in keys { _ = desk.handle(.terminal(event)) }
        _ = desk.frame(size: Self.size, memory: &memory)
        return now() - start
      }
    }
    let world = World(files: RealFileSystem())
    for keys in ["pop", "-name", "zone,-pop", "name,zone,pop"] {
      report("sort \(keys)", 5) { _ in
        let start = now()
        try? desk.run(line: "table sort \(keys)")
        for effect in desk.takeEffects() {
          guard case .perform(let request, let job?) = effect else { continue }
          _ = desk.handle(.replied(job, request.reply(in: world)))
        }
        return now() - start
      }
    }
    let last = try EventNotation.events("k")
    report("a row up in sorted rows, with the frame", 100) { _ in
      let start = now()
      for event in last { _ = desk.handle(.terminal(event)) }
      _ = desk.frame(size: Self.size, memory: &memory)
      return now() - start
    }
    try desk.run(line: "table unsort")
    report("search that finds nothing", 5) { index in
      let start = now()
      try? desk.run(line: "search zz\(index)")
      return now() - start
    }
    report("filter, with the frame", 5) { index in
      try? desk.run(line: "filter --off")
      let start = now()
      try? desk.run(line: "filter pop % 3 == \(index % 3)")
      _ = desk.frame(size: Self.size, memory: &memory)
      return now() - start
    }
  }

  /// Prints the median and the slowest of some runs.
  private func report(_ what: String, _ count: Int, _ work: (Int) -> Double) {
    let times = (0..<count).map(work).sorted()
    let late = times[min(count - 1, count * 99 / 100)]
    print("table: \(what): median \(milli(times[count / 2])), p99 \(milli(late))")
  }

  private func document(rows: Int) -> Document {
    var builder = FeatureBlockBuilder()
    let zones = ["Europe/Stockholm", "Europe/Oslo", "America/New_York", "Asia/Tokyo"]
    for row in 0..<rows {
      let mixed = row &* 7919 % 1_000_003
      builder.append(
        Feature(
          id: FeatureID(UInt64(row + 1)), identifier: .missing,
          geometry: .point(Coordinate(x: Double(row % 340) - 170, y: Double(row % 140) - 70)),
          attributes: [
            ("name", .string("place \(mixed)")), ("pop", .number("\(mixed * 13)")),
            ("zone", .string(zones[mixed % zones.count])), ("capital", .bool(mixed % 97 == 0)),
            ("height", .number("\(Double(mixed % 9000) / 10)")),
            ("code", .string(String(mixed, radix: 36))),
            ("note", mixed % 5 == 0 ? .null : .missing),
          ]))
    }
    var document = Document()
    document.layers = [
      FeatureLayer(
        id: LayerID(document.makeID()), name: "places",
        style: .standard(forDimension: 0, index: 0), blocks: builder.finish(),
        nextFeatureID: UInt64(rows + 1))
    ]
    return document
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
