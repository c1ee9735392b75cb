/// The files that people opened or saved last, in the state folder.
///
/// `recent/files` has the path of one a line, as `WordText`, the newest first. Of two editors that
/// note a file at the same moment, one may be forgotten.
package struct RecentFiles: Sendable {
  package let state: StateFolder
  let fileSystem: any FileSystem

  /// The number of files that are noted.
  package static let countMax = 50
  private static let sizeMax = 1 << 20
  private static let name = "files"

  package init(in state: StateFolder, _ fileSystem: any FileSystem) {
    self.state = state
    self.fileSystem = fileSystem
  }

  /// The paths, the newest first; none where the list cannot be read.
  package func paths() -> [String] {
    let path = FilePath.join(state.path(of: .recent), Self.name)
    guard let bytes = try? fileSystem.read(path, limit: Self.sizeMax) else { return [] }
    var paths: [String] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let path = FilePath.text(of: WordText.unescaped(line))
      guard FilePath.isAbsolute(path), !paths.contains(where: { FilePath.isSame($0, path) }) else {
        continue
      }
      paths.append(path)
      if paths.count == Self.countMax { break }
    }
    return paths
  }

  /// Puts a file at the head of the list.
  ///
  /// - Parameter path: its path, absolute; others are not noted.
  package func note(_ path: String) throws(FileError) {
    guard FilePath.isAbsolute(path) else { return }
    let known = paths()
    if FilePath.isSame(known.first, path) { return }
    try write([path] + known.filter { !FilePath.isSame($0, path) }.prefix(Self.countMax - 1))
  }

  /// Forgets all files.
  package func forget() throws(FileError) {
    if !paths().isEmpty { try write([]) }
  }

  private func write(_ paths: [String]) throws(FileError) {
    let folder = try state.make(.recent, in: fileSystem)
    let lines = paths.map { WordText.escaped(FilePath.bytes(of: $0)) + "\n" }
    var options = SaveOptions()
    options.newFileMode = 0o600
    _ = try fileSystem.save(
      Array(lines.joined().utf8), to: FilePath.join(folder, Self.name), expecting: .anything,
      options: options)
  }
}
