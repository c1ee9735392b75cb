internal import PortolanCMemory

/// A row of plain values that is only ever appended to, and grows where it lies.
///
/// An `Array` copies everything into new memory when it is full. For rows of megabytes the system
/// moves pages instead, so that nothing is copied and nothing stands in memory twice. A small row
/// costs less than a small `Array`, too. Every access is checked against the count.
public struct GrowingRow<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline var filled = 0
  @usableFromInline var capacity = 0
  /// Whether the memory belongs to a `RowBlock`.
  @usableFromInline var isLent = false

  /// An empty row, without memory.
  @inlinable
  public init() {}

  /// An empty row with room for some elements.
  @inlinable
  public init(capacity: Int) { grow(to: capacity) }

  /// An empty row with room for some elements in a block, which must live as long as the row.
  @inlinable
  public init(capacity: Int, in block: inout RowBlock) {
    lend(capacity, from: &block)
    if base == nil { grow(to: capacity) }
  }

  /// A row of zeros in a block, if it fits there; the block must live as long as the row.
  @inlinable
  public init(zeros count: Int, in block: inout RowBlock) where Element: FixedWidthInteger {
    lend(count, from: &block)
    guard let base else {
      self = GrowingRow(zeros: count)
      return
    }
    base.initialize(repeating: 0, count: count)
    filled = count
  }

  @inlinable
  @inline(__always)
  mutating func lend(_ count: Int, from block: inout RowBlock) {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, count > 0, let room = block.take(size) else { return }
    base = room.assumingMemoryBound(to: Element.self)
    (capacity, isLent) = (count, true)
  }

  /// A row of one element many times.
  @inlinable
  public init(repeating element: Element, count: Int) { append(repeating: element, count: count) }

  /// A row of zeros; a large one takes memory only where it is changed.
  public init(zeros count: Int) where Element: FixedWidthInteger {
    precondition(count >= 0, "fewer elements than none")
    guard count > 0 else { return }
    (filled, capacity) = (count, count)
    base = portolan_zeros(Self.size(of: count)).assumingMemoryBound(to: Element.self)
  }

  /// The bytes that elements take.
  private static func size(of count: Int) -> Int {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "\(count) elements are more than memory has")
    return size
  }

  @inlinable
  deinit { if !isLent, capacity > 0 { giveBack() } }

  @usableFromInline
  func giveBack() { portolan_give_back(base, byteCount) }

  private var byteCount: Int { capacity &* MemoryLayout<Element>.stride }

  /// How many elements there are.
  @inlinable
  public var count: Int { filled }

  /// Whether there is no element.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The element at a place below `count`.
  @inlinable
  @inline(__always)
  public subscript(place: Int) -> Element {
    get { base.unsafelyUnwrapped[checked(place)] }
    set { base.unsafelyUnwrapped[checked(place)] = newValue }
  }

  @inlinable
  @inline(__always)
  func checked(_ place: Int) -> Int {
    precondition(place >= 0 && place < count, "no such element")
    return place
  }

  /// Makes room for some elements at once.
  @inlinable
  public mutating func reserveCapacity(_ count: Int) {
    if count > capacity { grow(to: count) }
  }

  /// Appends an element.
  @inlinable
  @inline(__always)
  public mutating func append(_ element: Element) {
    room(for: 1).initialize(to: element)
  }

  /// Appends an element many times.
  @inlinable
  public mutating func append(repeating element: Element, count: Int) {
    if count > 0 { room(for: count).initialize(repeating: element, count: count) }
  }

  /// Removes the elements from a place on; the memory stays.
  @inlinable
  @inline(__always)
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= filled, "more elements than there are")
    filled = count
  }

  /// Removes the last element.
  @inlinable
  @inline(__always)
  public mutating func removeLast() -> Element {
    let last = self[count &- 1]
    filled &-= 1
    return last
  }

  /// Appends elements that lie in memory of another owner.
  @inlinable
  public mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress else { return }
    room(for: elements.count).initialize(from: source, count: elements.count)
  }

  /// Gives the memory back.
  public mutating func removeAll() {
    if !isLent { giveBack() }
    (base, filled, capacity, isLent) = (nil, 0, 0, false)
  }

  /// The elements where they lie; the pointer is good within `body` only.
  @inlinable
  @inline(__always)
  public func withElements<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// The bytes of all elements where they lie; the pointer is good within `body` only.
  @inlinable
  @inline(__always)
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(UnsafeBufferPointer(start: base, count: count)))
  }

  /// Room for more elements, which count as there and have to be filled at once.
  @inlinable
  @inline(__always)
  public mutating func room(for number: Int) -> UnsafeMutablePointer<Element> {
    precondition(number >= 0, "fewer elements than none")
    if capacity &- count < number { grow(to: count + number) }
    let room = base.unsafelyUnwrapped + count
    filled &+= number
    return room
  }

  @usableFromInline
  @inline(never)
  mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2, 16)
    let size = Self.size(of: larger)
    let former = isLent ? nil : base
    let grown = portolan_resize(former, former == nil ? 0 : byteCount, size)
      .assumingMemoryBound(to: Element.self)
    if isLent, let base { grown.initialize(from: base, count: filled) }
    (base, capacity, isLent) = (grown, larger, false)
  }
}

extension GrowingRow<UInt8> {
  /// Appends the low `width` bytes of a number, the most significant first; 1, 2, 4 or 8.
  @inlinable
  @inline(__always)
  public mutating func append(_ value: UInt64, bigEndian width: Int) {
    let target = UnsafeMutableRawPointer(room(for: width))
    switch width {
    case 1: target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    case 2: target.storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, as: UInt16.self)
    case 4: target.storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, as: UInt32.self)
    default:
      precondition(width == 8, "a number of another width")
      target.storeBytes(of: value.bigEndian, as: UInt64.self)
    }
  }
}
