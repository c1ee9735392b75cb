package import PortolanMemory

/// Writes a binary property list (`bplist00`) into one array of bytes.
///
/// Leaves (strings, numbers, small data) are encoded at once into a pool; containers are kept as
/// lists of references until `finish(top:)` knows how wide a reference is; large data is kept by
/// reference and copied once. Equal strings are written once.
///
///     var writer = BinaryPropertyListWriter()
///     let top = writer.reserve()
///     let key = writer.addString("name"), value = writer.addString("Mount Rainier")
///     writer.setDictionary(top, keys: [key], values: [value])
///     let bytes = try writer.finish(top: top)
///
/// The first object must be the top container (`reserve()`), as in every file that Apple writes.
public struct BinaryPropertyListWriter: ~Copyable {
  // The first memory of the rows below.
  private let block: RowBlock
  // One word an object: the kind in the upper three bits, a position in the lower ones.
  private var slots: GrowingRow<UInt64>
  // Encoded leaves, back to back, as they will stand in the file from byte 8 on.
  private var leaves: GrowingRow<UInt8>
  // Containers: marker, count, then the references.
  private var lists: GrowingRow<UInt32>
  private var payloads: [PropertyListPayload] = []
  private var strings: InternTable
  private var booleans: (no: PropertyListReference, yes: PropertyListReference) = (0, 0)

  static let leaf: UInt64 = 0
  static let container: UInt64 = 1
  static let payload: UInt64 = 2
  static let reserved: UInt64 = 3
  static let kindShift: UInt64 = 61
  static let positionMask: UInt64 = (1 << 61) - 1

  /// Data at least this long is kept by reference instead of being copied into the pool.
  private static let payloadMinimum = 256

  /// Makes an empty writer.
  public init() {
    block = RowBlock()
    slots = GrowingRow()
    leaves = GrowingRow()
    lists = GrowingRow()
    strings = InternTable()
  }

  /// Makes an empty writer with memory for a few small objects, taken at once.
  package init(capacity count: Int) {
    var block = RowBlock(bytes: count &* 48 &+ 256)
    slots = GrowingRow(capacity: count, in: &block)
    leaves = GrowingRow(capacity: count &* 8, in: &block)
    lists = GrowingRow(capacity: count &* 2, in: &block)
    strings = InternTable(capacity: count / 2, in: &block)
    self.block = block
  }

  /// Makes room for some small objects at once.
  public mutating func reserveCapacity(_ objects: Int) {
    strings.texts.reserveCapacity(objects / 2)
    slots.reserveCapacity(objects)
    leaves.reserveCapacity(objects * 8)
    lists.reserveCapacity(objects * 2)
  }

  /// How many objects were added or reserved.
  public var count: Int { slots.count }

  /// Takes the next number for a container whose contents are not known yet.
  public mutating func reserve() -> PropertyListReference {
    add(Self.reserved, 0)
  }

  /// Adds a string, or finds the equal one that was added before.
  public mutating func addString(_ string: String) -> PropertyListReference {
    let number = numberedString(string)
    return strings.texts[number].reference
  }

  /// Adds a string, or finds the equal one, and tells whether it is of ASCII.
  package mutating func addKey(
    _ string: String
  ) -> (reference: PropertyListReference, isASCII: Bool) {
    if let short = ShortText(string) { return (strings.texts[number(of: short)].reference, true) }
    let number = string.withBytes { numberedLongASCII($0) }
    return (strings.texts[number ?? numberedUTF16(string)].reference, number != nil)
  }

  /// Adds a string from bytes that are valid UTF-8, or finds the equal one that was added before.
  mutating func addString(utf8 bytes: UnsafeRawBufferPointer) -> PropertyListReference {
    if let short = ShortText(bytes) { return strings.texts[number(of: short)].reference }
    let number =
      numberedLongASCII(bytes) ?? numberedUTF16(String(decoding: bytes, as: UTF8.self))
    return strings.texts[number].reference
  }

  /// Adds a string, or finds the equal one, and gives its number among the strings, its object and
  /// what was noted of it (0 at first).
  package mutating func addNotedString(
    _ string: String
  ) -> (number: Int, reference: PropertyListReference, note: UInt32) {
    let number = numberedString(string)
    return (number, strings.texts[number].reference, strings.texts[number].note)
  }

  /// Notes something of a string.
  package mutating func note(_ note: UInt32, ofString number: Int) {
    strings.texts[number].note = note
  }

  /// Adds a whole number in the smallest form that holds it.
  public mutating func addInteger(_ value: Int64) -> PropertyListReference {
    let start = leaves.count
    appendInteger(value)
    return add(Self.leaf, start)
  }

  /// Adds a whole number beyond `Int64`, in sixteen bytes as Apple does, or else as `addInteger`.
  public mutating func addUnsigned(_ value: UInt64) -> PropertyListReference {
    if let signed = Int64(exactly: value) { return addInteger(signed) }
    let start = leaves.count
    leaves.append(0x14)
    appendBigEndian(0, 8)
    appendBigEndian(value, 8)
    return add(Self.leaf, start)
  }

  /// Adds a real number of eight bytes.
  public mutating func addDouble(_ value: Double) -> PropertyListReference {
    addReal(0x23, value.bitPattern, 8)
  }

  /// Adds a real number of four bytes.
  public mutating func addFloat(_ value: Float) -> PropertyListReference {
    addReal(0x22, UInt64(value.bitPattern), 4)
  }

  /// Adds a date: seconds since 2001-01-01 00:00:00 UTC.
  public mutating func addDate(_ seconds: Double) -> PropertyListReference {
    addReal(0x33, seconds.bitPattern, 8)
  }

  /// Adds one of the two truth values, each of which is written once.
  public mutating func addBool(_ value: Bool) -> PropertyListReference {
    let known = value ? booleans.yes : booleans.no
    if known != 0 { return known }
    let start = leaves.count
    leaves.append(value ? 0x09 : 0x08)
    let reference = add(Self.leaf, start)
    if value { booleans.yes = reference } else { booleans.no = reference }
    return reference
  }

  /// Adds a reference of a keyed archive (`UID`).
  public mutating func addUID(_ value: UInt32) -> PropertyListReference {
    let start = leaves.count
    appendUID(value)
    return add(Self.leaf, start)
  }

  /// Adds data; long data is kept by reference and copied when the file is laid out.
  public mutating func addData(_ data: some ByteSource) -> PropertyListReference {
    let size = data.byteCount
    let start = leaves.count
    if size >= Self.payloadMinimum {
      payloads.append(PropertyListPayload(source: data, dataSize: size))
      return add(Self.payload, payloads.count - 1)
    }
    appendHeader(0x40, size)
    data.copyBytes(
      to: UnsafeMutableRawBufferPointer(start: leaves.room(for: size), count: size))
    return add(Self.leaf, start)
  }

  /// Adds data from memory that the caller owns; it is copied at once.
  public mutating func addData(copying bytes: UnsafeRawBufferPointer) -> PropertyListReference {
    if bytes.count >= Self.payloadMinimum { return addData([UInt8](bytes)) }
    let start = leaves.count
    appendHeader(0x40, bytes.count)
    append(bytes)
    return add(Self.leaf, start)
  }

  /// Adds a leaf that is already encoded: marker, count and payload of another list's object.
  ///
  /// The caller has checked that the bytes are one whole leaf.
  package mutating func addEncodedLeaf(_ bytes: UnsafeRawBufferPointer) -> PropertyListReference {
    if bytes.count >= Self.payloadMinimum {
      payloads.append(PropertyListPayload(source: [UInt8](bytes), dataSize: nil))
      return add(Self.payload, payloads.count - 1)
    }
    let start = leaves.count
    append(bytes)
    return add(Self.leaf, start)
  }

  /// Fills a reserved number with an array.
  public mutating func setArray(
    _ reference: PropertyListReference, _ elements: [PropertyListReference]
  ) {
    setContainer(reference, 0xA0, elements.count)
    append(elements)
  }

  /// Fills a reserved number with an array of `count` elements.
  package mutating func setArray(
    _ reference: PropertyListReference, count: Int,
    _ element: (Int) -> PropertyListReference
  ) {
    setContainer(reference, 0xA0, count)
    for place in 0..<count { lists.append(element(place)) }
  }

  /// Fills a reserved number with an array that is the end of a row.
  mutating func setArray(
    _ reference: PropertyListReference, _ elements: ArraySlice<PropertyListReference>
  ) {
    setContainer(reference, 0xA0, elements.count)
    append(elements)
  }

  /// Fills a reserved number with a set.
  public mutating func setSet(
    _ reference: PropertyListReference, _ elements: [PropertyListReference]
  ) {
    setContainer(reference, 0xC0, elements.count)
    append(elements)
  }

  /// Fills a reserved number with a dictionary; there are as many values as keys.
  public mutating func setDictionary(
    _ reference: PropertyListReference, keys: [PropertyListReference],
    values: [PropertyListReference]
  ) {
    precondition(keys.count == values.count, "\(keys.count) keys, \(values.count) values")
    setContainer(reference, 0xD0, keys.count)
    append(keys)
    append(values)
  }

  /// Fills a reserved number with a dictionary whose entries are the ends of two equally long rows.
  public mutating func setDictionary(
    _ reference: PropertyListReference, keys: [PropertyListReference],
    values: [PropertyListReference], from first: Int
  ) {
    precondition(keys.count == values.count, "\(keys.count) keys, \(values.count) values")
    setContainer(reference, 0xD0, keys.count &- first)
    append(keys[first...])
    append(values[first...])
  }

  /// Fills a reserved number with a dictionary whose entries are the end of a row.
  package mutating func setDictionary(
    _ reference: PropertyListReference, _ entries: borrowing GrowingRow<PropertyListEntry>,
    from first: Int
  ) {
    let count = entries.count &- first
    setContainer(reference, 0xD0, count)
    guard count > 0 else { return }
    let room = lists.room(for: 2 &* count)
    for place in 0..<count {
      let entry = entries[first &+ place]
      room[place] = entry.key
      room[count &+ place] = entry.value
    }
  }

  /// Fills a reserved number with a dictionary whose entries are the ends of two rows.
  mutating func setDictionary(
    _ reference: PropertyListReference, keys: ArraySlice<PropertyListReference>,
    values: ArraySlice<PropertyListReference>
  ) {
    precondition(keys.count == values.count, "\(keys.count) keys, \(values.count) values")
    setContainer(reference, 0xD0, keys.count)
    append(keys)
    append(values)
  }

  /// Fills a reserved number with a reference of a keyed archive.
  mutating func setUID(_ reference: PropertyListReference, _ value: UInt32) {
    slots[Int(reference)] = Self.leaf << Self.kindShift | UInt64(leaves.count)
    appendUID(value)
  }

  /// Lays the file out and gives its bytes; the writer is then empty.
  ///
  /// Throws `tooLarge` when there are more objects than references can name.
  public mutating func finish(
    top: PropertyListReference
  ) throws(PropertyListError) -> [UInt8] {
    guard slots.count < Int(UInt32.max), leaves.count < Int(UInt32.max) << 16 else {
      throw PropertyListError(.tooLarge, "more objects than a property list can number")
    }
    let finished = exchange(&self, with: BinaryPropertyListWriter())
    return finished.layout(top).bytes()
  }

  private consuming func layout(_ top: PropertyListReference) -> BinaryPropertyListLayout {
    BinaryPropertyListLayout(
      block: block, slots: slots, leaves: leaves, lists: lists, payloads: payloads, top: top)
  }

  // MARK: Helpers

  private mutating func numberedString(_ string: String) -> Int {
    if let short = ShortText(string) { return number(of: short) }
    return string.withBytes { numberedLongASCII($0) } ?? numberedUTF16(string)
  }

  @inline(__always)
  private mutating func add(_ kind: UInt64, _ position: Int) -> PropertyListReference {
    slots.append(kind << Self.kindShift | UInt64(position))
    return PropertyListReference(truncatingIfNeeded: slots.count - 1)
  }

  private mutating func setContainer(_ reference: PropertyListReference, _ marker: UInt32, _ n: Int)
  {
    let kind = slots[Int(reference)] >> Self.kindShift
    precondition(kind == Self.reserved, "object \(reference) was filled before")
    slots[Int(reference)] = Self.container << Self.kindShift | UInt64(lists.count)
    lists.append(marker)
    lists.append(UInt32(truncatingIfNeeded: n))
  }

  private mutating func addReal(
    _ marker: UInt8, _ bits: UInt64, _ width: Int
  ) -> PropertyListReference {
    let start = leaves.count
    leaves.append(marker)
    appendBigEndian(bits, width)
    return add(Self.leaf, start)
  }

  /// The number of a short string, which is added unless an equal one is there.
  private mutating func number(of text: ShortText) -> Int {
    let candidate = PropertyListReference(truncatingIfNeeded: slots.count)
    if let found = strings.find(TextKey(text), orInsert: candidate, isEqual: { _ in false }) {
      return found
    }
    let start = leaves.count
    appendHeader(0x50, text.count)
    let end = leaves.count &+ text.count
    text.copyWords(to: leaves.room(for: 16))
    leaves.truncate(to: end)
    _ = add(Self.leaf, start)
    return strings.texts.count &- 1
  }

  /// The number of a long string of ASCII; `nil` for other bytes.
  private mutating func numberedLongASCII(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard isASCII(bytes) else { return nil }
    return number(
      of: TextKey(long: bytes, at: leaves.count), 0x50, bytes.count, bytes)
  }

  private mutating func numberedUTF16(_ string: String) -> Int {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf16.count * 2)
    for unit in string.utf16 {
      bytes.append(UInt8(truncatingIfNeeded: unit >> 8))
      bytes.append(UInt8(truncatingIfNeeded: unit))
    }
    return bytes.withUnsafeBytes {
      number(of: TextKey(long: $0, at: leaves.count), 0x60, $0.count / 2, $0)
    }
  }

  /// The number of a long string of `count` units, which is added unless an equal one is there.
  private mutating func number(
    of key: TextKey, _ marker: UInt8, _ count: Int, _ payload: UnsafeRawBufferPointer
  ) -> Int {
    let candidate = PropertyListReference(truncatingIfNeeded: slots.count)
    let found = leaves.withBytes { pool in
      strings.find(key, orInsert: candidate) { position in
        isText(pool, at: position, marker, count, payload)
      }
    }
    if let found { return found }
    let start = leaves.count
    appendHeader(marker, count)
    append(payload)
    _ = add(Self.leaf, start)
    return strings.texts.count &- 1
  }

  @inline(__always)
  private mutating func appendUID(_ value: UInt32) {
    let width = value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : 4
    leaves.append(0x80 | UInt8(width - 1))
    appendBigEndian(UInt64(value), width)
  }

  @inline(__always)
  private mutating func appendHeader(_ marker: UInt8, _ count: Int) {
    if count < 15 {
      leaves.append(marker | UInt8(count))
    } else {
      leaves.append(marker | 0x0F)
      appendInteger(Int64(count))
    }
  }

  private mutating func appendInteger(_ value: Int64) {
    switch value {
    case 0...0xFF:
      leaves.append(0x10)
      leaves.append(UInt8(value))
    case 0...0xFFFF:
      leaves.append(0x11)
      appendBigEndian(UInt64(value), 2)
    case 0...0xFFFF_FFFF:
      leaves.append(0x12)
      appendBigEndian(UInt64(value), 4)
    default:
      leaves.append(0x13)
      appendBigEndian(UInt64(bitPattern: value), 8)
    }
  }

  @inline(__always)
  private mutating func appendBigEndian(_ value: UInt64, _ width: Int) {
    leaves.append(value, bigEndian: width)
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    bytes.withMemoryRebound(to: UInt8.self) { leaves.append($0) }
  }

  @inline(__always)
  private mutating func append(_ references: [PropertyListReference]) {
    references.withUnsafeBufferPointer { lists.append($0) }
  }

  @inline(__always)
  private mutating func append(_ references: ArraySlice<PropertyListReference>) {
    references.withUnsafeBufferPointer { lists.append($0) }
  }
}

/// An entry of a dictionary that is being written.
package struct PropertyListEntry: BitwiseCopyable {
  /// The string of the key.
  package var key: PropertyListReference
  /// The object of the value.
  package var value: PropertyListReference

  package init(key: PropertyListReference, value: PropertyListReference) {
    (self.key, self.value) = (key, value)
  }
}

/// Large data that waits for the file to be laid out.
struct PropertyListPayload {
  var source: any ByteSource
  /// The size to write in front of it; `nil` when the bytes carry their own marker and count.
  var dataSize: Int?

  var byteCount: Int {
    source.byteCount + (dataSize.map { BinaryPropertyListLayout.headerSize($0) } ?? 0)
  }
}

/// Whether the leaf at a place of the writer's own pool is a string of these units.
private func isText(
  _ pool: UnsafeRawBufferPointer, at position: Int, _ marker: UInt8, _ count: Int,
  _ payload: UnsafeRawBufferPointer
) -> Bool {
  var start = position &+ 1
  if count < 15 {
    guard pool[position] == marker | UInt8(truncatingIfNeeded: count) else { return false }
  } else {
    guard pool[position] == marker | 0x0F else { return false }
    let width = 1 << Int(pool[start] & 0x0F)
    var stored = 0
    for place in 1...width { stored = stored << 8 | Int(pool[start &+ place]) }
    guard stored == count else { return false }
    start = start &+ 1 &+ width
  }
  var place = 0
  while place &+ 8 <= payload.count {
    if pool.loadUnaligned(fromByteOffset: start &+ place, as: UInt64.self)
      != payload.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    {
      return false
    }
    place &+= 8
  }
  while place < payload.count {
    if pool[start &+ place] != payload[place] { return false }
    place &+= 1
  }
  return true
}
