internal import Glibc

/// Earlier versions of documents in the state folder: whole contents, each piece stored once.
///
/// A document has a folder of its own, named by its path, with a file `N.version` for each version
/// and the pieces beside it. A version that reads back different from the stored content is never
/// returned. When all versions of all documents together exceed the limit, the oldest are removed:
/// first those kept by scripts, then those of people, but never a document's newest one of people.
package struct VersionStore: Sendable {
  package let state: StateFolder
  /// The limit of the bytes of all versions together.
  package var bytesMax: Int
  /// The limit of the versions of one document.
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

  /// The versions of a document, oldest first; links on its path are followed.
  package func versions(of path: String) -> [SavedVersion] { versions(in: folder(of: path)) }

  /// The content of a version.
  ///
  /// - Throws: `FileError`, also if the stored content is damaged.
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

  /// Keeps a content as the newest version, unless it is the newest one already.
  ///
  /// - Parameters:
  ///   - keeper: for whom it is kept; a script's version never takes the room of a person's.
  ///   - telling: called with the removed versions.
  /// - Returns: the version; `nil` if there is no room for it.
  @discardableResult
  package func keep(
    _ bytes: [UInt8], of path: String, reason: SavedVersion.Reason,
    by keeper: SavedVersion.Keeper = .person, telling: ([SavedVersion]) -> Void = { _ in }
  ) throws(FileError) -> SavedVersion? {
    guard bytes.count <= bytesMax else { return nil }
    let root = try state.make(.versions, in: fileSystem)
    let guardFile = try takeTurn(root)
    defer { try? fileSystem.close(guardFile) }
    let document = resolved(path)
    let folder = FilePath.join(root, StateFolder.name(for: document))
    try fileSystem.makeDirectories(folder, mode: 0o700)
    let known = versions(in: folder)
    let digest = ContentDigest(bytes).text
    if var newest = known.last, newest.digest == digest, newest.size == bytes.count {
      if newest.keeper == .script, keeper == .person {
        newest.keeper = keeper
        try write(Array(newest.text.utf8), as: Self.fileName(newest.number), in: folder, .replace)
      }
      return newest
    }
    let pieces = try keepPieces(of: bytes, in: folder)
    // The pieces' names first: no version may be on the disk without its pieces.
    try synchronize(folder)
    var version = SavedVersion(
      number: try nextNumber(in: folder), time: fileSystem.seconds,
      size: bytes.count, reason: reason, keeper: keeper, document: document, digest: digest,
      pieces: pieces)
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
    let removed = makeRoom(for: version, in: folder, of: root)
    let isKept = !removed.contains(version)
    telling(removed.filter { $0 != version })
    return isKept ? version : nil
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

  /// Stores a piece unless it exists; a damaged one is written again.
  private func keepPiece(_ piece: [UInt8], in folder: String) throws(FileError) -> String {
    let name = ContentDigest(piece).text
    let path = FilePath.join(folder, name)
    if let stored = try? fileSystem.load(path, limit: piece.count).bytes, stored == piece {
      return name
    }
    try write(piece, as: name, in: folder, .replace)
    return name
  }

  /// Writes a file of the store: whole and durable before it gets its name.
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

  /// Removes the oldest versions while there are too many, and unused pieces.
  ///
  /// - Returns: the versions removed for lack of room, including the new one if it is a script's
  ///   and only people's versions could make room for it.
  private func makeRoom(
    for new: SavedVersion, in own: String, of root: String
  ) -> [SavedVersion] {
    let excess = versions(in: own).count - countMax
    if excess > 0 {
      let (scripts, people) = removable(in: own, besides: new)
      for version in (scripts + people).prefix(excess) { remove(version, in: own) }
      removeUnusedPieces(in: own)
    }
    var total = size(of: root)
    guard total > bytesMax else { return [] }
    let folders = ((try? fileSystem.names(in: root)) ?? []).map { FilePath.join(root, $0) }
    var scripts: [(folder: String, version: SavedVersion)] = []
    var people: [(folder: String, version: SavedVersion)] = []
    for folder in folders {
      let all = removable(in: folder, besides: new)
      scripts += all.scripts.map { (folder, $0) }
      people += all.people.map { (folder, $0) }
    }
    scripts.sort { ($0.version.time, $0.version.number) < ($1.version.time, $1.version.number) }
    people.sort { ($0.version.time, $0.version.number) < ($1.version.time, $1.version.number) }
    let candidates = scripts + (new.keeper == .script ? [(own, new)] : people)
    var removed: [SavedVersion] = []
    for candidate in candidates where total > bytesMax {
      remove(candidate.version, in: candidate.folder)
      removeUnusedPieces(in: candidate.folder)
      total = size(of: root)
      removed.append(candidate.version)
    }
    return removed
  }

  /// The versions of a document that may be removed for lack of room, oldest first: all of scripts
  /// but the new one, and all of people but their newest.
  private func removable(
    in folder: String, besides new: SavedVersion
  ) -> (scripts: [SavedVersion], people: [SavedVersion]) {
    let all = versions(in: folder)
    return (
      all.filter { $0.keeper == .script && $0 != new },
      all.filter { $0.keeper == .person }.dropLast()
    )
  }

  /// Removes a version; the number of a document's newest one is kept, since it must not be reused.
  private func remove(_ version: SavedVersion, in folder: String) {
    let name = Self.fileName(version.number)
    if numbers(in: folder).last == version.number {
      try? write([], as: name, in: folder, .replace)
    } else {
      try? fileSystem.remove(FilePath.join(folder, name), in: nil)
    }
  }

  /// The number for the next version; files that only keep a number are removed.
  private func nextNumber(in folder: String) throws(FileError) -> Int {
    let numbers = numbers(in: folder)
    for number in numbers.dropLast() {
      let path = FilePath.join(folder, Self.fileName(number))
      if try fileSystem.status(path, in: nil).identity.size == 0 {
        try? fileSystem.remove(path, in: nil)
      }
    }
    return (numbers.last ?? 0) + 1
  }

  /// The numbers of a document's versions, in order.
  private func numbers(in folder: String) -> [Int] {
    ((try? fileSystem.names(in: folder)) ?? []).compactMap { name in
      name.hasSuffix(Self.suffix) ? Int(name.dropLast(Self.suffix.count)) : nil
    }.filter { $0 > 0 && $0 < 1 << 53 }.sorted()
  }

  private func removeUnusedPieces(in folder: String) {
    let used = Set(versions(in: folder).flatMap { $0.pieces.map(\.name) })
    for name in (try? fileSystem.names(in: folder)) ?? []
    where !name.hasSuffix(Self.suffix) && !used.contains(name) {
      try? fileSystem.remove(FilePath.join(folder, name), in: nil)
    }
  }

  /// The size of all versions in bytes.
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
