import Glibc
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals

/// Drawing of maps of 1.9 and 10.6 million vertices at 200x60 while panning, at several scales; and
/// labels of 34,000 points.
///
/// The coasts are made by a seeded generator with the sizes of real ones: one ring in ten thousand
/// holds a tenth of the vertices, most have a dozen. With `PORTOLAN_DATA` set to a folder of
/// unpacked GeoJSON files, the real ones are measured too.
struct RenderBenchmarks: BenchmarkSuite {
  let name = "render"
  private let size = CellSize(columns: 200, rows: 60)

  func run() throws {
    let parts = ["coasts", "points", "areas", "lines"].filter(CommandLine.arguments.contains)
    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if isWanted("coasts") {
      measure("1.9M", SyntheticCoast(seed: 7, vertices: 1_900_000).blocks())
      measure("10.6M", SyntheticCoast(seed: 7, vertices: 10_600_000).blocks())
    }
    if isWanted("points") { measurePoints() }
    if isWanted("areas") { measureNamedAreas() }
    if isWanted("lines") { measureNamedLines() }
    guard isWanted("coasts"), let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) })
    else { return }
    for file in ["gshhg_coast_h", "gshhg_coast_f"] {
      if let blocks = try blocks(of: "\(folder)/\(file).geojson") { measure(file, blocks) }
    }
  }

  private func blocks(of path: String) throws -> [GeometryBlock]? {
    guard let bytes = BenchmarkFile.bytes(of: path) else {
      print("render: no \(path)")
      return nil
    }
    let layers = try GeoJSONFormat().read(bytes, options: ImportOptions(name: path)) { _ in }
      .layers.compactMap { $0 as? any FeatureHolding }
    return layers.flatMap { $0.blocks.map(\.geometry) }
  }

  private func measure(_ label: String, _ blocks: [GeometryBlock]) {
    let count = blocks.reduce(0) { $0 + $1.vertexCount }
    let memory = RenderMemory(makesAhead: true)
    let world = Camera.fitting(MapPlane.webMercator.extent, plane: .webMercator, size: size)
    for isFilled in [false, true] {
      let style = MarkStyle(
        stroke: Colour(red: 200, green: 200, blue: 200),
        fill: isFilled ? Colour(red: 0, green: 60, blue: 0) : nil)
      if !isFilled {
        let start = now()
        _ = frame(blocks, style, world, memory)
        print(
          "render \(label) (\(count) vertices) first frame: \(text(now() - start)) ms, caches "
            + "\(memory.weight >> 20) MiB")
      }
      for zoom in [world.zoom, 2, 4, 6, 8.5, 11, 14] {
        measurePan(
          "\(label)\(isFilled ? " filled" : "") z\(text(zoom))", blocks, style, zoom, memory)
      }
    }
    print("render \(label) caches at the end: \(memory.weight >> 20) MiB, peak \(peak()) MiB")
    measureHits(label, blocks)
    measureEdit(label, blocks, memory)
  }

  private func measureHits(_ label: String, _ blocks: [GeometryBlock]) {
    for zoom in [0.0, 4, 8, 14] {
      var camera = Camera(
        plane: .webMercator, center: Coordinate(x: 11, y: 47), zoom: zoom, size: size)
      var times: [Double] = []
      var count = 0
      for _ in 0..<100 {
        camera = camera.panned(columns: 3, rows: 1)
        let start = now()
        let picker = Picker(camera: camera, point: camera.center, tolerance: 3)
        for block in blocks { count += picker.hits(in: block).count }
        times.append(now() - start)
      }
      print("render \(label) pick z\(text(zoom)) \(figures(times)), \(count / 100) hits")
    }
  }

  /// One block replaced: what the next frame costs.
  private func measureEdit(
    _ label: String, _ blocks: [GeometryBlock], _ memory: RenderMemory
  ) {
    var blocks = blocks
    let camera = Camera.fitting(MapPlane.webMercator.extent, plane: .webMercator, size: size)
    let style = MarkStyle(stroke: Colour(red: 200, green: 200, blue: 200))
    _ = frame(blocks, style, camera, memory)
    let old = blocks[blocks.count / 2]
    if let new = GeometryBlock(
      coordinates: old.coordinates, elevations: old.elevations, pathEnds: old.pathEnds,
      pathRoles: old.pathRoles, featureEnds: old.featureEnds, kinds: old.kinds)
    {
      blocks[blocks.count / 2] = new
      let start = now()
      _ = frame(blocks, style, camera, memory)
      print(
        "render \(label) frame after an edit of a block of \(old.vertexCount): "
          + "\(text(now() - start)) ms")
    }
  }

  private func measurePan(
    _ label: String, _ blocks: [GeometryBlock], _ style: MarkStyle, _ zoom: Double,
    _ memory: RenderMemory
  ) {
    var camera = Camera(
      plane: .webMercator, center: Coordinate(x: 11, y: 47), zoom: zoom, size: size)
    let start = now()
    _ = frame(blocks, style, camera, memory)
    let first = now() - start
    // A reader looks at the map before moving it.
    memory.makeAhead()
    usleep(500_000)
    for _ in 0..<3 { _ = frame(blocks, style, camera, memory) }
    var times: [Double] = []
    for step in 0..<120 {
      camera = camera.panned(columns: 1, rows: step % 10 == 0 ? 1 : 0)
      let start = now()
      _ = frame(blocks, style, camera, memory)
      times.append(now() - start)
    }
    print("render \(label) first \(text(first)), \(figures(times))")
  }

  private func measurePoints() {
    var numbers = BenchmarkNumbers(seed: 3)
    var coordinates: [Double] = []
    for _ in 0..<34_000 {
      let cluster = Double(numbers.next() % 12) * 25 - 150
      coordinates.append(cluster + numbers.unit() * 20)
      coordinates.append(numbers.unit() * numbers.unit() * 110 - 45)
    }
    var blocks: [GeometryBlock] = []
    for start in stride(from: 0, to: 34_000, by: 1_000) {
      let ends = (1...1_000).map { UInt32($0) }
      let block = GeometryBlock(
        coordinates: Array(coordinates[(2 * start)..<(2 * start + 2_000)]), elevations: [],
        pathEnds: ends,
        pathRoles: ends.map { _ in
          PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
        },
        featureEnds: ends, kinds: ends.map { _ in .point })
      if let block { blocks.append(block) }
    }
    let names = (0..<1_000).map { "Town \($0)" }
    let ranks = (0..<34_000).map { _ in numbers.unit() }
    let parts = blocks.enumerated().map { index, block in
      SymbolSet.Part(
        block: block, number: index,
        ranks: FeatureRanks(Array(ranks[(index * 1_000)..<(index * 1_000 + 1_000)])))
    }
    let style = MarkStyle(stroke: Colour(red: 250, green: 200, blue: 0), symbol: "\u{2022}")
    var dots = style
    dots.symbol = ""
    for zoom in [0.5, 2, 4, 6.0] {
      for hasLabels in [false, true] {
        let times = framesWhilePanning(zoom) { canvas in
          for (index, block) in blocks.enumerated() {
            canvas.draw(.block(block, style: dots, hidden: []))
            guard hasLabels else { continue }
            canvas.draw(
              .labels(
                LabelSet(
                  block: block, style: style, priority: 0, part: index, text: { names[$0] },
                  rank: { ranks[index * 1_000 + $0] })))
          }
          canvas.draw(.symbols(SymbolSet(parts: parts, style: style, priority: 0)))
        }
        let label = hasLabels ? "points and labels" : "ranked points"
        print("render 34k \(label) z\(text(zoom)) \(figures(times))")
      }
    }
  }

  /// Areas with names and without outlines.
  private func measureNamedAreas() {
    let blocks = SyntheticCoast(seed: 9, vertices: 400_000).blocks()
    let style = MarkStyle(fill: Colour(red: 0, green: 60, blue: 0))
    let count = blocks.reduce(0) { $0 + $1.featureCount }
    for zoom in [0.5, 2, 4, 6, 8.0] {
      let times = framesWhilePanning(zoom) { canvas in
        for (index, block) in blocks.enumerated() {
          canvas.draw(.block(block, style: style, hidden: []))
          canvas.draw(
            .labels(
              LabelSet(
                block: block, style: style, priority: 0, part: index,
                text: { "Island \(index) \($0)" }, rank: { Double(-$0) })))
        }
      }
      print("render \(count) named areas z\(text(zoom)) \(figures(times))")
    }
  }

  /// Lines of several parts with one name, as rivers and roads are.
  private func measureNamedLines() {
    var numbers = BenchmarkNumbers(seed: 4)
    let blocks = (0..<20).compactMap { _ -> GeometryBlock? in
      var coordinates: [Double] = []
      for _ in 0..<1_000 {
        var (x, y) = (numbers.unit() * 340 - 170, numbers.unit() * 150 - 75)
        for _ in 0..<20 {
          coordinates.append(x)
          coordinates.append(y)
          x += numbers.unit() - 0.3
          y += numbers.unit() - 0.5
        }
      }
      let ends = (1...1_000).map { UInt32($0) }
      return GeometryBlock(
        coordinates: coordinates, elevations: [], pathEnds: ends.map { 20 * $0 },
        pathRoles: ends.map { _ in
          PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
        },
        featureEnds: ends, kinds: ends.map { _ in .lineString })
    }
    let names = FeatureNames((0..<1_000).map { UInt64($0 / 4 + 1) })
    let style = MarkStyle(stroke: Colour(red: 80, green: 180, blue: 230))
    for zoom in [0.5, 2, 4, 6.0] {
      let times = framesWhilePanning(zoom) { canvas in
        for (index, block) in blocks.enumerated() {
          canvas.draw(.block(block, style: style, hidden: []))
          var set = LabelSet(
            block: block, style: style, priority: 0, part: index,
            text: { "River \($0 / 4)" }, rank: { _ in 0 })
          set.lineNames = names
          canvas.draw(.labels(set))
        }
      }
      print("render 20000 named lines z\(text(zoom)) \(figures(times))")
    }
  }

  /// The times of 120 frames, each a column further east, in milliseconds.
  private func framesWhilePanning(
    _ zoom: Double, draw: (inout CellCanvas) -> Void
  ) -> [Double] {
    var camera = Camera(
      plane: .webMercator, center: Coordinate(x: 10, y: 10), zoom: zoom, size: size)
    let memory = RenderMemory()
    var target = Frame(size: size)
    return (0..<120).map { _ in
      camera = camera.panned(columns: 1, rows: 0)
      let start = now()
      var canvas = CellCanvas(camera: camera, memory: memory)
      draw(&canvas)
      canvas.compose(into: &target, at: target.bounds)
      return now() - start
    }
  }

  private func frame(
    _ blocks: [GeometryBlock], _ style: MarkStyle, _ camera: Camera, _ memory: RenderMemory
  ) -> Frame {
    var canvas = CellCanvas(camera: camera, memory: memory)
    for block in blocks { canvas.draw(.block(block, style: style, hidden: [])) }
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    return frame
  }

  private func figures(_ times: [Double]) -> String {
    let sorted = times.sorted()
    let p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    return "p50 \(text(sorted[sorted.count / 2])) p99 \(text(p99)) ms"
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  private func peak() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1_024
  }

  private func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
