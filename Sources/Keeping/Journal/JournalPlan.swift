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
  /// The versions that undo and redo find in the journal.
  let reach: JournalReach
  private(set) var frames = DocumentFrames()
  private let history: History<Document>
  private let basePlace: Int
  /// The first version after the base that has a step of its own; one step leads from the base to
  /// it.
  private let firstPlace: Int
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
    var file = start.isArchive && start.isBaseSaved ? start.identity : nil
    let source = file.map { BaseCopy(path: path, identity: $0) }
    if copiesFile, let file, let source, file.size > Self.wholeMax {
      if file.size <= Self.markMax { mark = source.contentDigest(folder.files) }
      if mark != nil || file.size > Self.markMax && source.isThere(folder.files) { copy = source }
    }

    // Half of the records that make a journal too long, or less: for the steps, and for the one
    // that leads to the first of them.
    let room =
      JournalLimits(
        documentCount: Int(clamping: file?.size ?? 0), isEmbedded: copy == nil
      ).recordMax / 4
    let present = history.past.count
    var place = start.basePlace
    var first = try Self.firstPlace(history, from: place, atMost: room, &frames)
    var isSaved = start.isBaseSaved
    if first > place,
      try file == nil || Self.stepCount(history, from: place, to: first, &frames) > room
    {
      // The records of all edits would be longer than the document.
      (place, first, isSaved) = (present, present, false)
      (file, copy, mark) = (nil, nil, nil)
    }
    basePlace = place
    firstPlace = max(first, place)
    reach = JournalReach(
      before: max(0, present - firstPlace),
      after: (place > present ? place : history.count - 1) - present)

    if copy != nil, let file {
      limits = JournalLimits(documentCount: Int(clamping: file.size), isEmbedded: false)
    } else {
      // A file that changed since it was read cannot be copied.
      let whole =
        copiesFile && file != nil ? source?.whole(folder.files, atMost: Self.wholeMax) : nil
      let bytes = try whole ?? DocumentFile.bytes(of: history[place].value)
      limits = JournalLimits(documentCount: bytes.count, isEmbedded: true)
      embedded = bytes
    }
    head = JournalHead(
      path: path, base: file.map { .file($0) } ?? .embedded(start.identity), isBaseSaved: isSaved,
      title: history[place].title, begun: now, process: process)
    past = firstPlace > place ? nil : JournalPast(history: history, place: min(place, present))
  }

  /// The earliest version, from the base on, from which the steps to the present one take at most
  /// some bytes.
  private static func firstPlace(
    _ history: History<Document>, from base: Int, atMost room: Int, _ frames: inout DocumentFrames
  ) throws -> Int {
    var count = 0
    var place = history.past.count
    while place > base {
      count += try stepCount(history, from: place - 1, to: place, &frames)
      if count > room { break }
      place -= 1
    }
    return place
  }

  /// The approximate number of bytes of a step.
  private static func stepCount(
    _ history: History<Document>, from former: Int, to place: Int, _ frames: inout DocumentFrames
  ) throws -> Int {
    try JournalFile.payloadCount(
      of: DocumentChange(from: history[former], to: history[place], frames: &frames))
  }

  /// Writes the records that make the journal complete: the base document, if need be, and the
  /// steps.
  mutating func write(to journal: inout JournalFile, time: Double) throws {
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
      try Self.appendPast(history, to: place, journal: &journal, &frames, time: time)
    }
    if basePlace > present {
      try journal.append(.undo, count: basePlace - present)
      try Self.appendDraft(of: history.present, to: &journal, time: time)
      return
    }
    if firstPlace > place {
      let title = CountText.text(firstPlace - place, "earlier edit", "earlier edits")
      let leap = JournalKeeper.leap(from: history[place], to: history[firstPlace], title: title)
      for move in leap { try journal.append(move, &frames, time: time) }
      place = firstPlace
    }
    while place + 1 < history.count {
      for move in JournalKeeper.moves(from: history[place], to: history[place + 1]) {
        try journal.append(move, &frames, time: time)
      }
      place += 1
    }
    if place > present { try journal.append(.undo, count: place - present) }
  }

  /// Records the draft of a version that was recorded without it.
  private static func appendDraft(
    of version: History<Document>.Version, to journal: inout JournalFile, time: Double
  ) throws {
    guard let draft = version.draft else { return }
    try journal.append(
      .draft,
      JournalDraft(title: version.title, time: time, isStep: false, from: nil, to: draft))
  }

  /// The bytes of a journal without its base document.
  func recordCount(of journal: JournalFile) -> Int { journal.count - (embedded?.count ?? 0) }

  /// Records a version by its difference from the one after it.
  static func appendPast(
    _ history: History<Document>, to place: Int, journal: inout JournalFile,
    _ frames: inout DocumentFrames, time: Double
  ) throws {
    let version = history[place]
    let change = try DocumentChange(from: history[place + 1], to: version, frames: &frames)
    try journal.append(.past, JournalStep(title: version.title, time: time, change: change))
  }
}

/// The versions before the journal's base, recorded backwards while there is room.
struct JournalPast: Sendable {
  private let history: History<Document>
  /// The oldest recorded version.
  private var place: Int
  private var frames = DocumentFrames()

  init(history: History<Document>, place: Int) {
    self.history = history
    self.place = place
  }

  /// Records one more version; returns whether it did.
  mutating func writeNext(
    to journal: inout JournalFile, limits: JournalLimits, time: Double
  ) throws -> Bool {
    guard place > 0, limits.haveRoom else { return false }
    try JournalPlan.appendPast(history, to: place - 1, journal: &journal, &frames, time: time)
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
  /// Whether so much was copied since the last synchronisation that one is due.
  private(set) var isSyncDue = false

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
    isSyncDue = false
    if count > 0 {
      let bytes = Array(buffer[..<count])
      try journal.appendBase(bytes[...], offset: offset)
      bytes.withUnsafeBytes { hash.update($0) }
      let former = offset
      offset += count
      isSyncDue = former / Self.syncCount != offset / Self.syncCount
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
