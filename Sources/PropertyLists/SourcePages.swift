import Synchronization

/// A source behind pages that are kept within a bound, so that small reads seldom reach it.
///
/// Reads of more than a page go past them. After the first read that fails, all fail.
@usableFromInline
final class SourcePages: @unchecked Sendable {
  /// How many bytes the source has.
  @usableFromInline let byteCount: Int
  let source: any RandomAccessSource
  /// Held while `state` is used.
  private let lock = Mutex<Void>(())
  @exclusivity(unchecked) private var state: State

  /// 16 KiB: as much as a disk reads in one go, and the small objects of an archive lie together.
  static let pageSize = 1 << 14
  /// Pages are found by the low bits of their number: 4 of each remainder are kept.
  private static let sets = 64
  private static let ways = 4

  init(_ source: any RandomAccessSource) {
    self.source = source
    byteCount = max(0, source.byteCount)
    state = State(byteCount)
  }

  /// Why a read failed; `nil` as long as none has.
  @usableFromInline var failure: (any Error)? { lock.withLock { _ in state.failure } }

  /// The byte at an offset; `nil` outside, and where it cannot be read.
  @usableFromInline
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return lock.withLock { _ in
      state.page(of: offset, source).map { $0[offset % Self.pageSize] }
    }
  }

  /// An unsigned number of one to eight bytes, most significant first; `nil` as above.
  @usableFromInline
  func number(at offset: Int, width: Int) -> UInt64? {
    guard offset >= 0, (1...8).contains(width), width <= byteCount,
      offset <= byteCount - width
    else { return nil }
    let place = offset % Self.pageSize
    if place <= Self.pageSize - width {
      return lock.withLock { _ in
        guard let page = state.page(of: offset, source) else { return nil }
        guard place <= page.count - 8 else {
          return page[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let word = page.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        return UInt64(bigEndian: word) >> UInt64(64 - 8 * width)
      }
    }
    var value: UInt64 = 0
    for index in offset..<offset + width {
      guard let byte = byte(at: index) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value
  }

  /// The same of pages that there may be; eight bytes from the offset on must be inside. It takes
  /// nothing but the pages, so that readers of arrays keep their own parts in registers.
  @usableFromInline
  @inline(never)
  static func word(_ pages: SourcePages?, at offset: Int, _ width: Int) -> UInt64? {
    guard let pages, offset >= 0, offset <= pages.byteCount - 8 else { return nil }
    return pages.number(at: offset, width: width)
  }

  @usableFromInline
  @inline(never)
  static func byte(_ pages: SourcePages?, at offset: Int) -> UInt8? { pages?.byte(at: offset) }

  /// Copies the bytes in a range to the start of `target`; false outside, and where they cannot be
  /// read.
  @usableFromInline
  func copy(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= byteCount, range.count <= target.count else {
      return false
    }
    if range.isEmpty { return true }
    let target = UnsafeMutableRawBufferPointer(rebasing: target[..<range.count])
    if range.count > Self.pageSize, source is any SharedSource { return readApart(range, target) }
    return lock.withLock { _ in
      guard range.count <= Self.pageSize else { return state.read(range, source, target) }
      var offset = range.lowerBound
      while offset < range.upperBound {
        guard let page = state.page(of: offset, source) else { return false }
        let place = offset % Self.pageSize
        let count = min(Self.pageSize - place, range.upperBound - offset)
        UnsafeMutableRawBufferPointer(rebasing: target[(offset - range.lowerBound)...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: page[place..<place + count]))
        offset += count
      }
      return true
    }
  }

  /// Reads while others may read.
  private func readApart(_ range: Range<Int>, _ target: UnsafeMutableRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    do {
      try source.read(at: range.lowerBound, into: target)
      return true
    } catch {
      lock.withLock { _ in state.failure = state.failure ?? error }
      return false
    }
  }

  private struct State: ~Copyable {
    let byteCount: Int
    var failure: (any Error)?
    /// The number of the page in each place; -1 for none.
    private var numbers = [Int](repeating: -1, count: SourcePages.sets * SourcePages.ways)
    /// The place of each remainder that is given away next.
    private var next = [UInt8](repeating: 0, count: SourcePages.sets)
    /// The page that was used last: most reads are near the one before.
    private var last = (number: -1, page: UnsafeRawBufferPointer(start: nil, count: 0))
    /// The pages, place by place; the system gives each its memory when it is first written.
    private let memory: UnsafeMutableRawBufferPointer

    init(_ byteCount: Int) {
      self.byteCount = byteCount
      memory = .allocate(
        byteCount: SourcePages.sets * SourcePages.ways * SourcePages.pageSize, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The page with a byte, cut where the source ends.
    mutating func page(
      of offset: Int, _ source: any RandomAccessSource
    ) -> UnsafeRawBufferPointer? {
      let number = offset / SourcePages.pageSize
      if number == last.number { return last.page }
      return otherPage(number, source)
    }

    private mutating func otherPage(
      _ number: Int, _ source: any RandomAccessSource
    ) -> UnsafeRawBufferPointer? {
      let set = number % SourcePages.sets
      let first = set * SourcePages.ways
      for place in first..<first + SourcePages.ways where numbers[place] == number {
        last = (number, UnsafeRawBufferPointer(room(place, number)))
        return last.page
      }
      let place = first + Int(next[set])
      next[set] = (next[set] + 1) % UInt8(SourcePages.ways)
      if numbers[place] == last.number { last.number = -1 }
      numbers[place] = -1
      let start = number * SourcePages.pageSize
      let room = room(place, number)
      guard read(start..<start + room.count, source, room) else { return nil }
      numbers[place] = number
      last = (number, UnsafeRawBufferPointer(room))
      return last.page
    }

    private func room(_ place: Int, _ number: Int) -> UnsafeMutableRawBufferPointer {
      let size = min(SourcePages.pageSize, byteCount - number * SourcePages.pageSize)
      let start = place * SourcePages.pageSize
      return UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + size])
    }

    mutating func read(
      _ range: Range<Int>, _ source: any RandomAccessSource, _ target: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard failure == nil else { return false }
      do {
        try source.read(at: range.lowerBound, into: target)
        return true
      } catch {
        failure = error
        return false
      }
    }
  }
}
