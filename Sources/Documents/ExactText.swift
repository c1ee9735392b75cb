/// A text that is equal to another only if it has the same bytes.
///
/// Swift treats two spellings of `é` as equal; as names of members in a file they are two names,
/// and both must be reproduced.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both have the same bytes of UTF-8.
  package func hasSameBytes(as other: String) -> Bool {
    let (bytes, others) = (utf8, other.utf8)
    guard bytes.count == others.count else { return false }
    let isSame = bytes.withContiguousStorageIfAvailable { bytes in
      others.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    return (isSame ?? nil) ?? bytes.elementsEqual(others)
  }
}

extension [String] {
  /// Whether both have the same texts, byte by byte, in the same order.
  func hasSameTexts(as others: [String]) -> Bool {
    guard count == others.count else { return false }
    let isShared = withUnsafeBufferPointer { texts in
      others.withUnsafeBufferPointer { texts.baseAddress == $0.baseAddress }
    }
    return isShared || zip(self, others).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
