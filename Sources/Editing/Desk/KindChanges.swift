import PortolanDocuments

/// The values that get another type when attributes are set, by their types before and after.
struct KindChanges {
  private var counts: [Pair: Int] = [:]

  /// The types of a value before and after.
  private struct Pair: Hashable {
    var old: Kind
    var new: Kind
  }

  private enum Kind: Int {
    case null, truth, number, text, json

    init?(_ value: AttributeValue) {
      switch value {
      case .missing: return nil
      case .null: self = .null
      case .bool: self = .truth
      case .number: self = .number
      case .string: self = .text
      case .json: self = .json
      }
    }

    func words(_ count: Int) -> String {
      let one = count == 1
      switch self {
      case .null: return one ? "1 null" : "\(count) nulls"
      case .truth: return one ? "1 true or false" : "\(count) true or false"
      case .number: return one ? "1 number" : "\(count) numbers"
      case .text: return one ? "1 text" : "\(count) texts"
      case .json: return one ? "1 list or object" : "\(count) lists or objects"
      }
    }

    /// The type after "became".
    var result: String {
      switch self {
      case .null: "null"
      case .truth: "true or false"
      case .number: "numbers"
      case .text: "text"
      case .json: "lists or objects"
      }
    }
  }

  /// Of the same values for all features.
  init(
    _ values: [(name: String, text: AttributeText)], of features: [FeatureReference],
    in document: Document
  ) {
    for (layer, features) in Dictionary(grouping: features, by: \.layer) {
      guard let layer = document[layer: layer] as? any FeatureHolding else { continue }
      for (name, text) in values {
        for feature in features { add(layer.attribute(name, of: feature.feature), text) }
      }
    }
  }

  /// Of a value for each feature of a layer.
  init(
    _ values: [(name: String, values: [FeatureID: AttributeText])], in layer: any FeatureHolding
  ) {
    for (name, values) in values {
      for (feature, text) in values { add(layer.attribute(name, of: feature), text) }
    }
  }

  private mutating func add(_ old: AttributeValue, _ text: AttributeText) {
    guard let former = Kind(old), let next = Kind(text.value(over: old)), former != next
    else { return }
    counts[Pair(old: former, new: next), default: 0] += 1
  }

  /// The changes in words, such as `2 numbers became text`; `nil` if there are none.
  var text: String? {
    if counts.isEmpty { return nil }
    let sorted = counts.sorted {
      ($0.key.old.rawValue, $0.key.new.rawValue) < ($1.key.old.rawValue, $1.key.new.rawValue)
    }
    return sorted.map { "\($0.key.old.words($0.value)) became \($0.key.new.result)" }
      .joined(separator: ", ")
  }
}
