import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// How many names a map has, and whose they are.
@Suite struct NameBudgetTests {
  /// Towns in cells of their own, the first one the greatest, and what else a map has.
  private struct Towns {
    static let style = MarkStyle(stroke: MapSamples.white, symbol: "*")

    let camera: Camera
    var places: [Coordinate] = []
    var names: [String] = []
    /// The towns in the order of the file.
    var order: [Int]

    init(_ count: Int, _ size: CellSize, _ random: inout SeededGenerator) {
      camera = MapSamples.planar(columns: size.columns, rows: size.rows)
      let cells = (0..<size.columns * size.rows).shuffled(using: &random).prefix(count)
      for (number, cell) in cells.enumerated() {
        // A unit is a dot, and a cell's corner is at a whole one.
        places.append(
          Coordinate(
            x: 128 + 2 * Double(cell % size.columns) - Double(size.columns)
              + .random(in: 0.1...1.9, using: &random),
            y: 128 + 4 * Double(cell / size.columns) - 2 * Double(size.rows)
              + .random(in: 0.1...3.9, using: &random)))
        names.append(["Ur", "Halle", "Leipzig", "Karl Marx"][number % 4] + "\(number)")
      }
      order = Array(cells.indices)
    }

    /// - Parameter nameless: a town whose name does not count.
    func canvas(nameless: Int? = nil) throws -> CellCanvas {
      let block = try #require(MapSamples.block(order.map { .point(places[$0]) }))
      var canvas = CellCanvas(camera: camera, memory: RenderMemory())
      let (names, order) = (names, order)
      canvas.draw(
        .labels(
          LabelSet(
            block: block, style: Self.style, priority: 0,
            text: { order[$0] == nameless ? nil : names[order[$0]] },
            rank: { -Double(order[$0]) })))
      canvas.draw(
        .symbols(
          SymbolSet(
            parts: [
              SymbolSet.Part(
                block: block, number: 0, ranks: FeatureRanks(order.map { -Double($0) }))
            ], style: Self.style, priority: 0)))
      return canvas
    }

    /// The placed names with the numbers of their towns.
    func labels(nameless: Int? = nil) throws -> [Int: PlacedLabel] {
      let labels = try canvas(nameless: nameless).labels(clearance: 0)
      return Dictionary(uniqueKeysWithValues: labels.map { (order[$0.feature], $0) })
    }
  }

  private static func size(_ random: inout SeededGenerator) -> CellSize {
    CellSize(
      columns: .random(in: 30...200, using: &random), rows: .random(in: 10...60, using: &random))
  }

  /// Lines and areas with names, above each other and beside each other.
  private static func addOthers(
    to canvas: inout CellCanvas, _ random: inout SeededGenerator
  ) throws {
    let others = (0..<Int.random(in: 5...60, using: &random)).map { number -> Geometry in
      let (x, y) = (
        Double.random(in: 0...256, using: &random), Double.random(in: 0...256, using: &random)
      )
      let width = Double.random(in: 4...60, using: &random)
      return number % 3 == 0
        ? .line(MapSamples.coordinates([(x, y), (x + width, y + 2), (x + 2 * width, y)]))
        : .polygon([MapSamples.square(x, y, width / 2)])
    }
    let block = try #require(MapSamples.block(others))
    canvas.draw(.block(block, style: MapSamples.area, hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: MapSamples.area, priority: 1, text: { "Saar \($0)" },
          rank: { _ in 0 })))
  }

  @Test(arguments: Seeds.some(40), [0, 1])
  func `At most 18 of a hundred cells are letters, but for the names of what is selected`(
    seed: UInt64, clearance: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    let size = Self.size(&random)
    let count = min(size.columns * size.rows, .random(in: 20...800, using: &random))
    let towns = Towns(count, size, &random)
    var canvas = try towns.canvas()
    try Self.addOthers(to: &canvas, &random)
    let block = try #require(
      canvas.marks.lazy.compactMap { mark -> GeometryBlock? in
        if case .labels(let set) = mark { set.block } else { nil }
      }.first)
    let chosen = Bool.random(using: &random) ? Set((0..<8).map { count - 1 - $0 }) : []
    if !chosen.isEmpty {
      canvas.draw(.features(block, rows: Array(chosen), style: Towns.style))
    }
    let labels = canvas.labels(clearance: clearance)
    let letters = labels.filter { $0.set != 0 || !chosen.contains($0.feature) }
      .reduce(0) { $0 + $1.letters }
    #expect(letters <= max(32, 18 * size.columns * size.rows / 100), "\(size)")
    // They are spent where there is so much to name.
    if count > 400, clearance == 0, size.columns * size.rows < 2000 {
      #expect(100 * letters >= 10 * size.columns * size.rows, "\(letters) in \(size)")
    }
  }

  @Test(arguments: Seeds.some(40))
  func `The name of a point touches its sign, and no greater one without a name`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let size = Self.size(&random)
    let towns = Towns(min(size.columns * size.rows / 4, 300), size, &random)
    let picture = try towns.canvas().picture()
    let labels = try towns.labels()
    #expect(labels.count > 3)
    for (town, label) in labels {
      let dot = try #require(label.dot)
      let (column, row) = (dot.x >> 1, dot.y >> 2)
      let columns = (label.column - 1)...(label.column + label.columns)
      #expect(columns.contains(column) && abs(label.row - row) <= 1, "\(label)")
      let isAside = label.row != row
      for near in (label.row - (isAside ? 1 : 0))...(label.row + (isAside ? 1 : 0)) {
        for place in near == label.row ? [columns.lowerBound, columns.upperBound] : Array(columns)
        where (0..<size.columns).contains(place) && (0..<size.rows).contains(near)
          && (place, near) != (column, row)
        {
          let cell = near * size.columns + place
          guard picture.symbols[cell] > 0, let owner = picture.owner(ofCell: cell) else { continue }
          let other = owner.rank.row
          #expect(other > town || labels[other] != nil, "\(label.text) by \(towns.names[other])")
        }
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A name of an area or in another row than its sign touches no sign of another`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let size = Self.size(&random)
    let towns = Towns(min(size.columns * size.rows / 12, 200), size, &random)
    var canvas = try towns.canvas()
    try Self.addOthers(to: &canvas, &random)
    let picture = try towns.canvas().picture()
    let labels = canvas.labels(clearance: 0)
    let signs = Set(labels.compactMap(\.sign).map { $0.row * size.columns + $0.column })
    var areas = 0
    for label in labels {
      if label.dot == nil { areas += 1 }
      if let dot = label.dot, dot.y >> 2 == label.row { continue }
      for column in [label.column - 1, label.column + label.columns]
      where (0..<size.columns).contains(column) {
        let cell = label.row * size.columns + column
        if let dot = label.dot, (dot.y >> 2) * size.columns + dot.x >> 1 == cell { continue }
        #expect(picture.symbols[cell] == 0 && !signs.contains(cell), "\(label.text) at \(cell)")
      }
    }
    #expect(areas < labels.count && labels.count > 3)
  }

  @Test(arguments: Seeds.some(20))
  func `No point is without a name because of the name of a lesser one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = Towns(
      .random(in: 20...120, using: &random), CellSize(columns: 50, rows: 14), &random)
    let labels = try towns.labels()
    let nameless = towns.order.filter { labels[$0] == nil }
    for town in nameless.prefix(4) {
      for lesser in labels.keys where lesser > town {
        #expect(
          try towns.labels(nameless: lesser)[town] == nil,
          "\(towns.names[town]) yields to \(towns.names[lesser])")
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Names do not depend on the order in the file`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = Self.size(&random)
    var towns = Towns(min(size.columns * size.rows / 6, 250), size, &random)
    let labels = try towns.labels()
    towns.order.shuffle(using: &random)
    let others = try towns.labels()
    #expect(Set(others.keys) == Set(labels.keys))
    for (town, label) in labels {
      #expect(others[town]?.column == label.column && others[town]?.row == label.row)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `Points that crowd with equal ranks have few names`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let towns = Towns(600, CellSize(columns: 80, rows: 24), &random)
    let block = try #require(MapSamples.block(towns.places.map { .point($0) }))
    var canvas = CellCanvas(camera: towns.camera, memory: RenderMemory())
    // One is greater than all others.
    let great = Int.random(in: 0..<600, using: &random)
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: Towns.style, priority: 0, text: { "Town \($0)" },
          rank: { $0 == great ? 1 : -.infinity })))
    let labels = canvas.labels(clearance: 0)
    #expect(labels.count > 3 && labels.count <= LabelPlacer.leaders / 2 + 1)
    #expect(labels.contains { $0.feature == great })
  }

  /// The cells of a window of 60 by 20 but those of a row before a column.
  private static func allCells(butOf row: Int, before column: Int) -> [CellRect] {
    [
      CellRect(column: 0, row: 0, columns: 60, rows: row),
      CellRect(column: 0, row: row + 1, columns: 60, rows: 19 - row),
      CellRect(column: column, row: row, columns: 60, rows: 1),
    ]
  }

  @Test(arguments: Seeds.some(20))
  func `The name of a town leaves the only place of another one, if it has one more`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var towns = Towns(2, CellSize(columns: 60, rows: 20), &random)
    let x = Double(Int.random(in: 100...150, using: &random)) + 0.5
    let y = Double(4 * Int.random(in: 28...35, using: &random)) + 2
    // The greater town is to the left of the other one, and takes the row between the two.
    towns.places = [Coordinate(x: x, y: y), Coordinate(x: x + 24, y: y)]
    towns.names = ["Buda", "Kaposvár"]
    var canvas = try towns.canvas()
    let row = Int(168 - y) / 4
    let column = (Int(x) - 68) / 2
    canvas.reserved = Self.allCells(butOf: row, before: column + 14)
    let labels = canvas.labels(clearance: 0)
    #expect(Set(labels.map(\.text)) == Set(towns.names), "at \(column), \(row)")
  }

  @Test(arguments: Seeds.some(20), 2...4)
  func `On a page each name of a row of towns leaves its place for the next one's`(
    seed: UInt64, count: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    var towns = Towns(count, CellSize(columns: 60, rows: 20), &random)
    let x = Double(Int.random(in: 90...100, using: &random)) + 0.5
    let y = Double(4 * Int.random(in: 28...35, using: &random)) + 2
    // Between two towns is the room for one name, and beyond the last one none.
    towns.places = (0..<count).map { Coordinate(x: x + 24 * Double($0), y: y) }
    towns.names = ["Budapest", "Kaposvár", "Dorozsma", "Debrecen"].prefix(count).map { $0 }
    var canvas = try towns.canvas()
    let row = Int(168 - y) / 4
    let column = (Int(x) - 68) / 2
    canvas.reserved = Self.allCells(butOf: row, before: column + 12 * (count - 1) + 2)
    let labels = canvas.labels(clearance: 1)
    #expect(Set(labels.map(\.text)) == Set(towns.names), "at \(column), \(row)")
  }
}
