/// A call that failed, on which path, why, and what to do about it.
package struct FileError: Error, Hashable, Sendable {
  /// What is wrong, beyond the system's error number.
  package enum Problem: Hashable, Sendable {
    /// The system refused; `number` says why.
    case system
    case isDirectory, isPipe, isSocket, isDevice
    /// More bytes than may be read.
    case tooLarge(limit: Int)
    /// Every bit that allows writing is off.
    case isReadOnly
    /// Something else wrote the file since it was read, and its version could not be set aside.
    case changedMeanwhile
    /// What was read back is not what was written.
    case readBackDiffers
    /// There is a file where a new one was asked for.
    case exists
    /// A save in place was cut off; the whole new version stands by at a path.
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
}
