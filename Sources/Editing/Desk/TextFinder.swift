import PortolanDocuments

/// Searches columns of attributes for a text, ignoring case.
///
/// ASCII texts are searched in a column's packed bytes, without making strings of them.
struct TextFinder {
  /// A matching feature and its rank.
  struct Find: Hashable, Sendable {
    /// One of `Rank`; less is better.
    var rank: Int
    var feature: FeatureReference
  }

  /// How a feature matches the text.
  enum Rank {
    /// A name equals the text.
    static let same = 0
    /// A name equals the text but for upper and lower case.
    static let sameIgnoringCase = 1
    /// A name begins with the text.
    static let start = 2
    /// A name contains the text.
    static let within = 3
    /// Another attribute contains it.
    static let elsewhere = 4
  }

  private let text: String
  private let wanted: String
  /// The text in lower case, if it is ASCII.
  private let bytes: [UInt8]?

  init(_ text: String) {
    self.text = text
    wanted = text.lowercased()
    bytes = text.utf8.allSatisfy { $0 < 0x80 } ? Array(wanted.utf8) : nil
  }

  /// The matching features of a layer, in their order, each with its best rank.
  ///
  /// - Parameters:
  ///   - names: The attributes that name features.
  ///   - others: Further attributes to search.
  func finds(
    in layer: any FeatureHolding, names: [String], others: [String]
  ) -> [Find] {
    let isName = Set(names)
    return layer.blocks.flatMap { block -> [Find] in
      var ranks: [Int: Int] = [:]
      for name in names {
        guard let column = block.channel(name) else { continue }
        for row in rows(of: column) {
          ranks[row] = min(ranks[row] ?? Rank.elsewhere, rank(of: column.value(row).text))
        }
      }
      for name in others where !isName.contains(name) {
        guard let column = block.column(name) else { continue }
        for row in rows(of: column) where ranks[row] == nil { ranks[row] = Rank.elsewhere }
      }
      return ranks.sorted { $0.key < $1.key }.map { row, rank in
        Find(rank: rank, feature: FeatureReference(layer: layer.id, feature: block.featureIDs[row]))
      }
    }
  }

  /// The rank of a name.
  private func rank(of name: String) -> Int {
    if name == text { return Rank.same }
    let small = name.lowercased()
    if small == wanted { return Rank.sameIgnoringCase }
    return small.hasPrefix(wanted) ? Rank.start : Rank.within
  }

  /// The rows of a column that contain the text.
  func rows(of column: AttributeColumn) -> Set<Int> {
    guard let bytes, let first = bytes.first else {
      return Set(
        (0..<column.rowCount).filter { column.value($0).text.lowercased().contains(wanted) })
    }
    var rows = Set<Int>()
    column.bytes.withUnsafeBufferPointer { haystack in
      var row = 0
      var index = 0
      let last = haystack.count - bytes.count
      while index <= last {
        if Self.folded(haystack[index]) == first, Self.matches(haystack, index, bytes) {
          while row < column.rowCount, Int(column.ends[row]) <= index { row += 1 }
          guard row < column.rowCount else { return }
          let end = Int(column.ends[row])
          if index + bytes.count <= end {
            rows.insert(row)
            index = end
            continue
          }
        }
        index += 1
      }
    }
    return rows
  }

  private static func matches(
    _ haystack: UnsafeBufferPointer<UInt8>, _ start: Int, _ bytes: [UInt8]
  ) -> Bool {
    for offset in bytes.indices where folded(haystack[start + offset]) != bytes[offset] {
      return false
    }
    return true
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}

extension [TextFinder.Find] {
  /// Best first; equals keep their order.
  func sortedByRank() -> [TextFinder.Find] {
    (TextFinder.Rank.same...TextFinder.Rank.elsewhere).flatMap { rank in
      filter { $0.rank == rank }
    }
  }
}
