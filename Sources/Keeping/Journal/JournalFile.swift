package import Archiving
import PortolanDocuments
package import PortolanFiles

/// A journal that is open to be appended to; the kernel's lock on it says that it is in use.
///
/// A record that was not written whole is cut off again, so that the next one finds the journal
/// sound. All files are created for us alone, under names that nobody can have put there.
package struct JournalFile: Sendable {
  package private(set) var path: String
  /// The number of sound bytes.
  package private(set) var count: Int
  private let files: any FileSystem
  private let file: FileDescriptor
  private var sequence: UInt64
  /// The number of writes, and of those among them that are on the disk.
  private var writeCount = 1
  private var keptCount = 0
  /// Whether the folder's names may not be on the disk yet.
  private(set) var isNameLoose: Bool
  /// The number of folders around the journal's folder whose names may not be there either.
  private var outerFolderCount: Int
  /// Whether there may be bytes after the sound ones.
  private var hasLooseEnd = false

  /// Begins a journal under a new name, locked.
  ///
  /// - Parameter outerFolderCount: the number of folders around the journal's folder that may be
  ///   new.
  /// - Throws: `FileError`, after removing the files it made.
  package static func create(
    at path: String, head: JournalHead, outerFolderCount: Int = 0, in files: any FileSystem
  ) throws -> JournalFile {
    let file = try files.open(path, in: nil, .createNew)
    do {
      guard try files.lock(file) else {
        throw FileError.inUse(path)
      }
      var journal = JournalFile(
        path: path, count: 0, files: files, file: file, sequence: 0,
        outerFolderCount: outerFolderCount)
      try journal.write(JournalRecord.preamble)
      try journal.append(.head, head)
      return journal
    } catch {
      try? files.remove(path, in: nil)
      try? files.close(file)
      throw error
    }
  }

  /// Opens and locks a left journal; `nil` if its writer is still alive.
  ///
  /// - Throws: `FileError`, also where it is not ours or no file.
  package static func adopt(
    _ path: String, in files: any FileSystem
  ) throws(FileError) -> (file: JournalFile, bytes: [UInt8])? {
    let named = try files.status(path, in: nil)
    guard named.kind == .regular, named.owner == files.user else {
      throw FileError.notOurs(path)
    }
    let file = try files.open(path, in: nil, .readWrite)
    do throws(FileError) {
      let opened = try files.status(file).identity
      guard opened.inode == named.identity.inode, opened.device == named.identity.device else {
        throw FileError.notOurs(path)
      }
      guard try files.lock(file) else {
        try files.close(file)
        return nil
      }
      // Its writer may have replaced it meanwhile.
      guard try files.status(path, in: nil).identity.inode == opened.inode else {
        try files.close(file)
        return nil
      }
      var bytes: [UInt8] = []
      try files.append(from: file, path: path, to: &bytes)
      let journal = JournalFile(
        path: path, count: bytes.count, files: files, file: file, sequence: 0,
        outerFolderCount: 0)
      return (journal, bytes)
    } catch {
      try? files.close(file)
      throw error
    }
  }

  /// Continues an adopted journal after its sound part.
  package mutating func resume(_ journal: Journal) {
    count = journal.soundCount
    sequence = journal.nextSequence
    hasLooseEnd = journal.isTorn
  }

  private init(
    path: String, count: Int, files: any FileSystem, file: FileDescriptor, sequence: UInt64,
    outerFolderCount: Int
  ) {
    self.path = path
    self.count = count
    self.files = files
    self.file = file
    self.sequence = sequence
    isNameLoose = true
    self.outerFolderCount = outerFolderCount
  }

  /// Whether something was written since the last synchronisation.
  var isDirty: Bool { writeCount != keptCount || isNameLoose }

  // MARK: Records

  /// Appends the record of an object.
  package mutating func append(_ kind: JournalRecord.Kind, _ object: some Coding) throws {
    let (coding, payload) = try JournalCoding.encode(object)
    try append(kind, coding, payload)
  }

  /// Appends the record of a move in the history.
  mutating func append(
    _ move: JournalWriter.Move, _ frames: inout DocumentFrames, time: Double
  ) throws {
    switch move {
    case .step(let title, let from, let to):
      let change = try DocumentChange(from: from, to: to, frames: &frames)
      try append(.step, JournalStep(title: title, time: time, change: change))
    case .draft(let title, let isStep, let from, let to):
      try append(
        .draft, JournalDraft(title: title, time: time, isStep: isStep, from: from, to: to))
    case .go(let count, _):
      try append(count < 0 ? .undo : .redo, count: Int(clamping: count.magnitude))
    }
  }

  /// The number of payload bytes of an object.
  package static func payloadCount(of object: some Coding) throws -> Int {
    try JournalCoding.encode(object).payload.count
  }

  /// Appends the number of versions undone or redone.
  package mutating func append(_ kind: JournalRecord.Kind, count: Int) throws {
    var payload: [UInt8] = []
    payload.append(number: UInt32(clamping: count))
    try append(kind, .plain, payload)
  }

  /// Appends a part of the base document.
  package mutating func appendBase(_ bytes: ArraySlice<UInt8>, offset: Int) throws {
    var payload: [UInt8] = []
    payload.reserveCapacity(8 + bytes.count)
    payload.append(number: UInt64(offset))
    payload += bytes
    try append(.basePart, .plain, payload)
  }

  /// Appends that the base document is complete.
  package mutating func appendBaseEnd(total: Int, digest: [UInt8]) throws {
    var payload: [UInt8] = []
    payload.append(number: UInt64(total))
    try append(.baseEnd, .plain, payload + digest)
  }

  /// Appends the mark of the base document's content.
  package mutating func appendBaseMark(total: UInt64, digest: String) throws {
    var payload: [UInt8] = []
    payload.append(number: total)
    try append(.baseMark, .plain, payload + Array(digest.utf8))
  }

  /// Appends that a save is under way.
  package mutating func appendSaving() throws { try append(.saving, .plain, []) }

  private mutating func append(
    _ kind: JournalRecord.Kind, _ coding: JournalRecord.Coding, _ payload: [UInt8]
  ) throws {
    guard payload.count <= Int(UInt32.max) - JournalRecord.headCount else {
      throw FileError.tooLarge(path, limit: Int(UInt32.max), call: "write")
    }
    try write(JournalRecord.bytes(kind, coding, sequence: sequence, payload: payload))
    sequence += 1
  }

  private mutating func write(_ bytes: [UInt8]) throws(FileError) {
    writeCount += 1
    do throws(FileError) {
      if hasLooseEnd {
        try files.truncate(file, to: Int64(count))
        hasLooseEnd = false
      }
      try files.seek(file, to: Int64(count))
      var failure: FileError?
      bytes.withUnsafeBytes { buffer in
        do throws(FileError) {
          try files.writeAll(file, buffer)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      count += bytes.count
    } catch {
      hasLooseEnd = true
      // Best now, while the offset is known; else before the next record.
      if (try? files.truncate(file, to: Int64(count))) != nil { hasLooseEnd = false }
      throw named(error)
    }
  }

  // MARK: The disk

  /// Brings all records, and the journal's name, to the disk.
  package mutating func synchronize() throws(FileError) {
    guard isDirty else { return }
    let all = synchronization(withName: isNameLoose)
    try all.run()
    note(all)
  }

  /// What brings the records so far to the disk, also on another thread while more are written.
  ///
  /// - Parameter withName: whether the journal's name is brought there too.
  func synchronization(withName: Bool) -> JournalSynchronization {
    JournalSynchronization(
      path: path, folderCount: withName ? 1 + outerFolderCount : 0, writeCount: writeCount,
      files: files, file: file)
  }

  /// Notes that a synchronisation was successful.
  mutating func note(_ done: JournalSynchronization) {
    keptCount = max(keptCount, done.writeCount)
    if done.folderCount > 0, done.path == path { (isNameLoose, outerFolderCount) = (false, 0) }
  }

  private func named(_ error: FileError) -> FileError {
    var named = error
    if named.path.isEmpty { named.path = path }
    return named
  }

  // MARK: Ends

  /// Replaces another journal by this one, after bringing this one to the disk.
  ///
  /// The new name is not on the disk before the next synchronisation. When this throws, both
  /// journals are as they were.
  package mutating func replace(_ former: JournalFile) throws(FileError) {
    try synchronize()
    try takePlace(of: former)
  }

  /// Replaces another journal by this one, which is on the disk up to what the other one has there.
  mutating func takePlace(of former: JournalFile) throws(FileError) {
    let folder = try files.open(FilePath.folder(of: path), in: nil, .directory)
    defer { try? files.close(folder) }
    try files.rename(
      FilePath.name(of: path), to: FilePath.name(of: former.path), in: folder, .replace)
    path = former.path
    isNameLoose = true
    outerFolderCount = former.outerFolderCount
    try? files.close(former.file)
  }

  /// Removes the journal: its document was saved, or its edits were discarded.
  package func remove() throws(FileError) {
    defer { try? files.close(file) }
    try files.remove(path, in: nil)
  }

  /// Releases the journal and leaves it in place.
  package func leave() { try? files.close(file) }
}

/// The bringing of a journal's records to the disk.
struct JournalSynchronization: Sendable {
  fileprivate let path: String
  /// The number of folders, from the journal's own one, that are brought there too.
  fileprivate let folderCount: Int
  fileprivate let writeCount: Int
  fileprivate let files: any FileSystem
  fileprivate let file: FileDescriptor

  func run() throws(FileError) {
    do throws(FileError) {
      try files.synchronize(file)
      var place = path
      for _ in 0..<folderCount where place != "/" && place != "." {
        place = FilePath.folder(of: place)
        let folder = try files.open(place, in: nil, .directory)
        defer { try? files.close(folder) }
        try files.synchronize(folder)
      }
    } catch {
      var named = error
      if named.path.isEmpty { named.path = path }
      throw named
    }
  }
}

extension FileSystem {
  /// Reads from a file's current offset to its end.
  fileprivate func append(
    from file: FileDescriptor, path: String, to bytes: inout [UInt8]
  ) throws(FileError) {
    let size = try status(file).identity.size
    guard size >= 0, size <= JournalFolder.byteLimit else {
      throw .tooLarge(path, limit: JournalFolder.byteLimit, call: "read")
    }
    bytes.reserveCapacity(Int(size))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while bytes.count <= JournalFolder.byteLimit {
      let count = try read(file, into: buffer)
      if count == 0 { return }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}
