package import ArgumentParser
package import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanGraphics
package import PortolanInterchange

/// Writes layers as map data.
package struct ExportLayers: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write layers as map data.",
    discussion: """
      Unedited features are written as they were read: the same numbers, members and order. \
      --rfc7946 writes everything by the rules instead; it takes longitude and latitude on \
      WGS 84 only. --crs converts into another coordinate system; without it nothing is \
      converted, but for formats of longitude and latitude only (KML, GPX). --bbox takes whole \
      features that touch the box, --clip cuts them. Several inputs \
      become one map, or a file each: -o 'out/{name}.{format}'.
      """)

  package static let jsonOptions = ["--format geojson", "--format ndjson"]

  @OptionGroup var target: OutputOptions

  @Option(
    help: "\(FileFormats.names(FileFormats.exporters)); by default from the output's extension.",
    completion: .list(FileFormats.exporters.map(\.name)))
  var format: String?

  @Option(help: "Only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @Flag(help: "Only the selected features.")
  var selection = false

  @Flag(help: "Only visible layers, without the features that filters hide.")
  var visible = false

  @Option(
    parsing: .unconditional,
    help: """
      Only features whose geometry touches this box: W,S,E,N; W > E reaches across 180 degrees.
      """,
    transform: BoxArgument.read)
  var bbox: BoxArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut features along this box, W,S,E,N, or the areas of a layer or a file.",
      valueName: "box|layer|file"),
    completion: .file())
  var clip: TextArgument?

  @Option(parsing: .unconditional, help: "At most so many features of a layer.")
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Convert into this coordinate system; boxes are in the system before.",
      valueName: "EPSG:CODE"),
    transform: SystemArgument.read)
  var crs: SystemArgument?

  @Option(help: "At most so many decimals, 0 to 17.")
  var precision: Int?

  @Option(
    help: ArgumentHelp(
      "Of TopoJSON: round to a grid of so many places each way, as 1e6; smaller files.",
      valueName: "places"),
    transform: QuantizationArgument.read)
  var quantize: QuantizationArgument?

  @Option(help: "The field separator of a table: comma, semicolon, tab or bar.")
  var separator: SeparatorArgument?

  @Flag(
    help: """
      In a table: write an apostrophe before texts that a spreadsheet would run as formulas.
      """)
  var safeCells = false

  @Flag(help: "Write everything by RFC 7946: winding, closed rings, cuts at 180 degrees.")
  var rfc7946 = false

  @Flag(name: .customLong("geojson-2008"), help: "Keep a crs member that was read.")
  var geojson2008 = false

  @OptionGroup var within: WithinOption

  @OptionGroup var fields: FieldOptions

  @OptionGroup package var map: MapOptions

  package init() {}

  /// One for each input, where the output is a pattern: `out/{name}.{format}`.
  package var parts: [any FileCommand] {
    guard let pattern = target.output, pattern.contains("{"), !map.files.isEmpty else {
      return [self]
    }
    let named = pattern.replacing("{format}", with: ending)
    guard pattern.contains("{name}") else {
      var whole = self
      whole.target.output = named
      return [whole]
    }
    return map.files.map { file in
      var part = self
      part.map.files = [file]
      part.target.output = named.replacing("{name}", with: InputName.stem(of: file))
      return part
    }
  }

  /// What stands for `{format}`.
  private var ending: String { (try? exporter())?.extensions.first ?? "" }

  /// Throws if the pattern of the output gives two inputs one name, or leaves something open.
  private func checkPattern() throws {
    guard let pattern = target.output, pattern.contains("{") else { return }
    try OutputOptions.check(pattern, places: ["name", "format"])
    if pattern.contains("{format}"), format == nil {
      throw ValidationError("{format} in the output stands for that of --format, which is missing")
    }
    guard pattern.contains("{name}") else { return }
    let names = map.files.map(InputName.stem)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ValidationError("two inputs are called \(twice): their outputs would have one name")
    }
  }

  package func validate() throws {
    try checkPattern()
    if let precision, !(0...17).contains(precision) {
      throw ValidationError("--precision is a number of decimals from 0 to 17")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is a number of features") }
    if rfc7946 && geojson2008 {
      throw ValidationError("--rfc7946 and --geojson-2008 exclude each other")
    }
    let isText = try exporter().isText
    if !isText, precision != nil || rfc7946 || geojson2008 {
      let option = precision != nil ? "--precision" : rfc7946 ? "--rfc7946" : "--geojson-2008"
      throw ValidationError("\(option) is for GeoJSON and tables")
    }
    if quantize != nil, !(try exporter() is TopoJSONWriter) {
      throw ValidationError("--quantize is for TopoJSON: give --format topojson")
    }
    let isTable = (try exporter() as? any Importer)?.takes(TableOptions()) == true
    if !isTable, separator != nil || safeCells {
      let option = separator != nil ? "--separator" : "--safe-cells"
      throw ValidationError("\(option) is for tables: give --format csv")
    }
  }

  /// The requested format, by its name or the output's ending.
  private func exporter() throws -> any Exporter {
    if let exporter = try OutputFormat.exporter(named: format, for: target.output) {
      return exporter
    }
    let name = FilePath.quoted(target.output ?? "")
    throw ValidationError(
      "\(name) is a document, which portolan import FILE -o \(name) writes")
  }

  package var needs: DocumentNeeds {
    guard clip == nil, within.within == nil, !selection, !visible else { return .all }
    if let condition = map.condition.condition {
      return fields.readShapes ? .all : .shapes(where: condition.text)
    }
    guard let bbox, crs == nil, fields.isEmpty else { return .all }
    return .touching(bbox.box)
  }

  package var wishes: SourceWishes {
    let box = clip.flatMap { try? BoxArgument.read($0.text) }
    guard within.within == nil, (clip == nil) == (box == nil), !selection else {
      return SourceWishes(about: layers)
    }
    let chosen = [bbox, box].compactMap { $0 }
    var wishes = SourceWishes(
      layers: layers, box: chosen.count == 1 ? chosen[0] : bbox,
      condition: map.condition.condition?.text, asked: fields.asked, figuresOfChosen: false,
      limit: clip == nil ? limit : nil)
    wishes.keepsUnplaced = bbox == nil
    return wishes
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    var path = try target.path(as: "export -o FILE.geojson", in: desk)
    if map.files.isEmpty, path.contains("{") {
      if path.contains("{name}") {
        throw EditingError(
          .usage, "{name} in the output stands for the name of an input, and none is named")
      }
      path = path.replacing("{format}", with: ending)
    }
    if selection && desk.selection.isEmpty {
      throw desk.nothingSelected()
    }
    try within.resolve(in: &desk) { [path] desk, areas in
      guard let clip else { return try write(to: path, within: areas, in: &desk) }
      let operand = try desk.operand(clip.text, hasBox: true)
      try desk.withShapes(of: operand) { desk, cut in
        try write(to: path, within: areas, cut: cut, in: &desk)
      }
    }
  }

  private func write(
    to path: String, within areas: OperandShapes?, cut: OperandShapes? = nil, in desk: inout Desk
  ) throws {
    let exporter = try exporter()
    let layers = try chosenLayers(desk.document, for: exporter)
    var features = selection ? FeatureChoice(desk.selection.features) : nil
    if let areas {
      let inside = FeatureChoice(areas.holding(layers, in: desk.document))
      features = features.map { $0.intersection(inside) } ?? inside
    }
    if let holding = try map.condition.choice(
      of: layers, in: desk.document, telling: &desk)
    {
      features = features.map { $0.intersection(holding) } ?? holding
    }
    if visible {
      let shown = FeatureChoice(desk.shownDocument.allFeatures(of: Set(layers)))
      features = features.map { $0.intersection(shown) } ?? shown
    }
    let document = try fields.applied(to: desk.document, of: layers, telling: &desk)
    desk.request(
      ExportRequest(
        path: path, format: exporter, document: document,
        layers: layers, features: features,
        options: try options(for: desk.document), overwrites: target.force, target: crs?.system,
        cut: cut, limit: limit))
  }

  private func chosenLayers(
    _ document: Document, for format: any Exporter
  ) throws -> [LayerID] {
    let holding = document.layers.filter {
      format.canHold($0) && (!visible || document.isShown($0))
    }
    let isVisible = visible ? "visible " : ""
    if holding.isEmpty {
      throw EditingError(.notFound, "there is no \(isVisible)layer with features")
    }
    if layers.isEmpty { return holding.map(\.id) }
    let known = Set(holding.map(\.id))
    return try LayerNames.ids(layers, in: document).filter { known.contains($0) }
  }

  /// Without other layers, places and systems, formats of features one after the other are read and
  /// written in parts.
  package var partExport: PartExport? {
    guard let path = map.files.first, map.files.count == 1, layers.isEmpty, !selection, !visible,
      crs == nil, clip == nil, within.within == nil,
      let format = try? exporter() as? any PartExporter
    else { return nil }
    if let reading = map.columns.reading {
      guard let told = reading as? ReadingOptions, told.system == nil, told.table == nil else {
        return nil
      }
    }
    return PartExport(input: path, reading: map.columns.reading, format: format, verb: self)
  }

  /// The rules of the export.
  ///
  /// - Throws: if the box does not suit the document.
  func options(for document: Document) throws -> ExportOptions {
    try bbox?.check(in: document)
    return ExportOptions(
      conformance: rfc7946 ? .rfc7946 : geojson2008 ? .geojson2008 : .asRead,
      precision: precision, box: bbox?.box, separator: separator?.byte,
      hasSafeCells: safeCells, leavesOutPositions: map.columns.noPositions,
      quantization: quantize?.places,
      coordinateSystem: document.metadata.systemOfExports)
  }
}

/// The number of places of a grid each way.
package struct QuantizationArgument: Hashable, Sendable {
  var places: Int

  /// Reads `10000` or `1e6`.
  static func read(_ word: String) throws -> QuantizationArgument {
    guard let value = Double(word), let places = Int(exactly: value), (2...1 << 40).contains(places)
    else { throw ValidationError("“\(word)” is no number of places: give it as 1e6") }
    return QuantizationArgument(places: places)
  }
}
