package import ArgumentParser
import PortolanDocuments

/// Sets the values of features from a table.
package struct UpdateFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Set attributes from the rows of a table, by a key.",
    discussion: """
      update corrections.csv --key id sets the attributes of each of the selected features, or \
      else of the active layer, to the values of the row with the same id; --key a=b where the \
      column has another name, $id=a for the id of features. Cells without a value change nothing. \
      A number that replaces a text becomes a text; lists and objects are replaced only by lists \
      and objects. Columns of positions, and id where features have one, become attributes only \
      with --fields. Features that stay the same keep their bytes. A message counts the changed \
      values and names keys without a feature; a key in two rows with different values is refused. \
      As a verb: portolan update map.geojson corrections.csv --key id -o new.geojson.
      """)

  package static let operandCount = 1

  @Argument(help: "As a verb the files, as one map; then the table.", completion: .file())
  package var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The attribute with the key, and the column of the table: a=b, or a for both.",
      valueName: "a=b"))
  var key: TextArgument

  @Option(help: "Only these columns of the table: names with commas between.")
  var fields: [TextArgument] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws {
    try checkWords("TABLE --key a, or portolan update FILE TABLE --key a -o FILE")
    _ = try KeyPair.read(key.text, option: "--key")
  }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    try refuseNewLayer()
    let key = try KeyPair.read(key.text, option: "--key")
    let fields = fields.flatMap { LayerNames.split($0.text) }
    try table(in: &desk) { desk, chosen, table in
      try desk.update(from: table, key: key, fields: fields, of: chosen)
    }
  }
}
