/// Bytes that are read in parts, where a reader looks at them: a file, or anything like one.
///
/// `FileBytes` is the one for files. Conform a type of your own to read archives out of a database
/// or a larger file. A source stays the same as long as it is read.
public protocol RandomAccessSource: Sendable {
  /// How many bytes there are.
  var byteCount: Int { get }

  /// Reads the bytes from an offset on, as many as `target` has room for.
  ///
  /// The range lies within `byteCount`. Calls come from one thread at a time.
  ///
  /// - Throws: if not all of them can be read.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws

  /// Throws if the bytes may be others than those read at first.
  func checkUnchanged() throws
}

extension RandomAccessSource {
  public func checkUnchanged() throws {}
}

/// A source that several threads may read at once.
package protocol SharedSource: RandomAccessSource {}

extension [UInt8] {
  /// The array as a source, to test what reads files so.
  package var randomAccess: some RandomAccessSource { ArrayBytes(bytes: self) }
}

private struct ArrayBytes: RandomAccessSource {
  var bytes: [UInt8]
  var byteCount: Int { bytes.count }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    bytes.withUnsafeBytes {
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + target.count]))
    }
  }
}
