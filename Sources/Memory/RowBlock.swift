internal import PortolanCMemory

/// Memory for the first elements of several rows, taken and given back at once.
///
/// A coder of a small graph has a dozen short rows; together they cost what one costs. A row that
/// grows beyond its part goes on in memory of its own.
public struct RowBlock: ~Copyable {
  @usableFromInline let base: UnsafeMutableRawPointer?
  @usableFromInline let size: Int
  @usableFromInline var used = 0

  /// A block of so many bytes.
  public init(bytes: Int) {
    precondition(bytes > 0, "a block without memory")
    size = bytes
    base = portolan_resize(nil, 0, bytes)
  }

  /// A block without memory.
  public init() { (base, size) = (nil, 0) }

  deinit {
    #if DEBUG
      // So that a row which looks at its elements later fails in tests.
      base?.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
    #endif
    portolan_give_back(base, size)
  }

  /// The next bytes, aligned for any element; `nil` when there are not as many left.
  @inlinable
  @inline(__always)
  mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
    guard bytes <= size &- used, let base else { return nil }
    let room = base + used
    used = min(size, (used &+ bytes &+ 15) & ~15)
    return room
  }
}
