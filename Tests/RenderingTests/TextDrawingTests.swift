import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Texts stand at their features, grids at their cells, arrowheads at the ends of lines.
@Suite struct TextDrawingTests {
  private static let words = ["a", "word", "two words", "東京", "é\u{301}x", "one\ntwo\n\nfour", ""]

  private struct Note {
    var geometry: Geometry
    var text: String
  }

  private static func notes(_ random: inout SeededGenerator) -> [Note] {
    (0..<12).map { _ in
      func place() -> Coordinate {
        Coordinate(
          x: Double.random(in: 60...180, using: &random),
          y: Double.random(in: 90...150, using: &random))
      }
      let text = words.randomElement(using: &random) ?? ""
      switch Int.random(in: 0...2, using: &random) {
      case 0: return Note(geometry: .point(place()), text: text)
      case 1: return Note(geometry: .line([place(), place()]), text: text)
      default:
        let corner = place()
        return Note(geometry: .polygon([MapSamples.square(corner.x, corner.y, 9)]), text: text)
      }
    }
  }

  private static func set(_ notes: [Note], isArrow: Bool = false) throws -> TextSet {
    let block = try #require(MapSamples.block(notes.map(\.geometry)))
    var style = MarkStyle(stroke: MapSamples.white)
    style.endsInArrow = isArrow
    return TextSet(block: block, style: style) { notes[$0].text }
  }

  private static func camera(columns: Int, rows: Int) -> Camera {
    MapSamples.planar(columns: columns, rows: rows, zoom: 0, x: 120, y: 120)
  }

  @Test(arguments: Seeds.some(40))
  func `A smaller window shows a part of what a larger one shows`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let notes = Self.notes(&random)
    let set = try Self.set(notes, isArrow: true)
    let marks: [Mark] = [.block(set.block, style: set.style, hidden: []), .texts(set)]
    let large = MapSamples.frame(marks, Self.camera(columns: 60, rows: 30))
    let (columns, rows) = (
      2 * Int.random(in: 3...28, using: &random), 2 * Int.random(in: 2...14, using: &random)
    )
    let small = MapSamples.frame(marks, Self.camera(columns: columns, rows: rows))
    let wide = large.plainText(.unicode).split(separator: "\n", omittingEmptySubsequences: false)
    let narrow = small.plainText(.unicode).split(separator: "\n", omittingEmptySubsequences: false)
    for row in 0..<rows {
      let line = String(wide[row + (30 - rows) / 2])
      // A wide character that is cut by an edge is left out.
      if line.contains("東") || line.contains("京") { continue }
      let cells = Array(line.padded(to: 60))
      let start = (60 - columns) / 2
      #expect(
        String(narrow[row]).padded(to: columns) == String(cells[start..<(start + columns)]))
    }
  }

  @Test(arguments: Seeds.some(40))
  func `The cells of a text pick its note, and no others do`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let notes = Self.notes(&random)
    let set = try Self.set(notes)
    let camera = Self.camera(columns: 50, rows: 24)
    let texts = TextLayout.texts(of: set, through: camera)
    // Of those that overlap the first is shown.
    func cells(_ text: PlacedText) -> Set<[Int]> {
      Set(text.lines.flatMap { line in line.cells.map { [line.row, $0] } })
    }
    var taken: Set<[Int]> = []
    for (number, note) in notes.enumerated() where !note.text.isEmpty {
      var alone = notes.map { Note(geometry: $0.geometry, text: "") }
      alone[number] = note
      let own = try #require(TextLayout.texts(of: Self.set(alone), through: camera).first)
      let isShown = texts.contains { $0.feature == number }
      #expect(isShown == taken.isDisjoint(with: cells(own)))
      if isShown { taken.formUnion(cells(own)) }
    }
    for row in 0..<24 {
      for column in 0..<50 {
        let place = camera.coordinate(column: column, row: row)
        var canvas = PickCanvas(near: Picker(camera: camera, point: place, tolerance: 1))
        canvas.draw(.texts(set))
        let covering = texts.filter { $0.covers(column: column, row: row) }.map(\.feature)
        #expect(canvas.hits.map(\.row) == covering)
      }
    }
  }

  @Test func `Labels keep off texts`() throws {
    let note = Note(geometry: .point(Coordinate(x: 100, y: 120)), text: "a note across the map")
    let set = try Self.set([note])
    let towns = try #require(
      MapSamples.block((0..<30).map { .point(Coordinate(x: 98 + Double($0) * 2, y: 120)) }))
    let labels = LabelSet(
      block: towns, style: MarkStyle(stroke: MapSamples.white), priority: 0,
      text: { "Town \($0)" }, rank: { Double($0) })
    let camera = Self.camera(columns: 60, rows: 20)
    let text = MapSamples.frame([.labels(labels), .texts(set)], camera).plainText(.unicode)
    #expect(text.contains("a note across the map"))
    #expect(text.contains("Town 29"))
  }

  @Test func `A text stands before its line across 180 degrees too`() throws {
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0,
      size: CellSize(columns: 128, rows: 40))
    for (start, end, alignment) in [
      (170.0, -170.0, PlacedText.Alignment.end), (-170, 170, .start), (10, 20, .end),
    ] {
      let line = Geometry.line([Coordinate(x: start, y: 0), Coordinate(x: end, y: 2)])
      let set = try Self.set([Note(geometry: line, text: "word")])
      #expect(TextLayout.texts(of: set, through: camera).map(\.alignment) == [alignment])
    }
  }

  @Test func `An arrow points where its line goes`() throws {
    let middle = Coordinate(x: 120, y: 120)
    let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    for (glyphs, heads) in [(GlyphSet.braille, "→↗↑↖←↙↓↘"), (.ascii, ">/^\\</v\\")] {
      for ((x, y), head) in zip(steps, heads) {
        let end = Coordinate(x: 120 + 20 * Double(x), y: 120 + 20 * Double(y))
        let set = try Self.set(
          [Note(geometry: .line([middle, middle, end]), text: "")], isArrow: true)
        var canvas = CellCanvas(
          camera: Self.camera(columns: 60, rows: 30), memory: RenderMemory(), glyphs: glyphs)
        canvas.draw(.block(set.block, style: set.style, hidden: []))
        var frame = Frame(size: CellSize(columns: 60, rows: 30))
        canvas.compose(into: &frame, at: frame.bounds)
        let cell = try #require(canvas.camera.cell(at: end))
        let line = Array(
          frame.plainText(.unicode).split(separator: "\n", omittingEmptySubsequences: false)[
            cell.row])
        #expect(line[cell.column] == head)
      }
    }
  }

  @Test(arguments: Seeds.some(30))
  func `A cell shows the grid's cell at its middle, each character at least once`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let (columns, rows) = (
      Int.random(in: 1...40, using: &random), Int.random(in: 1...20, using: &random)
    )
    let west = Double.random(in: 80...140, using: &random)
    let box = Box(
      minX: west, minY: 100, maxX: west + Double.random(in: 1...60, using: &random), maxY: 140)
    let cells = (0..<columns * rows).map { number in
      CellGrid.Cell(
        symbol: ["#", ".", ""][number % 3],
        background: number % 4 == 0 ? Colour(red: 9, green: UInt8(number % 250), blue: 9) : nil)
    }
    let grid = try #require(
      CellGrid(box: box, columns: columns, rows: rows) { cells[$1 * columns + $0] })
    let camera = Self.camera(columns: 60, rows: 30)
    let frame = MapSamples.frame([.grid(grid)], camera)
    let lines = frame.plainText(.unicode).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { Array(String($0).padded(to: 60)) }
    for row in 0..<30 {
      for column in 0..<60 {
        let middle = camera.coordinate(column: column, row: row)
        let inside = box.contains(middle)
        guard inside else {
          #expect(lines[row][column] == " " && frame[column, row].style.background.isStandard)
          continue
        }
        let x = min(columns - 1, Int((middle.x - box.minX) / box.width * Double(columns)))
        let y = min(rows - 1, Int((box.maxY - middle.y) / box.height * Double(rows)))
        let cell = cells[y * columns + x]
        #expect(frame[column, row].style.background == TerminalColour(cell.background))
        let shown = String(lines[row][column])
        #expect(shown == " " || shown == cell.symbol)
        // One of the screen at the middle of each of the grid's that is large enough.
        let own = grid.box(column: x, row: y)
        if let home = camera.cell(at: own.center), home == (column, row), !cell.symbol.isEmpty {
          #expect(shown == cell.symbol)
        }
      }
    }
  }
}

extension String {
  fileprivate func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - count))
  }
}
