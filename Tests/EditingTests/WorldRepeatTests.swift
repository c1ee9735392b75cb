import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// A window that is wider than the world, and what lies across 180 degrees.
@Suite struct WorldRepeatTests {
  /// A line of points round the globe, with names, and an island across 180.
  private static let globe: Document = {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "places",
      style: .standard(forDimension: 0, index: 0, labelField: "name"))
    for (index, x) in stride(from: -170.0, through: 170, by: 20).enumerated() {
      _ = layer.add(
        geometry: .point(Coordinate(x: x, y: Double(index % 5) * 15 - 30)),
        attributes: [("name", .string("P\(index)"))])
    }
    var lines = FeatureLayer(
      id: LayerID(document.makeID()), name: "lines", style: .standard(forDimension: 1, index: 1))
    _ = lines.add(
      geometry: .line([(176, -18), (-179, -16), (-178, -20)].map(Coordinate.init(pair:))),
      attributes: [("name", .string("Cable"))])
    _ = lines.add(
      geometry: .line([(170, 60), (178, 62)].map(Coordinate.init(pair:))),
      attributes: [("name", .string("West"))])
    _ = lines.add(
      geometry: .line([(-176, 60), (-170, 62)].map(Coordinate.init(pair:))),
      attributes: [("name", .string("East"))])
    document.layers = [lines, layer]
    return document
  }()

  private func editor(columns: Int = 140, zoom: Double = -0.5) -> Editor {
    var editor = Editor(Self.globe, size: CellSize(columns: columns, rows: 30))
    editor.desk.panels = []
    editor.desk.zoom(to: zoom)
    return editor
  }

  private func frame(_ editor: Editor) -> Frame {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
  }

  @Test(arguments: [0.0, 100, -170, 180])
  func `One world stands in the middle; its columns cover 360 degrees`(center: Double) {
    for columns in 60..<200 {
      let camera = Camera(
        plane: .webMercator, center: Coordinate(x: center, y: 0), zoom: -0.5,
        size: CellSize(columns: columns, rows: 30))
      let world = camera.worldColumns
      let expected = camera.worldDots / 2
      if Double(columns) <= expected {
        #expect(world == 0..<columns)
      } else if camera.showsRepeats {
        #expect(abs(Double(world.count) - expected) <= 1)
        #expect(abs(world.lowerBound - (columns - world.upperBound)) <= 1)
      }
    }
  }

  @Test func `render draws one world, and the same inside of it`() throws {
    for center in [0.0, 120, -175] {
      let camera = Camera(
        plane: .webMercator, center: Coordinate(x: center, y: 0), zoom: -0.5,
        size: CellSize(columns: 140, rows: 30))
      let request = PictureRequest(
        format: TextPicture.plain, document: Self.globe, camera: camera,
        size: PictureSize(camera.size.columns, camera.size.rows, .cells),
        glyphs: .braille, colour: .never, hasLabels: false, parts: PictureParts(), paper: .light)
      let format = TextPicture.plain
      var paper = format.paper(for: request, depth: .mono)
      MapLayers.draw(request.drawnDocument.shownLayers, on: &paper)
      let picture = format.frame(of: paper, for: request, depth: .mono)
      var canvas = CellCanvas(camera: camera, memory: RenderMemory(), depth: .mono)
      var plain = Self.globe
      for index in plain.layers.indices {
        plain.layers[index].style = Style(
          name: plain.layers[index].style.name, mark: plain.layers[index].style.mark)
      }
      MapLayers.draw(plain.shownLayers, on: &canvas)
      var all = Frame(size: camera.size)
      canvas.compose(into: &all, at: all.bounds)
      var outside = 0
      for row in 0..<30 {
        for column in 0..<140 {
          if camera.worldColumns.contains(column) {
            #expect(picture[column, row] == all[column, row], "\(column),\(row) at \(center)")
          } else {
            #expect(picture[column, row].glyph == .space)
            outside += all[column, row].glyph == .space ? 0 : 1
          }
        }
      }
      #expect(outside > 3)
    }
  }

  @Test func `Names stand once in a render and in the editor`() throws {
    let text = frame(editor()).plainText()
    for index in 0..<18 {
      let count = text.ranges(of: "P\(index)").count { range in
        !(text[range.upperBound...].first?.isNumber ?? false)
      }
      #expect(count <= 1, "P\(index)")
    }
    #expect(text.contains("P4"))
  }

  @Test(arguments: [ColourDepth.indexed, .eight, .mono])
  func `Repeats are fainter, and a line stands at 180`(depth: ColourDepth) throws {
    var editor = editor()
    editor.desk.session.capabilities = ScreenCapabilities(depth: depth, isUnicode: true)
    let shown = frame(editor)
    let map = editor.desk.mapArea
    let camera = editor.desk.camera
    let world = camera.worldColumns
    let symbol = try #require(Self.globe.layers.last?.style.mark.symbol)
    var (inside, outside) = (Set<CellStyle>(), Set<CellStyle>())
    for row in 0..<map.rows - 1 {
      for column in 0..<map.columns {
        let cell = shown[map.column + column, map.row + row]
        if shown.text(of: cell.glyph) != symbol { continue }
        if world.contains(column) { inside.insert(cell.style) } else { outside.insert(cell.style) }
      }
    }
    #expect(!inside.isEmpty && !outside.isEmpty)
    #expect(inside.isDisjoint(with: outside))
    let lines = camera.antimeridian
    #expect(lines.columns.count == 2)
    for column in lines.columns {
      let count = (0..<map.rows).count {
        shown.text(of: shown[map.column + column, map.row + $0].glyph) == "│"
      }
      #expect(count > lines.rows.count / 2)
    }
    // A window within the world has neither.
    editor.desk.zoom(to: 4)
    let near = frame(editor).part(map)
    #expect(!near.plainText().contains("│"))
  }

  @Test func `What is clicked in a repeat is the same feature`() throws {
    var editor = editor()
    let camera = editor.desk.camera
    let map = editor.desk.mapArea
    var found = 0
    for (index, x) in stride(from: -170.0, through: 170, by: 20).enumerated() {
      let place = Coordinate(x: x, y: Double(index % 5) * 15 - 30)
      let dot = try #require(camera.dot(at: place))
      for turn in [-1.0, 0, 1] {
        let column = Int(((dot.x + turn * camera.worldDots) / 2).rounded(.down))
        let row = Int((dot.y / 4).rounded(.down))
        guard column >= 0, column < map.columns else { continue }
        try editor.press("<esc><esc>")
        let (c, r) = (map.column + column, map.row + row)
        try editor.press("<press:\(c),\(r)><release:\(c),\(r)>")
        #expect(editor.selected == ["P\(index)"], "at \(column),\(row)")
        if turn != 0 { found += 1 }
      }
    }
    #expect(found > 3)
  }

  @Test func `A line across 180 is zoomed to, and so are features on either side`() throws {
    var editor = editor()
    try editor.run("go name Cable")
    try editor.press("zs")
    #expect(editor.desk.viewpoint.zoom > 4)
    #expect(abs(abs(editor.desk.viewpoint.center.x) - 179) < 1)
    try editor.run("go name West")
    let west = editor.desk.selection.features
    try editor.run("go name East")
    editor.desk.select(west, .add)
    try editor.press("zs")
    #expect(editor.desk.viewpoint.zoom > 2.5)
    #expect(abs(abs(editor.desk.viewpoint.center.x) - 180) < 1)
    try editor.run("fit lines")
    #expect(abs(abs(editor.desk.viewpoint.center.x) - 180) < 3)
    try editor.run("fit places")
    #expect(abs(editor.desk.viewpoint.center.x) < 1)
  }

  @Test func `The narrowest arc holds what was added, and is no wider than any other`() {
    var generator = SeededGenerator(seed: 25)
    for _ in 0..<500 {
      var arc = LongitudeArc()
      var places: [Double] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let start = Double.random(in: -180..<180, using: &generator)
        let width = Double.random(in: 0...90, using: &generator)
        arc.add(from: start, to: start + width)
        places += [start, start + width / 2, start + width]
      }
      guard let bounds = arc.bounds else {
        Issue.record("no arc")
        return
      }
      #expect(bounds.start >= -180 && bounds.start < 180 && bounds.end <= bounds.start + 360)
      for place in places {
        let beyond = place - bounds.start - 360 * ((place - bounds.start) / 360).rounded(.down)
        let isInside = beyond <= bounds.end - bounds.start + 1e-9 || beyond > 360 - 1e-9
        #expect(isInside, "\(place) of \(bounds)")
      }
      // An arc from any of the starts that holds all is as wide or wider.
      for start in places {
        let width = places.map { $0 - start - 360 * (($0 - start) / 360).rounded(.down) }.max() ?? 0
        if width < 180 { #expect(bounds.end - bounds.start <= width + 1e-9) }
      }
    }
    #expect(LongitudeArc().bounds == nil)
  }
}
