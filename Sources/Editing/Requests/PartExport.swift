import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
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

  /// Whether some features are left out by a condition or a limit.
  var choosesRows: Bool { verb.map.condition.condition != nil || verb.limit != nil }

  /// The features that the first reading chooses; `nil` if the second one does: for a table, whose
  /// columns are those of all features.
  var choice: PartChoice? {
    // Computed columns tell how often they failed, of all features.
    let isPlain = verb.fields.expressions?.allSatisfy { $0.attribute != nil } ?? true
    guard choosesRows || verb.bbox != nil, !(format is CSVFormat), isPlain else { return nil }
    return PartChoice(
      condition, try? verb.options(for: Document()), verb.limit, InputName.stem(of: input))
  }

  /// Checks what needs no feature, before the file is read: here an attribute may be of any type.
  ///
  /// - Throws: `EditingError` where an expression suits no file.
  func check() throws {
    let schema = Schema(names: wanted, blocks: [], wanted: wanted)
    _ = try verb.map.condition.condition.map { try Self.condition($0.text, in: schema) }
    if verb.fields.fields != nil, verb.fields.rename.isEmpty {
      _ = try verb.fields.columns(of: wanted) { _ in schema }
    }
  }

  private static func condition(_ text: String, in schema: Schema) throws -> Expression {
    try QuestionedLayers.telling {
      let expression = try Expression(text)
      try expression.checkCondition(in: schema)
      return expression
    }
  }

  /// The rules for the features of a surveyed file.
  ///
  /// - Throws: `EditingError` where expressions or the box do not suit it.
  func plan(for survey: PartSurvey) throws -> PartPlan {
    let condition = try verb.map.condition.condition.map {
      try Self.condition($0.text, in: survey.schema)
    }
    let columns =
      verb.fields.isEmpty
      ? nil : try verb.fields.columns(of: survey.schema.names) { _ in survey.schema }
    return PartPlan(
      condition, columns, try verb.options(for: survey.document), verb.limit, survey)
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
  /// The features that the first reading chose; `nil` if the second one is to choose.
  let choice: PartChoice?
  let memory: PartMemory
  /// Lines about the file.
  let remarks: [Remark]
}

/// The choice of features, one block after the other.
struct PartChoice {
  /// The name of the layer that conditions may ask for.
  let layerName: String
  private let condition: BoundExpression?
  private let options: ExportOptions
  private let touch: BoxTouch?
  private let limit: Int?
  /// What the condition left out.
  private(set) var left = Tally()
  /// How many features the condition chose, and how many of these touch the box.
  private(set) var (count, counted) = (0, 0)
  /// The jumps of the features that the condition chose.
  private(set) var jumps = ExportReport()
  private(set) var chosen = FeatureNumbers()

  init?(_ condition: Expression?, _ options: ExportOptions?, _ limit: Int?, _ layerName: String) {
    guard let options else { return nil }
    (self.options, self.limit, self.layerName) = (options, limit, layerName)
    // Figures are asked of no feature: there are none in these conditions.
    var tally = Tally()
    self.condition = condition?.bound(to: FeatureSet([]), &tally)
    touch = options.box.map { BoxTouch($0, isGeographic: true) }
  }

  mutating func add(_ block: FeatureBlock) {
    let rows = BlockRows(block, layer: layerName, isGeographic: true)
    let matches = condition?.matches(in: rows, &left) ?? Array(0..<block.rowCount)
    count += matches.count
    if options.choosesByJumps, limit == nil { jumps.countJumps(block.geometry, rows: matches) }
    for row in matches where touch?.touches(block.geometry, row: row) ?? true {
      if counted < limit ?? .max { chosen.insert(block.featureIDs[row].rawValue) }
      counted += 1
    }
  }
}

/// The features to write, one block after the other.
struct PartPlan {
  let options: ExportOptions
  private let condition: BoundExpression?
  private let columns: [ExpressionField]?
  private let values: [BoundExpression]
  private let limit: Int?
  private let layer: any FeatureHolding
  private let choice: PartChoice?
  /// Whether only chosen features come.
  private let skips: Bool
  private var left = Tally()
  private var failed = Tally()
  /// How many features the condition chose.
  private(set) var count = 0
  /// How many of these the limit counted.
  private var counted = 0

  fileprivate init(
    _ condition: Expression?, _ columns: [ExpressionField]?, _ options: ExportOptions,
    _ limit: Int?, _ survey: PartSurvey
  ) {
    (self.options, self.limit, layer) = (options, limit, survey.layer)
    self.columns = columns
    // Figures are asked of no feature: there are none in these expressions.
    let none = FeatureSet([])
    var tally = Tally()
    self.condition = condition?.bound(to: none, &tally)
    values = columns?.map { $0.expression.bound(to: none, &tally) } ?? []
    choice = survey.choice
    skips = survey.memory.skips
    restart()
  }

  /// Begins with the first block again.
  mutating func restart() {
    (left, failed) = (choice?.left ?? Tally(), Tally())
    (count, counted) = (choice?.count ?? 0, choice?.counted ?? 0)
  }

  /// The jumps that decide about what is written, where the choice counted them.
  var jumps: Int? { options.choosesByJumps && limit == nil ? choice?.jumps.jumps : nil }

  /// The part of a block to write; `nil` for nothing of it.
  mutating func part(of block: FeatureBlock, layer: String) -> FeatureBlock? {
    let rows = BlockRows(block, layer: layer, isGeographic: true)
    var chosen: [Int]?
    if let choice {
      if !skips {
        chosen = block.featureIDs.indices.filter {
          choice.chosen.contains(block.featureIDs[$0].rawValue)
        }
      }
    } else {
      chosen = condition?.matches(in: rows, &left)
    }
    if let limit, choice == nil {
      let rows = chosen ?? Array(0..<block.rowCount)
      let here = inBox(rows, block)
      chosen = Array(here.prefix(max(0, limit - counted)))
      counted += here.count
      count += rows.count - min(rows.count, chosen?.count ?? 0)
    }
    var part = block
    if let columns { part = FieldOptions.block(rows, with: columns, values, &failed) }
    if let chosen, chosen.count < block.rowCount {
      var isChosen = [Bool](repeating: false, count: block.rowCount)
      for row in chosen { isChosen[row] = true }
      guard let kept = part.keeping({ isChosen[$0] }) else { return nil }
      part = kept
    }
    if choice == nil { count += part.rowCount }
    return part
  }

  /// What the limit left behind, in words.
  var limitWords: String? {
    guard let limit, counted > limit else { return nil }
    return LimitText.words(limit, of: counted, layer.name, isBoxed: options.box != nil)
  }

  /// The rows among some that touch the box.
  private func inBox(_ rows: [Int], _ block: FeatureBlock) -> [Int] {
    guard options.box != nil else { return rows }
    let inBox = Set(options.rows(of: block, in: layer))
    return rows.filter(inBox.contains)
  }

  /// What was left out, in words.
  var words: [String] {
    left.words.map { "--where: \($0)" } + failed.words.map { "--fields: \($0)" }
  }
}
