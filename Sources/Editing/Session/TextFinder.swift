import Documents

/// Finds a text in columns of attributes, without regard to upper and lower case.
///
/// ASCII texts are looked for in a column's packed bytes, without making strings of them.
struct TextFinder {
  private let wanted: String
  /// The text in small letters, if it is ASCII.
  private let bytes: [UInt8]?

  init(_ text: String) {
    wanted = text.lowercased()
    bytes = text.utf8.allSatisfy { $0 < 0x80 } ? Array(wanted.utf8) : nil
  }

  /// The features of a layer that hold the text in any attribute, in their order.
  func features(of layer: any FeatureHolding) -> [FeatureReference] {
    layer.blocks.flatMap { block -> [FeatureReference] in
      var rows = Set<Int>()
      for column in block.attributes { rows.formUnion(self.rows(of: column)) }
      return rows.sorted().map {
        FeatureReference(layer: layer.id, feature: block.featureIDs[$0])
      }
    }
  }

  /// The feature whose attribute is the text (rank 0), or else begins with it (1), or holds it (2).
  func best(
    of layer: any FeatureHolding, fields: [String]
  ) -> (rank: Int, feature: FeatureReference)? {
    var best: (rank: Int, feature: FeatureReference)?
    for block in layer.blocks {
      for field in fields {
        guard let column = block.column(field) else { continue }
        for row in rows(of: column).sorted() {
          let text = column.value(row).text.lowercased()
          let rank = text == wanted ? 0 : text.hasPrefix(wanted) ? 1 : 2
          if best.map({ rank < $0.rank }) ?? true {
            best = (rank, FeatureReference(layer: layer.id, feature: block.featureIDs[row]))
          }
        }
      }
    }
    return best
  }

  /// The rows of a column that hold the text.
  private func rows(of column: AttributeColumn) -> Set<Int> {
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
