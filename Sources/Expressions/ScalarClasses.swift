/// The characters of a text divided into classes that no set of a pattern tells apart.
///
/// A pattern has few classes, whatever alphabets it names, so that an automaton over them is small.
struct ScalarClasses: Sendable {
  private static let most = 10_000

  /// The number of classes of valid characters; they are 0 ..< count.
  let count: Int
  /// The class of a byte that is no part of a character: in no set.
  var invalid: Int { count }
  /// The end of the text as a class.
  var end: Int { count + 1 }
  /// In ``ofByte``: the first byte of several, or an invalid one.
  var several: Int { count + 2 }
  /// All of the above.
  var columns: Int { count + 3 }

  let ofByte: [UInt16]
  /// The page of 64 characters that a continuation byte tells apart, and the classes there.
  let pages: [UInt16]
  let entries: [UInt16]
  /// Which columns are in ``ScalarSet/word``; none where the pattern does not ask.
  let isWord: [Bool]
  /// Whether a class is in a set, set by set.
  private let members: [Bool]

  /// The classes of a pattern's sets, or nil where there are too many.
  init?(_ sets: [ScalarSet], tellsWords: Bool) {
    let all = sets + [tellsWords ? ScalarSet.word : ScalarSet([])]
    var starts: Set<UInt32> = [0]
    for range in all.lazy.flatMap(\.ranges) {
      starts.insert(range.lowerBound)
      if range.upperBound < ScalarSet.last { starts.insert(range.upperBound + 1) }
    }
    let bounds = starts.sorted()
    guard let classes = Self.divide(bounds, by: all) else { return nil }
    let count = (classes.max() ?? 0) + 1
    self.count = count
    var members = [Bool](repeating: false, count: all.count * count)
    for (number, set) in all.enumerated() {
      Self.forEach(of: bounds, in: set) { members[number * count + classes[$0]] = true }
    }
    isWord = Array(members.suffix(count)) + [false, false, false]
    self.members = members
    let (pages, entries) = Self.table(bounds, classes)
    (self.pages, self.entries) = (pages, entries)
    var ofByte = [UInt16](repeating: UInt16(count + 2), count: 256)
    for byte in 0..<128 { ofByte[byte] = entries[Int(pages[byte >> 6]) << 6 + byte & 63] }
    self.ofByte = ofByte
  }

  func has(set: Int, number: Int) -> Bool {
    number < count && members[set * count + number]
  }

  /// The class of each interval between bounds, or nil where there are too many.
  private static func divide(_ bounds: [UInt32], by sets: [ScalarSet]) -> [Int]? {
    var classes = [Int](repeating: 0, count: bounds.count)
    var next = 1
    for set in sets {
      var divided: [Int: Int] = [:]
      forEach(of: bounds, in: set) { interval in
        let former = classes[interval]
        let new = divided[former] ?? next
        if new == next {
          divided[former] = new
          next += 1
        }
        classes[interval] = new
      }
      guard divided.count <= most else { return nil }
    }
    var numbers: [Int: Int] = [:]
    for interval in classes.indices {
      let number = numbers[classes[interval]] ?? numbers.count
      numbers[classes[interval]] = number
      classes[interval] = number
    }
    return numbers.count <= most ? classes : nil
  }

  private static func forEach(
    of bounds: [UInt32], in set: ScalarSet, _ body: (Int) -> Void
  ) {
    for range in set.ranges {
      var low = 0
      var high = bounds.count
      while low < high {
        let middle = (low + high) / 2
        if bounds[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
      }
      while low < bounds.count, bounds[low] <= range.upperBound {
        body(low)
        low += 1
      }
    }
  }

  /// The classes in two steps: by all bits but six, then by those; equal pages stand once.
  private static func table(
    _ bounds: [UInt32], _ classes: [Int]
  ) -> (pages: [UInt16], entries: [UInt16]) {
    var pages: [UInt16] = []
    var entries: [UInt16] = []
    var known: [[UInt16]: UInt16] = [:]
    var interval = 0
    var first: UInt32 = 0
    while first <= ScalarSet.last {
      // The intervals that the page touches, from the one that its first character is in.
      if interval + 1 < bounds.count, bounds[interval + 1] == first { interval += 1 }
      let end = interval + 1 < bounds.count ? bounds[interval + 1] : ScalarSet.last + 1
      // Most intervals are far longer than a page: their equal pages are appended together.
      let equal = max(1, Int((end - first) / 64))
      var page = [UInt16](repeating: UInt16(classes[interval]), count: 64)
      if end < first + 64 {
        for place in Int(end - first)..<64 {
          let next = interval + 1
          if next < bounds.count, bounds[next] == first + UInt32(place) { interval = next }
          page[place] = UInt16(classes[interval])
        }
      }
      let number = known[page] ?? UInt16(known.count)
      if known.updateValue(number, forKey: page) == nil { entries += page }
      pages.append(contentsOf: repeatElement(number, count: equal))
      first += UInt32(equal) * 64
    }
    return (pages, entries)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The character at an offset and its length, or nil for a byte that is no part of one.
  @inline(__always) func scalar(at offset: Int) -> (value: UInt32, length: Int)? {
    let first = UInt32(self[offset])
    if first < 0x80 { return (first, 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first <= 0xF4, offset + length <= count else { return nil }
    var value = first & (0x7F >> UInt32(length))
    for place in 1..<length {
      let byte = UInt32(self[offset + place])
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | byte & 0x3F
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard value >= least, value <= ScalarSet.last, value & 0x1F_F800 != 0xD800 else { return nil }
    return (value, length)
  }
}
