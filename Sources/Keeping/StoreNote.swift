package import PortolanFiles

/// What is to be known beside what was asked for.
package enum StoreNote: Hashable, Sendable {
  /// A save in place had been cut off, and was finished.
  case interruptedSaveFinished
  /// It could not be finished; the whole new version stands by at a path.
  case interruptedSaveLeft(standby: String, FileError)
  /// What a save that was cut off had left is an earlier version now.
  case leftoverKept
  case tooLargeForVersion(path: String)
  /// There is no room for a version beside what people edited.
  case noRoomForVersion
  case versionNotKept(FileError)
  /// Versions that had to go for a new one.
  case versionsRemoved([SavedVersion])
  /// Where the former version was kept.
  case formerKept(String)
  /// Where the version of another program was kept.
  case theirsKept(String)
  case warning(SaveWarning)
  /// What of the document is not in the file, one sentence each.
  case lost([String])
  /// Work was left on the document, and cannot be read; why.
  case unreadableWork(String)
  /// Every bit that allows writing the file is off.
  case fileIsReadOnly
  /// No lock could be taken: others are not kept out.
  case noLock(FileError)
}

/// Why the store did not do what it was asked for; nothing was changed.
package struct StoreError: Error, Sendable {
  package enum Code: Sendable {
    case reading(FileError)
    case writing(FileError)
    /// What a codec, or the choice of one, threw.
    case decoding(any Error)
    case encoding(any Error)
    /// Somebody else has the document open; `nil` where that is not said.
    case heldElsewhere(LockHolder?)
    /// It is another document that is open here, under a path.
    case openHere(String)
    case noStateFolder
    /// The version was not kept; these were.
    case noSuchVersion(Int, known: [Int])
    case interrupted
  }

  package var code: Code
  /// As it was given.
  package var path: String
  /// What was done all the same.
  package var notes: [StoreNote] = []
  /// Whether unsaved work is left on the document that could not be opened.
  package var hasLeftWork = false

  package init(_ code: Code, _ path: String = "") {
    self.code = code
    self.path = path
  }

  /// Whether a file was named that is not there.
  package var isNoSuchFile: Bool {
    if case .reading(let error) = code { error.isNoSuchFile } else { false }
  }
}
