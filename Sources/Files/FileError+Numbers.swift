internal import Glibc

/// The system's error numbers that other parts of the program tell apart or give.
extension FileError {
  /// Whether a new file was refused because its name is taken.
  package var isExisting: Bool { number == EEXIST }

  /// Something that must not be touched because it is not ours.
  package static func notOurs(_ path: String) -> FileError {
    FileError(call: "open", path: path, number: EPERM)
  }

  /// Whether something was not touched because it is not ours.
  package var isNotOurs: Bool { number == EPERM }

  /// A file that another process works on.
  package static func inUse(_ path: String) -> FileError {
    FileError(call: "fcntl", path: path, number: EAGAIN)
  }

  /// No free name was found.
  package static func existing(_ path: String) -> FileError {
    FileError(call: "open", path: path, number: EEXIST)
  }

  /// More bytes than one call or one file may have.
  package static func tooLarge(_ path: String, limit: Int, call: String) -> FileError {
    FileError(call: call, path: path, number: EFBIG, problem: .tooLarge(limit: limit))
  }
}
