import PortolanFiles

/// The names of files that complete a word of the `:` prompt.
struct FileNamesRequest: Request {
  /// The most names that are offered.
  static let limit = 500

  /// The line before the cursor, for which the names are meant.
  let head: String
  /// The beginning of the path, as it was typed.
  let typed: String

  var name: String { "listing files" }
  var isOfPane: Bool { true }

  /// The paths that begin so, folders with a slash; hidden ones only after a dot.
  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> [String] {
    let slash = typed.unicodeScalars.lastIndex(of: "/")
    let start = slash.map { String(typed.unicodeScalars[...$0]) } ?? ""
    let beginning = String(typed.unicodeScalars.dropFirst(start.unicodeScalars.count))
    // A folder that cannot be read has nothing to offer.
    let names = (try? world.files.names(in: start.isEmpty ? "." : start)) ?? []
    let fitting = names.lazy.filter { name in
      name.hasPrefix(beginning) && (beginning.hasPrefix(".") || !name.hasPrefix("."))
    }
    return fitting.prefix(Self.limit).map { name in
      let isFolder = (try? world.files.isFolder(start + name)) ?? false
      return start + name + (isFolder ? "/" : "")
    }
  }

  func take(_ answer: [String], in desk: inout Desk) { desk.takeFileNames(answer, for: head) }
}

extension FileSystem {
  /// Whether a path, or what it links to, is a folder.
  fileprivate func isFolder(_ path: String) throws(FileError) -> Bool {
    let status = try status(path, in: nil)
    guard status.kind == .symbolicLink else { return status.kind == .directory }
    return try self.status(realPath(path), in: nil).kind == .directory
  }
}
