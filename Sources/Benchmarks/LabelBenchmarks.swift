import Glibc
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals

/// The share of the largest towns with a label, in 20 views of dense regions, with borders and
/// rivers on: in a terminal of 120x40, and on pages of 1400x900. Then the share of the cells of
/// maps that are letters, and the greatest towns of the program's samples that the world names.
///
/// `PORTOLAN_DATA` is a folder with `cities15000.geojson` (GeoNames), `wdb_borders_i.geojson`,
/// `wdb_rivers_i.geojson` and Natural Earth's `ne_50m_countries.geojson`,
/// `ne_50m_populated_places_simple.geojson` and `ne_50m_rivers_lake_centerlines.geojson`, unpacked.
/// The samples are read from the current folder's `Sources/portolan/Samples`.
struct LabelBenchmarks: BenchmarkSuite {
  let name = "labels"

  private static let views: [(name: String, x: Double, y: Double, zoom: Double)] = [
    ("London", -0.5, 51.8, 6), ("Paris", 2.5, 48.9, 5.5), ("Ruhr", 7.1, 51.4, 7),
    ("Europe", 9, 49, 4.5), ("Lombardy", 9.6, 45.5, 6.5), ("Naples", 14.5, 41, 6),
    ("Istanbul", 29, 40.7, 6), ("Nile Delta", 31.1, 30.5, 7), ("Lagos", 4.5, 7, 6),
    ("Delhi", 77.3, 28.6, 6), ("Bengal", 89, 23.4, 6.5), ("Mumbai", 73.5, 19.2, 6),
    ("Guangzhou", 113.5, 22.9, 7), ("Shanghai", 120.7, 31.4, 6.5), ("Osaka", 135.5, 34.8, 7),
    ("Tokyo", 139.6, 35.7, 7.5), ("Java", 107.5, -6.6, 6.5), ("New York", -74, 40.9, 6.5),
    ("Mexico City", -99.1, 19.4, 6.5), ("Sao Paulo", -46.7, -23.2, 6.5),
  ]

  func run() throws {
    let samples = "Sources/portolan/Samples"
    if let world = try document(
      samples, ["ne_110m_countries", "ne_110m_rivers", "ne_110m_populated_places"])
    {
      measureLetters("world", world, Box(minX: -180, minY: -60, maxX: 180, maxY: 75))
      measureWorld(world)
    }
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      return print("labels: PORTOLAN_DATA is not set")
    }
    if let europe = try document(
      folder,
      [
        "ne_50m_countries", "ne_50m_rivers_lake_centerlines", "ne_50m_populated_places_simple",
      ])
    {
      measureLetters("Europe", europe, Box(minX: -12, minY: 34, maxX: 42, maxY: 64))
    }
    guard
      let document = try document(folder, ["wdb_rivers_i", "wdb_borders_i", "cities15000"]),
      let towns = document.layers.last as? any FeatureHolding
    else { return }
    measureLetters("Bengal", document, Box(minX: 76, minY: 13, maxX: 102, maxY: 34))
    measure("", document, towns, CellSize(columns: 120, rows: 40), Self.screen)
    measure("on pages ", document, towns, CellSize(columns: 233, rows: 75), Self.page)
  }

  /// A document of some files, the last one on top; `nil` if one is missing.
  private func document(_ folder: String, _ files: [String]) throws -> Document? {
    var document = Document()
    for file in files {
      guard let bytes = BenchmarkFile.bytes(of: "\(folder)/\(file).geojson") else {
        print("labels: no \(folder)/\(file).geojson")
        return nil
      }
      let read = try GeoJSONFormat().read(bytes, options: ImportOptions(name: file)) { _ in }
      document.add(read.layers, hasLooks: false)
    }
    return document
  }

  /// The share of the cells of a map that are letters, in four sizes.
  private func measureLetters(_ title: String, _ document: Document, _ box: Box) {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
      let size = CellSize(columns: size.0, rows: size.1)
      let camera = Camera.fitting(box, plane: .webMercator, size: size, margin: 0)
      let letters = Self.text(document, camera).count { $0.isLetter || $0.isNumber }
      let share = 1000 * letters / (size.columns * size.rows)
      print(
        "labels \(title) \(size.columns)x\(size.rows):",
        "\(share / 10).\(share % 10) % of the cells are letters")
    }
  }

  /// The greatest towns of the samples that the world names.
  private func measureWorld(_ world: Document) {
    guard let towns = world.layers.last as? any FeatureHolding else { return }
    let greatest = Self.largest(of: towns, in: MapPlane.webMercator.extent, 20, by: "pop_max")
    let plane = MapPlane(projection: .equirectangular)
    for (title, columns, rows, names) in [
      ("at 120x40", 120, 40, Self.screen), ("at 200x60", 200, 60, Self.screen),
      ("on 1200x700", 200, 58, Self.page), ("on A4", 132, 93, Self.page),
      ("on A4 across", 187, 66, Self.page),
    ] as [(String, Int, Int, (Document, Camera) -> (String) -> Bool)] {
      let camera = Camera.fitting(
        plane.extent, plane: plane, size: CellSize(columns: columns, rows: rows), margin: 0)
      let isNamed = names(world, camera)
      let missing = greatest.filter { !isNamed($0) }
      print(
        "labels world \(title): \(greatest.count - missing.count) of the",
        "\(greatest.count) greatest towns",
        missing.isEmpty ? "" : "without \(missing.joined(separator: ", "))")
    }
  }

  /// - Parameter names: the names that a picture of a document shows.
  private func measure(
    _ title: String, _ document: Document, _ towns: any FeatureHolding, _ size: CellSize,
    _ names: (Document, Camera) -> (String) -> Bool
  ) {
    var total = (labelled: 0, towns: 0, five: 0, fives: 0)
    for view in Self.views {
      let camera = Camera(
        plane: .webMercator, center: Coordinate(x: view.x, y: view.y), zoom: view.zoom, size: size)
      let largest = Self.largest(of: towns, in: camera.visible, 10, by: "population")
      let isLabelled = largest.map(names(document, camera))
      total.labelled += isLabelled.count { $0 }
      total.towns += largest.count
      total.five += isLabelled.prefix(5).count { $0 }
      total.fives += min(5, largest.count)
      let missing = zip(largest, isLabelled).filter { !$0.1 }.map(\.0)
      print(
        "labels \(title)\(view.name): \(isLabelled.count { $0 }) of \(largest.count)",
        missing.isEmpty ? "" : "without \(missing.joined(separator: ", "))")
    }
    print(
      "labels \(title)in all: \(total.labelled) of the \(total.towns) largest,",
      "\(total.five) of the \(total.fives) among the first five of each view")
  }

  /// The names on a page.
  private static func page(_ document: Document, _ camera: Camera) -> (String) -> Bool {
    var canvas = PageCanvas(camera: camera, memory: RenderMemory())
    draw(document, on: &canvas)
    var reader = NameReader()
    canvas.compose(on: &reader, at: PagePoint(x: 0, y: 0))
    return { [names = reader.names] in names.contains($0) }
  }

  private static func draw(_ document: Document, on canvas: inout some Canvas) {
    let layers = document.shownLayers
    for (index, layer) in layers.enumerated() {
      layer.draw(on: &canvas, labelPriority: layers.count - index)
    }
  }

  /// The names on a screen.
  private static func screen(_ document: Document, _ camera: Camera) -> (String) -> Bool {
    let text = text(document, camera)
    // Names of more than 32 columns are cut.
    return { text.contains($0.prefix(28)) }
  }

  /// The characters of a map on a screen.
  private static func text(_ document: Document, _ camera: Camera) -> String {
    var canvas = CellCanvas(camera: camera, memory: RenderMemory())
    draw(document, on: &canvas)
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    return frame.plainText()
  }

  /// The names of the largest towns in a box.
  private static func largest(
    of towns: any FeatureHolding, in box: Box, _ count: Int, by field: String
  ) -> [String] {
    var found: [(population: Double, name: String)] = []
    for block in towns.blocks {
      for row in 0..<block.rowCount where box.union(block.geometry.boxes[row]) == box {
        found.append(
          (block.attribute(field, row: row).double ?? 0, block.attribute("name", row: row).text))
      }
    }
    return found.sorted { $0.population > $1.population }.prefix(count).map(\.name)
  }
}

/// The names that are painted on a page.
private struct NameReader: PagePainter {
  var names: Set<String> = []

  mutating func begin(_ part: PagePart) {}
  mutating func end(_ part: PagePart) {}
  mutating func paint(_ shape: PageShape) {}
  mutating func paint(_ sign: PageSign) {}
  mutating func paint(dots: [PagePoint], style: MarkStyle) {}
  mutating func paint(_ label: PageLabel) { names.insert(label.text) }
}
