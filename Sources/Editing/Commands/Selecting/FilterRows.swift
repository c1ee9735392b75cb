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

  /// The number of features up to which a condition on attributes is asked at once.
  private static let leastFeatures = 400_000

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
      return desk.say(
        (layer.count == 1 ? "" : "all ") + CountText.features(layer.count) + " shown")
    }
    let asked = QuestionedLayers([layer], in: desk.document)
    let expression = try asked.condition(condition)
    let filter = ExpressionFilter(expression)
    if layer.count > Self.leastFeatures || asked.isLong(expression) {
      return desk.request(
        FilterRequest(filter: filter, layer: layer, document: desk.document))
    }
    desk.filter(layer.id, by: filter)
    desk.sayFilter(filter, of: layer)
  }
}

/// Evaluates a filter in the background; all stays shown until it is done.
private struct FilterRequest: Request {
  var filter: ExpressionFilter
  var layer: any BlockHolding
  var document: Document

  var name: String { "filtering \(layer.name)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> FilteredLayer {
    let filtered = FilteredLayer(filter)
    do {
      _ = try filtered.shown(layer, in: document) { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
    return filtered
  }

  func take(_ filtered: FilteredLayer, in desk: inout Desk) throws {
    guard let layer = desk.document[layer: layer.id] as? any BlockHolding else { return }
    desk.filter(layer.id, by: filter)
    desk.work.filters.set(filtered, for: layer.id)
    desk.settleFilters()
    if desk.work.filters[layer.id] != nil { desk.sayFilter(filter, of: layer) }
  }
}

extension Desk {
  fileprivate mutating func sayFilter(_ filter: ExpressionFilter, of layer: any BlockHolding) {
    say(
      filterWords(of: layer).map { $0 + "; filter --off shows all" } ?? "",
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

  func shownRows(
    of layer: any BlockHolding, in document: Document
  ) -> (FeatureBlock) -> [Int] {
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
      return shown
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
