public import PropertyLists

// Bytes in the forms in which they are wanted. Inlined into callers, so that packed elements of a
// known type are copied without asking for the type at run time.
extension DecodingCoder {
  /// Finds bytes without a copy; throws when they are absent.
  @inlinable
  @inline(__always)
  public func archivedData(forKey key: String) throws -> ArchivedData {
    try present(archivedDataIfPresent(forKey: key), key)
  }

  /// Decodes bytes, be they inside the object or a data object of their own.
  @inlinable
  @inline(__always)
  public func decodeDataIfPresent(forKey key: String) throws -> [UInt8]? {
    guard let data = try archivedDataIfPresent(forKey: key) else { return nil }
    return try whole(data.bytes, data, key)
  }

  /// Decodes bytes, be they inside the object or a data object of their own; throws when absent.
  @inlinable
  @inline(__always)
  public func decodeData(forKey key: String) throws -> [UInt8] {
    let data = try archivedData(forKey: key)
    return try whole(data.bytes, data, key)
  }

  /// Decodes bytes, be they inside the object or a data object of their own.
  @inlinable
  @inline(__always)
  public func decodeBytesIfPresent(forKey key: String) throws -> [UInt8]? {
    try decodeDataIfPresent(forKey: key)
  }

  /// Decodes bytes, be they inside the object or a data object of their own; throws when absent.
  @inlinable
  @inline(__always)
  public func decodeBytes(forKey key: String) throws -> [UInt8] {
    try decodeData(forKey: key)
  }

  /// Decodes numbers that were encoded with `encodePacked`, with one copy.
  @inlinable
  @inline(__always)
  public func decodePackedIfPresent<Element: PackedElement>(
    _ type: Element.Type, forKey key: String
  ) throws -> [Element]? {
    guard let data = try archivedDataIfPresent(forKey: key) else { return nil }
    guard let elements = data.elements(of: type) else {
      throw wrongSize(data, MemoryLayout<Element>.stride, key)
    }
    return elements
  }

  /// Decodes numbers that were encoded with `encodePacked`; throws when they are absent.
  @inlinable
  @inline(__always)
  public func decodePacked<Element: PackedElement>(
    _ type: Element.Type, forKey key: String
  ) throws -> [Element] {
    try present(decodePackedIfPresent(type, forKey: key), key)
  }

  /// Reads bytes where they lie, without a copy; the pointer is good within `body` only.
  @inlinable
  @inline(__always)
  public func withDataIfPresent<Result>(
    forKey key: String, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    try archivedDataIfPresent(forKey: key).map { try $0.withUnsafeBytes(body) }
  }

  /// Reads bytes where they lie, without a copy; throws when they are absent.
  @inlinable
  @inline(__always)
  public func withData<Result>(
    forKey key: String, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try archivedData(forKey: key).withUnsafeBytes(body)
  }

  /// The bytes, unless they could not be read.
  @inlinable
  @inline(__always)
  func whole(_ bytes: [UInt8], _ data: ArchivedData, _ key: String) throws -> [UInt8] {
    guard bytes.count == data.count else { throw wrongSize(data, 1, key) }
    return bytes
  }

  @usableFromInline
  func wrongSize(_ data: ArchivedData, _ stride: Int, _ key: String) -> ArchiveError {
    let count = data.count
    if let failure = data.failure {
      var error = invalidValue("\(failure)", forKey: key)
      error.code = .unreadable
      return error
    }
    var error = invalidValue(
      "a length of \(count) is no whole number of elements of \(stride)", forKey: key)
    error.code = .typeMismatch
    return error
  }
}
