/// Writes tables of FlatBuffers, each behind its list of fields and before what it refers to.
///
///     uint32   the size of what follows
///     uint32   the distance to the first table, and so for each reference
///     uint16…  the size of the list, the size of the table, the place of each field in it or 0
///     int32    a table: the distance back to its list; then the fields
///
/// A vector and a text begin with a count of 32 bits; a zero, not counted, ends a text.
struct FlatBytes {
  private(set) var bytes: [UInt8] = []
  /// Where the buffer in progress begins: numbers are aligned from there on.
  private var base = 0

  var count: Int { bytes.count }

  /// Begins a buffer, with room for its size and the reference to its first table.
  mutating func begin() {
    base = bytes.count
    append(UInt32(0))
    append(UInt32(0))
  }

  /// Ends the buffer.
  ///
  /// - Parameter table: the place of its first table.
  mutating func end(_ table: Int) {
    align(to: 8)
    set(UInt32(clamping: bytes.count - base - 4), at: base)
    refer(from: base + 4, to: table)
  }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ number: Double) { append(number.bitPattern) }

  mutating func append(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

  mutating func align(to size: Int) {
    while (bytes.count - base) % size != 0 { bytes.append(0) }
  }

  private mutating func set(_ number: UInt32, at place: Int) {
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
  }

  /// Makes the field at a place refer to something behind it.
  mutating func refer(from place: Int, to target: Int) {
    set(UInt32(clamping: target - place), at: place)
  }

  /// A table of zeros.
  ///
  /// - Parameters:
  ///   - fields: the place of each field in the table; 0 leaves it out.
  ///   - size: that of the table, whose first four bytes are no field.
  /// - Returns: where it begins.
  mutating func table(_ fields: [Int], size: Int) -> Int {
    align(to: 2)
    let list = bytes.count
    append(UInt16(4 + 2 * fields.count))
    append(UInt16(size))
    for place in fields { append(UInt16(place)) }
    align(to: 8)
    let table = bytes.count
    append(Int32(clamping: table - list))
    bytes.append(contentsOf: repeatElement(0, count: size - 4))
    return table
  }

  /// Sets a field of a table.
  mutating func set(_ field: [UInt8], at place: Int) {
    bytes.replaceSubrange(place..<place + field.count, with: field)
  }

  /// Begins a vector whose items are so many bytes each; returns where it begins.
  mutating func vector(count: Int, itemSize: Int) -> Int {
    align(to: 4)
    // The items are aligned, and the count stands right before them.
    while itemSize > 4, (bytes.count + 4 - base) % itemSize != 0 { bytes.append(0) }
    append(UInt32(clamping: count))
    return bytes.count - 4
  }

  mutating func text(_ text: some Collection<UInt8>) -> Int {
    let place = vector(count: text.count, itemSize: 1)
    bytes.append(contentsOf: text)
    bytes.append(0)
    return place
  }
}
