import PortolanMemory
import PropertyLists

/// The keys of an archive, each text numbered once, found by the reference that stands in a node.
///
/// Writers share key strings, so that a reference is looked at once and a number afterwards.
struct KeyTable: ~Copyable {
  private struct Name {
    var text: String
    var isASCII: Bool
    /// The number of the node in which the key was met last.
    var stamp: UInt32 = 0
  }

  private var names: [Name] = []

  // Open addressing by reference: reference + 1 in the upper half, number in the lower.
  private var places = GrowingRow<UInt64>(repeating: 0, count: 32)
  private var used = 0
  /// The numbers by text, kept from the time there are more than a few.
  private var numbers: [ExactKey: UInt32] = [:]
  private var stamp: UInt32 = 0
  private static let listedNames = 32

  /// The number of `$class`.
  static let classKey: UInt32 = 0

  init() {
    names.reserveCapacity(12)
    names.append(Name(text: "$class", isASCII: true))
  }

  /// The text of a number.
  func text(_ number: UInt32) -> String { names[Int(number)].text }

  /// Begins a node, in which each key may stand once.
  mutating func beginNode() { stamp &+= 1 }

  /// Notes that a key stands in the node; false when it stood there already.
  @inline(__always)
  mutating func note(_ number: UInt32) -> Bool {
    guard names[Int(number)].stamp != stamp else { return false }
    names[Int(number)].stamp = stamp
    return true
  }

  /// The number of the key that a reference stands for.
  @inline(__always)
  mutating func number(
    of reference: PropertyListReference, in list: BinaryPropertyList
  ) throws -> UInt32 {
    let mask = places.count &- 1
    var place = self.place(reference, mask)
    while places[place] != 0 {
      if places[place] >> 32 == UInt64(reference) &+ 1 {
        return UInt32(truncatingIfNeeded: places[place])
      }
      place = (place &+ 1) & mask
    }
    return try addReference(reference, in: list)
  }

  /// Whether a number stands for a text, compared by code units.
  @inline(__always)
  func isExact(_ number: UInt32, _ text: String) -> Bool {
    // Without a copy, which would be counted.
    names.withUnsafeBufferPointer { names in
      guard names[Int(number)].text == text else { return false }
      // Swift's `==` takes canonically equal texts for equal; only those beyond ASCII can be.
      return names[Int(number)].isASCII || names[Int(number)].text.utf8.elementsEqual(text.utf8)
    }
  }

  /// The number of a text, if some node has had it as a key.
  func number(of text: String) -> UInt32? {
    guard names.count <= Self.listedNames else { return numbers[ExactKey(text)] }
    let length = text.utf8.count
    for number in names.indices
    where names[number].text.utf8.count == length && isExact(UInt32(number), text) {
      return UInt32(number)
    }
    return nil
  }

  private mutating func addName(_ text: String, isASCII: Bool) -> UInt32 {
    names.append(Name(text: text, isASCII: isASCII))
    if names.count == Self.listedNames + 1 {
      for (number, name) in names.enumerated() { numbers[ExactKey(name.text)] = UInt32(number) }
    } else if names.count > Self.listedNames {
      numbers[ExactKey(text)] = UInt32(names.count - 1)
    }
    return UInt32(truncatingIfNeeded: names.count - 1)
  }

  @inline(never)
  private mutating func addReference(
    _ reference: PropertyListReference, in list: BinaryPropertyList
  ) throws -> UInt32 {
    let key = try list.keyText(reference)
    let number = number(of: key.text) ?? addName(key.text, isASCII: key.isASCII)
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
    let old = exchange(&places, with: GrowingRow(repeating: 0, count: places.count * 4))
    for place in 0..<old.count where old[place] != 0 { insert(old[place]) }
  }

  // Differs from process to process, so that no file can choose references that collide.
  private static let multiplier = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

  @inline(__always)
  private func place(_ reference: PropertyListReference, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: ((UInt64(reference) &+ 1) &* Self.multiplier) >> 32) & mask
  }
}
