import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import PortolanInterchange

/// Some layers of a document as expressions see them.
struct QuestionedLayers {
  let layers: [any FeatureHolding]
  /// The blocks of each layer.
  let blocks: [[BlockRows]]
  /// What features can be related to.
  let surroundings: DocumentSurroundings
  /// The attributes that can be asked for.
  private let known: KnownAttributes

  /// - Parameter whole: the layers that these are the chosen features of: an attribute that no
  ///   chosen feature has can be asked for, too.
  init(
    _ layers: [any FeatureHolding], in document: Document, of whole: [any FeatureHolding]? = nil
  ) {
    self.layers = layers
    known = KnownAttributes(of: whole ?? layers)
    let isGeographic = document.metadata.coordinateSystem.isDegrees
    let surroundings = DocumentSurroundings(document)
    self.surroundings = surroundings
    blocks = layers.map {
      $0.expressionRows(isGeographic: isGeographic, relations: surroundings)
    }
  }

  /// Some layers of a document.
  ///
  /// - Parameter whole: the document that this one has the chosen features of.
  init(_ ids: [LayerID], in document: Document, of whole: Document? = nil) {
    let chosen = Set(ids)
    func layers(of document: Document) -> [any FeatureHolding] {
      document.layers.filter { chosen.contains($0.id) }.compactMap { $0 as? any FeatureHolding }
    }
    self.init(layers(of: document), in: document, of: whole.map(layers))
  }

  /// The names of all attributes in order of first appearance.
  var names: [String] { KnownAttributes(of: layers).names }

  /// Whether there is no feature, so that no attribute is missing.
  var isOpen: Bool { known.isOpen }

  /// The columns that some expressions read.
  func schema(for expressions: [Expression]) -> Schema {
    let wanted = expressions.flatMap(\.attributes)
    return Schema(
      names: known.isOpen ? known.names + wanted : known.names, blocks: blocks.flatMap { $0 },
      wanted: wanted, surroundings: surroundings)
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

/// The attributes that some layers have. Layers without any feature lack no attribute: a question
/// about it has an empty answer.
struct KnownAttributes {
  /// The names in order of first appearance; a table without rows has those of its first line.
  let names: [String]
  /// Whether there is no feature.
  let isOpen: Bool

  init(of layers: [any FeatureHolding]) {
    var seen = Set<String>()
    names = layers.flatMap { layer in
      layer.fieldNames + (layer.count == 0 ? TableOptions.headings(of: layer) : [])
    }.filter { seen.insert($0).inserted }
    isOpen = layers.allSatisfy { $0.count == 0 }
  }

  /// Throws for a name that the features do not have.
  ///
  /// - Parameter layer: the name of the layers, for the message.
  func require(_ name: String, in layer: String) throws {
    guard !isOpen, !names.contains(where: { $0.hasSameBytes(as: name) }) else { return }
    throw EditingError(.notFound, AttributeNames.missing(name, in: layer, names))
  }
}
