internal import Glibc

/// A file's bytes, and the identity of that version.
package struct LoadedFile: Sendable {
  package var bytes: [UInt8]
  package var identity: FileIdentity
  /// Whether it was a pipe, which is read once.
  package var isPipe = false
}

extension FileSystem {
  /// Reads a whole regular file into memory, at most `limit` bytes, counted while reading.
  ///
  /// One allocation of the file's size, not cleared before; never a mapping, which another program
  /// could truncate; never waits: folders, pipes, sockets and devices are refused.
  ///
  /// - Throws: `FileError` naming the call and the path.
  /// - Complexity: O(size); as fast as the disk's cache.
  package func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try load(path, limit: limit).bytes
  }

  /// As `read`, and returns the identity of the version, for a later save.
  package func load(_ path: String, limit: Int) throws(FileError) -> LoadedFile {
    guard let file = try load(path, limit: limit, headCount: 0, onlyIf: { _ in true }) else {
      throw FileError(call: "read", path: path, number: EIO)
    }
    return file
  }

  /// As `load`, but checks the beginning first, so that a large unusable file is not read.
  ///
  /// - Parameters:
  ///   - headCount: the largest number of bytes to check; with 0 nothing is checked.
  ///   - readsPipes: whether a pipe is read to its end, and its writer waited for.
  ///   - isWanted: called with the file's first bytes.
  /// - Returns: `nil` if `isWanted` rejects them.
  package func load(
    _ path: String, limit: Int, headCount: Int = FileHead.count, readsPipes: Bool = false,
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(FileError) -> LoadedFile? {
    let file = try open(path, in: nil, readsPipes ? .waiting : .read)
    defer { try? close(file) }
    return try FileReader.withPath(path) { () throws(FileError) in
      let status = try status(file)
      if readsPipes, status.kind == .pipe {
        let bytes = try readStream(file, name: path, limit: limit, onlyIf: isWanted)
        return bytes.map { LoadedFile(bytes: $0, identity: status.identity, isPipe: true) }
      }
      try FileReader.refuseUnlessRegular(status, path)
      let reader = FileReader(fileSystem: self, path: path, limit: limit)
      let size = Int(clamping: status.identity.size)
      if headCount > 0 {
        let head = try reader.chunk(of: file, room: headCount).bytes
        guard isWanted(head[...]) else { return nil }
        try seek(file, to: 0)
      }
      let bytes = try reader.bytes(of: file, expected: size)
      return LoadedFile(bytes: bytes, identity: try self.status(file).identity)
    }
  }

  /// Reads a stream, such as standard input, to its end.
  ///
  /// - Parameter isWanted: called with the first bytes, at most 4096.
  /// - Returns: `nil` if `isWanted` rejects them.
  package func readStream(
    _ file: FileDescriptor, name: String, limit: Int,
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws(FileError) -> [UInt8]? {
    try readStream(file, name: name, after: [], isAtEnd: false, limit: limit, onlyIf: isWanted)
  }

  /// Reads the rest of a stream whose first bytes were read before.
  package func readStream(
    _ file: FileDescriptor, name: String, after start: [UInt8], isAtEnd: Bool, limit: Int,
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws(FileError) -> [UInt8]? {
    try FileReader.withPath(name) { () throws(FileError) in
      let reader = FileReader(fileSystem: self, path: name, limit: limit)
      var (head, isAtEnd) = (start, isAtEnd)
      if head.count < min(limit, FileHead.count), !isAtEnd {
        let more = try reader.chunk(of: file, room: min(limit, FileHead.count) - head.count)
        head += more.bytes
        isAtEnd = more.isAtEnd
      }
      guard isWanted(head.prefix(FileHead.count)) else { return nil }
      if isAtEnd { return head }
      return try reader.bytes(of: file, expected: 0, after: head)
    }
  }

  /// Reads some bytes of a stream; fewer only at its end.
  package func readSome(
    _ file: FileDescriptor, name: String, _ count: Int
  ) throws(FileError) -> [UInt8] {
    try FileReader.withPath(name) { () throws(FileError) in
      try FileReader(fileSystem: self, path: name, limit: count).chunk(of: file, room: count).bytes
    }
  }

  /// Whether a name exists, even a link that leads nowhere.
  package func exists(_ path: String) -> Bool {
    (try? status(path, in: nil)) != nil
  }

  /// The status of a path's target, through links.
  package func targetStatus(_ path: String) throws(FileError) -> FileStatus {
    try status(try realPath(path), in: nil)
  }
}

/// The beginning of a file.
package enum FileHead {
  /// The number of bytes that suffice to recognise a file.
  package static let count = 4096
}

/// Reads files to their end under a limit.
struct FileReader {
  var fileSystem: any FileSystem
  var path: String
  var limit: Int

  /// Adds the path to errors of calls that know only a descriptor.
  static func withPath<Result>(
    _ path: String, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      var named = error
      if named.path.isEmpty { named.path = path }
      throw named
    }
  }

  static func refuseUnlessRegular(_ status: FileStatus, _ path: String) throws(FileError) {
    let refusal: (FileError.Problem, Int32)? =
      switch status.kind {
      case .regular: nil
      case .directory: (.isDirectory, EISDIR)
      case .pipe: (.isPipe, EINVAL)
      case .socket: (.isSocket, EINVAL)
      case .device: (.isDevice, EINVAL)
      case .symbolicLink: (.system, ELOOP)
      }
    guard let (problem, number) = refusal else { return }
    throw FileError(call: "open", path: path, number: number, problem: problem)
  }

  /// Everything from the file's offset on, after the bytes read before; `expected` bytes are
  /// likely.
  func bytes(
    of file: FileDescriptor, expected: Int, after start: [UInt8] = []
  ) throws(FileError) -> [UInt8] {
    if expected > limit { throw tooLarge }
    var bytes = start
    var room = expected > 0 ? expected : min(limit, 65_536)
    while true {
      // One byte more than is likely, so that the end is noticed without growing.
      let chunk = try chunk(of: file, room: min(room, limit - bytes.count) + 1)
      if bytes.isEmpty { bytes = chunk.bytes } else { bytes.append(contentsOf: chunk.bytes) }
      if bytes.count > limit { throw tooLarge }
      if chunk.isAtEnd { return bytes }
      room = max(bytes.count, 65_536)
    }
  }

  private var tooLarge: FileError {
    FileError(call: "read", path: path, number: EFBIG, problem: .tooLarge(limit: limit))
  }

  /// Up to `room` bytes, in memory that is not cleared first.
  func chunk(
    of file: FileDescriptor, room: Int
  ) throws(FileError) -> (bytes: [UInt8], isAtEnd: Bool) {
    try refuseUnlessAvailable(room)
    var failure: FileError?
    var isAtEnd = false
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      while count < room, !isAtEnd {
        let rest = UnsafeMutableRawBufferPointer(buffer)[count...]
        do {
          let read = try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(rebasing: rest))
          isAtEnd = read == 0
          count += read
        } catch let error as FileError {
          failure = error
          return
        } catch {
          return
        }
      }
    }
    if let failure { throw failure }
    return (bytes, isAtEnd)
  }

  /// A failed array allocation ends the process; a large one is tried beforehand.
  private func refuseUnlessAvailable(_ room: Int) throws(FileError) {
    guard room > 16 << 20 else { return }
    guard let memory = malloc(room + 64) else {
      throw FileError(call: "malloc", path: path, number: ENOMEM)
    }
    free(memory)
  }
}
