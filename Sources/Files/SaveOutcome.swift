/// The file that a save expects at its path.
package enum SaveExpectation: Hashable, Sendable {
  /// None: an existing file is an error (a new name, an export without `--force`).
  case absent
  /// The version that was read: any other is kept beside ours as `NAME.theirs`. With the mark of
  /// its content another one is known also where a program has set back the time of change, or
  /// where the file system keeps it in seconds.
  case version(FileIdentity, ContentMark? = nil)
  /// An unknown one: an existing file is kept beside ours as `NAME.theirs`.
  case foreign
  /// Any: an existing file is replaced.
  case anything
}

/// The options of a save.
package struct SaveOptions: Hashable, Sendable {
  /// Whether to replace a file with permission bits that forbid writing.
  package var replacesReadOnly = false
  /// The name, in the same folder, for the former version; an existing file of that name is
  /// replaced only if nothing would be lost: else a number is added.
  package var formerVersionName: String?
  /// The folder for a complete copy if the file's own folder takes no new files.
  package var fallbackFolder: String?
  /// The permission bits of a new file; `nil` for 0666 without the bits of the umask.
  package var newFileMode: UInt32?

  package init() {}
}

/// A warning to the user about a save that succeeded.
package enum SaveWarning: Hashable, Sendable {
  /// The data are written, but the disk did not confirm the name.
  case durabilityNotConfirmed(FileError)
  /// Owner, permissions or attributes could not all be kept.
  case metadataNotKept(FileError)
  /// The file had been removed meanwhile, and exists again.
  case wasRemoved
  /// A file that is no longer needed could not be removed.
  case leftBehind(path: String)
}

/// The result of a save.
package struct SaveOutcome: Hashable, Sendable {
  /// The path of the file, links resolved.
  package var path: String
  /// The identity of the written version, for the next save.
  package var identity: FileIdentity
  /// The path of a version that another program wrote meanwhile.
  package var theirs: String?
  /// The path of the former version, if it was to be kept.
  package var former: String?
  package var warnings: [SaveWarning] = []

  /// Whether a power cut from now on cannot undo the save.
  package var isConfirmed: Bool {
    !warnings.contains { if case .durabilityNotConfirmed = $0 { true } else { false } }
  }
}
