internal import Glibc

/// The system's error numbers that other parts of the program use.
extension FileError {
  /// Whether a new file was refused because its name is taken.
  package var isExisting: Bool { number == EEXIST }

  /// The error for a file that must not be touched because it is not ours.
  package static func notOurs(_ path: String) -> FileError {
    FileError(call: "open", path: path, number: EPERM)
  }

  /// Whether a file was not touched because it is not ours.
  package var isNotOurs: Bool { number == EPERM }

  /// The error for a file that another process works on.
  package static func inUse(_ path: String) -> FileError {
    FileError(call: "fcntl", path: path, number: EAGAIN)
  }

  /// The error when no free name was found.
  package static func existing(_ path: String) -> FileError {
    FileError(call: "open", path: path, number: EEXIST)
  }

  /// The error for more bytes than one call or one file may have.
  package static func tooLarge(_ path: String, limit: Int, call: String) -> FileError {
    FileError(call: call, path: path, number: EFBIG, problem: .tooLarge(limit: limit))
  }
}
