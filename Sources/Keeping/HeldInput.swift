import PortolanFiles
import Synchronization

/// What was read of standard input before it was known what it is: it is read only once.
struct HeldInput: Sendable {
  /// The first bytes.
  var bytes: [UInt8] = []
  /// Whether there are no more.
  var isAtEnd = false
  /// The folder of a file with all of it, where it is too large for memory.
  var folder: ScratchFolder?

  static let fileName = "input"
  /// How many bytes of the disk are left to others.
  static let freeMin = 64 << 20
}

extension DocumentStore {
  /// The bytes of a file that is read in parts, of one version of it.
  ///
  /// Standard input is put into a temporary file first, where it is larger than that.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - limits: smaller files, and those just written, are read whole.
  ///   - goesOn: called while standard input is read; it is given up where that is false.
  ///   - isWanted: called with the first bytes, at most `FileHead.count`.
  /// - Returns: `nil` for what is to be read whole, or cannot be opened.
  package func parts(
    of path: String, _ limits: PartialReading, while goesOn: () -> Bool = { true },
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(StoreError) -> StoredBytes? {
    if path == "-" {
      do throws(FileError) {
        guard let path = try holdInput(limits, while: goesOn, onlyIf: isWanted) else { return nil }
        var limits = limits
        limits.settlingTime = 0
        return StoredBytes(path, in: RealFileSystem(), limits)
      } catch {
        throw StoreError(.reading(error), path)
      }
    }
    guard let source = StoredBytes(path, in: files, limits), let head = try? source.head(),
      isWanted(head[...]), settleInterrupted(path).isEmpty
    else { return nil }
    return source
  }

  /// Reads standard input, up to a number of bytes into memory, else all of it into a file.
  ///
  /// - Returns: the path of the file.
  private func holdInput(
    _ limits: PartialReading, while goesOn: () -> Bool,
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(FileError) -> String? {
    var held = input.withLock { $0 }
    if held.folder != nil { return nil }
    defer { input.withLock { $0 = held } }
    var isRefused = false
    while !held.isAtEnd, held.bytes.count < limits.countMin, !isRefused {
      try readMore(&held, FileHead.count)
      isRefused = !isWanted(held.bytes.prefix(FileHead.count))
      if !isRefused { try readMore(&held, limits.countMin - held.bytes.count) }
    }
    if held.isAtEnd || isRefused { return nil }
    let folder = try ScratchFolder()
    let path = folder.file(HeldInput.fileName)
    let scratch = RealFileSystem()
    let file = try scratch.open(path, in: nil, .createNew)
    defer { try? scratch.close(file) }
    while true {
      var failure: FileError?
      held.bytes.withUnsafeBytes { bytes in
        do throws(FileError) { try scratch.writeAll(file, bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      if held.isAtEnd { break }
      if folder.freeCount < HeldInput.freeMin { throw FileError.full(folder.path) }
      guard goesOn() else { return nil }
      held.bytes.removeAll(keepingCapacity: true)
      try readMore(&held, 1 << 20)
    }
    held = HeldInput(isAtEnd: true, folder: folder)
    return path
  }

  private func readMore(_ held: inout HeldInput, _ count: Int) throws(FileError) {
    guard count > 0 else { return }
    let more = try files.readSome(.standardInput, name: "standard input", count)
    held.bytes += more
    held.isAtEnd = more.count < count
  }

  /// All of standard input.
  func readInput(
    onlyIf isWanted: (ArraySlice<UInt8>) -> Bool
  ) throws(FileError) -> [UInt8]? {
    let held = input.withLock { input in
      defer { input = HeldInput() }
      return input
    }
    if let folder = held.folder {
      let path = folder.file(HeldInput.fileName)
      return try RealFileSystem().load(path, limit: Self.bytesMax, onlyIf: isWanted)?.bytes
    }
    return try files.readStream(
      .standardInput, name: "standard input", after: held.bytes, isAtEnd: held.isAtEnd,
      limit: Self.bytesMax, onlyIf: isWanted)
  }
}
