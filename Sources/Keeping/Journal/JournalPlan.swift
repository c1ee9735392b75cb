import PortolanDocuments
import PortolanFiles

/// How to begin a journal: its base document, and the records to write at once.
struct JournalPlan {
  let head: JournalHead
  private(set) var limits: JournalLimits
  private(set) var copy: BaseCopy?
  /// The digest of the file that is copied later.
  private var mark: ContentDigest?
  private(set) var past: JournalPast?
  private let history: History<Document>
  private let basePlace: Int
  /// The base document, where it has to be in the journal from the beginning.
  private var embedded: [UInt8]?

  private static let partCount = 1 << 20
  /// Base documents of at most so many bytes are written before the first edit: that takes an
  /// unnoticeable time, and leaves none in which the file may change.
  static let wholeMax = 8 << 20
  /// Files of at most so many bytes are digested before the first edit is written: a quarter of a
  /// second at most.
  private static let markMax: Int64 = 256 << 20

  /// - Parameter copiesFile: whether the document's file may be copied; if not, the document is
  ///   encoded anew.
  init(
    _ start: JournalWriter.Start, process: Int, now: Double, in folder: JournalFolder,
    copiesFile: Bool
  ) throws {
    history = start.history
    let path = start.path.isEmpty ? "" : folder.files.knownPath(of: start.path)
    let base: JournalHead.Base
    var place = start.basePlace
    var isSaved = start.isBaseSaved
    let room = max(256 << 10, Int(clamping: start.identity?.size ?? 0) / 4)
    let fits = try Self.changeCount(start, atMost: room) <= room
    if let identity = start.identity, start.isArchive, isSaved, fits {
      base = .file(identity)
      let copy = BaseCopy(path: path, identity: identity)
      let isLarge = copiesFile && identity.size > Self.wholeMax
      let isMarked = isLarge && identity.size <= Self.markMax
      let mark = isMarked ? copy.contentDigest(folder.files) : nil
      if isLarge, isMarked ? mark != nil : copy.isThere(folder.files) {
        limits = JournalLimits(documentCount: Int(clamping: identity.size), isEmbedded: false)
        self.copy = copy
        self.mark = mark
      } else {
        // A file that changed since it was read cannot be copied.
        let whole = copiesFile ? copy.whole(folder.files, atMost: Self.wholeMax) : nil
        let bytes = try whole ?? DocumentFile.bytes(of: start.history[place].value)
        limits = JournalLimits(documentCount: bytes.count, isEmbedded: true)
        embedded = bytes
      }
    } else {
      // There is no file of it, or the records of all edits would be longer than the document.
      if !fits {
        isSaved = isSaved && place == start.history.past.count
        place = start.history.past.count
      }
      base = .embedded(start.identity)
      let bytes = try DocumentFile.bytes(of: start.history[place].value)
      limits = JournalLimits(documentCount: bytes.count, isEmbedded: true)
      embedded = bytes
    }
    basePlace = place
    head = JournalHead(
      path: path, base: base, isBaseSaved: isSaved, title: history[place].title, begun: now,
      process: process)
    past = JournalPast(history: history, place: min(place, history.past.count))
  }

  /// The approximate number of bytes of the steps from the base to the present, up to a limit.
  private static func changeCount(
    _ start: JournalWriter.Start, atMost most: Int
  ) throws -> Int {
    var count = 0
    var place = start.basePlace
    while place < start.history.past.count, count <= most {
      let change = try DocumentChange(
        from: start.history[place].value, to: start.history[place + 1].value)
      count += try JournalFile.payloadCount(of: change)
      place += 1
    }
    return count
  }

  /// Writes the records that make the journal complete: the base document, if need be, and all
  /// steps.
  func write(to journal: inout JournalFile, time: Double) throws {
    if let mark { try journal.appendBaseMark(total: mark.count, digest: mark.text) }
    if let embedded {
      var offset = 0
      while offset < embedded.count {
        let end = min(offset + Self.partCount, embedded.count)
        try journal.appendBase(embedded[offset..<end], offset: offset)
        offset = end
      }
      try journal.appendBaseEnd(total: embedded.count, digest: SHA256.digest(of: embedded))
    }
    let present = history.past.count
    var place = basePlace
    try Self.appendDraft(of: history[basePlace], to: &journal, time: time)
    while place > present {
      place -= 1
      try Self.append(.past, history, from: place + 1, to: place, journal: &journal, time: time)
    }
    if basePlace > present {
      try journal.append(.undo, count: basePlace - present)
      try Self.appendDraft(of: history.present, to: &journal, time: time)
      return
    }
    while place + 1 < history.count {
      try Self.append(.step, history, from: place, to: place + 1, journal: &journal, time: time)
      place += 1
    }
    if place > present { try journal.append(.undo, count: place - present) }
  }

  /// Records the draft of a version that was recorded without it.
  private static func appendDraft(
    of version: History<Document>.Version, to journal: inout JournalFile, time: Double
  ) throws {
    guard let draft = version.draft else { return }
    let title = version.title
    try journal.append(.draft(title: title, isStep: false, from: nil, to: draft), time: time)
  }

  /// The bytes of a journal without its base document.
  func recordCount(of journal: JournalFile) -> Int { journal.count - (embedded?.count ?? 0) }

  static func append(
    _ kind: JournalRecord.Kind, _ history: History<Document>, from former: Int, to place: Int,
    journal: inout JournalFile, time: Double
  ) throws {
    let (from, to) = (history[former], history[place])
    if kind == .step {
      for move in JournalKeeper.moves(from: from, to: to) {
        try journal.append(move, time: time)
      }
      return
    }
    let change = try DocumentChange(from: from.value, to: to.value)
    try journal.append(kind, JournalStep(title: to.title, time: time, change: change))
  }
}

/// The versions before the journal's base, recorded backwards while there is room.
struct JournalPast: Sendable {
  private let history: History<Document>
  /// The oldest recorded version.
  private var place: Int

  init(history: History<Document>, place: Int) {
    self.history = history
    self.place = place
  }

  /// Records one more version; returns whether one is left.
  mutating func writeNext(
    to journal: inout JournalFile, limits: inout JournalLimits, time: Double
  ) throws -> Bool {
    guard place > 0, limits.haveRoom else { return false }
    let former = journal.count
    try JournalPlan.append(
      .past, history, from: place, to: place - 1, journal: &journal, time: time)
    limits.recordCount += journal.count - former
    place -= 1
    return true
  }
}

/// The copying of a document file into its journal, so that the work can be recovered even if the
/// file is changed or lost.
struct BaseCopy: Sendable {
  private let path: String
  private let identity: FileIdentity
  private var file: FileDescriptor?
  private var offset = 0
  private var hash = SHA256()
  /// Whether all of the file is in the journal.
  private(set) var isWhole = false

  private static let partCount = 1 << 20
  /// A synchronisation follows each so many bytes, so that no edit waits long for one.
  private static let syncCount = 4 << 20

  init(path: String, identity: FileIdentity) {
    self.path = path
    self.identity = identity
  }

  /// Whether the file is still the version that was read.
  func isThere(_ files: any FileSystem) -> Bool {
    (try? files.status(path, in: nil).identity) == identity
  }

  /// All of the file, if it is the version that was read and not too long.
  func whole(_ files: any FileSystem, atMost limit: Int) -> [UInt8]? {
    guard identity.size <= limit, isThere(files),
      let loaded = try? files.load(path, limit: limit), loaded.identity == identity
    else { return nil }
    return loaded.bytes
  }

  /// The digest of the file; `nil` if it is not the version that was read.
  ///
  /// - Complexity: O(bytes): some 60 ms for 64 MiB.
  func contentDigest(_ files: any FileSystem) -> ContentDigest? {
    guard let file = try? files.open(path, in: nil, .read) else { return nil }
    defer { try? files.close(file) }
    guard isUnchanged(files, file) else { return nil }
    var digest = ContentDigest()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partCount, alignment: 16)
    defer { buffer.deallocate() }
    while let count = try? files.read(file, into: buffer), count > 0 {
      digest.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    let isWhole = Int64(clamping: digest.count) == identity.size
    return isWhole && isUnchanged(files, file) ? digest : nil
  }

  /// Copies a piece; returns whether one is left. The copy of a file that changed is abandoned.
  mutating func copyNext(
    to journal: inout JournalFile, files: any FileSystem
  ) throws -> Bool {
    guard let source = open(files) else { return false }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partCount, alignment: 16)
    defer { buffer.deallocate() }
    // A piece that could not be written is read once more.
    guard (try? files.seek(source, to: Int64(offset))) != nil,
      let count = try? files.read(source, into: buffer), isUnchanged(files, source)
    else {
      close(files)
      return false
    }
    if count > 0 {
      let bytes = Array(buffer[..<count])
      try journal.appendBase(bytes[...], offset: offset)
      bytes.withUnsafeBytes { hash.update($0) }
      let former = offset
      offset += count
      if former / Self.syncCount != offset / Self.syncCount { try journal.synchronize() }
      return true
    }
    if Int64(offset) == identity.size {
      try journal.appendBaseEnd(total: offset, digest: hash.digest())
      isWhole = true
    }
    close(files)
    return false
  }

  mutating func close(_ files: any FileSystem) {
    if let file { try? files.close(file) }
    file = nil
  }

  private mutating func open(_ files: any FileSystem) -> FileDescriptor? {
    if let file { return file }
    guard let opened = try? files.open(path, in: nil, .read) else { return nil }
    file = opened
    if isUnchanged(files, opened) { return opened }
    close(files)
    return nil
  }

  private func isUnchanged(_ files: any FileSystem, _ file: FileDescriptor) -> Bool {
    (try? files.status(file).identity) == identity
  }
}
