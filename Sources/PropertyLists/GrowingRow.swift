internal import PortolanCMemory

/// A row of plain values that is only ever appended to, and grows where it lies.
///
/// An `Array` copies everything into new memory when it is full. For rows of megabytes the system
/// moves pages instead, so that nothing is copied and nothing stands in memory twice. Every access
/// is checked against the count.
package struct GrowingRow<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>?
  /// How many elements there are.
  package private(set) var count = 0
  private var capacity = 0

  package init() {}

  deinit { portolan_give_back(base, byteCount) }

  private var byteCount: Int { capacity &* MemoryLayout<Element>.stride }

  @inline(__always)
  package subscript(place: Int) -> Element {
    get { base.unsafelyUnwrapped[checked(place)] }
    set { base.unsafelyUnwrapped[checked(place)] = newValue }
  }

  @inline(__always)
  private func checked(_ place: Int) -> Int {
    precondition(place >= 0 && place < count, "element \(place) of \(count)")
    return place
  }

  /// Makes room for some elements at once.
  package mutating func reserveCapacity(_ count: Int) {
    if count > capacity { grow(to: count) }
  }

  @inline(__always)
  package mutating func append(_ element: Element) {
    room(for: 1).initialize(to: element)
  }

  /// Appends elements that lie in memory of another owner.
  package mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress else { return }
    room(for: elements.count).initialize(from: source, count: elements.count)
  }

  /// Gives the memory back.
  package mutating func removeAll() {
    portolan_give_back(base, byteCount)
    (base, count, capacity) = (nil, 0, 0)
  }

  /// The elements where they lie; the pointer is good within `body` only.
  @inline(__always)
  package func withElements<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// The bytes of all elements where they lie; the pointer is good within `body` only.
  @inline(__always)
  package func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(UnsafeBufferPointer(start: base, count: count)))
  }

  /// Room for more elements, which count as there and have to be filled at once.
  @inline(__always)
  package mutating func room(for number: Int) -> UnsafeMutablePointer<Element> {
    precondition(number >= 0, "\(number) elements")
    if capacity &- count < number { grow(to: count + number) }
    defer { count &+= number }
    return base.unsafelyUnwrapped + count
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2, 16)
    let (size, overflow) = larger.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "\(larger) elements are more than memory has")
    base = portolan_resize(base, byteCount, size).assumingMemoryBound(to: Element.self)
    capacity = larger
  }
}

extension GrowingRow<UInt8> {
  /// Appends the low `width` bytes of a number, the most significant first; 1, 2, 4 or 8.
  @inline(__always)
  package mutating func append(_ value: UInt64, bigEndian width: Int) {
    let target = UnsafeMutableRawPointer(room(for: width))
    switch width {
    case 1: target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    case 2: target.storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, as: UInt16.self)
    case 4: target.storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, as: UInt32.self)
    default:
      precondition(width == 8, "a number of \(width) bytes")
      target.storeBytes(of: value.bigEndian, as: UInt64.self)
    }
  }
}
