import PropertyLists

/// The keys of an archive, each text numbered once, found by the reference that stands in a node.
///
/// Writers share key strings, so that a reference is looked at once and a number afterwards.
struct KeyTable {
  /// The text of each number.
  private(set) var names: [String] = []
  private var isASCII: [Bool] = []

  // Open addressing by reference: reference + 1 in the upper half, number in the lower.
  private var places = [UInt64](repeating: 0, count: 64)
  private var used = 0
  /// The numbers by text, kept from the time there are more than a few.
  private var numbers: [ExactKey: UInt32] = [:]
  private static let listedNames = 32

  /// The number of `$class`.
  static let classKey: UInt32 = 0

  init() {
    names.reserveCapacity(16)
    isASCII.reserveCapacity(16)
    names.append("$class")
    isASCII.append(true)
  }

  /// The number of the key that a reference stands for.
  @inline(__always)
  mutating func number(
    of reference: PropertyListReference, in list: BinaryPropertyList
  ) throws -> UInt32 {
    let mask = places.count - 1
    var place = self.place(reference, mask)
    while places[place] != 0 {
      if places[place] >> 32 == UInt64(reference) + 1 {
        return UInt32(truncatingIfNeeded: places[place])
      }
      place = (place + 1) & mask
    }
    return try addReference(reference, in: list)
  }

  /// Whether a number stands for a text, compared by code units.
  @inline(__always)
  func isExact(_ number: UInt32, _ text: String) -> Bool {
    let name = names[Int(number)]
    guard name == text else { return false }
    // Swift's `==` takes canonically equal texts for equal; only those beyond ASCII can be.
    return isASCII[Int(number)] || name.utf8.elementsEqual(text.utf8)
  }

  /// The number of a text, if some node has had it as a key.
  func number(of text: String) -> UInt32? {
    guard names.count <= Self.listedNames else { return numbers[ExactKey(text)] }
    for number in names.indices where isExact(UInt32(number), text) { return UInt32(number) }
    return nil
  }

  private mutating func addName(_ text: String) -> UInt32 {
    names.append(text)
    isASCII.append(text.isASCII)
    if names.count == Self.listedNames + 1 {
      for (number, name) in names.enumerated() { numbers[ExactKey(name)] = UInt32(number) }
    } else if names.count > Self.listedNames {
      numbers[ExactKey(text)] = UInt32(names.count - 1)
    }
    return UInt32(truncatingIfNeeded: names.count - 1)
  }

  private mutating func addReference(
    _ reference: PropertyListReference, in list: BinaryPropertyList
  ) throws -> UInt32 {
    let text = try list.key(reference)
    let number = number(of: text) ?? addName(text)
    if used * 2 >= places.count { grow() }
    insert((UInt64(reference) + 1) << 32 | UInt64(number))
    used += 1
    return number
  }

  private mutating func insert(_ entry: UInt64) {
    let mask = places.count - 1
    var place = self.place(UInt32(truncatingIfNeeded: (entry >> 32) - 1), mask)
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = entry
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: old.count * 4)
    for entry in old where entry != 0 { insert(entry) }
  }

  // Differs from process to process, so that no file can choose references that collide.
  private static let multiplier = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

  @inline(__always)
  private func place(_ reference: PropertyListReference, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: ((UInt64(reference) &+ 1) &* Self.multiplier) >> 32) & mask
  }
}
