package import ArgumentParser
import PortolanDocuments
import PortolanInterchange

/// Adds the columns of a table to features.
package struct JoinTable: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Add the columns of a table to features with the same key.",
    discussion: """
      join figures.csv --on iso=code adds to each of the selected features, or else of the active \
      layer, the columns of the row whose code is its iso; --on iso where both have one name, and \
      $id=code for the id of features. The table is a file of any format, with or without \
      positions, or a layer. Features without a row get nulls, or go with --matched-only; of \
      several rows with one key the first is used. A message counts these cases. A number and the \
      same number as text are one key. A column whose name the features already have gets a number \
      behind it, unless --prefix changes the name. As a verb: portolan join countries.geojson \
      figures.csv --on iso=code -o out.geojson.
      """)

  package static let operandCount = 1

  @Argument(help: "As a verb the files, as one map; then the table.", completion: .file())
  package var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The attribute with the key, and the column of the table: a=b, or a for both.",
      valueName: "a=b"))
  var on: TextArgument

  @Option(help: "Only these columns of the table: names with commas between.")
  var fields: [TextArgument] = []

  @Option(help: "A text before the names of the columns.")
  var prefix: TextArgument?

  @Flag(help: "Without the features that have no row.")
  var matchedOnly = false

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws {
    try checkWords("TABLE --on a=b, or portolan join FILE TABLE --on a=b -o FILE")
    _ = try keys()
  }

  private func keys() throws -> (attribute: String, column: String) {
    try KeyPair.read(on.text, option: "--on")
  }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    try refuseNewLayer()
    let keys = try keys()
    let join = Desk.Join(
      key: keys.attribute, column: keys.column,
      fields: fields.flatMap { LayerNames.split($0.text) }, prefix: prefix?.text ?? "",
      isMatchedOnly: matchedOnly)
    try table(in: &desk) { desk, chosen, table in try desk.join(table, join, to: chosen) }
  }
}

/// The names of an attribute and of a column, `a=b`, or one name for both.
enum KeyPair {
  static func read(
    _ text: String, option: String
  ) throws -> (attribute: String, column: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
    guard (1...2).contains(parts.count), !parts.contains("") else {
      throw ValidationError("“\(text)”: write \(option) ATTRIBUTE=COLUMN, or one name for both")
    }
    return (parts[0], parts[parts.count - 1])
  }
}

extension LayerVerb {
  /// Throws for options of commands that make a new layer.
  func refuseNewLayer() throws {
    if !isFromFiles, work.layerName != nil || work.inPlace {
      throw EditingError(
        .usage,
        "\(Self.name) changes the layer itself, in one step to undo: leave --as and "
          + "--in-place out")
    }
  }

  /// Goes on with the chosen features and the table that the operand names.
  func table(
    in desk: inout Desk,
    _ body: @escaping @Sendable (inout Desk, ChosenFeatures, OperandShapes) throws -> Void
  ) throws {
    let operand = try desk.operand(operands[0], hasBox: false)
    var reading: (any FormatOptions)?
    if case .file(let path) = operand,
      FileFormats.importers.contains(where: {
        $0.isFor(path) && $0.takes(TableOptions())
      })
    {
      var options = TableOptions()
      options.hasPositions = false
      reading = options
    }
    try desk.withShapes(of: operand, reading: reading, needsShapes: false) { desk, table in
      var layer: LayerID?
      if case .layer(let id) = operand { layer = id }
      try body(&desk, try chosen(in: &desk, besides: layer), table)
    }
  }
}
