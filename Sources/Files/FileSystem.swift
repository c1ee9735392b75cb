/// An open file or folder of a `FileSystem`, which knows it by number.
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
  /// A folder, as the place of names and to make them durable.
  case directory
  /// A new file for us alone (0600) that must not be there, not even as a link; to read and write.
  case createNew
  /// An existing file, to read and write in place.
  case readWrite
  /// To lock, read and write; made (0600) if it is not there, never through a link.
  case lock
  /// To append, made (0600) if it is not there; never through a link.
  case append
}

/// How a name takes another's place.
package enum RenameMode: Hashable, Sendable {
  /// Replaces what is there.
  case replace
  /// Fails with EEXIST if something is there.
  case noReplace
  /// The two names change places.
  case exchange
}

/// Everything that Portolan asks of a file system, so that a test can fail any call on order.
///
/// Calls are as small as the system's own: a save is a sequence of them, and each may fail alone.
/// Names are paths; with a `directory` they are relative to it. Paths are bytes without NUL, here
/// in a `String` (see `FilePath` for those that are not UTF-8). Interrupted calls are repeated.
package protocol FileSystem: Sendable {
  func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor
  func close(_ file: FileDescriptor) throws(FileError)
  /// Reads some bytes from where the file stands; 0 at its end.
  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int
  /// Writes some bytes where the file stands, and returns how many.
  func write(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int
  /// Goes to a place in the file.
  func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError)
  func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError)
  /// Returns when the file's data, or a folder's names, are on the disk.
  func synchronize(_ file: FileDescriptor) throws(FileError)
  /// Lets the system forget what it remembers of a file, so that it is read from the disk.
  func forgetCache(_ file: FileDescriptor) throws(FileError)

  func status(_ file: FileDescriptor) throws(FileError) -> FileStatus
  /// The status of a name; of the link itself if it is one.
  func status(_ name: String, in directory: FileDescriptor?) throws(FileError) -> FileStatus
  func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError)
  /// Changes owner and group; `nil` leaves it.
  func setOwner(_ file: FileDescriptor, owner: UInt32?, group: UInt32?) throws(FileError)
  /// The names of the extended attributes; access control lists are among them.
  func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String]
  func attribute(_ name: String, of file: FileDescriptor) throws(FileError) -> [UInt8]
  func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError)
  func removeAttribute(_ name: String, of file: FileDescriptor) throws(FileError)

  func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError)
  /// Gives a file a second name; fails with EEXIST if that is there.
  func link(_ name: String, to newName: String, in directory: FileDescriptor) throws(FileError)
  func remove(_ name: String, in directory: FileDescriptor?) throws(FileError)
  func makeDirectory(_ path: String, mode: UInt32) throws(FileError)
  /// The names in a folder, sorted, without `.` and `..`.
  func names(in path: String) throws(FileError) -> [String]
  /// The absolute path without links, `.` and `..`; everything on it must exist.
  func realPath(_ path: String) throws(FileError) -> String
  /// What a symbolic link says.
  func readLink(_ path: String) throws(FileError) -> String
  /// Takes an exclusive lock that ends with the descriptor; `false` when another holds it.
  func lock(_ file: FileDescriptor) throws(FileError) -> Bool
  /// Whether another holds the lock; the file may be open for reading only.
  func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool

  /// The permission bits that new files must not have (umask).
  var creationMask: UInt32 { get }
  /// What time it is, in nanoseconds since 1970; after 2262 only differences tell something.
  var time: Int64 { get }
  /// What time it is, in seconds since 1970, in any year.
  var seconds: Int64 { get }
  /// Who we are to the file system.
  var user: UInt32 { get }
}

extension FileSystem {
  package var seconds: Int64 { time / 1_000_000_000 }
}
