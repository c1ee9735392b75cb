/// One unit of text in cells: a base with its marks, and its columns.
package struct DisplayCluster: Hashable, Sendable {
  /// The first scalar; the only one when `text` is `nil`.
  package var first: Unicode.Scalar
  /// The whole cluster, when it has more than one scalar.
  package var text: String?
  /// 1 or 2.
  package var columns: Int

  package init(first: Unicode.Scalar, text: String? = nil, columns: Int) {
    (self.first, self.text, self.columns) = (first, text, columns)
  }
}

/// The clusters of a text, made safe for a terminal.
///
/// Close to Unicode's extended grapheme clusters, but cut so that terminals agree on the width of
/// each: spacing marks and conjunct letters are clusters of their own, combining marks are capped
/// at four, and unsafe scalars become a visible placeholder.
package struct DisplayClusters: Sequence, IteratorProtocol {
  /// More marks than this on one base are dropped; curses keeps no more either.
  package static let marksMax = 4
  /// The longest sequence joined into one cluster, in scalars.
  package static let scalarsMax = 16

  /// The private scalars for the bytes 0x80 to 0xFF of such names.
  private static let rawBytes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  private var rest: String.UnicodeScalarView.Iterator
  private var ahead: [Unicode.Scalar] = []

  package init(_ text: String) {
    rest = text.unicodeScalars.makeIterator()
  }

  package mutating func next() -> DisplayCluster? {
    guard var scalar = take() else { return nil }
    if Self.rawBytes.contains(scalar.value) {
      // `\xE9`: a byte in the name of a file that is not UTF-8.
      let digits = String(scalar.value & 0xFF, radix: 16, uppercase: true)
      ahead.insert(contentsOf: "x\(digits)".unicodeScalars, at: 0)
      scalar = "\\"
    }
    switch ScalarKind(scalar) {
    case .hidden, .joiner:
      return DisplayCluster(first: ScalarKind.placeholder(for: scalar), text: nil, columns: 1)
    case .mark:
      ahead.insert(scalar, at: 0)
      return extended("\u{25CC}", columns: 1)
    case .narrow:
      return extended(scalar, columns: 1)
    case .wide:
      return extended(scalar, columns: 2)
    }
  }

  private mutating func take() -> Unicode.Scalar? {
    ahead.isEmpty ? rest.next() : ahead.removeFirst()
  }

  /// The scalar at `offset` after the taken ones, without taking it.
  private mutating func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    while ahead.count <= offset {
      guard let scalar = rest.next() else { return nil }
      ahead.append(scalar)
    }
    return ahead[offset]
  }

  /// Extends a base by its marks and joined scalars.
  private mutating func extended(_ base: Unicode.Scalar, columns: Int) -> DisplayCluster {
    var cluster = DisplayCluster(first: base, text: nil, columns: columns)
    guard let following = peek(), following.value >= 0x300 else { return cluster }
    var scalars = String.UnicodeScalarView()
    var count = 1
    var marks = 0
    scalars.append(base)
    while let scalar = peek() {
      if scalar.value < 0x300 { break }
      if ScalarKind(scalar) == .mark {
        _ = take()
        if marks < DisplayClusters.marksMax { scalars.append(scalar) }
        marks += 1
        count = Swift.min(count + 1, DisplayClusters.scalarsMax)
        continue
      }
      guard count < DisplayClusters.scalarsMax, let length = joined(base, scalar, count) else {
        break
      }
      for _ in 0..<length {
        if let next = take() { scalars.append(next) }
      }
      count += length
      if isRegional(base) { cluster.columns = 2 }
    }
    if scalars.count > 1 { cluster.text = String(scalars) }
    return cluster
  }

  /// The number of following scalars in the cluster of `base`; `nil` when a new cluster begins.
  private mutating func joined(
    _ base: Unicode.Scalar, _ scalar: Unicode.Scalar, _ count: Int
  ) -> Int? {
    switch scalar.value {
    case 0x200C, 0x200D:
      guard let after = peek(1) else { return nil }
      if usesJoiners(base), usesJoiners(after) { return 1 }
      return scalar.value == 0x200D && isPictograph(base) && isPictograph(after) ? 2 : nil
    case 0x1F3FB...0x1F3FF:
      return isPictograph(base) ? 1 : nil
    case 0x1F1E6...0x1F1FF:
      return isRegional(base) && count == 1 ? 1 : nil
    case 0x1160...0x11FF, 0xD7B0...0xD7FB:
      return isHangul(base) ? 1 : nil
    case 0xE0020...0xE007F:
      return base.value == 0x1F3F4 ? 1 : nil
    default:
      return nil
    }
  }

  private func isRegional(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x1F1E6 && scalar.value <= 0x1F1FF
  }

  private func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x115E).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
      || (0xA960...0xA97C).contains(scalar.value)
  }

  private func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x2000 && scalar.properties.isEmoji
  }

  /// Scripts in which a joiner changes the shape of letters: from Arabic to the Indic ones.
  private func usesJoiners(_ scalar: Unicode.Scalar) -> Bool {
    (0x600...0x1CFF).contains(scalar.value) || (0xA840...0xABFF).contains(scalar.value)
  }
}
