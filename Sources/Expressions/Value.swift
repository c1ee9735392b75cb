/// The value of an expression for one feature.
package enum Value: Hashable, Sendable {
  case null
  case truth(Bool)
  case number(Number)
  case text(Text)

  package static func text(_ string: String) -> Value { .text(Text(string)) }
}

/// A text within the bytes of a column, or of its own: UTF-8, compared by code points.
package struct Text: Sendable {
  private let storage: [UInt8]
  private let range: Range<Int>

  /// - Precondition: `range` lies within the bytes.
  init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    self.range = range
  }

  package init(_ string: String) {
    storage = Array(string.utf8)
    range = 0..<storage.count
  }

  package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  @inline(__always)
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows
    -> Result
  {
    try storage.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The number of code points.
  var count: Int { withBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } } }

  /// Bytes of a text that an expression makes.
  static let bytesMax = 1 << 24

  /// Both texts as one; `nil` if that is too long.
  static func joining(_ left: Text, _ right: Text) -> Text? {
    guard left.range.count + right.range.count <= bytesMax else { return nil }
    let bytes = Array(left.storage[left.range]) + right.storage[right.range]
    return Text(bytes, 0..<bytes.count)
  }
}

extension Text: Hashable, Comparable {
  package static func == (left: Text, right: Text) -> Bool {
    left.range.count == right.range.count && order(left, right) == 0
  }

  package static func < (left: Text, right: Text) -> Bool { order(left, right) < 0 }

  package func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// -1, 0 or 1. The order of the bytes of UTF-8 is that of the code points.
  static func order(_ left: Text, _ right: Text) -> Int {
    left.withBytes { left in right.withBytes { Bytes.order(left, $0) } }
  }
}

/// Bytes of UTF-8 compared.
enum Bytes {
  static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int
  {
    let shared = min(left.count, right.count)
    var index = 0
    while index < shared, left[index] == right[index] { index += 1 }
    if index < shared { return left[index] < right[index] ? -1 : 1 }
    return left.count < right.count ? -1 : left.count == right.count ? 0 : 1
  }
}

/// The truth of a condition in logic of three values: what compares with null is unknown.
package enum Truth: UInt8, Sendable {
  case no = 0
  case unknown = 1
  case yes = 2

  @inline(__always)
  init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  /// Not: unknown stays unknown.
  var inverse: Truth {
    switch self {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }

  var value: Value {
    switch self {
    case .no: .truth(false)
    case .unknown: .null
    case .yes: .truth(true)
    }
  }
}

/// The types that the values of an expression may have; null belongs to each.
package struct ValueTypes: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let truth = ValueTypes(rawValue: 1)
  package static let number = ValueTypes(rawValue: 2)
  package static let text = ValueTypes(rawValue: 4)
  package static let any: ValueTypes = [.truth, .number, .text]

  /// The types in words, such as `a number` or `a number or text`.
  var words: String {
    var words: [String] = []
    if contains(.truth) { words.append("true or false") }
    if contains(.number) { words.append("a number") }
    if contains(.text) { words.append("text") }
    return words.isEmpty ? "null" : words.joined(separator: " or ")
  }
}
