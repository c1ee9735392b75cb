import PortolanDocuments
import PortolanExpressions
import PortolanInterchange
import PortolanKeeping

/// An export from one file into another in parts.
///
/// The file is read twice: first for what all features have in common, the form of the text, the
/// coordinate system and the types of the attributes, then to write them.
package struct PartExport: Sendable {
  /// The path of the input; `-` is standard input.
  var input: String
  /// How to read it.
  var reading: (any FormatOptions)?
  var format: any PartExporter
  /// The verb, whose options choose and change the features.
  var verb: ExportLayers
  /// The condition for features; `nil` if there is none, or if it cannot be read.
  private let condition: Expression?

  /// `nil` if figures of all features, or other features, are asked for.
  init?(
    input: String, reading: (any FormatOptions)?, format: any PartExporter, verb: ExportLayers
  ) {
    (self.input, self.reading, self.format, self.verb) = (input, reading, format, verb)
    condition = verb.map.condition.condition.flatMap { try? Expression($0.text) }
    guard expressions.allSatisfy({ !$0.hasAggregates && !$0.hasRelations }) else { return nil }
  }

  /// The path of the output; `-` is standard output.
  var path: String { verb.target.output ?? "-" }

  /// The expressions that are asked of features.
  private var expressions: [Expression] {
    (condition.map { [$0] } ?? []) + (verb.fields.expressions ?? [])
  }

  /// The attributes whose types matter.
  var wanted: [String] { expressions.flatMap(\.attributes) }

  var hasCondition: Bool { verb.map.condition.condition != nil }

  /// The rules for the features of a surveyed file.
  ///
  /// - Throws: `EditingError` where expressions or the box do not suit it.
  func plan(for survey: PartSurvey) throws -> PartPlan {
    let condition = try verb.map.condition.condition.map { condition in
      try QuestionedLayers.telling {
        let expression = try Expression(condition.text)
        try expression.checkCondition(in: survey.schema)
        return expression
      }
    }
    let columns =
      verb.fields.isEmpty
      ? nil : try verb.fields.columns(of: survey.schema.names) { _ in survey.schema }
    return PartPlan(condition, columns, try verb.options(for: survey.document))
  }
}

/// What the first reading of a file finds.
struct PartSurvey {
  let source: StoredBytes
  let importer: any PartImporter
  /// The document with its layer, but without the features.
  let document: Document
  let layer: any FeatureHolding
  let schema: Schema
  /// Lines about the file.
  let remarks: [Remark]
}

/// The features to write, one block after the other.
struct PartPlan {
  let options: ExportOptions
  private let condition: BoundExpression?
  private let columns: [ExpressionField]?
  private let values: [BoundExpression]
  private var left = Tally()
  private var failed = Tally()
  /// How many features the condition chose.
  private(set) var count = 0

  fileprivate init(
    _ condition: Expression?, _ columns: [ExpressionField]?, _ options: ExportOptions
  ) {
    self.options = options
    self.columns = columns
    // Figures are asked of no feature: there are none in these expressions.
    let none = FeatureSet([])
    var tally = Tally()
    self.condition = condition?.bound(to: none, &tally)
    values = columns?.map { $0.expression.bound(to: none, &tally) } ?? []
  }

  /// Begins with the first block again.
  mutating func restart() { (left, failed, count) = (Tally(), Tally(), 0) }

  /// The part of a block to write; `nil` for nothing of it.
  mutating func part(of block: FeatureBlock, layer: String) -> FeatureBlock? {
    let rows = BlockRows(block, layer: layer, isGeographic: true)
    let chosen = condition?.matches(in: rows, &left)
    var part = block
    if let columns { part = FieldOptions.block(rows, with: columns, values, &failed) }
    if let chosen, chosen.count < block.rowCount {
      var isChosen = [Bool](repeating: false, count: block.rowCount)
      for row in chosen { isChosen[row] = true }
      guard let kept = part.keeping({ isChosen[$0] }) else { return nil }
      part = kept
    }
    count += part.rowCount
    return part
  }

  /// What was left out, in words.
  var words: [String] {
    left.words.map { "--where: \($0)" } + failed.words.map { "--fields: \($0)" }
  }
}
