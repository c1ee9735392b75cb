/// The group of each row of a block: features with one look.
package final class FeatureGroups: Sendable {
  package let numbers: [UInt8]
  /// The number of rows in each group.
  package let counts: [Int]

  /// - Parameter count: the number of groups; rows of higher ones are in none.
  package init(_ numbers: [UInt8], count: Int) {
    var counts = [Int](repeating: 0, count: max(0, count))
    for number in numbers where Int(number) < counts.count { counts[Int(number)] += 1 }
    self.numbers = numbers
    self.counts = counts
  }

  /// Whether a row is in a group.
  @inline(__always)
  package func contains(_ row: Int, in group: Int) -> Bool {
    numbers.indices.contains(row) && Int(numbers[row]) == group
  }

  /// The number of rows in a group.
  package func count(of group: Int) -> Int { counts.indices.contains(group) ? counts[group] : 0 }
}

/// A value for each row of a block, by the row's group.
package struct GroupValues<Value: Sendable>: Sendable {
  package var groups: FeatureGroups
  /// One value for each group.
  package var values: [Value]

  package init(groups: FeatureGroups, values: [Value]) {
    self.groups = groups
    self.values = values
  }

  /// The value of a row; `nil` outside of the block.
  package subscript(row: Int) -> Value? {
    guard groups.numbers.indices.contains(row) else { return nil }
    let number = Int(groups.numbers[row])
    return values.indices.contains(number) ? values[number] : nil
  }
}

/// The styles of a block's rows.
package typealias GroupStyles = GroupValues<MarkStyle>

/// The signs of a block's points by classes of importance or size.
package typealias GroupSigns = GroupValues<String>
