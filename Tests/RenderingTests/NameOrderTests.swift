import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Which features have their names first, and what names keep clear of.
@Suite struct NameOrderTests {
  /// 60x20 cells: x from 68 to 188, y from 88 to 168, a unit a dot.
  private static let camera = MapSamples.planar(columns: 60, rows: 20)
  private static let dots = MarkStyle(stroke: MapSamples.white, symbol: "*")

  private static func polygon(_ box: Box) -> Geometry {
    .polygon([
      MapSamples.coordinates([
        (box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY),
        (box.minX, box.minY),
      ])
    ])
  }

  private static func canvas(
    _ block: GeometryBlock, _ style: MarkStyle, _ names: [String], ranks: [Double]? = nil
  ) -> CellCanvas {
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    canvas.draw(.block(block, style: style, hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: block, style: style, priority: 0, text: { names[$0] },
          rank: { ranks?[$0] ?? -Double($0) })))
    return canvas
  }

  /// A canvas with points that have signs.
  private static func canvas(points: GeometryBlock, _ names: [String]) -> CellCanvas {
    var plain = dots
    plain.symbol = ""
    // Signs and names have the order of the rows.
    var canvas = canvas(points, plain, names, ranks: names.map { _ in -.infinity })
    canvas.draw(
      .symbols(
        SymbolSet(
          parts: [SymbolSet.Part(block: points, number: 0, ranks: nil)], style: dots,
          priority: 0)))
    return canvas
  }

  /// Points in cells of their own.
  private static func points(
    _ count: Int, _ random: inout SeededGenerator
  ) throws -> (places: [Coordinate], block: GeometryBlock) {
    let cells = (0..<1200).shuffled(using: &random).prefix(count)
    let places = cells.map { cell in
      Coordinate(
        x: 68 + 2 * Double(cell % 60) + .random(in: 0.1...1.9, using: &random),
        y: 88 + 4 * Double(cell / 60) + .random(in: 0.1...3.9, using: &random))
    }
    return (places, try #require(MapSamples.block(places.map { .point($0) })))
  }

  /// The box of a label's cells.
  private static func box(_ label: PlacedLabel) -> Box {
    Box(
      minX: 68 + 2 * Double(label.column), minY: 164 - 4 * Double(label.row),
      maxX: 68 + 2 * Double(label.column + label.columns), maxY: 168 - 4 * Double(label.row))
  }

  @Test(arguments: Seeds.some(40), [0, 1])
  func `Areas with the room for their names are named`(seed: UInt64, clearance: Int) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["Chad", "Libya", "Saudi Arabia", "South Africa", "Sudan", "Papua New Guinea"]
    var texts: [String] = []
    var boxes: [Box] = []
    for column in 0..<3 {
      var y = 90.0
      while y < 140 {
        let name = names.randomElement(using: &random) ?? ""
        // The room of two lines, with blanks around them.
        let lines = LabelName.wrapped(name)?.map(\.columns) ?? [name.count]
        let columns = Double(lines.max() ?? 0)
        let x = 70 + 40 * Double(column)
        let width = min(38, 2 * columns + 10 + .random(in: 0...8, using: &random))
        let height = 4 * Double(lines.count) + .random(in: 10...14, using: &random)
        boxes.append(Box(minX: x, minY: y, maxX: x + width, maxY: y + height))
        texts.append("\(name)")
        y += height + .random(in: 0...3, using: &random)
      }
    }
    // Names are not repeated near each other.
    texts = texts.enumerated().map { index, text in
      String(text.dropLast()) + String(UnicodeScalar(UInt8(97 + index % 26)))
    }
    let block = try #require(MapSamples.block(boxes.map(Self.polygon)))
    let labels = Self.canvas(block, MapSamples.area, texts).labels(clearance: clearance)
    let named = Set(labels.map(\.feature))
    for (row, box) in boxes.enumerated() where box.maxY < 168 {
      #expect(named.contains(row), "\(texts[row]) in \(box)")
    }
  }

  @Test(arguments: Seeds.some(40), [false, true])
  func `Of areas that want the same place the one of higher rank has its name, else the larger`(
    seed: UInt64, isSmallHigher: Bool
  ) throws {
    var random = SeededGenerator(seed: seed)
    let x = Double.random(in: 90...120, using: &random)
    let row = Int.random(in: 8...11, using: &random)
    let y = 164 - 4 * Double(row)
    let small = Box(minX: x, minY: y - 1, maxX: x + 24, maxY: y + 5)
    let large = Box(
      minX: x - 20, minY: y - .random(in: 24...30, using: &random), maxX: x + 44,
      maxY: y + .random(in: 28...34, using: &random))
    let block = try #require(MapSamples.block([small, large].map(Self.polygon)))
    // One row is free, and there the room of one name.
    let first = Int(x + 12 - 68) / 2 - 4
    var canvas = Self.canvas(
      block, MapSamples.area, ["Lesotho", "Bolivia"], ranks: [isSmallHigher ? 2 : 1, 1])
    canvas.reserved = [
      CellRect(column: 0, row: 0, columns: 60, rows: row),
      CellRect(column: 0, row: row + 1, columns: 60, rows: 19 - row),
      CellRect(column: 0, row: row, columns: first - 1, rows: 1),
      CellRect(column: first + 9, row: row, columns: 60, rows: 1),
    ]
    let name = isSmallHigher ? "Lesotho" : "Bolivia"
    #expect(canvas.labels(clearance: 0).map(\.text) == [name])
  }

  @Test(arguments: Seeds.some(20))
  func `What is selected has its name, however low its rank`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (_, block) = try Self.points(300, &random)
    let names = (0..<300).map { "Town \($0)" }
    let row = Int.random(in: 100..<300, using: &random)
    var canvas = Self.canvas(points: block, names)
    canvas.draw(.features(block, rows: [row], style: Self.dots))
    #expect(canvas.labels(clearance: 0).contains { $0.feature == row })
  }

  @Test(arguments: Seeds.some(20), [0, 1])
  func `Blanks are between names`(seed: UInt64, clearance: Int) throws {
    var random = SeededGenerator(seed: seed)
    let (_, block) = try Self.points(250, &random)
    let names = (0..<250).map { ["Ur", "Halle", "Leipzig", "Karl Marx"][$0 % 4] + "\($0)" }
    let labels = Self.canvas(points: block, names).labels(clearance: clearance)
    #expect(labels.count > 10)
    for (index, label) in labels.enumerated() {
      for other in labels.dropFirst(index + 1)
      where abs(other.row - label.row) <= clearance {
        let gap =
          max(
            other.column - label.column - label.columns, label.column - other.column - other.columns
          )
        #expect(gap >= (other.row == label.row ? 2 : 1), "\(label.text) and \(other.text)")
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `The name of a point on a page is nearer to its own sign than to any other`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let (places, block) = try Self.points(120, &random)
    let names = (0..<120).map { "Town \($0)" }
    let canvas = Self.canvas(points: block, names)
    let signs = canvas.picture().symbols
    let labels = canvas.labels(clearance: 1)
    #expect(labels.count > 5)
    for label in labels {
      let own = places[label.feature]
      let dot = try #require(label.dot)
      // A text beside its point is at the point's height.
      var text = Self.box(label)
      if label.column > dot.x >> 1 {
        text = Box(minX: own.x + 1.5, minY: 0, maxX: own.x + 1.5 + text.width, maxY: 0)
      } else if label.column + label.columns <= dot.x >> 1 {
        text = Box(minX: own.x - 1.5 - text.width, minY: 0, maxX: own.x - 1.5, maxY: 0)
      }
      let middle = own.y - 4 * Double(label.row - dot.y >> 2)
      func distance(_ place: Coordinate) -> Double {
        let x = max(text.minX - place.x, place.x - text.maxX, 0)
        let y = max(abs(place.y - middle) - 1.3, 0)
        return (x * x + y * y).squareRoot()
      }
      for (row, place) in places.enumerated() where row != label.feature {
        let cell = Int(168 - place.y) / 4 * 60 + Int(place.x - 68) / 2
        guard signs[cell] > 0 else { continue }
        // Great towns have their names among the signs of lesser ones.
        if label.feature < LabelPlacer.leaders, row > label.feature { continue }
        // Both are drawn to a dot.
        #expect(
          distance(place) > distance(own) - 1.5,
          "\(label) with \(own) in \(text) at \(middle) near \(names[row]) at \(place)")
      }
    }
  }

  @Test(arguments: Seeds.some(20))
  func `On a page no name of a town is at the sign of another one with a name`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    // The middles of dots.
    let places = try Self.points(120, &random).places.map { place in
      Coordinate(x: place.x.rounded(.down) + 0.5, y: place.y.rounded(.down) + 0.5)
    }
    let block = try #require(MapSamples.block(places.map { .point($0) }))
    let labels = Self.canvas(points: block, places.indices.map { "Town \($0)" })
      .labels(clearance: 1)
    for label in labels {
      let dot = try #require(label.dot)
      var text = Self.box(label)
      if label.column > dot.x >> 1 {
        text = text.moved(toX: Double(dot.x) + 70)
      } else if label.column + label.columns <= dot.x >> 1 {
        text = text.moved(toX: Double(dot.x) + 67 - text.width)
      }
      let middle = places[label.feature].y - 4 * Double(label.row - dot.y >> 2)
      for other in labels where other.feature != label.feature {
        let place = places[other.feature]
        let x = max(text.minX - place.x, place.x - text.maxX, 0)
        let y = max(abs(place.y - middle) - 1.3, 0)
        #expect(x * x + y * y > 1.5 * 1.5, "\(label) at \(middle) and \(other) at \(place)")
      }
    }
  }

  @Test(arguments: Seeds.some(20), ["Ferry", "Ice until\nApril"])
  func `A town's name steps aside for a note on the town`(seed: UInt64, text: String) throws {
    var random = SeededGenerator(seed: seed)
    let place = Coordinate(
      x: .random(in: 90...150, using: &random), y: .random(in: 100...150, using: &random))
    let town = try #require(MapSamples.block([.point(place)]))
    var canvas = Self.canvas(points: town, ["Tallinn"])
    let note = TextSet(block: town, style: Self.dots) { _ in text }
    canvas.draw(.texts(note))
    let label = try #require(canvas.labels(clearance: 0).first)
    let lines = TextLayout.texts(of: note, through: Self.camera).flatMap(\.lines)
    for line in lines where line.row == label.row {
      #expect(!line.cells.overlaps(label.column..<(label.column + label.columns)))
    }
    #expect(abs(label.row - lines[0].row) <= lines.count)
    // The note's letters are not written over.
    var frame = Frame(size: Self.camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    for line in lines { #expect(frame.plainText().contains(line.text)) }
  }

  @Test(arguments: Seeds.some(20), [-1.0, 1])
  func `The name of a town at the coast is on the sea`(seed: UInt64, east: Double) throws {
    var random = SeededGenerator(seed: seed)
    let x = Double.random(in: 110...140, using: &random)
    let place = Coordinate(x: x - east, y: .random(in: 100...150, using: &random))
    let land = Box(
      minX: east > 0 ? 0 : x, minY: 60, maxX: east > 0 ? x : 256, maxY: 200)
    let area = try #require(MapSamples.block([Self.polygon(land)]))
    let town = try #require(MapSamples.block([.point(place)]))
    var canvas = CellCanvas(camera: Self.camera, memory: RenderMemory())
    canvas.draw(.block(area, style: MarkStyle(fill: MapSamples.white), hidden: []))
    canvas.draw(
      .labels(
        LabelSet(
          block: town, style: Self.dots, priority: 0, text: { _ in "Odessa" }, rank: { _ in 0 })))
    let label = try #require(canvas.labels(clearance: 0).first)
    let middle = 68 + 2 * Double(label.column) + Double(label.columns)
    #expect(east * (middle - x) > 0, "\(label.column) for a coast at \(x)")
  }
}

extension Box {
  fileprivate func moved(toX x: Double) -> Box {
    Box(minX: x, minY: minY, maxX: x + width, maxY: maxY)
  }
}
