package import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanTexts

/// Writes a file for each value of an attribute.
package struct SplitLayer: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "split-layer", abstract: "Write a file for each value of an attribute.",
    discussion: """
      portolan split-layer towns.geojson --by country -o 'out/{value}.geojson' writes the features \
      of each country into a file of its own; {format} in the pattern stands for that of --format. \
      Features are written as export writes them. In names of files a slash, a control character \
      and a point at the beginning become _; features without a value go to null, and values that \
      would have the same name get a number behind it, and a message says so. The folder must \
      exist.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @Option(help: "The attribute.")
  var by: TextArgument

  @OptionGroup package var work: WorkOptions

  /// The most files that are written.
  private static let filesMax = 10_000

  package init() {}

  package func validate() throws {
    try checkWords("FILE --by NAME -o 'out/{value}.geojson'")
    guard let pattern = work.result.target.output, pattern.contains("{value}") else {
      throw ValidationError(
        "name the files with the value in them: split-layer --by NAME -o 'out/{value}.geojson'")
    }
    try OutputOptions.check(pattern, places: ["value", "format"])
    if pattern.contains("{format}"), work.result.format == nil {
      throw ValidationError("{format} in the output stands for that of --format, which is missing")
    }
    if work.layerName != nil || work.inPlace {
      throw ValidationError(
        "split-layer makes files: --as and --in-place are for commands that make layers")
    }
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    guard let pattern = work.result.target.output, let exporter = try work.result.exporter() else {
      throw EditingError(.usage, "split-layer writes map data: name a format of it")
    }
    let chosen = try chosen(in: &desk)
    let document = desk.document
    let layers = chosen.parts.compactMap { document[layer: $0.layer] as? any FeatureHolding }
    try KnownAttributes(of: layers).require(by.text, in: chosen.name(in: document))
    let parts = try SplitParts(document, chosen, by: by.text, countMax: Self.filesMax)
    if !parts.clashes.isEmpty {
      desk.send(
        .warn(
          "values that would give files of one name: "
            + parts.clashes.map { "\($0.value) is in \($0.name)" }.joined(separator: ", ")))
    }
    let ending = exporter.extensions.first ?? ""
    let requests = parts.parts.map { part in
      ExportRequest(
        path: pattern.replacing("{format}", with: ending).replacing("{value}", with: part.name),
        format: exporter, document: part.document, layers: chosen.parts.map(\.layer), features: nil,
        options: ExportOptions(
          precision: work.result.precision, coordinateSystem: document.metadata.systemOfExports),
        overwrites: work.result.target.force)
    }
    desk.request(SplitRequest(exports: requests))
  }

  package func finish(in desk: inout Desk) throws {}
}

/// Writes several files, one after the other.
struct SplitRequest: Request {
  var exports: [ExportRequest]

  var name: String { "writing " + CountText.text(exports.count, "file", "files") }
  var isWriting: Bool { true }
  var isStoppable: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    // Nothing is written if one of the names is taken.
    for export in exports
    where !export.overwrites && export.path != "-" && world.files.exists(export.path) {
      let error = FileError(call: "open", path: export.path, number: 0, problem: .exists)
      throw .writing(export.path, error)
    }
    for (index, export) in exports.enumerated() {
      try progress.checkFailure()
      _ = try world.export(export, progress.part(index, of: exports.count))
    }
    return "wrote " + CountText.text(exports.count, "file", "files")
  }

  func take(_ answer: String, in desk: inout Desk) { desk.say(answer) }
}

/// The features of layers by the values of an attribute.
private struct SplitParts {
  struct Part {
    var name: String
    var document: Document
  }

  private(set) var parts: [Part] = []
  private(set) var clashes: [(value: String, name: String)] = []

  init(
    _ document: Document, _ chosen: ChosenFeatures, by field: String, countMax: Int
  ) throws {
    var numbers: [FrequencyTable.Key: Int] = [:]
    var values: [AttributeValue] = []
    var builders: [[LayerID: ResultBuilder]] = []
    for part in chosen.parts {
      guard let layer = document[layer: part.layer] as? any BlockHolding else { continue }
      for block in layer.blocks {
        let column = block.column(field)
        for row in 0..<block.rowCount
        where part.features?.contains(block.featureIDs[row]) ?? true {
          let found = column?.value(row) ?? .missing
          let value = found.kind == .missing ? .null : found
          let key = FrequencyTable.Key(value)
          let number = numbers[key] ?? values.count
          if number == values.count {
            guard number < countMax else {
              throw EditingError(
                .refused, "“\(field)” has more than \(countMax) values: a file for each is too many"
              )
            }
            numbers[key] = number
            values.append(value)
            builders.append([:])
          }
          builders[number][layer.id, default: ResultBuilder(inPlaceAfter: layer.nextFeatureID)]
            .append(block, rows: row..<row + 1)
        }
      }
    }
    var known = Set<String>()
    /// The next number for each plain name, which many values may have.
    var counts: [String: Int] = [:]
    for (number, value) in values.enumerated() {
      let plain = Self.fileName(value)
      var name = plain
      let lower = plain.lowercased()
      var count = counts[lower] ?? 2
      while !known.insert(name.lowercased()).inserted {
        name = "\(plain)_\(count)"
        count += 1
      }
      counts[lower] = count
      if name != plain { clashes.append((value == .null ? "null" : "“\(value.text)”", name)) }
      var made = document
      for index in made.layers.indices {
        guard var layer = made.layers[index] as? any BlockHolding else { continue }
        layer.blocks = builders[number][layer.id]?.finish().blocks ?? []
        layer.updateCollectionBox()
        made.layers[index] = layer
      }
      parts.append(Part(name: name, document: made))
    }
  }

  /// A value as a part of the name of a file.
  private static func fileName(_ value: AttributeValue) -> String {
    if value == .null { return "null" }
    var name = ""
    for scalar in value.text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      let isBad = isControl || "/\\".unicodeScalars.contains(scalar)
      name.unicodeScalars.append(isBad ? "_" : scalar)
      if name.utf8.count > 180 { break }
    }
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    // A hyphen alone is standard output as the name of a file.
    return name.isEmpty || name == "-" ? "_" : name
  }
}
