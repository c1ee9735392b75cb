import PortolanDocuments
import PortolanExpressions

/// What questions read of a document.
extension DocumentNeeds {
  /// What of a feature stays in an outline without boxes.
  private static let plain: Set<Quality> = [.id, .layer, .type, .vertices]
  private static let ofReaches: Set<Quality> = [.x, .y, .bbox]

  /// The parts for a condition, and for values of the features that it holds for.
  ///
  /// - Parameter columns: the attributes that are read besides; `nil` for all of them.
  init(condition: Expression?, values: [Expression] = [], columns: [String]?) {
    let asked = [condition].compactMap { $0 } + values
    let qualities = asked.reduce(into: Set<Quality>()) { $0.formUnion($1.qualities) }
    if asked.contains(where: \.hasRelations) {
      self = .all
    } else if qualities.isSubset(of: Self.plain) {
      self = .columns(columns.map { ColumnNames($0 + asked.flatMap(\.attributes)) })
    } else if qualities.isSubset(of: Self.plain.union(Self.ofReaches)) {
      self = .reaches
    } else {
      self = condition.flatMap { BlockCondition($0) }.map { .holding($0) } ?? .all
    }
  }

  /// The same, of a condition as it was typed; everything if it cannot be read: the error is told
  /// when it is asked.
  init(condition: String?, columns: [String]?) {
    do {
      self.init(condition: try condition.map { try Expression($0) }, columns: columns)
    } catch {
      self = .all
    }
  }

  /// The shapes of features for which a condition holds, and all attributes.
  static func shapes(where condition: String?) -> DocumentNeeds {
    guard let condition, let expression = try? Expression(condition) else { return .all }
    return BlockCondition(expression).map { .holding($0) } ?? .all
  }

  /// At least boxes and all attributes.
  var withBoxes: DocumentNeeds {
    if case .columns = self { .attributes } else { self }
  }
}
