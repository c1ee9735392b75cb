/// Everything that Portolan asks of a file system, so that a test can fail any call on order.
///
/// Paths are those of the system: bytes without NUL, here in a `String`.
package protocol FileSystem: Sendable {
  /// Reads a whole regular file into memory, at most `limit` bytes, counted while reading.
  ///
  /// - Throws: `FileError` naming the call and the path.
  func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]
}

/// A call that failed, on which path, and why.
package struct FileError: Error, Hashable, Sendable {
  /// The system call, as its manual page is named.
  package var call: String
  package var path: String
  /// The error number of the system.
  package var number: Int32

  package init(call: String, path: String, number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }
}
