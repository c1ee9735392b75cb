/// Why bytes from another program are refused.
package struct PackedBytesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the fault, in bytes.
  package var offset: Int
  package var what: String

  package var description: String { "byte \(offset): \(what)" }
}

/// Writes numbers and texts one after the other: whole numbers as LEB128, seven bits a byte, the
/// lowest first; texts as their length in bytes and UTF-8.
package struct PackedWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Precondition: the number is 0 or more.
  package mutating func write(_ number: Int) {
    precondition(number >= 0, "negative: \(number)")
    var rest = UInt(number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func write(_ flag: Bool) { write(flag ? 1 : 0) }

  package mutating func write(_ text: String) {
    let utf8 = Array(text.utf8)
    write(utf8)
  }

  package mutating func write(_ data: [UInt8]) {
    write(data.count)
    bytes += data
  }

  /// A value that may be absent: 0, or 1 and the value.
  package mutating func write<Value>(
    optional value: Value?, _ body: (inout PackedWriter, Value) -> Void
  ) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  package mutating func write<Value>(
    list values: [Value], _ body: (inout PackedWriter, Value) -> Void
  ) {
    write(values.count)
    for value in values { body(&self, value) }
  }
}

/// Reads what a `PackedWriter` wrote; every number and length is checked.
package struct PackedReader {
  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { place == bytes.count }

  /// - Throws: at bytes behind the last value.
  package func end() throws(PackedBytesError) {
    if !isAtEnd { throw fault("\(bytes.count - place) bytes too many") }
  }

  /// A number from 0 to a greatest one.
  package mutating func number(atMost greatest: Int = .max) throws(PackedBytesError) -> Int {
    let start = place
    var value: UInt64 = 0
    for shift in stride(from: 0, through: 63, by: 7) {
      guard place < bytes.count else { throw fault("a number is cut off") }
      let byte = bytes[place]
      place += 1
      let part = UInt64(byte & 0x7F)
      if shift == 63, part > 1 { break }
      value |= part << UInt64(shift)
      if byte & 0x80 == 0 {
        guard let number = Int(exactly: value), number <= greatest else {
          place = start
          throw fault("\(value) is more than \(greatest)")
        }
        return number
      }
    }
    place = start
    throw fault("a number is longer than 64 bits")
  }

  package mutating func flag() throws(PackedBytesError) -> Bool { try number(atMost: 1) == 1 }

  package mutating func data(atMost most: Int) throws(PackedBytesError) -> [UInt8] {
    let count = try number(atMost: most)
    guard count <= bytes.count - place else { throw fault("\(count) bytes are cut off") }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  package mutating func text(atMost most: Int) throws(PackedBytesError) -> String {
    let start = place
    guard let text = String(validating: try data(atMost: most), as: UTF8.self) else {
      place = start
      throw fault("a text is not UTF-8")
    }
    return text
  }

  package mutating func optional<Value>(
    _ body: (inout PackedReader) throws(PackedBytesError) -> Value
  ) throws(PackedBytesError) -> Value? {
    try flag() ? try body(&self) : nil
  }

  /// - Parameter most: the greatest count; each value has a byte at least.
  package mutating func list<Value>(
    atMost most: Int, _ body: (inout PackedReader) throws(PackedBytesError) -> Value
  ) throws(PackedBytesError) -> [Value] {
    let count = try number(atMost: most)
    guard count <= bytes.count - place else { throw fault("\(count) values are cut off") }
    var values: [Value] = []
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  /// The value of a name in a closed list.
  package mutating func choice<Value>(
    of values: [Value]
  ) throws(PackedBytesError) -> Value {
    values[try number(atMost: values.count - 1)]
  }

  package func fault(_ what: String) -> PackedBytesError {
    PackedBytesError(offset: place, what: what)
  }
}
