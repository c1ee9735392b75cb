/// An open file or folder of a `FileSystem`, identified by number.
package struct FileDescriptor: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let standardInput = FileDescriptor(rawValue: 0)
  package static let standardOutput = FileDescriptor(rawValue: 1)
}

/// How a file is opened.
package enum OpenMode: Hashable, Sendable {
  /// To read; never waits for a pipe's writer or a device.
  case read
  /// To read; waits for the writer of a pipe.
  case waiting
  /// A folder, for look-ups in it and to make its names durable.
  case directory
  /// A new file for us alone (0600), where no file or link may exist; to read and write.
  case createNew
  /// An existing file, to read and write in place.
  case readWrite
  /// To lock, read and write; created (0600) if it does not exist, never through a link.
  case lock
  /// To append, created (0600) if it does not exist; never through a link.
  case append
}

/// The effect of a rename on the new name.
package enum RenameMode: Hashable, Sendable {
  /// Replaces an existing file.
  case replace
  /// Fails with EEXIST if the name exists.
  case noReplace
  /// Exchanges the two names.
  case exchange
}

/// All calls of a file system that Portolan uses, so that a test can fail any of them.
///
/// Calls are as small as the system's own: a save is a sequence of them, and each may fail alone.
/// Names are paths; with a `directory` they are relative to it. Paths are bytes without NUL, here
/// in a `String` (see `FilePath` for bytes that are not UTF-8). Interrupted calls are repeated.
package protocol FileSystem: Sendable {
  func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor
  func close(_ file: FileDescriptor) throws(FileError)
  /// Reads some bytes at the file's offset; 0 at its end.
  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int
  /// Reads some bytes at an offset of its own, also while other threads do; 0 behind the end.
  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int
  /// Writes some bytes at the file's offset, and returns their number.
  func write(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int
  /// Sets the file's offset.
  func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError)
  func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError)
  /// Returns when the file's data, or a folder's names, are on the disk.
  func synchronize(_ file: FileDescriptor) throws(FileError)
  /// Drops the system's cache of a file, so that it is read from the disk.
  func forgetCache(_ file: FileDescriptor) throws(FileError)

  func status(_ file: FileDescriptor) throws(FileError) -> FileStatus
  /// The status of a name; of the link itself if it is one.
  func status(_ name: String, in directory: FileDescriptor?) throws(FileError) -> FileStatus
  func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError)
  /// Changes owner and group; `nil` leaves them unchanged.
  func setOwner(_ file: FileDescriptor, owner: UInt32?, group: UInt32?) throws(FileError)
  /// The names of the extended attributes, including access control lists.
  func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String]
  func attribute(_ name: String, of file: FileDescriptor) throws(FileError) -> [UInt8]
  func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError)
  func removeAttribute(_ name: String, of file: FileDescriptor) throws(FileError)

  func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError)
  /// Gives a file a second name; fails with EEXIST if that exists.
  func link(_ name: String, to newName: String, in directory: FileDescriptor) throws(FileError)
  func remove(_ name: String, in directory: FileDescriptor?) throws(FileError)
  func makeDirectory(_ path: String, mode: UInt32) throws(FileError)
  /// The names in a folder, sorted, without `.` and `..`.
  func names(in path: String) throws(FileError) -> [String]
  /// The absolute path without links, `.` and `..`; everything on it must exist.
  func realPath(_ path: String) throws(FileError) -> String
  /// The target of a symbolic link.
  func readLink(_ path: String) throws(FileError) -> String
  /// Takes an exclusive lock that ends with the descriptor; `false` if another process holds it.
  func lock(_ file: FileDescriptor) throws(FileError) -> Bool
  /// Whether another process holds the lock; the file may be open for reading only.
  func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool

  /// The permission bits that are removed from new files (umask).
  var creationMask: UInt32 { get }
  /// The time in nanoseconds since 1970; after 2262 only differences are valid.
  var time: Int64 { get }
  /// The time in seconds since 1970, in any year.
  var seconds: Int64 { get }
  /// Our user number.
  var user: UInt32 { get }
}

extension FileSystem {
  package var seconds: Int64 { time / 1_000_000_000 }
}
