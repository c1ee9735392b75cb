// Written out, because values of foreign archives are nested: comparing must not need stack for
// each level, and hashing not look at all of them.
extension Cocoa.Object {
  public static func == (first: Cocoa.Object, second: Cocoa.Object) -> Bool {
    var work = [(first, second)]
    while let (left, right) = work.popLast() {
      guard compare(left, right, &work) else { return false }
    }
    return true
  }

  /// Compares two objects but for the parts that it puts on the work list.
  private static func compare(
    _ first: Cocoa.Object, _ second: Cocoa.Object, _ work: inout [(Cocoa.Object, Cocoa.Object)]
  ) -> Bool {
    switch (first, second) {
    case (.array(let left), .array(let right)):
      guard left.isMutable == right.isMutable, left.elements.count == right.elements.count else {
        return false
      }
      work += zip(left.elements, right.elements)
      return true
    case (.dictionary(let left), .dictionary(let right)):
      guard left.isMutable == right.isMutable, left.pairs.count == right.pairs.count else {
        return false
      }
      // Most often one comes from the other, so that the order is the same.
      guard left.pairs.map(\.key) == right.pairs.map(\.key) else { return left == right }
      work += zip(left.pairs, right.pairs).map { ($0.value, $1.value) }
      return true
    default: return isEqualLeaf(first, second)
    }
  }

  /// Compares objects other than arrays and dictionaries.
  private static func isEqualLeaf(_ first: Cocoa.Object, _ second: Cocoa.Object) -> Bool {
    switch (first, second) {
    // By code units: two spellings of one text are two keys of a dictionary.
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.unknown(let left), .unknown(let right)): left == right
    case (.string, _), (_, .string), (.data, _), (_, .data), (.unknown, _), (_, .unknown): false
    default: isEqual(first.foundationValue, second.foundationValue)
    }
  }

  private static func isEqual<Value: FoundationValue>(
    _ first: Value, _ second: any FoundationValue
  ) -> Bool {
    (second as? Value) == first
  }

  public func hash(into hasher: inout Hasher) {
    hash(into: &hasher, levels: 8)
  }

  /// Hashes some levels of a value; further in, only how many parts there are.
  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .string(let text): hasher.combine(ExactKey(text))
    case .data(let bytes): hasher.combine(bytes)
    case .unknown(let object): hasher.combine(object)
    case .array(let array):
      hasher.combine(array.elements.count)
      guard levels > 0 else { return }
      for element in array.elements { element.hash(into: &hasher, levels: levels - 1) }
    case .dictionary(let dictionary): hasher.combine(dictionary.hash(levels: levels))
    case .set(let set): hasher.combine(Self.hash(ofAll: set.elements, levels: levels))
    default: hashLeaf(into: &hasher)
    }
  }

  private func hashLeaf(into hasher: inout Hasher) {
    foundationValue.hash(into: &hasher)
  }

  /// A hash that does not depend on the order.
  static func hash(ofAll elements: [Cocoa.Object], levels: Int) -> Int {
    guard levels > 0 else { return elements.count }
    return elements.reduce(0) { sum, element in
      var hasher = Hasher()
      element.hash(into: &hasher, levels: levels - 1)
      return sum &+ hasher.finalize()
    }
  }

  /// A hash of a pair.
  fileprivate static func hash(_ pair: Cocoa.Dictionary.Pair, levels: Int) -> Int {
    var hasher = Hasher()
    pair.key.hash(into: &hasher, levels: levels)
    pair.value.hash(into: &hasher, levels: levels)
    return hasher.finalize()
  }
}

extension Cocoa.Dictionary {
  /// A hash that does not depend on the order.
  func hash(levels: Int) -> Int {
    guard levels > 0 else { return pairs.count }
    return pairs.reduce(0) { $0 &+ Cocoa.Object.hash($1, levels: levels - 1) }
  }
}
