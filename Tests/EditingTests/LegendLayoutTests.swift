import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The places and the texts of legends, and the signs of pictures.
@Suite struct LegendLayoutTests {
  private static func entries(_ counts: [Int]) -> [LegendEntry] {
    counts.flatMap { count in
      (0..<count).map { index in
        var entry = LegendEntry(text: "e", mark: MarkStyle(), dimension: 2)
        entry.beginsLayer = index == 0
        return entry
      }
    }
  }

  @Test(arguments: Seeds.some(40))
  func `Each entry has a place of its own, and layers stay whole where that fits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let counts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      Int.random(in: 1...9, using: &random)
    }
    let columns = Int.random(in: 0...5, using: &random)
    let entries = Self.entries(counts)
    let (rows, places) = LegendColumns.places(of: entries, columns: columns)
    #expect(places.count == entries.count)
    #expect(Set(places.map { [$0.column, $0.row] }).count == places.count)
    let isInside = places.allSatisfy {
      (0..<max(1, columns)).contains($0.column) && (0..<max(1, rows)).contains($0.row)
    }
    #expect(isInside, "\(counts) \(columns)")
    let least = LegendColumns.rows(entries.count, columns: max(1, columns))
    let longest = counts.max() ?? 0
    let most = max(least + max(2, least / 2), longest <= LegendColumns.wholeRows ? longest : 0)
    #expect(rows >= least && rows <= most)
    if rows == least { return }
    // More rows than needed are the price of whole layers.
    var start = 0
    for count in counts {
      #expect(Set(places[start..<start + count].map(\.column)).count == 1)
      start += count
    }
  }

  @Test(arguments: Seeds.some(40))
  func `No heading ends a column`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var entries = Self.entries(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 2...30, using: &random)
      })
    for index in entries.indices { entries[index].isHeading = entries[index].beginsLayer }
    let columns = Int.random(in: 1...5, using: &random)
    let (rows, places) = LegendColumns.places(of: entries, columns: columns)
    #expect(Set(places.map { [$0.column, $0.row] }).count == entries.count)
    #expect(places.allSatisfy { $0.column < columns && $0.row < rows })
    for (index, entry) in entries.enumerated() where entry.isHeading {
      #expect(places[index].column == places[index + 1].column, "\(places)")
    }
  }

  @Test(arguments: Seeds.some(40))
  func `Short names are those of no other layer`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["ne", "50m", "ne_", "rivers", "a", "é", "", " ", "_"]
    let names = Set(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (0..<Int.random(in: 1...4, using: &random))
          .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: "_")
      }
    ).sorted()
    let short = ShortNames(names, signs: .page)
    let shown = names.map { short.short($0) }
    #expect(Set(shown).count == names.count || shown.allSatisfy(\.isEmpty), "\(names)")
    for (name, text) in zip(names, shown) where !text.isEmpty {
      #expect(name.hasSuffix(text.dropFirst()) && text.count > 1, "\(name) \(text)")
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A panel shows all names of layers whole, or all short`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var document = Document()
    let words = ["countries", "rivers", "populated_places_simple", "x", "admin_1_states"]
    let names = words.shuffled(using: &random).prefix(Int.random(in: 2...5, using: &random))
    for name in names {
      var layer = LayerKinds.features(LayerID(document.makeID()), name: "gb_north_" + name)
      _ = layer.add(geometry: .point(Coordinate(x: 0, y: 0)), attributes: [])
      document.layers.append(layer)
    }
    let size = CellSize(columns: .random(in: 80...160, using: &random), rows: 40)
    let editor = Editor(document, size: size)
    var memory = RenderMemory()
    let text = editor.desk.frame(size: size, memory: &memory).plainText(.unicode)
    let lines = text.split(separator: "\n")
    let legend = try #require(lines.firstIndex { $0.contains("Legend") })
    let layers = try #require(lines.firstIndex { $0.contains("Layers") })
    for panel in [lines[layers..<legend], lines[legend...].prefix(names.count + 1)] {
      let whole = panel.count { $0.contains("gb_north_") || $0.contains("gb north ") }
      let short = panel.count { line in
        words.contains {
          line.contains("…\($0)") || line.contains("…" + LayerTitles.title(ofName: $0))
        }
      }
      #expect(whole == 0 || short == 0, "\(panel.joined(separator: "\n"))")
      #expect(whole + short > 0)
    }
  }

  @Test func `Names lose the words with which all begin`() {
    let names = ["ne_50m_countries", "ne_50m_rivers", "ne_50m_capes"]
    let short = ShortNames(names, signs: .page)
    #expect(names.map { short.short($0) } == ["…countries", "…rivers", "…capes"])
    #expect(ShortNames(["rivers", "roads"], signs: .page).short("rivers").isEmpty)
    #expect(ShortNames(["rivers"], signs: .page).short("rivers").isEmpty)
    #expect(ShortNames(["a_b", "a_"], signs: .page).short("a_").isEmpty)
  }

  @Test func `Usual signs are shapes on pages, hollow ones unlike filled ones`() {
    let symbols = "•·●◦○◎◉■□▪▲△▴▼▽◆◇◈⬩★☆+×".map(String.init)
    for symbol in symbols {
      if case .text = PageSignShape(symbol) { Issue.record("\(symbol) is a text") }
    }
    for (filled, hollow) in [("●", "○"), ("■", "□"), ("▲", "△"), ("◆", "◇"), ("▼", "▽")] {
      guard case .filled = PageSignShape(filled), case .hollow = PageSignShape(hollow) else {
        Issue.record("\(filled) and \(hollow) are alike")
        continue
      }
    }
  }

  @Test func `The classes of points grow from the first to the last`() throws {
    for count in 2...7 {
      let bounds = (0...count).map(Double.init)
      let base = MarkStyle(stroke: GroundInk.work, symbol: "•")
      let classes = try #require(
        StyleClasses.breaks("n", bounds, ramp: ColourRamp.all[0], base: base))
      let sizes = (0..<count).map { number -> Double in
        switch PageSignShape(classes.mark(ofGroup: number, base).symbol) {
        case .filled(.circle(let radius)), .hollow(.circle(let radius), _): radius
        default: 0
        }
      }
      #expect(sizes.first ?? 0 > 0 && sizes.last == sizes.max(), "\(sizes)")
    }
  }

  @Test func `Layers with nothing in view are told in the editor and left out of pictures`() throws
  {
    var document = Document()
    for (index, x) in [0.0, 100].enumerated() {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: "layer \(index)",
        style: .standard(forDimension: 0, index: index))
      _ = layer.add(geometry: .point(Coordinate(x: x, y: 0)), attributes: [])
      document.layers.append(layer)
    }
    var editor = Editor(document)
    try editor.run("fit layer\\ 0")
    try editor.run("zoom to 8")
    let entries = LegendPanel.entries(editor.desk)
    #expect(entries.map(\.isAbsent) == [true, false])
    #expect(entries.first?.note == "none in view")
    try editor.run("render -o x.svg --legend")
    let requests = editor.effects.compactMap { effect -> PictureRequest? in
      guard case .perform(let request as RenderRequest, _) = effect else { return nil }
      return request.picture
    }
    #expect(requests.last?.parts.legend.map(\.text) == ["layer 0"])
  }

  @Test(arguments: Seeds.some(20))
  func `A legend beside a map makes the map larger, and keeps off it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = PictureSize(
      Int.random(in: 100...2000, using: &random), Int.random(in: 100...1200, using: &random),
      .pixels)
    var parts = PictureParts()
    parts.legend = Self.entries([3, 2])
    parts.legendIsBeside = true
    let layout = PageLayout(size, parts)
    let right = layout.map.x + Double(layout.cells.columns) * PageCanvas.cellWidth
    let bottom = layout.map.y + Double(layout.cells.rows) * PageCanvas.cellHeight
    #expect(right <= layout.legend.x || bottom <= layout.legend.y)
    #expect(layout.legend.maxX <= Double(size.width) && layout.cells.columns > 0)
  }
}
