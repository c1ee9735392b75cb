internal import Glibc

/// The folder for files that belong to documents but are not kept beside them: journals, earlier
/// versions, standby copies, recent files, typed lines. Only its owner may read it.
package struct StateFolder: Hashable, Sendable {
  /// The parts of the folder; the raw value is the part's name.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case recovery, versions, locks
    /// Whole new versions of files that are overwritten in place.
    case standby
    /// The list of the files that were opened last.
    case recent
    /// The lines that were typed at prompts.
    case history
    /// The bookmarks of files of map data.
    case bookmarks
  }

  package let path: String

  package init(path: String) { self.path = path }

  /// `$XDG_STATE_HOME/portolan`, or `~/.local/state/portolan`; `nil` if neither is known.
  package init?(environment: (String) -> String?) {
    if let state = environment("XDG_STATE_HOME"), FilePath.isAbsolute(state) {
      path = FilePath.join(state, "portolan")
    } else if let home = environment("HOME"), FilePath.isAbsolute(home) {
      path = FilePath.join(home, ".local/state/portolan")
    } else {
      return nil
    }
  }

  /// The path of a part, created (0700) if it does not exist.
  ///
  /// A folder behind a link is used with its permissions unchanged, since it may hold other files.
  /// Our files in it are for us alone.
  ///
  /// - Throws: `FileError`, also if the folder belongs to another user or is no folder.
  package func make(_ part: Part, in fileSystem: any FileSystem) throws(FileError) -> String {
    let folder = self.path(of: part)
    try fileSystem.makeDirectories(folder, mode: 0o700)
    for made in [path, folder] {
      let file = try fileSystem.open(made, in: nil, .directory)
      defer { try? fileSystem.close(file) }
      let status = try fileSystem.status(file)
      guard status.owner == fileSystem.user else {
        throw FileError(call: "open", path: made, number: EPERM)
      }
      let isLink = try fileSystem.status(made, in: nil).kind == .symbolicLink
      if status.mode & 0o077 != 0, !isLink { try fileSystem.setMode(file, 0o700) }
    }
    return folder
  }

  /// The path of a part, whether it exists or not.
  package func path(of part: Part) -> String { FilePath.join(path, part.rawValue) }

  /// A name for files of a document: short, readable, and the same for the same path.
  ///
  /// - Parameter path: the document's, links resolved.
  package static func name(for path: String) -> String {
    let readable = FilePath.name(of: path).unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "-"
    }
    return String(readable) + "-" + PathHash.text(of: path)
  }
}

/// A hash of a path, the same on every run, unlike the standard library's hashes (FNV-1a).
enum PathHash {
  static func text(of path: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in FilePath.bytes(of: path) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 36)
  }
}
