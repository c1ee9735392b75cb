import PropertyLists

/// Writes a typedstream value by value, numbering strings, classes and objects as Apple does.
///
///     var writer = TypedstreamWriter()
///     writer.beginGroup("@")
///     let number = writer.beginObject([("NSString", 1), ("NSObject", 0)])
///     writer.beginGroup("+")
///     writer.writeBytes(Array("hello".utf8))
///     writer.endObject()
///
/// The caller writes the values that the types of a group announce; `Archiver` does so for objects.
public struct TypedstreamWriter {
  /// The stream so far.
  public internal(set) var bytes: [UInt8] = []
  /// Which end of a number comes first.
  public let byteOrder: TypedstreamByteOrder
  /// The version of the system that is named as the writer.
  public let systemVersion: Int
  private let isLittleEndian: Bool

  /// The number of the next object, class or C string.
  public internal(set) var objectCount = 0
  private var strings: [[UInt8]: Int] = [:]
  private var classes: [ClassKey: Int] = [:]
  /// The numbers of types of one character, which most groups have.
  private var shortTypes = [Int32](repeating: -1, count: 128)

  private struct ClassKey: Hashable {
    var name: Int
    var version: Int
    var superclass: Int
  }

  /// The state restored when a root is written anew.
  struct Mark {
    fileprivate var byteCount: Int
    fileprivate var objectCount: Int
    fileprivate var stringCount: Int
  }

  /// Begins a stream with its header.
  public init(byteOrder: TypedstreamByteOrder = .littleEndian, systemVersion: Int = 1_000) {
    self.byteOrder = byteOrder
    self.systemVersion = systemVersion
    isLittleEndian = byteOrder == .littleEndian
    bytes += [4, 11]
    bytes += Array((isLittleEndian ? "streamtyped" : "typedstream").utf8)
    writeInteger(Int64(systemVersion))
  }

  // MARK: Numbers

  /// Writes a whole number in the form in which Apple does, or in another that it was found in.
  ///
  /// For the types `S`, `I`, `L` and `Q` use `writeInteger(_:type:form:)`.
  @inline(__always)
  public mutating func writeInteger(_ value: Int64, form: NumberForm? = nil) {
    if value >= -110, value <= 127, form == nil || form == .oneByte {
      bytes.append(UInt8(truncatingIfNeeded: value))
    } else {
      writeLong(value, form)
    }
  }

  private mutating func writeLong(_ value: Int64, _ form: NumberForm?) {
    var form = form ?? .shortest(value)
    // A form that the value does not fit would change it.
    if !Self.fits(value, form) { form = .shortest(value) }
    switch form {
    case .oneByte: bytes.append(UInt8(truncatingIfNeeded: value))
    case .twoBytes:
      bytes.append(TypedstreamHead.twoBytes)
      put(UInt64(bitPattern: value), 2)
    case .fourBytes:
      bytes.append(TypedstreamHead.fourBytes)
      put(UInt64(bitPattern: value), 4)
    case .eightBytes, .real:
      bytes.append(TypedstreamHead.eightBytes)
      put(UInt64(bitPattern: value), 8)
    }
  }

  private static func fits(_ value: Int64, _ form: NumberForm) -> Bool {
    switch form {
    case .oneByte: value >= -110 && value <= 127
    case .twoBytes: Int64(Int16(truncatingIfNeeded: value)) == value
    case .fourBytes: Int64(Int32(truncatingIfNeeded: value)) == value
    case .eightBytes: true
    case .real: false
    }
  }

  /// Writes a whole number of a type; unsigned ones of 16 and 32 bits are written as signed.
  public mutating func writeInteger(_ value: Int64, type: UInt8, form: NumberForm? = nil) {
    switch type {
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      let value = Int16(truncatingIfNeeded: value)
      // Of this width, the least number takes the short form too.
      writeInteger(Int64(value), form: form ?? (value == Int16.min ? .twoBytes : nil))
    case UInt8(ascii: "i"), UInt8(ascii: "I"):
      writeInteger(Int64(Int32(truncatingIfNeeded: value)), form: form)
    case UInt8(ascii: "L") where value >= 0 && value <= Int64(UInt32.max):
      writeInteger(Int64(Int32(truncatingIfNeeded: value)), form: form)
    default: writeInteger(value, form: form)
    }
  }

  /// Writes a real number of 32 bits.
  public mutating func writeFloat(_ value: Float, form: NumberForm? = nil) {
    let form = form ?? .shortest(Double(value))
    if form != .real, let whole = Int64(exactly: value) { return writeInteger(whole, form: form) }
    bytes.append(TypedstreamHead.real)
    put(UInt64(value.bitPattern), 4)
  }

  /// Writes a real number of 64 bits.
  public mutating func writeDouble(_ value: Double, form: NumberForm? = nil) {
    let form = form ?? .shortest(value)
    if form != .real, let whole = Int64(exactly: value) { return writeInteger(whole, form: form) }
    bytes.append(TypedstreamHead.real)
    put(value.bitPattern, 8)
  }

  private mutating func put(_ bits: UInt64, _ width: Int) {
    for place in 0..<width {
      let shift = UInt64(8 * (isLittleEndian ? place : width - 1 - place))
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }

  // MARK: Bytes and strings

  /// Writes a type `c`, `C` or `B`.
  @inline(__always)
  public mutating func writeByte(_ value: UInt8) { bytes.append(value) }

  /// Writes the bytes of a type `[nc]`, as many as the type says.
  public mutating func writeByteArray(_ value: some Collection<UInt8>) {
    bytes.append(contentsOf: value)
  }

  /// Writes the bytes of a type `[nc]` as packed elements, with one copy.
  mutating func writePacked<Element: PackedElement>(_ elements: [Element]) {
    #if _endian(little)
      elements.withUnsafeBytes { bytes.append(contentsOf: $0) }
    #else
      elements.map(\.littleEndianBytes).withUnsafeBytes { bytes.append(contentsOf: $0) }
    #endif
  }

  /// Writes a type `+`, or none.
  @inline(__always)
  public mutating func writeBytes(_ value: (some Collection<UInt8>)?) {
    guard let value else { return writeNone() }
    writeInteger(Int64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes that there is no object, class, string or bytes.
  @inline(__always)
  public mutating func writeNone() { bytes.append(TypedstreamHead.none) }

  /// Writes a selector `:` or a unique string `%`, or none; gives its number.
  @discardableResult
  public mutating func writeString(_ value: [UInt8]?) -> Int? {
    guard let value else {
      writeNone()
      return nil
    }
    if let number = strings[value] {
      writeReference(number)
      return number
    }
    strings[value] = strings.count
    bytes.append(TypedstreamHead.new)
    writeInteger(Int64(value.count))
    bytes += value
    return strings.count - 1
  }

  /// Writes a C string that has not been written before; gives its number.
  @discardableResult
  public mutating func writeNewCString(_ value: [UInt8]) -> Int {
    bytes.append(TypedstreamHead.new)
    objectCount += 1
    let number = objectCount - 1
    writeString(value)
    return number
  }

  // MARK: Groups

  /// Begins a group of values of these types.
  public mutating func beginGroup(_ types: String) { writeString(Array(types.utf8)) }

  /// Begins a group of values of these types.
  public mutating func beginGroup(_ types: [UInt8]) { writeString(types) }

  /// Begins a group of one value whose type is one character.
  @inline(__always)
  mutating func beginGroup(code: UInt8) {
    let number = shortTypes[Int(code & 0x7F)]
    if number >= 0, number <= 237 {
      bytes.append(UInt8(truncatingIfNeeded: number &- 110))
    } else {
      beginShortGroup(code & 0x7F)
    }
  }

  private mutating func beginShortGroup(_ code: UInt8) {
    if let number = writeString([code]) {
      shortTypes[Int(code)] = Int32(truncatingIfNeeded: number)
    }
  }

  // MARK: Objects

  /// Refers to an object, class or C string by its number.
  @inline(__always)
  public mutating func writeReference(_ number: Int) {
    writeInteger(Int64(number) - TypedstreamHead.referenceBase)
  }

  /// Begins an object whose class has these names and versions, the class first; gives its number.
  @discardableResult
  public mutating func beginObject(_ chain: [(name: String, version: Int)]) -> Int {
    let number = beginObject()
    writeClass(chain)
    return number
  }

  /// Begins an object whose class must follow; gives its number.
  @inline(__always)
  mutating func beginObject() -> Int {
    bytes.append(TypedstreamHead.new)
    objectCount &+= 1
    return objectCount &- 1
  }

  /// Ends the object that began last.
  @inline(__always)
  public mutating func endObject() { bytes.append(TypedstreamHead.end) }

  /// Writes a class with its superclasses, each once in a stream; gives its number.
  @discardableResult
  public mutating func writeClass(_ chain: [(name: String, version: Int)]) -> Int? {
    let chain = chain.map { (name: Array($0.name.utf8), version: $0.version) }
    // Which superclasses are known is found from the root class on.
    var known = chain.count
    var superclass = -1
    while known > 0, let name = strings[chain[known - 1].name],
      let number = classes[
        ClassKey(name: name, version: chain[known - 1].version, superclass: superclass)]
    {
      superclass = number
      known -= 1
    }
    let first = objectCount
    var names: [Int] = []
    for entry in chain[..<known] {
      bytes.append(TypedstreamHead.new)
      objectCount += 1
      names.append(writeString(entry.name) ?? 0)
      writeInteger(Int64(entry.version))
    }
    if superclass >= 0 { writeReference(superclass) } else { writeNone() }
    for index in (0..<known).reversed() {
      let key = ClassKey(name: names[index], version: chain[index].version, superclass: superclass)
      superclass = first + index
      classes[key] = superclass
    }
    return chain.isEmpty ? nil : superclass
  }

  // MARK: End

  /// The stream, which is not copied; the writer is of no more use.
  mutating func takeBytes() -> [UInt8] {
    let whole = bytes
    bytes = []
    return whole
  }

  // MARK: Undoing

  var mark: Mark {
    Mark(byteCount: bytes.count, objectCount: objectCount, stringCount: strings.count)
  }

  /// Takes back everything that was written after a mark.
  mutating func restore(_ mark: Mark) {
    bytes.removeLast(bytes.count - mark.byteCount)
    objectCount = mark.objectCount
    strings = strings.filter { $0.value < mark.stringCount }
    classes = classes.filter { $0.value < mark.objectCount }
    for code in shortTypes.indices where shortTypes[code] >= mark.stringCount {
      shortTypes[code] = -1
    }
  }
}
