internal import Glibc

/// A failed call, with its path, the problem and the remedy.
package struct FileError: Error, Hashable, Sendable {
  /// The problem, beyond the system's error number.
  package enum Problem: Hashable, Sendable {
    /// The system refused; `number` is the reason.
    case system
    case isDirectory, isPipe, isSocket, isDevice
    /// More bytes than the limit for reading.
    case tooLarge(limit: Int)
    /// Every bit that allows writing is off.
    case isReadOnly
    /// Another program wrote the file since it was read, and its version could not be kept.
    case changedMeanwhile
    /// The bytes read back differ from the written ones.
    case readBackDiffers
    /// A new file was requested, but there is one already.
    case exists
    /// A save in place was interrupted; the standby file at a path holds the whole new version.
    case interrupted(standby: String)
  }

  /// The system call, as its manual page is named.
  package var call: String
  package var path: String
  /// The error number of the system.
  package var number: Int32
  package var problem: Problem

  package init(call: String, path: String, number: Int32, problem: Problem = .system) {
    self.call = call
    self.path = path
    self.number = number
    self.problem = problem
  }

  /// The error of a disk with too little space.
  package static func full(_ path: String) -> FileError {
    FileError(call: "write", path: path, number: ENOSPC)
  }
}
