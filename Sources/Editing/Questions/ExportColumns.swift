import ArgumentParser
import PortolanDocuments
import PortolanExpressions

/// The attributes of exported features, where they are not those of the layers.
struct FieldOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only these attributes, and values computed by expressions: name,density=pop / area.",
      valueName: "list"), completion: .expression)
  var fields: TextArgument?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Write an attribute under another name: OLD=NEW, with commas between several.",
      valueName: "old=new"))
  var rename: [TextArgument] = []

  init() {}

  /// Whether the attributes stay as they are.
  var isEmpty: Bool { fields == nil && rename.isEmpty }

  /// A document whose layers have these attributes; figures are of whole layers.
  func applied(
    to document: Document, of layers: [LayerID], telling desk: inout Desk
  ) throws -> Document {
    if fields == nil, rename.isEmpty { return document }
    let asked = QuestionedLayers(layers, in: document)
    let columns = try columns(of: asked.names, isOpen: asked.isOpen) { asked.schema(for: $0) }
    var tally = Tally()
    var changed = document
    for (layer, rows) in zip(asked.layers, asked.blocks) {
      guard let index = document.layers.firstIndex(where: { $0.id == layer.id }),
        var layer = layer as? any BlockHolding
      else { continue }
      let set = FeatureSet(rows)
      let bound = columns.map { $0.expression.bound(to: set, &tally) }
      layer.blocks = rows.map { Self.block($0, with: columns, bound, &tally) }
      // Tables have columns without rows, too.
      if rows.isEmpty, let block = FeatureBlock.ofColumns(columns.map(\.name)) {
        layer.blocks = [block]
      }
      changed.layers[index] = layer
    }
    for words in tally.words { desk.send(.warn("--fields: \(words)")) }
    return changed
  }

  /// A block with these columns as its attributes.
  static func block(
    _ rows: BlockRows, with columns: [ExpressionField], _ bound: [BoundExpression],
    _ tally: inout Tally
  ) -> FeatureBlock {
    rows.block.replacingAttributes(
      zip(columns, bound).compactMap { column, bound in
        if let source = column.expression.attribute {
          return rows.block.column(source)?.renamed(column.name)
        }
        let evaluate = bound.evaluator(for: rows)
        var builder = AttributeColumnBuilder(name: column.name)
        for row in 0..<rows.rowCount { builder.append(evaluate(row, &tally).attribute) }
        return builder.column()
      })
  }

  /// Whether their values depend on shapes, those of features that are not exported too.
  var readShapes: Bool {
    let plain: Set<Quality> = [.id, .layer]
    return expressions?.contains { $0.hasRelations || !$0.qualities.isSubset(of: plain) } ?? false
  }

  /// The expressions of the columns; `nil` where they are the attributes, or cannot be read.
  var expressions: [Expression]? {
    fields.flatMap { try? ExpressionField.list($0.text) }?.map(\.expression)
  }

  /// The parts of the features that are needed.
  var asked: AskedFields {
    guard let fields else { return .all }
    return (try? ExpressionField.list(fields.text)).map { .only($0.map(\.expression)) } ?? .unread
  }

  /// The columns under their new names.
  ///
  /// - Parameters:
  ///   - names: those of all attributes.
  ///   - isOpen: whether there is no feature, so that no attribute is missing.
  ///   - schema: gives the columns that some expressions read.
  func columns(
    of names: [String], isOpen: Bool = false, schema: ([Expression]) -> Schema
  ) throws -> [ExpressionField] {
    var columns = try QuestionedLayers.telling {
      let columns =
        try fields.map { try ExpressionField.list($0.text, knowing: names) }
        ?? names.map { try ExpressionField(attribute: $0) }
      let schema = schema(columns.map(\.expression))
      for column in columns { try column.expression.check(in: schema) }
      return columns
    }
    let newNames = try newNames(among: columns.map(\.name), isOpen: isOpen)
    for index in columns.indices {
      columns[index].name = newNames[columns[index].name] ?? columns[index].name
    }
    var seen = Set<String>()
    if let twice = columns.first(where: { !seen.insert($0.name).inserted }) {
      throw EditingError(.usage, "two attributes are named “\(twice.name)”: rename one")
    }
    return columns
  }

  /// The new names by the old ones.
  private func newNames(among made: [String], isOpen: Bool) throws -> [String: String] {
    var names: [String: String] = [:]
    for item in rename.flatMap({ $0.text.split(separator: ",", omittingEmptySubsequences: false) })
    {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw EditingError(.usage, "“\(item)”: write --rename OLD=NEW")
      }
      let old = String(parts[0])
      guard made.contains(old) || isOpen else {
        let near = Spelling.question(Spelling.nearest(to: old, among: made))
        throw EditingError(
          .notFound,
          "no attribute “\(old)” to rename: \(near)there are "
            + made.prefix(20).joined(separator: ", "))
      }
      names[old] = String(parts[1])
    }
    return names
  }
}

extension QuestionedLayers {
  /// All attributes as they are.
  var fields: [ExpressionField] {
    get throws { try names.map { try ExpressionField(attribute: $0) } }
  }
}

extension ExpressionField {
  /// The field that is an attribute.
  init(attribute name: String) throws(ExpressionError) {
    self.init(name: name, expression: try Expression(Self.quoted(name)))
  }

  /// Parses a list, and tells how to write a name of several words that stands in it as it is.
  static func list(
    _ text: String, knowing names: [String]
  ) throws(ExpressionError) -> [ExpressionField] {
    do {
      return try list(text)
    } catch {
      var error = error
      let parts = LayerNames.split(text).map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
      let bare = parts.first { name in names.contains(name) && (try? Expression(name)) == nil }
      if let bare { error.message += ": write the name as \(quoted(bare))" }
      throw error
    }
  }

  /// The name of an attribute in an expression, whatever it consists of.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
