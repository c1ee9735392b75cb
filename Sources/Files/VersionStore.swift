internal import Glibc

/// Earlier versions of documents in the state folder: whole contents, each piece stored once.
///
/// A document has a folder of its own, named by its path, with a file `N.version` for each version
/// and the pieces beside it. A version that comes back different from what was put in is never
/// handed out. When all versions of all documents together grow over the limit, the oldest go,
/// but never a document's newest.
package struct VersionStore: Sendable {
  package let state: StateFolder
  /// How many bytes all versions may take together.
  package var bytesMax: Int
  /// How many versions of one document are kept.
  package var countMax: Int
  let fileSystem: any FileSystem

  package init(
    in state: StateFolder, bytesMax: Int = 1 << 30, countMax: Int = 200,
    _ fileSystem: any FileSystem
  ) {
    self.state = state
    self.bytesMax = bytesMax
    self.countMax = countMax
    self.fileSystem = fileSystem
  }

  // MARK: Reading

  /// The versions of a document, the oldest first; links on its path are followed.
  package func versions(of path: String) -> [SavedVersion] { versions(in: folder(of: path)) }

  /// The content of a version.
  ///
  /// - Throws: `FileError`, also when what is stored is damaged.
  package func bytes(of version: SavedVersion, of path: String) throws(FileError) -> [UInt8] {
    let folder = folder(of: path)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(version.size, 1 << 32))
    for piece in version.pieces {
      bytes += try fileSystem.load(FilePath.join(folder, piece.name), limit: piece.size).bytes
    }
    guard bytes.count == version.size, ContentDigest(bytes).text == version.digest else {
      throw FileError(
        call: "read", path: FilePath.join(folder, Self.fileName(version.number)), number: EIO,
        problem: .readBackDiffers)
    }
    return bytes
  }

  /// Whether the newest version is this content.
  package func isNewest(_ bytes: [UInt8], of path: String) -> Bool {
    guard let newest = versions(of: path).last, newest.size == bytes.count else { return false }
    return newest.digest == ContentDigest(bytes).text
  }

  // MARK: Writing

  /// Keeps a content as the newest version, unless it is that already.
  ///
  /// - Returns: the version; `nil` when it is larger than the limit for all.
  @discardableResult
  package func keep(
    _ bytes: [UInt8], of path: String, reason: SavedVersion.Reason
  ) throws(FileError) -> SavedVersion? {
    guard bytes.count <= bytesMax else { return nil }
    let root = try state.make(.versions, in: fileSystem)
    let guardFile = try takeTurn(root)
    defer { try? fileSystem.close(guardFile) }
    let folder = FilePath.join(root, StateFolder.name(for: resolved(path)))
    try fileSystem.makeDirectories(folder, mode: 0o700)
    let known = versions(in: folder)
    let digest = ContentDigest(bytes).text
    if let newest = known.last, newest.digest == digest, newest.size == bytes.count {
      return newest
    }
    let pieces = try keepPieces(of: bytes, in: folder)
    // The pieces' names first: no version may be on the disk without them.
    try synchronize(folder)
    var version = SavedVersion(
      number: (known.last?.number ?? 0) + 1, time: fileSystem.time / 1_000_000_000,
      size: bytes.count, reason: reason, digest: digest, pieces: pieces)
    for _ in 0..<100 {
      do {
        let name = Self.fileName(version.number)
        try write(Array(version.text.utf8), as: name, in: folder, .noReplace)
        break
      } catch let error where error.number == EEXIST {
        version.number += 1
      }
    }
    try synchronize(folder)
    removeOldest(in: root, keeping: version, in: folder)
    return version
  }

  private func keepPieces(
    of bytes: [UInt8], in folder: String
  ) throws(FileError) -> [SavedVersion.Piece] {
    let ranges = bytes.withUnsafeBytes { ContentChunks(contentSize: $0.count).ranges(of: $0) }
    var pieces: [SavedVersion.Piece] = []
    for range in ranges {
      let piece = Array(bytes[range])
      pieces.append(
        SavedVersion.Piece(name: try keepPiece(piece, in: folder), size: piece.count))
    }
    return pieces
  }

  /// Stores a piece unless it is there; a damaged one is written again.
  private func keepPiece(_ piece: [UInt8], in folder: String) throws(FileError) -> String {
    let name = ContentDigest(piece).text
    let path = FilePath.join(folder, name)
    if let stored = try? fileSystem.load(path, limit: piece.count).bytes, stored == piece {
      return name
    }
    try write(piece, as: name, in: folder, .replace)
    return name
  }

  /// Writes a file of the store: whole and durable before it has its name.
  private func write(
    _ bytes: [UInt8], as name: String, in folder: String, _ mode: RenameMode
  ) throws(FileError) {
    try FileReader.withPath(FilePath.join(folder, name)) { () throws(FileError) in
      let place = try fileSystem.open(folder, in: nil, .directory)
      defer { try? fileSystem.close(place) }
      let temporary = "\(name).tmp"
      try? fileSystem.remove(temporary, in: place)
      let file = try fileSystem.open(temporary, in: place, .createNew)
      do throws(FileError) {
        defer { try? fileSystem.close(file) }
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
          do throws(FileError) { try fileSystem.writeAll(file, bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        try fileSystem.synchronize(file)
        try fileSystem.rename(temporary, to: name, in: place, mode)
      } catch {
        try? fileSystem.remove(temporary, in: place)
        throw error
      }
    }
  }

  private func synchronize(_ folder: String) throws(FileError) {
    let place = try fileSystem.open(folder, in: nil, .directory)
    defer { try? fileSystem.close(place) }
    try fileSystem.synchronize(place)
  }

  // MARK: The limit

  /// Removes the oldest versions while there are too many, and pieces that none needs.
  private func removeOldest(in root: String, keeping kept: SavedVersion, in own: String) {
    let ownVersions = versions(in: own)
    for version in ownVersions.dropLast(countMax) { remove(version, in: own) }
    if ownVersions.count > countMax { removeUnusedPieces(in: own) }
    var total = size(of: root)
    guard total > bytesMax else { return }
    let folders = ((try? fileSystem.names(in: root)) ?? []).map { FilePath.join(root, $0) }
    var oldest: [(folder: String, version: SavedVersion)] = []
    for folder in folders {
      oldest += versions(in: folder).dropLast().map { (folder, $0) }
    }
    oldest.sort { ($0.version.time, $0.version.number) < ($1.version.time, $1.version.number) }
    for candidate in oldest where total > bytesMax {
      remove(candidate.version, in: candidate.folder)
      removeUnusedPieces(in: candidate.folder)
      total = size(of: root)
    }
  }

  private func remove(_ version: SavedVersion, in folder: String) {
    try? fileSystem.remove(FilePath.join(folder, Self.fileName(version.number)), in: nil)
  }

  private func removeUnusedPieces(in folder: String) {
    let used = Set(versions(in: folder).flatMap { $0.pieces.map(\.name) })
    for name in (try? fileSystem.names(in: folder)) ?? []
    where !name.hasSuffix(Self.suffix) && !used.contains(name) {
      try? fileSystem.remove(FilePath.join(folder, name), in: nil)
    }
  }

  /// The bytes that all versions take.
  package var size: Int { size(of: state.path(of: .versions)) }

  private func size(of root: String) -> Int {
    var total = 0
    for folder in (try? fileSystem.names(in: root)) ?? [] {
      let path = FilePath.join(root, folder)
      for name in (try? fileSystem.names(in: path)) ?? [] {
        let status = try? fileSystem.status(FilePath.join(path, name), in: nil)
        total += Int(clamping: status?.identity.size ?? 0)
      }
    }
    return total
  }

  // MARK: Places

  private static let suffix = ".version"

  private static func fileName(_ number: Int) -> String { "\(number)\(suffix)" }

  private func resolved(_ path: String) -> String {
    guard let target = try? SaveTarget(resolving: path, in: fileSystem) else { return path }
    try? fileSystem.close(target.folder)
    return target.path
  }

  private func folder(of path: String) -> String {
    FilePath.join(state.path(of: .versions), StateFolder.name(for: resolved(path)))
  }

  private func versions(in folder: String) -> [SavedVersion] {
    let names = (try? fileSystem.names(in: folder)) ?? []
    return names.filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
      (try? fileSystem.load(FilePath.join(folder, name), limit: 16 << 20)).flatMap {
        SavedVersion($0.bytes)
      }
    }.sorted { $0.number < $1.number }
  }

  /// One process at a time writes here; another waits, at most two seconds.
  private func takeTurn(_ root: String) throws(FileError) -> FileDescriptor {
    let file = try fileSystem.open(FilePath.join(root, ".lock"), in: nil, .lock)
    for _ in 0..<200 {
      if (try? fileSystem.lock(file)) == true { return file }
      usleep(10_000)
    }
    try? fileSystem.close(file)
    throw FileError(call: "fcntl", path: root, number: EBUSY)
  }
}
