package import ArgumentParser
import PortolanDocuments
import PortolanExpressions

/// Shows only some features of the active layer.
package struct FilterRows: Command {
  package static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Show only the features for which a condition holds.",
    discussion: """
      The rest of the line is the condition: filter pop > 1e6 and name like 'S%'. It applies to \
      the active layer; figures such as max(pop) refer to the whole layer. A filter only hides \
      features: save writes all of them, and export too without --visible. Edited features are \
      tested again. Without a condition, filter shows all features.
      """)

  @Argument(help: "The condition; none shows all features.")
  var condition: String?

  @Flag(help: "Show all features.")
  var off = false

  @Flag(help: "Type the condition, beginning with the present one.")
  var edit = false

  package init() {}

  package static let expressionPlace = ExpressionPlace.afterFlags

  package var summary: String {
    if edit { return "Type a condition for the features to show." }
    return condition.map { "Show only where \($0)." } ?? "Show all features of the layer."
  }

  package func validate() throws {
    if [condition != nil, off, edit].count(where: { $0 }) > 1 {
      throw ValidationError("filter takes a condition, --off or --edit")
    }
  }

  package func run(in desk: inout Desk) throws {
    let active = try desk.requireActiveLayer()
    guard let layer = active as? any BlockHolding else {
      throw EditingError(.refused, "layer “\(active.name)” has no features to filter")
    }
    if edit {
      let present = desk.work.filters[layer.id] as? ExpressionFilter
      return desk.openPrompt(.command, text: "filter " + (present?.text ?? ""))
    }
    guard let condition, !condition.isEmpty else {
      desk.filter(layer.id, by: nil)
      return desk.say("all \(CountText.features(layer.count)) shown")
    }
    let asked = QuestionedLayers([layer], in: desk.document)
    let filter = ExpressionFilter(try asked.condition(condition))
    desk.filter(layer.id, by: filter)
    desk.say(
      desk.filterWords(of: layer).map { $0 + "; filter --off shows all" } ?? "",
      warning: filter.leftOut.words)
  }
}

/// Hides the features for which a condition does not hold.
struct ExpressionFilter: RowFilter {
  private let condition: Expression
  /// What its last evaluation passed over.
  let leftOut = LeftOut()

  init(_ condition: Expression) { self.condition = condition }

  var text: String { condition.text }

  func hiddenRows(
    of layer: any BlockHolding, in document: Document
  ) -> (FeatureBlock) -> Set<Int> {
    let asked = QuestionedLayers([layer], in: document)
    var tally = Tally()
    let bound = condition.bound(to: FeatureSet(asked.blocks.flatMap { $0 }), &tally)
    let isGeographic = document.metadata.coordinateSystem.isDegrees
    return { [leftOut, name = layer.name] block in
      var tally = Tally()
      let rows = BlockRows(
        block, layer: name, isGeographic: isGeographic, relations: asked.surroundings)
      let shown = bound.matches(in: rows, &tally)
      leftOut.add(tally)
      return Set(0..<block.rowCount).subtracting(shown)
    }
  }

  func basis(in document: Document, of layer: any BlockHolding) -> [FeatureBlock] {
    let isOfAll = condition.hasAggregates || condition.hasRelations
    return (isOfAll ? layer.blocks : [])
      + DocumentSurroundings(document).basis(of: condition.relations)
  }

  func fault(with layer: any BlockHolding, in document: Document) -> String? {
    do {
      _ = try QuestionedLayers([layer], in: document).condition(text)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
