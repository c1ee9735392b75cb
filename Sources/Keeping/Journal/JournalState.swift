import PortolanDocuments
import PortolanFiles

/// The pending orders, the progress and the pauses of a journal's writer; it works without a
/// thread.
struct JournalState: Sendable {
  enum Order: Sendable {
    case begin(JournalWriter.Start)
    case adopt(LeftJournal, JournalReach)
    case move(JournalWriter.Move)
    case saving
    case end
  }

  enum Pause: Hashable, Sendable { case sync, retry }

  /// The result of a round of work.
  struct Outcome {
    var reports: [JournalWriter.Report] = []
    var wantsHistory = false
    /// The number of journals ended.
    var endCount = 0
    /// Whether background work is left, which gives way to orders.
    var hasMore = false
    /// The pause before the next round.
    var pause: Pause?
  }

  private let folder: JournalFolder
  private let process: Int
  private let now: @Sendable () -> Double
  private var orders: [Order] = []
  private var file: JournalFile?
  private var limits = JournalLimits(documentCount: 0, isEmbedded: false)
  /// The versions that undo and redo find in the journal.
  private var reach = JournalReach()
  /// The version that the journal leads to; `nil` if that is only in the journal.
  private var present: History<Document>.Version?
  private var frames = DocumentFrames()
  /// The copy of the base document into the journal, while it is not complete.
  private var copy: BaseCopy?
  /// Earlier versions that are still to be recorded.
  private var past: JournalPast?
  private var isSyncAwaited = false
  private var isRetryAwaited = false
  private var failure: String?
  private var hasAskedForHistory = false
  /// Whether the document's file could not be copied: the document itself has to be written then.
  private var isFileGone = false
  /// Whether the writer is closed.
  private var isClosed = false

  init(folder: JournalFolder, process: Int, now: @escaping @Sendable () -> Double) {
    self.folder = folder
    self.process = process
    self.now = now
  }

  /// Adds an order.
  ///
  /// An order to end does not wait for records that could not be written: they are dropped.
  mutating func order(_ order: Order) {
    if isClosed { return }
    if case .end = order {
      orders.removeAll { order in
        switch order {
        case .begin, .move, .saving: true
        case .adopt, .end: false
        }
      }
      isRetryAwaited = false
    }
    orders.append(order)
  }

  /// Releases the journal and leaves it as it is.
  mutating func close() {
    isClosed = true
    orders = []
    stopCopy()
    past = nil
    present = nil
    file?.leave()
    file = nil
  }

  mutating func pauseIsOver(_ pause: Pause) {
    if pause == .sync { isSyncAwaited = false } else { isRetryAwaited = false }
  }

  /// Does the pending work, until an order waits.
  mutating func work(finishing: Bool) -> Outcome {
    var outcome = Outcome()
    if isClosed || isRetryAwaited && !finishing { return outcome }
    do {
      var done = 0
      defer { orders.removeFirst(done) }
      for order in orders {
        try carryOut(order, &outcome)
        done += 1
      }
      if finishing {
        try file?.synchronize()
        outcome.hasMore = copy != nil
        return outcome
      }
      try workAhead(&outcome)
      try synchronizeWhenDue(&outcome)
    } catch {
      fail(error, &outcome)
    }
    return outcome
  }

  /// Copies one more piece of the base document; synchronises when it is complete.
  mutating func copyOn() -> Outcome {
    var outcome = Outcome()
    do {
      try copyNext(&outcome)
      outcome.hasMore = copy != nil
      if copy == nil { try file?.synchronize() }
    } catch {
      fail(error, &outcome)
    }
    return outcome
  }

  private mutating func carryOut(_ order: Order, _ outcome: inout Outcome) throws {
    switch order {
    case .begin(let start): try begin(start, &outcome)
    case .adopt(let left, let reach):
      file?.leave()
      file = left.file
      stopCopy()
      past = nil
      present = nil
      frames = DocumentFrames()
      self.reach = reach
      limits = JournalLimits(
        documentCount: left.journal.base?.count ?? left.file.count,
        isEmbedded: left.journal.head.isEmbedded
          || (left.journal.base?.count ?? 0) <= JournalPlan.wholeMax)
      limits.recordCount = 0
      hasAskedForHistory = false
      if left.isToBeWrittenAnew { askForHistory(&outcome) }
      outcome.reports.append(.begun(path: left.file.path))
    case .move(let move): try write(move, &outcome)
    case .saving: try file?.appendSaving()
    case .end:
      // A journal that cannot be removed holds nothing that the document lacks.
      try? file?.remove()
      file = nil
      stopCopy()
      past = nil
      present = nil
      failure = nil
      hasAskedForHistory = false
      isFileGone = false
      outcome.endCount += 1
    }
  }

  private mutating func write(
    _ move: JournalWriter.Move, _ outcome: inout Outcome
  ) throws {
    guard var file else { return }
    let former = file.count
    defer { self.file = file }
    switch move {
    case .go(let count, let version) where !reach.leads(by: count):
      try leap(to: version, &file, &outcome)
    case .go(let count, let version):
      try file.append(move, &frames, time: now())
      reach.go(by: count)
      present = version
    case .step(_, _, let version):
      try file.append(move, &frames, time: now())
      reach.addStep()
      present = version
    case .draft(_, let isStep, _, _):
      try file.append(move, &frames, time: now())
      if isStep { reach.addStep() }
    }
    limits.recordCount += file.count - former
    if limits.areExceeded { askForHistory(&outcome) }
  }

  /// Records a version to which neither undo nor redo leads in the journal, as a step.
  private mutating func leap(
    to version: History<Document>.Version, _ file: inout JournalFile, _ outcome: inout Outcome
  ) throws {
    guard let present else { return askForHistory(&outcome) }
    do {
      for move in JournalKeeper.leap(
        from: present, to: version, title: version.title, isKnown: false)
      {
        try file.append(move, &frames, time: now())
      }
    } catch {
      // Half of it may be written.
      askForHistory(&outcome)
      throw error
    }
    self.present = version
    reach = JournalReach()
    past = nil
  }

  private mutating func askForHistory(_ outcome: inout Outcome) {
    if !hasAskedForHistory { outcome.wantsHistory = true }
    hasAskedForHistory = true
  }

  /// Copies the base document and records earlier versions, a piece at a time.
  private mutating func workAhead(_ outcome: inout Outcome) throws {
    if copy != nil {
      try copyNext(&outcome)
      outcome.hasMore = true
    } else if past != nil, var file {
      defer { self.file = file }
      let time = now()
      if try past?.writeNext(to: &file, limits: &limits, time: time) == true {
        reach.before += 1
      } else {
        past = nil
      }
      outcome.hasMore = true
    }
  }

  /// Copies a piece of the base document; for a file that has changed, the document is written
  /// instead when the history is at hand.
  private mutating func copyNext(_ outcome: inout Outcome) throws {
    guard var file else { return stopCopy() }
    defer { self.file = file }
    let files = folder.files
    if try copy?.copyNext(to: &file, files: files) == true { return }
    if copy?.isWhole == false {
      isFileGone = true
      askForHistory(&outcome)
    }
    copy = nil
  }

  private mutating func stopCopy() {
    let files = folder.files
    copy?.close(files)
    copy = nil
  }

  private mutating func synchronizeWhenDue(_ outcome: inout Outcome) throws {
    guard file?.isDirty == true else { return }
    if outcome.hasMore { return }
    if isSyncAwaited { return }
    if !isSyncDue {
      isSyncDue = true
      isSyncAwaited = true
      outcome.pause = .sync
      return
    }
    isSyncDue = false
    do {
      try file?.synchronize()
    } catch {
      // A write that the disk refused once counts as lost, whatever a later one returns.
      askForHistory(&outcome)
      throw error
    }
    failure = nil
    outcome.reports.append(.written(now()))
  }

  /// Whether the pause before a synchronisation is over.
  private var isSyncDue = false

  private mutating func fail(_ error: any Error, _ outcome: inout Outcome) {
    let text = (error as? FileError).map { "\($0.what) (\($0.path))" } ?? "\(error)"
    if failure != text { outcome.reports.append(.failing(text)) }
    failure = text
    isRetryAwaited = true
    outcome.pause = .retry
  }

  // MARK: Beginning

  private mutating func begin(
    _ start: JournalWriter.Start, _ outcome: inout Outcome
  ) throws {
    stopCopy()
    past = nil
    var plan = try JournalPlan(
      start, process: process, now: now(), in: folder, copiesFile: !isFileGone)
    // The document of another name is not looked for in a journal of this name.
    let former = file.flatMap { folder.isName($0.path, of: plan.head.path) ? $0 : nil }
    var journal =
      try former.map { try folder.createSuccessor(of: $0, plan.head) }
      ?? folder.create(plan.head)
    do {
      try plan.write(to: &journal, time: now())
      // A successor must be complete before it replaces the former journal.
      if let former {
        try journal.replace(former)
      } else if let other = file {
        try journal.synchronize()
        try? other.remove()
      }
    } catch {
      try? journal.remove()
      throw error
    }
    file = journal
    limits = plan.limits
    limits.recordCount = plan.recordCount(of: journal)
    past = plan.past
    copy = plan.copy
    reach = plan.reach
    present = start.history.present
    frames = plan.frames
    hasAskedForHistory = false
    outcome.reports.append(.begun(path: journal.path))
    // From here on it is the journal, whatever fails: a further attempt replaces it.
    if former != nil { try file?.synchronize() }
  }
}

/// How many versions before and after the present one a journal holds.
package struct JournalReach: Sendable {
  var before: Int
  var after: Int

  package init(before: Int = 0, after: Int = 0) {
    self.before = before
    self.after = after
  }

  /// Whether undo (below 0) or redo of so many versions stays within them.
  func leads(by count: Int) -> Bool { count < 0 ? count >= -before : count <= after }

  mutating func go(by count: Int) {
    before += count
    after -= count
  }

  mutating func addStep() {
    before += 1
    after = 0
  }
}

/// The limit of a journal's growth: with its base document at most twice the document and a
/// mebibyte, even while one journal replaces another.
struct JournalLimits: Sendable {
  /// The document's size as a file.
  let documentCount: Int
  let isEmbedded: Bool
  /// The bytes of records since the base document.
  var recordCount = 0

  private static let leastCount = 512 << 10

  var recordMax: Int {
    isEmbedded ? Self.leastCount : max(Self.leastCount, documentCount / 2)
  }

  init(documentCount: Int, isEmbedded: Bool) {
    self.documentCount = documentCount
    self.isEmbedded = isEmbedded
  }

  var areExceeded: Bool { recordCount > recordMax }
  /// Whether there is room for earlier versions: they may fill half of the limit.
  var haveRoom: Bool { recordCount < recordMax / 2 }
}
