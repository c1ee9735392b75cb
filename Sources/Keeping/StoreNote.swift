package import PortolanFiles

/// A note for the user about an operation.
package enum StoreNote: Hashable, Sendable {
  /// A save in place had been cut off, and was finished.
  case interruptedSaveFinished
  /// It could not be finished; the standby file holds the whole new version.
  case interruptedSaveLeft(standby: String, FileError)
  /// The file of an interrupted save is an earlier version now.
  case leftoverKept
  case tooLargeForVersion(path: String)
  /// The versions of people's edits leave no room for this one.
  case noRoomForVersion
  case versionNotKept(FileError)
  /// Versions that were removed to make room for a new one.
  case versionsRemoved([SavedVersion])
  /// The path where the former version was kept.
  case formerKept(String)
  /// The path where another program's version was kept.
  case theirsKept(String)
  case warning(SaveWarning)
  /// The parts of the document that are not in the file, one sentence each.
  case lost([String])
  /// Left work on the document cannot be read; why.
  case unreadableWork(String)
  /// Every bit that allows writing the file is off.
  case fileIsReadOnly
  /// No lock could be taken: others can write the file.
  case noLock(FileError)
}

/// Why the store refused an operation; nothing was changed.
package struct StoreError: Error, Sendable {
  package enum Code: Sendable {
    case reading(FileError)
    case writing(FileError)
    /// An error of a codec, or of its choice.
    case decoding(any Error)
    case encoding(any Error)
    /// Somebody else has the lock; `nil` where the holder is not known.
    case heldElsewhere(LockHolder?)
    /// Another program writes files that belong together.
    case writtenElsewhere(LockHolder?)
    /// The file belongs to another document open here, under this path.
    case openHere(String)
    case noStateFolder
    /// There is no such version; these exist.
    case noSuchVersion(Int, known: [Int])
    case interrupted
  }

  package var code: Code
  /// The path as it was given.
  package var path: String
  /// Notes about steps that were done all the same.
  package var notes: [StoreNote] = []
  /// Whether there is left work on the document that could not be opened.
  package var hasLeftWork = false

  package init(_ code: Code, _ path: String = "") {
    self.code = code
    self.path = path
  }

  /// Whether the named file does not exist.
  package var isNoSuchFile: Bool {
    if case .reading(let error) = code { error.isNoSuchFile } else { false }
  }
}
