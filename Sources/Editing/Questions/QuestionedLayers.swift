import PortolanDocuments
import PortolanExpressions
import PortolanGraphics

/// Some layers of a document as expressions see them.
struct QuestionedLayers {
  let layers: [any FeatureHolding]
  /// The blocks of each layer.
  let blocks: [[BlockRows]]
  /// What features can be related to.
  let surroundings: DocumentSurroundings

  init(_ layers: [any FeatureHolding], in document: Document) {
    self.layers = layers
    let isGeographic = document.metadata.coordinateSystem.isDegrees
    let surroundings = DocumentSurroundings(document)
    self.surroundings = surroundings
    blocks = layers.map {
      $0.expressionRows(isGeographic: isGeographic, relations: surroundings)
    }
  }

  /// Some layers of a document; of all that have features, if none are named.
  init(_ ids: [LayerID], in document: Document) {
    let chosen = Set(ids)
    let layers = document.layers.filter { chosen.contains($0.id) }
    self.init(layers.compactMap { $0 as? any FeatureHolding }, in: document)
  }

  /// The names of all attributes in order of first appearance.
  var names: [String] {
    var seen = Set<String>()
    return layers.flatMap(\.fieldNames).filter { seen.insert($0).inserted }
  }

  /// The columns that some expressions read.
  func schema(for expressions: [Expression]) -> Schema {
    Schema(
      names: names, blocks: blocks.flatMap { $0 }, wanted: expressions.flatMap(\.attributes),
      surroundings: surroundings)
  }

  /// Parses a condition and checks it against these layers.
  func condition(_ text: String) throws -> Expression {
    try Self.telling {
      let expression = try Expression(text)
      try expression.checkCondition(in: schema(for: [expression]))
      return expression
    }
  }

  /// Parses an expression for a value and checks it.
  func value(_ text: String) throws -> Expression {
    try Self.telling {
      let expression = try Expression(text)
      try expression.check(in: schema(for: [expression]))
      return expression
    }
  }

  /// The rows for which a condition holds, of each block of each layer; figures in it are of the
  /// whole layer.
  func rows(where condition: Expression, _ tally: inout Tally) -> [[[Int]]] {
    let own = BlockCondition(condition)
    return blocks.map { blocks in
      let bound = condition.bound(to: FeatureSet(blocks), &tally)
      return blocks.map { block in
        own.flatMap { block.kept($0, &tally) } ?? bound.matches(in: block, &tally)
      }
    }
  }

  /// The features for which a condition holds, in the order of the document.
  func features(where condition: Expression, _ tally: inout Tally) -> [FeatureReference] {
    let rows = rows(where: condition, &tally)
    return layers.indices.flatMap { layer in
      zip(blocks[layer], rows[layer]).flatMap { block, rows in
        rows.map { FeatureReference(layer: layers[layer].id, feature: block.block.featureIDs[$0]) }
      }
    }
  }

  /// The same as a choice.
  func choice(where condition: Expression, _ tally: inout Tally) -> FeatureChoice {
    let rows = rows(where: condition, &tally)
    var choice = FeatureChoice()
    for layer in layers.indices {
      let ids = zip(blocks[layer], rows[layer]).flatMap { block, rows in
        rows.map { block.block.featureIDs[$0] }
      }
      choice.add(ids, of: layers[layer].id)
    }
    return choice
  }

  /// The vertices up to which measuring and relating takes less than half a second.
  private static let leastVertices = 200_000

  /// Whether an expression measures shapes, or relates them to others, so many that it takes
  /// longer than half a second.
  func isLong(_ expression: Expression) -> Bool {
    let measures: Set<Quality> = [.area, .length]
    guard expression.hasRelations || !measures.isDisjoint(with: expression.qualities) else {
      return false
    }
    let all = layers.flatMap(\.blocks) + surroundings.basis(of: expression.relations)
    return all.reduce(0) { $0 + $1.geometry.vertexCount } > Self.leastVertices
  }

  /// Errors of expressions as those of commands.
  static func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ExpressionError {
      throw EditingError(
        .usage, "\(error.message) (column \(error.column) of the expression)")
    }
  }
}
