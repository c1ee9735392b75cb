import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanCartography
@testable import PortolanDocuments

/// Lines that stay where others are left out are joined where the data joins them.
@Suite struct LineMendingTests {
  /// A net of roads over a random part of a grid; each road is a line between two crossings.
  private struct Net {
    var layer: FeatureLayer
    /// The crossings at both ends of each line.
    var ends: [(from: Int, to: Int)] = []
    /// In world units.
    var lengths: [Double] = []
    private(set) var count: Int

    /// - Parameter error: of the places of ends, in degrees.
    init(_ random: inout SeededGenerator, side: Int, error: Double) {
      var builder = FeatureBlockBuilder()
      count = side * side
      let places = (0..<count).map { number in
        Coordinate(
          x: Double(number % side) + .random(in: -0.3...0.3, using: &random),
          y: Double(number / side) + .random(in: -0.3...0.3, using: &random))
      }
      for number in 0..<count {
        for next in [number + 1, number + side]
        where next < count && (next == number + side || next % side > 0) {
          if Int.random(in: 0..<5, using: &random) == 0 { continue }
          let line = [places[number], places[next]].map { place in
            Coordinate(
              x: place.x + (error > 0 ? .random(in: -error...error, using: &random) : 0),
              y: place.y + (error > 0 ? .random(in: -error...error, using: &random) : 0))
          }
          builder.append(
            .line(line), "class", .number("\(Int.random(in: 0..<4, using: &random))"))
          ends.append((number, next))
          let units = line.compactMap { WorldPoint(MapPlane.webMercator.forward($0)) }
          let (x, y) = (
            Double(units[1].x) - Double(units[0].x), Double(units[1].y) - Double(units[0].y)
          )
          lengths.append((x * x + y * y).squareRoot())
        }
      }
      layer = FeatureLayer(
        id: LayerID(1), name: "roads", style: .standard(forDimension: 1, index: 0),
        blocks: builder.finish())
      layer.style = layer.style.changed {
        $0.rankField = "class"
        $0.rankOrder = .low
      }
    }

    /// The lines that are drawn at a half step.
    func drawn(at step: Int) -> Set<Int> {
      let detail = MapDetail(plane: .webMercator, step: step)
      guard let looks = layer.lineLooks(at: detail) else { return Set(lengths.indices) }
      var drawn: Set<Int> = []
      var line = 0
      for (part, block) in layer.blocks.enumerated() {
        let isShown = looks.shown(part: part)
        for row in 0..<block.rowCount {
          if isShown?(row) ?? true { drawn.insert(line) }
          line += 1
        }
      }
      return drawn
    }

    /// The lines at each crossing.
    func crossings(_ lines: Set<Int>) -> [[Int]] {
      var crossings = [[Int]](repeating: [], count: count)
      for line in lines.sorted() {
        crossings[ends[line].from].append(line)
        crossings[ends[line].to].append(line)
      }
      return crossings
    }

    /// The pieces from a loose end to the next crossing of drawn lines.
    func loosePieces(_ drawn: Set<Int>) -> [(end: Int, lines: [Int], length: Double)] {
      let (all, shown) = (crossings(Set(lengths.indices)), crossings(drawn))
      return shown.indices.filter { shown[$0].count == 1 && all[$0].count > 1 }.map { end in
        var piece = (end: end, lines: shown[end], length: lengths[shown[end][0]])
        var place = end
        while let line = piece.lines.last {
          place = ends[line].from == place ? ends[line].to : ends[line].from
          let others = shown[place].filter { $0 != line }
          guard others.count == 1, let next = others.first, !piece.lines.contains(next) else {
            break
          }
          piece.lines.append(next)
          piece.length += lengths[next]
        }
        return piece
      }
    }
  }

  /// The number of the part of drawn lines at each crossing; -1 for none.
  private static func parts(_ net: Net, _ drawn: Set<Int>) -> [Int] {
    let crossings = net.crossings(drawn)
    var parts = [Int](repeating: -1, count: net.count)
    for first in parts.indices where parts[first] < 0 && !crossings[first].isEmpty {
      var open = [first]
      while let place = open.popLast() {
        if parts[place] >= 0 { continue }
        parts[place] = first
        for line in crossings[place] { open += [net.ends[line].from, net.ends[line].to] }
      }
    }
    return parts
  }

  private static let seeds = [UInt64](1...6)

  @Test(arguments: seeds, [0, 0.001])
  func `No short piece has a loose end, and no gap is left that one line fills`(
    seed: UInt64, error: Double
  ) {
    var random = SeededGenerator(seed: seed)
    let net = Net(&random, side: 24, error: error)
    let all = net.crossings(Set(net.lengths.indices))
    var former: Set<Int> = []
    var (thinned, gaps, looseEnds, rifts) = (0, 0, 0, 0)
    for step in 2...26 {
      let drawn = net.drawn(at: step)
      #expect(former.isSubset(of: drawn))
      former = drawn
      if drawn.count == net.lengths.count { continue }
      thinned += 1
      let cell = 1 / LineGrid.cellsPerUnit(step).x
      let (nearer, shown) = (net.drawn(at: step + 1), net.crossings(drawn))
      let parts = Self.parts(net, drawn)
      var sizes: [Int: Double] = [:]
      for line in drawn { sizes[parts[net.ends[line].from], default: 0] += net.lengths[line] }
      rifts += nearer.count { line in
        let (from, to) = (parts[net.ends[line].from], parts[net.ends[line].to])
        let least = min(sizes[from] ?? 0, sizes[to] ?? 0)
        return from != to && from >= 0 && to >= 0
          && net.lengths[line] < 0.99 * min(least, 24 * cell)
      }
      for piece in net.loosePieces(drawn) {
        looseEnds += 1
        #expect(piece.length > 5.9 * cell, "step \(step), end \(piece.end)")
        gaps += all[piece.end].count { line in
          let far = net.ends[line].from == piece.end ? net.ends[line].to : net.ends[line].from
          return !drawn.contains(line) && nearer.contains(line)
            && net.lengths[line] < 0.99 * min(piece.length, 24 * cell)
            && shown[far].contains { !piece.lines.contains($0) }
        }
      }
    }
    #expect(thinned > 3)
    #expect(looseEnds > 0)
    #expect(gaps == 0, "of \(looseEnds)")
    #expect(rifts == 0)
  }

  @Test(arguments: seeds)
  func `Ends touch the lines within the tolerance`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let layer = LineChoiceTests.layer(&random, lines: 60, ranked: false)
    let measures = layer.blocks.map { LineMeasure($0.geometry, on: .webMercator) }
    let paths = measures.map { $0.paths(at: 60) }
    let extent = try #require(LineGrid.Extent(measures.compactMap(\.box)))
    let tolerance = Double.random(in: 1e5...4e6, using: &random)
    let network = LineNetwork(measures, paths, extent, tolerance: tolerance)
    var line = 0
    for measure in measures {
      for ends in measure.ends {
        for (end, number) in zip(ends, network.ends(of: line)) {
          var near: [Int32] = []
          var other: Int32 = 0
          for paths in paths {
            for index in paths.lineEnds.indices {
              var isNear = false
              paths.eachPath(ofLine: index) { path in
                for vertex in path.dropLast() {
                  let places = (0..<4).map { Double(paths.coordinates[2 * vertex + $0]) }
                  let (x, y) = (Double(end.x) - places[0], Double(end.y) - places[1])
                  let (stepX, stepY) = (places[2] - places[0], places[3] - places[1])
                  let square = stepX * stepX + stepY * stepY
                  let part = square > 0 ? min(max((x * stepX + y * stepY) / square, 0), 1) : 0
                  let (farX, farY) = (x - part * stepX, y - part * stepY)
                  if (farX * farX + farY * farY).squareRoot() <= tolerance { isNear = true }
                }
              }
              if isNear && Int(other) != line { near.append(other) }
              other += 1
            }
          }
          if near.count < 12 { #expect(Array(network.lines(at: number)) == near) }
          for neighbour in network.lines(at: number) {
            #expect(network.isAtEnd(Int(neighbour), of: line))
            #expect(network.neighbours(of: Int(neighbour)).contains(Int32(line)))
          }
        }
        line += 1
      }
    }
  }

  @Test func `The parts of a road are one, though their ends are not quite in one place`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "roads", style: .standard(forDimension: 1, index: 0))
    // Each side street is longer than a part of the road, and does not reach it.
    for number in 0..<200 {
      let x = Double(number) / 10
      let ends = [Coordinate(x: x + 0.0002, y: 0.0001), Coordinate(x: x + 0.0999, y: 0)]
      _ = layer.add(geometry: .line(ends), attributes: [])
      let side = [Coordinate(x: x, y: 0.05), Coordinate(x: x, y: 0.4)]
      _ = layer.add(geometry: .line(side), attributes: [])
    }
    let looks = try #require(layer.lineLooks(at: MapDetail(plane: .webMercator, step: 12)))
    let isShown = try #require(looks.shown(part: 0))
    #expect((0..<200).allSatisfy { isShown(2 * $0) })
    #expect((0..<400).count(where: isShown) < 300)
  }
}
