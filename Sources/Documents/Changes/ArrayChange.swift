import Archiving
import PropertyLists

/// An element compared bit by bit: -0.0 is not 0.0, and a NaN equals itself.
protocol ExactElement: PackedElement {
  static func isSame(_ left: Self, _ right: Self) -> Bool
}

extension ExactElement where Self: FixedWidthInteger {
  @inline(__always)
  static func isSame(_ left: Self, _ right: Self) -> Bool { left == right }
}

extension UInt8: ExactElement {}
extension UInt16: ExactElement {}
extension UInt32: ExactElement {}
extension UInt64: ExactElement {}

extension Double: ExactElement {
  @inline(__always)
  static func isSame(_ left: Double, _ right: Double) -> Bool {
    left.bitPattern == right.bitPattern
  }
}

/// The difference between two arrays: the removed stretches, and the elements inserted there.
struct ArrayChange<Element: ExactElement>: Sendable {
  /// For each stretch: its start in the former array, the number of removed elements, and the
  /// number of inserted ones.
  private(set) var stretches: [UInt32] = []
  /// All inserted elements, back to back.
  private(set) var inserted: [Element] = []

  init() {}

  /// Whether nothing changes.
  var isEmpty: Bool { stretches.isEmpty }

  /// Stretches closer to each other than this are merged.
  private static var gap: Int { 4 }

  /// Finds the difference; `nil` for arrays that are too long for it.
  ///
  /// Arrays of one length may differ in many places; of others only the part between the common
  /// prefix and the common suffix is recorded.
  ///
  /// - Complexity: O(elements), and O(1) where both are the same array in memory.
  init?(from former: [Element], to new: [Element]) {
    guard former.count <= Int(UInt32.max), new.count <= Int(UInt32.max) else { return nil }
    former.withUnsafeBufferPointer { former in
      new.withUnsafeBufferPointer { new in
        if former.count == new.count && former.baseAddress == new.baseAddress { return }
        let shared = min(former.count, new.count)
        var first = 0
        while first < shared, Element.isSame(former[first], new[first]) { first += 1 }
        var last = 0
        while last < shared - first,
          Element.isSame(former[former.count - 1 - last], new[new.count - 1 - last])
        {
          last += 1
        }
        if former.count == new.count {
          addStretches(former, new, first..<new.count - last)
        } else {
          add(first, removing: former.count - last - first, new[first..<new.count - last])
        }
      }
    }
  }

  private mutating func addStretches(
    _ former: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>,
    _ range: Range<Int>
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      var end = index + 1
      var next = end
      while next < range.upperBound, next - end < Self.gap {
        if !Element.isSame(former[next], new[next]) { end = next + 1 }
        next += 1
      }
      add(index, removing: end - index, new[index..<end])
      index = next
      while index < range.upperBound, Element.isSame(former[index], new[index]) { index += 1 }
    }
  }

  private mutating func add(
    _ start: Int, removing count: Int, _ elements: Slice<UnsafeBufferPointer<Element>>
  ) {
    stretches.append(UInt32(truncatingIfNeeded: start))
    stretches.append(UInt32(truncatingIfNeeded: count))
    stretches.append(UInt32(truncatingIfNeeded: elements.count))
    inserted.append(contentsOf: elements)
  }

  /// The new array; `nil` if the change does not belong to this one.
  func applied(to former: [Element]) -> [Element]? {
    if isEmpty { return former }
    guard stretches.count % 3 == 0 else { return nil }
    var new: [Element] = []
    new.reserveCapacity(former.count + inserted.count)
    var (done, taken) = (0, 0)
    for index in stride(from: 0, to: stretches.count, by: 3) {
      let start = Int(stretches[index])
      let end = start + Int(stretches[index + 1])
      let next = taken + Int(stretches[index + 2])
      guard start >= done, end <= former.count, next <= inserted.count else { return nil }
      new.append(contentsOf: former[done..<start])
      new.append(contentsOf: inserted[taken..<next])
      (done, taken) = (end, next)
    }
    guard taken == inserted.count else { return nil }
    new.append(contentsOf: former[done...])
    return new
  }
}

extension ArrayChange {
  func encode(with coder: any EncodingCoder, forKey key: String) throws {
    try coder.encodePacked(stretches, forKey: key + "Stretches")
    try coder.encodePacked(inserted, forKey: key)
  }

  init(coder: any DecodingCoder, forKey key: String) throws {
    stretches = try coder.decodePacked(UInt32.self, forKey: key + "Stretches")
    inserted = try coder.decodePacked(Element.self, forKey: key)
  }
}
