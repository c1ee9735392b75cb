import PortolanDocuments
import PortolanExpressions
import PortolanInterchange

/// The expressions that a verb asks of features.
enum AskedFields {
  /// All attributes as they are.
  case all
  case only([Expression])
  /// A list that cannot be read, or that reads as nothing: its error is the verb's to tell.
  case unread
}

extension SourceWishes {
  /// What a verb is about that may ask other layers, too.
  ///
  /// - Parameter layers: lists of names; empty is about all.
  init(about layers: [String]) {
    self.init()
    leading = layers + layers.flatMap { LayerNames.split($0) }
  }

  /// What a verb will take of a database or a file.
  ///
  /// - Parameters:
  ///   - layers: lists of names; empty takes all.
  ///   - condition: the text of an expression.
  ///   - figuresOfChosen: whether figures are of the chosen features; else they are of all, and
  ///     nothing is left out where there are any.
  ///   - limit: at most so many features of a layer.
  init(
    layers: [String], box: BoxArgument?, condition text: String?, asked: AskedFields,
    figuresOfChosen: Bool, limit: Int?
  ) {
    self.init(about: layers)
    let condition = text.map { try? Expression($0) }
    if case .unread = asked { return }
    if case .some(.none) = condition { return }
    let question = condition.flatMap { $0 }
    var expressions = question.map { [$0] } ?? []
    if case .only(let fields) = asked { expressions += fields }
    // Other features of the database are asked, too.
    if expressions.contains(where: \.hasRelations) { return }
    self.layers = layers.flatMap { LayerNames.split($0) }
    if case .only = asked { columns = Self.unique(expressions.flatMap(\.attributes)) }
    let isFigure = question?.hasAggregates == true
    if isFigure || !figuresOfChosen && expressions.contains(where: \.hasAggregates) { return }
    self.box = box?.box
    self.condition = question
    // Of a table without rows the names of its columns would be missing.
    let isLimited = box == nil && text == nil && !expressions.contains(where: \.hasAggregates)
    if isLimited, let limit, limit > 0 { self.limit = limit }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen = Set<String>()
    return names.filter { seen.insert($0).inserted }
  }
}
