internal import Glibc

/// The target of a save: a name in an open folder, links resolved once.
struct SaveTarget {
  var folder: FileDescriptor
  var folderPath: String
  var name: String
  /// The status of the existing file; `nil` for a new one.
  var existing: FileStatus?

  var path: String { FilePath.join(folderPath, name) }

  /// The longest name that file systems accept, in bytes.
  private static let nameBytesMax = 255

  /// Follows links to the file itself, even to one that does not exist yet.
  init(resolving path: String, in fileSystem: any FileSystem) throws(FileError) {
    let resolved = try SaveTarget.followLinks(path, fileSystem)
    name = FilePath.name(of: resolved)
    if FilePath.endsWithSlash(resolved) || name == "." || name == ".." || name.isEmpty {
      throw FileError(call: "open", path: path, number: EISDIR, problem: .isDirectory)
    }
    folderPath = try fileSystem.realPath(FilePath.folder(of: resolved))
    folder = try fileSystem.open(folderPath, in: nil, .directory)
    do {
      existing = try SaveTarget.status(of: name, in: folder, fileSystem)
      if let existing { try FileReader.refuseUnlessRegular(existing, self.path) }
    } catch {
      try? fileSystem.close(folder)
      throw error
    }
  }

  /// An unused hidden name beside the file, cut to the length that file systems accept.
  ///
  /// A cut name gets a number, to distinguish it from others with the same beginning.
  func hiddenName(_ suffix: String) -> String {
    let whole = ".\(name)\(suffix)"
    if FilePath.bytes(of: whole).count <= SaveTarget.nameBytesMax { return whole }
    let end = "-\(PathHash.text(of: name))\(suffix)"
    return SaveTarget.cut(".\(name)", reserving: end.utf8.count) + end
  }

  /// `NAME.theirs`, `NAME.theirs.2` …
  static func numbered(_ name: String, _ suffix: String, _ number: Int) -> String {
    let end = number < 2 ? suffix : "\(suffix).\(number)"
    return cut(name, reserving: end.utf8.count) + end
  }

  /// The status of a name; `nil` if it does not exist.
  static func status(
    of name: String, in folder: FileDescriptor, _ fileSystem: any FileSystem
  ) throws(FileError) -> FileStatus? {
    do {
      return try fileSystem.status(name, in: folder)
    } catch let error where error.number == ENOENT {
      return nil
    }
  }

  private static func cut(_ name: String, reserving bytes: Int) -> String {
    var kept = name.unicodeScalars[...]
    while FilePath.bytes(of: String(kept)).count > nameBytesMax - bytes { kept.removeLast() }
    return String(kept)
  }

  private static func followLinks(
    _ path: String, _ fileSystem: any FileSystem
  ) throws(FileError) -> String {
    var current = path
    for _ in 0..<40 {
      do {
        guard try fileSystem.status(current, in: nil).kind == .symbolicLink else { return current }
        let link = try fileSystem.readLink(current)
        current =
          FilePath.isAbsolute(link) ? link : FilePath.join(FilePath.folder(of: current), link)
      } catch let error where error.number == ENOENT {
        return current
      }
    }
    throw FileError(call: "open", path: path, number: ELOOP)
  }
}
