import PortolanDocuments
import PortolanFiles

/// A journal that edits are appended to, and what it has of the history.
struct OpenJournal: Sendable {
  private(set) var file: JournalFile
  private let files: any FileSystem
  private var limits: JournalLimits
  /// The versions that undo and redo find in the journal.
  private var reach: JournalReach
  /// The version that the journal leads to; `nil` if that is only in the journal.
  private var present: History<Document>.Version?
  private var frames = DocumentFrames()
  /// The copy of the base document into the journal, while it is not complete.
  private var copy: BaseCopy?
  /// Earlier versions that are still to be recorded.
  private var past: JournalPast?
  /// Whether it lacks a version, or its base document.
  private var isIncomplete = false
  /// Whether the document's file could not be copied: the document itself has to be written then.
  private(set) var isFileGone = false
  /// Why its synchronisation failed: what the disk refused once counts as lost, whatever a later
  /// synchronisation returns.
  private var refusal: FileError?

  /// A journal begun as planned.
  init(
    _ file: JournalFile, _ plan: JournalPlan, present: History<Document>.Version,
    in files: any FileSystem
  ) {
    self.file = file
    self.files = files
    limits = plan.limits
    limits.recordCount = plan.recordCount(of: file)
    past = plan.past
    copy = plan.copy
    reach = plan.reach
    self.present = present
    frames = plan.frames
  }

  /// A left journal that is continued.
  init(_ left: LeftJournal, _ reach: JournalReach, in files: any FileSystem) {
    file = left.file
    self.files = files
    self.reach = reach
    limits = JournalLimits(
      documentCount: left.journal.base?.count ?? left.file.count,
      isEmbedded: left.journal.head.isEmbedded
        || (left.journal.base?.count ?? 0) <= JournalPlan.wholeMax)
    isIncomplete = left.isToBeWrittenAnew
  }

  /// Whether it should be written anew from the whole history.
  var wantsHistory: Bool { isIncomplete || limits.areExceeded }

  /// Whether the copy of the base document is not complete.
  var isCopying: Bool { copy != nil }

  /// Whether so much was copied that it should be brought to the disk.
  var isCopyToBeSynchronized: Bool { copy?.isSyncDue == true }

  // MARK: Records

  /// - Throws: after a part of a move was written, the journal wants the history.
  mutating func write(_ move: JournalWriter.Move, time: Double) throws {
    let former = file.count
    defer { limits.recordCount += file.count - former }
    switch move {
    case .go(let count, let version) where !reach.leads(by: count):
      try leap(to: version, time: time)
    case .go(let count, let version):
      try file.append(move, &frames, time: time)
      reach.go(by: count)
      present = version
    case .step(_, _, let version):
      try file.append(move, &frames, time: time)
      reach.addStep()
      present = version
    case .draft(_, let isStep, _, _):
      try file.append(move, &frames, time: time)
      if isStep { reach.addStep() }
    }
  }

  /// Records a version to which neither undo nor redo leads in the journal, as a step.
  private mutating func leap(to version: History<Document>.Version, time: Double) throws {
    guard let present else {
      isIncomplete = true
      return
    }
    do {
      let moves = JournalKeeper.leap(
        from: present, to: version, title: version.title, isKnown: false)
      for move in moves { try file.append(move, &frames, time: time) }
    } catch {
      // Half of it may be written.
      isIncomplete = true
      throw error
    }
    self.present = version
    reach = JournalReach()
    past = nil
  }

  mutating func writeSaving() throws { try file.appendSaving() }

  // MARK: Work ahead

  /// Copies a piece of the base document, or records an earlier version; returns whether it did.
  mutating func workAhead(time: Double) throws -> Bool {
    if copy != nil {
      try copyNext()
    } else if past != nil {
      let former = file.count
      defer { limits.recordCount += file.count - former }
      if try past?.writeNext(to: &file, limits: limits, time: time) == true {
        reach.before += 1
      } else {
        past = nil
      }
    } else {
      return false
    }
    return true
  }

  /// Copies a piece of the base document. Where the file has changed, the journal wants the
  /// history, to hold the document itself.
  mutating func copyNext() throws {
    guard var next = copy else { return }
    let isLeft: Bool
    do {
      isLeft = try next.copyNext(to: &file, files: files)
    } catch {
      copy = next
      throw error
    }
    copy = isLeft ? next : nil
    if !isLeft, !next.isWhole {
      isFileGone = true
      isIncomplete = true
    }
  }

  mutating func stopWorkAhead() {
    if var copy { copy.close(files) }
    copy = nil
    past = nil
  }

  // MARK: The disk

  /// Whether records are to be brought to the disk, and can be.
  var isToBeSynchronized: Bool { file.isDirty && refusal == nil }

  /// - Throws: the error of an earlier synchronisation, too; it is never just repeated.
  mutating func synchronize() throws(FileError) {
    if let refusal { throw refusal }
    do {
      try file.synchronize()
    } catch {
      distrust(error)
      throw error
    }
  }

  mutating func note(_ done: JournalSynchronization) { file.note(done) }

  /// Notes that the disk refused it: it has to be written anew.
  mutating func distrust(_ error: FileError) {
    isIncomplete = true
    refusal = error
  }

  /// Has it written anew from the whole history.
  mutating func requireHistory() { isIncomplete = true }

  // MARK: Ends

  /// Takes the place of another journal, which ends. What that one has on the disk, it has there.
  mutating func succeed(_ former: OpenJournal, in folder: JournalFolder) throws(FileError) {
    if folder.isSuccessor(file, of: former.file) {
      try file.takePlace(of: former.file)
    } else {
      try? former.file.remove()
    }
  }

  /// Removes the journal, if that is possible.
  mutating func remove() {
    stopWorkAhead()
    try? file.remove()
  }

  /// Releases the journal and leaves it as it is.
  mutating func leave() {
    stopWorkAhead()
    file.leave()
  }
}
