/// What a save may find at its path.
package enum SaveExpectation: Hashable, Sendable {
  /// Nothing: a file that is there is an error (a new name, an export without `--force`).
  case absent
  /// The version that was read: any other is kept beside ours as `NAME.theirs`.
  case version(FileIdentity)
  /// Nothing that we know: what is there is kept beside ours as `NAME.theirs`.
  case foreign
  /// Whatever is there may go.
  case anything
}

/// How a save may go about it.
package struct SaveOptions: Hashable, Sendable {
  /// Replace a file whose permission bits forbid writing.
  package var replacesReadOnly = false
  /// The name, in the same folder, that the former version is kept under; replaced if it is there
  /// already only when nothing would be lost: else a number is added.
  package var formerVersionName: String?
  /// Where a complete copy is put first when the file's own folder takes no new files.
  package var fallbackFolder: String?
  /// The permission bits of a new file; `nil` for what the umask leaves of 0666.
  package var newFileMode: UInt32?

  package init() {}
}

/// Something that the user should know about a save that succeeded.
package enum SaveWarning: Hashable, Sendable {
  /// The data are written, but the disk did not confirm that the name is.
  case durabilityNotConfirmed(FileError)
  /// Owner, permissions or attributes could not all be kept.
  case metadataNotKept(FileError)
  /// The file had been removed meanwhile, and is there again.
  case wasRemoved
  /// A file that is not needed any more could not be removed.
  case leftBehind(path: String)
}

/// What a save did.
package struct SaveOutcome: Hashable, Sendable {
  /// Where the file is, links resolved.
  package var path: String
  /// The version that was written, for the next save.
  package var identity: FileIdentity
  /// Where a version that another program wrote meanwhile was kept.
  package var theirs: String?
  /// Where the former version was kept, when that was asked for.
  package var former: String?
  package var warnings: [SaveWarning] = []

  /// Whether a power cut from now on cannot take the save back.
  package var isConfirmed: Bool {
    !warnings.contains { if case .durabilityNotConfirmed = $0 { true } else { false } }
  }
}
