/// The columns of the layers that an expression is asked of, and the types of their values.
package struct Schema: Sendable {
  private var found: [String: ValueTypes] = [:]
  /// The names of all attributes in order of first appearance.
  package private(set) var names: [String] = []
  /// What the features can be related to.
  let surroundings: (any Surroundings)?

  /// Only the columns of `wanted` names are looked at.
  ///
  /// - Complexity: O(rows) for each wanted name.
  package init(
    names: [String], blocks: [any ExpressionRows], wanted: [String],
    surroundings: (any Surroundings)? = nil
  ) {
    self.names = names
    self.surroundings = surroundings
    for name in wanted {
      for block in blocks {
        guard let column = block.packedColumn(name) else { continue }
        found[name, default: []].formUnion(column.types)
      }
      // A name without values is known all the same.
      if found[name] == nil, names.contains(name) { found[name] = [] }
    }
  }

  /// Adds another block of the layers, of whose columns only those of `wanted` names are looked at.
  package mutating func add(_ block: any ExpressionRows, wanted: [String]) {
    for name in wanted {
      guard let column = block.packedColumn(name) else { continue }
      found[name, default: []].formUnion(column.types)
    }
  }

  /// Adds an attribute whose values are not looked at.
  package mutating func add(name: String) { names.append(name) }

  /// `nil` for a name that no layer has.
  package func types(of name: String) -> ValueTypes? {
    found[name] ?? (names.contains(name) ? [] : nil)
  }
}

/// Names that are like another one.
package enum NearNames {
  /// The few names nearest to one that is unknown, best first.
  package static func of(_ name: String, among names: [String]) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    let ranked = names.prefix(2000).compactMap { other -> (Int, String)? in
      let scalars = Array(other.lowercased().unicodeScalars.prefix(64))
      let distance = distance(wanted, scalars)
      let begins =
        min(wanted.count, scalars.count) > 1
        && (scalars.starts(with: wanted) || wanted.starts(with: scalars))
      guard begins || distance <= min(3, (wanted.count + 1) / 2) else { return nil }
      return (begins ? 0 : distance, other)
    }
    return ranked.sorted { $0.0 < $1.0 }.prefix(3).map(\.1)
  }

  /// The edits between two words.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (index, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let next = min(row[place + 1] + 1, row[place] + 1, diagonal + (scalar == other ? 0 : 1))
        diagonal = row[place + 1]
        row[place + 1] = next
      }
    }
    return row[right.count]
  }
}
