internal import PortolanCMemory
public import PropertyLists

/// Bytes of an archive, where they lie: nothing is copied until it is asked for.
///
/// It keeps the archive's bytes in memory, or its file open; copy the parts that outlive the
/// archive.
public struct ArchivedData: Sendable {
  @usableFromInline let reader: ByteReader
  @usableFromInline let range: Range<Int>

  /// Bytes of a coder of your own.
  public init(_ bytes: [UInt8]) {
    self.init(reader: ByteReader(bytes), range: 0..<bytes.count)
  }

  init(reader: ByteReader, range: Range<Int>) {
    self.reader = reader
    self.range = range
  }

  /// Why bytes of the archive's source could not be read; `nil` as long as all could.
  public var failure: (any Error)? { reader.failure }

  /// Throws if bytes of the archive's source could not be read, or may have changed since the first
  /// of them were.
  package func checkSource() throws { try reader.checkSource() }

  /// How many bytes there are.
  @inlinable
  public var count: Int { range.count }

  /// Calls `body` with the bytes; the pointer is good within `body` only.
  @inlinable
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    // The range was checked against the archive when it was found.
    try reader.withBytes(in: range, body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// A copy of the bytes; none where they cannot be read from the archive's source.
  @inlinable
  public var bytes: [UInt8] { elements(of: UInt8.self) ?? [] }

  /// Copies some of the bytes, from an offset among them on, as many as `target` has room for;
  /// false where there are not so many, or they cannot be read from the archive's source.
  ///
  /// For bytes that are too many to be copied in one go.
  public func copyBytes(from offset: Int, to target: UnsafeMutableRawBufferPointer) -> Bool {
    guard offset >= 0, offset <= count, target.count <= count - offset else { return false }
    let start = range.lowerBound + offset
    return reader.copyBytes(in: start..<start + target.count, to: target)
  }

  /// A copy as packed elements, in one go; `nil` when they are no whole number of elements, or
  /// cannot be read from the archive's source.
  @inlinable
  public func elements<Element: PackedElement>(of type: Element.Type) -> [Element]? {
    let count = self.count / MemoryLayout<Element>.stride
    guard count * MemoryLayout<Element>.stride == self.count else { return nil }
    let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      askForPages(UnsafeMutableRawBufferPointer(buffer))
      let isRead = reader.copyBytes(in: range, to: UnsafeMutableRawBufferPointer(buffer))
      initialized = isRead ? count : 0
    }
    guard elements.count == count else { return nil }
    #if _endian(little)
      return elements
    #else
      return elements.map(\.littleEndianBytes)
    #endif
  }

  /// Maps the pages of a new array before bytes of a file are read into it.
  @usableFromInline
  func askForPages(_ target: UnsafeMutableRawBufferPointer) {
    guard reader.isPaged, target.count >= Self.pagesMin, let base = target.baseAddress else {
      return
    }
    portolan_ask_for_pages(base, target.count)
  }

  /// The least size, in bytes: smaller arrays mostly get memory whose pages are mapped already.
  private static let pagesMin = 1 << 16
}
