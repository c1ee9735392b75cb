import PortolanMemory
import PropertyLists

/// The keys of an archive, each text numbered once, found by the reference that stands in a node.
///
/// Writers share key strings, so that a reference is looked at once and a number afterwards. Most
/// keys are short texts, which are compared as two words.
struct KeyTable: ~Copyable {
  private struct Name: BitwiseCopyable {
    /// The text, or `.other` for one that is listed apart.
    var text: ShortText
    var place: UInt32 = 0
    /// The number of the node in which the key was met last.
    var stamp: UInt32 = 0
  }

  /// The keys that are listed apart from `names`.
  private final class ListedKeys {
    /// Those that are no short texts.
    var texts: [(text: String, isASCII: Bool)] = []
    var numbers: [ExactKey: UInt32] = [:]
    /// The numbers of short texts, kept from the time there are more than a few.
    var shortNumbers: [ShortText: UInt32] = [:]
  }

  private var names: GrowingRow<Name>
  /// The numbers by reference, plus one; 0 for a reference that was not looked at.
  private var numbers: GrowingRow<UInt32>
  /// The keys that are no short texts, and many short ones; `nil` as long as there are neither.
  private var listed: ListedKeys?
  private var stamp: UInt32 = 0
  private static let listedNames = 32

  /// The number of `$class`.
  static let classKey: UInt32 = 0

  /// A table for a list of so many objects; the block must live as long.
  init(references: Int, in block: inout RowBlock) {
    names = GrowingRow(capacity: 8, in: &block)
    numbers = GrowingRow(zeros: references, in: &block)
    names.append(Name(text: ShortText("$class") ?? .other))
  }

  /// The text of a number.
  func text(_ number: UInt32) -> String {
    let name = names[Int(number)]
    guard name.text == .other, let listed else { return name.text.string }
    return listed.texts[Int(name.place)].text
  }

  /// Begins a node, in which each key may stand once.
  mutating func beginNode() { stamp &+= 1 }

  /// Notes that a key stands in the node; false when it stood there already.
  @inline(__always)
  mutating func note(_ number: UInt32) -> Bool {
    guard names[Int(number)].stamp != stamp else { return false }
    names[Int(number)].stamp = stamp
    return true
  }

  /// The number of the key that a reference stands for; `nil` before the reference is added.
  @inline(__always)
  func number(ofKnown reference: PropertyListReference) -> UInt32? {
    let known = numbers[Int(reference)]
    return known != 0 ? known &- 1 : nil
  }

  /// Whether a number stands for a short text.
  @inline(__always)
  func isShort(_ number: UInt32, _ text: ShortText) -> Bool { names[Int(number)].text == text }

  /// Whether a number stands for a text that is no short one.
  func isLong(_ number: UInt32, _ text: String) -> Bool {
    let name = names[Int(number)]
    guard name.text == .other, let listed else { return false }
    // Without a copy, which would be counted.
    return listed.texts.withUnsafeBufferPointer { texts in
      let long = texts[Int(name.place)]
      // Swift's `==` takes canonically equal texts for equal; only those beyond ASCII can be.
      return long.text == text && (long.isASCII || long.text.utf8.elementsEqual(text.utf8))
    }
  }

  /// The number of a text that is no short one, if some node has had it as a key.
  func number(ofLong text: String) -> UInt32? { listed?.numbers[ExactKey(text)] }

  /// The number of a short text, if some node has had it as a key.
  @inline(__always)
  func number(of short: ShortText) -> UInt32? {
    guard names.count <= Self.listedNames else { return listed?.shortNumbers[short] }
    for number in 0..<names.count where names[number].text == short { return UInt32(number) }
    return nil
  }

  /// Adds a reference, and its text where no other reference stands for it; returns its number.
  mutating func addReference(
    _ reference: PropertyListReference, in list: BinaryPropertyList
  ) throws -> UInt32 {
    let number: UInt32
    if let short = list.shortText(of: reference) {
      number = self.number(of: short) ?? add(Name(text: short))
    } else {
      number = try addLong(list.key(reference))
    }
    numbers[Int(reference)] = number &+ 1
    return number
  }

  private mutating func addLong(_ text: String) -> UInt32 {
    // Spelt in an unusual way, it may be a short one all the same.
    if let short = ShortText(text) { return number(of: short) ?? add(Name(text: short)) }
    let listed = listedKeys()
    if let known = listed.numbers[ExactKey(text)] { return known }
    let number = add(Name(text: .other, place: UInt32(truncatingIfNeeded: listed.texts.count)))
    listed.texts.append((text, text.isASCII))
    listed.numbers[ExactKey(text)] = number
    return number
  }

  private mutating func listedKeys() -> ListedKeys {
    if let listed { return listed }
    let listed = ListedKeys()
    self.listed = listed
    return listed
  }

  private mutating func add(_ name: Name) -> UInt32 {
    names.append(name)
    if names.count > Self.listedNames {
      let listed = listedKeys()
      // All are listed once there are more than a few, then each that comes.
      let first = names.count == Self.listedNames + 1 ? 0 : names.count - 1
      for place in first..<names.count where names[place].text != .other {
        listed.shortNumbers[names[place].text] = UInt32(truncatingIfNeeded: place)
      }
    }
    return UInt32(truncatingIfNeeded: names.count - 1)
  }
}
