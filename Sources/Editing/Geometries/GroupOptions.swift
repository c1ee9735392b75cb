import ArgumentParser
import PortolanDocuments
import PortolanExpressions

/// Which features become one, and the attributes that it gets.
struct GroupOptions: ParsableArguments, Sendable {
  @Option(
    help: "Features of the same values become one: names of attributes, with commas between.")
  var by: [TextArgument] = []

  @Option(
    parsing: .unconditional,
    help: "Attributes of the result by expressions: n=count(), people=sum(pop).")
  var fields: TextArgument?

  @Flag(help: "The number of features, as the attribute count.")
  var count = false

  @Option(help: "The sum of an attribute; with commas between several.")
  var sum: [TextArgument] = []

  @Option(help: "The mean of an attribute; with commas between several.")
  var mean: [TextArgument] = []

  @Option(help: "The median of an attribute; with commas between several.")
  var median: [TextArgument] = []

  @Option(help: "The least value of an attribute; with commas between several.")
  var min: [TextArgument] = []

  @Option(help: "The greatest value of an attribute; with commas between several.")
  var max: [TextArgument] = []

  @Option(help: "The value of the first feature; with commas between several.")
  var first: [TextArgument] = []

  init() {}

  func validate() throws {
    if count, by.contains(where: { LayerNames.split($0.text).contains("count") }) {
      throw ValidationError(
        "--count would hide the values of “count”: name the number, --fields 'n=count()'")
    }
  }

  /// What makes the groups and their attributes.
  var grouping: FeatureGrouping {
    let figures = [
      ("sum", sum), ("mean", mean), ("median", median), ("min", min), ("max", max), ("", first),
    ].flatMap { figure, lists in
      lists.flatMap { LayerNames.split($0.text) }.map { (figure: figure, name: $0) }
    }
    let names = by.flatMap { LayerNames.split($0.text) }
    let named = figures.map(\.name) + names
    var list = fields.map { [$0.text] } ?? []
    if count { list.append("count = count()") }
    for (figure, name) in figures {
      let isAlone = named.count { $0 == name } == 1
      let word = figure.isEmpty ? "first" : figure
      let quoted = Self.quoted(name)
      list.append(
        "\(isAlone ? quoted : Self.quoted("\(name)_\(word)")) = "
          + (figure.isEmpty ? quoted : "\(figure)(\(quoted))"))
    }
    return FeatureGrouping(names: names, fields: list.isEmpty ? nil : list.joined(separator: ", "))
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}

/// How features are put together.
struct FeatureGrouping: Sendable {
  /// The attributes whose values make the groups; empty makes one of all.
  var names: [String]
  /// The attributes of each group beside those, as a list of expressions.
  var fields: String?

  /// Features that become one.
  struct Group {
    var attributes: [(name: String, value: AttributeValue)] = []
    /// The blocks' numbers and rows of the features, in order.
    var places: [(block: Int, row: Int)] = []
  }

  /// The groups of the features of a layer, in the order of their first ones.
  ///
  /// - Throws: `EditingError` for names and expressions that do not suit the layer.
  func groups(
    of layer: any BlockHolding, in document: Document, _ notes: (String) -> Void
  ) throws -> [Group] {
    let whole = document[layer: layer.id] as? any FeatureHolding
    let asked = QuestionedLayers([layer], in: document, of: [whole ?? layer])
    var tally = Tally()
    let blocks = asked.blocks.flatMap { $0 }
    var groups = try grouped(asked, blocks, &tally)
    if names.isEmpty, fields == nil { return groups }
    let list =
      fields
      ?? names.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
      .joined(separator: ", ")
    let table = try LayerQuery(fields: list, groups: names, limit: names.isEmpty ? 1 : nil)
      .table(of: asked, &tally)
    for words in tally.words { notes(words) }
    try table.checkNames()
    for (index, row) in table.rows.enumerated() where index < groups.count {
      groups[index].attributes = Array(zip(table.names, row)).map { (name: $0, value: $1) }
    }
    return groups
  }

  private func grouped(
    _ asked: QuestionedLayers, _ blocks: [BlockRows], _ tally: inout Tally
  ) throws -> [Group] {
    let keys = try QuestionedLayers.telling {
      let keys = try names.map { try ExpressionField(attribute: $0).expression }
      let schema = asked.schema(for: keys)
      for key in keys { try key.check(in: schema) }
      return keys
    }
    var numbers: [[Value]: Int] = [:]
    var groups: [Group] = []
    for (number, block) in blocks.enumerated() {
      let values = keys.map { $0.bound(to: FeatureSet([]), &tally).evaluator(for: block) }
      for row in 0..<block.rowCount {
        let key = values.map { $0(row, &tally).canonical }
        let group = numbers[key] ?? groups.count
        if group == groups.count {
          numbers[key] = group
          groups.append(Group())
        }
        groups[group].places.append((number, row))
      }
    }
    return groups
  }
}
