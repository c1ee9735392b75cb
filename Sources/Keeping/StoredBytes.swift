package import PortolanFiles
import PropertyLists

/// Which files are read in parts.
package struct PartialReading: Hashable, Sendable {
  /// Smaller files are read whole, in bytes.
  package var countMin: Int
  /// Smaller files of which all is needed are read into memory first, in bytes.
  package var wholeCountMin = 1 << 24
  /// Larger documents that are edited are opened before their coordinates are read, in bytes.
  package var laterCountMin = 1 << 27
  /// Files that were written later than so long ago are read whole, in nanoseconds: another write
  /// may have what the system takes for the same time.
  package var settlingTime: Int64 = 100_000_000

  /// Smaller archives are read whole where they are inspected, in bytes.
  package var inspectedCountMin = 1 << 28

  /// How many bytes of a text are read at once.
  package var pieceCount = 1 << 20

  package init(countMin: Int = 1 << 20) { self.countMin = countMin }
}

/// The bytes of a file that is read in parts, of one version of it.
package final class StoredBytes: SharedSource {
  private let files: any FileSystem
  private let file: FileDescriptor
  private let status: FileStatus

  /// Opens a file; `nil` if it is to be read whole, or cannot be opened.
  package init?(_ path: String, in files: any FileSystem, _ limits: PartialReading) {
    guard let file = try? files.open(path, in: nil, .read) else { return nil }
    let age = { (status: FileStatus) in
      files.time - max(status.identity.modified, status.changed)
    }
    guard let status = try? files.status(file), status.kind == .regular,
      status.identity.size >= limits.countMin, Int(exactly: status.identity.size) != nil,
      age(status) >= limits.settlingTime
    else {
      try? files.close(file)
      return nil
    }
    (self.files, self.file, self.status) = (files, file, status)
  }

  deinit { try? files.close(file) }

  var identity: FileIdentity { status.identity }
  package var byteCount: Int { Int(status.identity.size) }

  /// The first bytes, at most `FileHead.count`.
  package func head() throws -> [UInt8] {
    var head = [UInt8](repeating: 0, count: min(FileHead.count, byteCount))
    try head.withUnsafeMutableBytes { try read(at: 0, into: $0) }
    return head
  }

  package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < target.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
      let count = try files.read(file, into: rest, at: Int64(offset + done))
      guard count > 0 else { throw Changed() }
      done += count
    }
  }

  package func checkUnchanged() throws {
    let now = try files.status(file)
    guard now.identity == status.identity, now.changed == status.changed else { throw Changed() }
  }

  /// The same, but the file may have been renamed or removed meanwhile.
  func checkContent() throws {
    guard try files.status(file).identity == status.identity else { throw Changed() }
  }

  /// The file was written, or cut off, since it was opened.
  package struct Changed: Error, CustomStringConvertible {
    package var description: String { "was changed by another program while it was read" }
  }
}
