/// Writes GNUstep archives as `NSArchiver` of GNUstep does: `Docs/formats/gnustep-archive.md`.
package struct GNUstepWriter {
  private var items: [UInt8] = []
  private var classes: [String: Int] = [:]
  package private(set) var classCount = 0
  package private(set) var objectCount = 0
  package private(set) var pointerCount = 0
  /// How many objects the header counts that are not written.
  package var replacedCount = 0

  package init() {}

  package var bytes: [UInt8] {
    let counts = [1_000_000, classCount, objectCount + replacedCount, pointerCount]
    let numbers = counts.map { count in
      let digits = String(count, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits + ":"
    }
    return Array("GNUstep archive".utf8) + Array(numbers.joined().utf8) + items
  }

  private mutating func add(_ value: Int, width: Int) {
    for place in (0..<width).reversed() {
      items.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }

  private mutating func addTag(_ tag: UInt8, number: Int) {
    items.append(0x40 | tag)
    add(number, width: 2)
  }

  // MARK: Objects and classes

  package mutating func addClass(_ name: String) {
    if let known = classes[name] { return addTag(0x91, number: known) }
    classCount += 1
    classes[name] = classCount
    addTag(0x11, number: classCount)
    add(name.utf8.count, width: 2)
    items += Array(name.utf8) + [0, 0, 0, 3, 0]
  }

  package mutating func beginObject(_ name: String) {
    objectCount += 1
    addTag(0x10, number: objectCount)
    addClass(name)
  }

  package mutating func addClassObject(_ name: String) {
    objectCount += 1
    addTag(0x17, number: objectCount)
    addClass(name)
  }

  package mutating func addReference(_ number: Int) { addTag(0x90, number: number) }

  package mutating func addNone() { items.append(0x90) }

  // MARK: Values

  /// A whole number of 1, 2, 4, 8 or 16 bytes; type 1 to 10 for `c` to `Q`.
  package mutating func addWhole(_ value: Int, type: UInt8, width: Int) {
    items.append(type | Self.size(type, width))
    if width == 16 { add(value < 0 ? -1 : 0, width: 8) }
    add(value, width: min(width, 8))
  }

  private static func size(_ type: UInt8, _ width: Int) -> UInt8 {
    type <= 2 ? 0 : UInt8(width.trailingZeroBitCount - 1) << 5
  }

  package mutating func addFloat(_ value: Float) {
    items.append(0x0B)
    add(Int(value.bitPattern), width: 4)
  }

  package mutating func addDouble(_ value: Double) {
    items.append(0x0C)
    add(Int(truncatingIfNeeded: value.bitPattern), width: 8)
  }

  package mutating func addBool(_ value: Bool) { items += [0x0D, value ? 1 : 0] }

  /// Numbers of one type, without tags of their own.
  package mutating func addNumbers(_ values: [Int], type: UInt8, width: Int) {
    items.append(0x15)
    add(values.count, width: 4)
    items.append(type | Self.size(type, width))
    for value in values {
      if width == 16 { add(value < 0 ? -1 : 0, width: 8) }
      add(value, width: min(width, 8))
    }
  }

  /// The mark of an array of items, or of a structure, that follow.
  package mutating func beginArray(_ count: Int) {
    items.append(0x15)
    add(count, width: 4)
  }

  package mutating func beginStructure() { items.append(0x16) }

  // MARK: Pointers

  package mutating func addCString(_ text: String) {
    pointerCount += 1
    addTag(0x14, number: pointerCount)
    add(text.utf8.count, width: 4)
    items += Array(text.utf8)
  }

  package mutating func addSelector(_ name: String, types: String) {
    pointerCount += 1
    addTag(0x12, number: pointerCount)
    add(name.utf8.count, width: 2)
    add(types.utf8.count, width: 2)
    items += Array(name.utf8) + Array(types.utf8)
  }

  /// A pointer to the item that follows.
  package mutating func addPointer() {
    pointerCount += 1
    addTag(0x13, number: pointerCount)
  }

  package mutating func addPointerReference(_ number: Int) { addTag(0x94, number: number) }

  // MARK: Foundation's objects

  package mutating func addString(_ text: String) {
    beginObject("NSString")
    let units = text.utf16.map { Int($0) }
    addWhole(units.count, type: 6, width: 4)
    guard !units.isEmpty else { return }
    addWhole(10, type: 5, width: 4)
    addNumbers(units, type: 4, width: 2)
  }

  /// The head of an array; its elements follow.
  package mutating func beginList(_ name: String, count: Int) {
    beginObject(name)
    addWhole(count, type: 6, width: 4)
    if count > 0 { beginArray(count) }
  }

  /// An archive with items of all kinds, an object of an unknown class among them.
  package static let everyItem: GNUstepWriter = {
    var writer = GNUstepWriter()
    writer.beginList("NSArray", count: 2)
    writer.addString("Zoë")
    writer.beginObject("Track")
    for type in UInt8(1)...10 { writer.addWhole(-2, type: type, width: type <= 2 ? 1 : 4) }
    writer.addWhole(-2, type: 9, width: 16)
    writer.addFloat(1.5)
    writer.addDouble(0.1)
    writer.addBool(true)
    writer.addCString("a\u{1B}b")
    writer.addSelector("draw:", types: "v@:@")
    writer.addPointerReference(2)
    writer.addPointer()
    writer.addWhole(7, type: 5, width: 4)
    writer.addPointerReference(3)
    writer.addNumbers([1, -2, 3], type: 5, width: 4)
    writer.addNumbers([0x68, 0x69], type: 1, width: 1)
    writer.addNumbers([0, 255], type: 2, width: 1)
    writer.beginArray(2)
    writer.addReference(2)
    writer.addNone()
    writer.beginStructure()
    writer.addClass("Track")
    writer.addClassObject("NSString")
    writer.addReference(4)
    return writer
  }()
}
