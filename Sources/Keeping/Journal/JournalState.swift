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
    /// A synchronisation to run beside further records.
    var synchronization: PendingSynchronization?
  }

  private let folder: JournalFolder
  private let process: Int
  private let now: @Sendable () -> Double
  private var orders: [Order] = []
  private var journal: OpenJournal?
  /// The journal that replaces it as soon as it is on the disk. Until then both record all edits,
  /// so that none waits for the disk.
  private var successor: OpenJournal?
  /// The number of the synchronisation under way, and of all.
  private var synchronizing: Int?
  private var synchronizationCount = 0
  /// Whether a pause before a synchronisation is under way, and whether one is over.
  private var isSyncAwaited = false
  private var isSyncDue = false
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

  /// Whether something is being brought to the disk.
  var isSynchronizing: Bool { synchronizing != nil }

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
    dropSuccessor()
    journal?.leave()
    journal = nil
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
        try finish(&outcome)
      } else {
        try workAhead(&outcome)
        synchronizeWhenDue(&outcome)
      }
    } catch {
      fail(error, &outcome)
    }
    return outcome
  }

  /// Copies one more piece of the base document; synchronises when it is complete.
  mutating func copyOn() -> Outcome {
    var outcome = Outcome()
    do {
      try journal?.copyNext()
      outcome.hasMore = journal?.isCopying == true
      if !outcome.hasMore || journal?.isCopyToBeSynchronized == true { try journal?.synchronize() }
    } catch {
      fail(error, &outcome)
    }
    askForHistoryIfWanted(&outcome)
    return outcome
  }

  private mutating func carryOut(_ order: Order, _ outcome: inout Outcome) throws {
    switch order {
    case .begin(let start): try begin(start, &outcome)
    case .adopt(let left, let reach):
      dropSuccessor()
      journal?.leave()
      journal = OpenJournal(left, reach, in: folder.files)
      hasAskedForHistory = false
      askForHistoryIfWanted(&outcome)
      outcome.reports.append(.begun(path: left.file.path))
    case .move(let move):
      try record(&outcome) { journal, time throws in try journal.write(move, time: time) }
    case .saving: try record(&outcome) { journal, _ throws in try journal.writeSaving() }
    case .end:
      // A journal that cannot be removed holds nothing that the document lacks.
      dropSuccessor()
      journal?.remove()
      journal = nil
      failure = nil
      hasAskedForHistory = false
      isFileGone = false
      outcome.endCount += 1
    }
  }

  /// Writes to the journal and its successor.
  private mutating func record(
    _ outcome: inout Outcome, _ body: (inout OpenJournal, Double) throws -> Void
  ) throws {
    let time = now()
    defer { askForHistoryIfWanted(&outcome) }
    if var present = journal {
      defer { journal = present }
      try body(&present, time)
    }
    guard var next = successor else { return }
    do {
      try body(&next, time)
      successor = next
    } catch {
      // The journal has the record; the successor is begun again.
      dropSuccessor()
      journal?.requireHistory()
    }
  }

  /// Asks for the history once, where the journal should be written anew and is not yet.
  private mutating func askForHistoryIfWanted(_ outcome: inout Outcome) {
    guard successor == nil, let journal, journal.wantsHistory else { return }
    if journal.isFileGone { isFileGone = true }
    if !hasAskedForHistory { outcome.wantsHistory = true }
    hasAskedForHistory = true
  }

  /// Copies the base document and records earlier versions, a piece at a time.
  private mutating func workAhead(_ outcome: inout Outcome) throws {
    guard successor == nil, !isSynchronizing else { return }
    let time = now()
    outcome.hasMore = try journal?.workAhead(time: time) == true
    askForHistoryIfWanted(&outcome)
    if journal?.isCopyToBeSynchronized == true {
      synchronize(&outcome)
      outcome.hasMore = false
    }
  }

  private mutating func fail(_ error: any Error, _ outcome: inout Outcome) {
    let text = (error as? FileError).map { "\($0.what) (\($0.path))" } ?? "\(error)"
    if failure != text { outcome.reports.append(.failing(text)) }
    failure = text
    isRetryAwaited = true
    outcome.pause = .retry
  }

  // MARK: The disk

  private mutating func synchronizeWhenDue(_ outcome: inout Outcome) {
    guard successor == nil, !isSynchronizing, !outcome.hasMore, !isSyncAwaited,
      journal?.isToBeSynchronized == true
    else { return }
    if isSyncDue { return synchronize(&outcome) }
    isSyncDue = true
    isSyncAwaited = true
    outcome.pause = .sync
  }

  /// Begins to bring the journal, or its successor, to the disk.
  private mutating func synchronize(_ outcome: inout Outcome) {
    guard let file = (successor ?? journal)?.file else { return }
    isSyncDue = false
    synchronizationCount += 1
    synchronizing = synchronizationCount
    // The name of a successor is none to be found by.
    let withName = file.isNameLoose && (successor == nil || !isReplacing)
    outcome.synchronization = PendingSynchronization(
      number: synchronizationCount, work: file.synchronization(withName: withName), time: now())
  }

  /// Takes note of the end of a synchronisation.
  mutating func synchronizationEnded(
    _ ended: PendingSynchronization, _ error: FileError?
  ) -> Outcome {
    var outcome = Outcome()
    // A journal that was ended meanwhile needs none.
    guard synchronizing == ended.number else { return outcome }
    synchronizing = nil
    do {
      if let error { throw error }
      if successor != nil {
        successor?.note(ended.work)
        try succeed(&outcome)
        // Its name follows at once.
        isSyncDue = true
      } else {
        journal?.note(ended.work)
        failure = nil
        outcome.reports.append(.written(ended.time))
      }
    } catch {
      if successor == nil, let error = error as? FileError { journal?.distrust(error) }
      dropSuccessor()
      journal?.requireHistory()
      askForHistoryIfWanted(&outcome)
      fail(error, &outcome)
    }
    return outcome
  }

  /// Brings all to the disk, at once.
  private mutating func finish(_ outcome: inout Outcome) throws {
    if successor != nil {
      do {
        try successor?.synchronize()
        try succeed(&outcome)
      } catch {
        dropSuccessor()
        journal?.requireHistory()
        askForHistoryIfWanted(&outcome)
      }
    }
    synchronizing = nil
    outcome.synchronization = nil
    try journal?.synchronize()
    outcome.hasMore = journal?.isCopying == true
  }

  // MARK: Beginning

  /// Whether the successor is of the journal's name, and not of another document's.
  private var isReplacing: Bool {
    guard let journal, let successor else { return false }
    return folder.isSuccessor(successor.file, of: journal.file)
  }

  private mutating func begin(
    _ start: JournalWriter.Start, _ outcome: inout Outcome
  ) throws {
    dropSuccessor()
    journal?.stopWorkAhead()
    var plan = try JournalPlan(
      start, process: process, now: now(), in: folder, copiesFile: !isFileGone)
    // The document of another name is not looked for in a journal of this name.
    let former = journal.flatMap { folder.isName($0.file.path, of: plan.head.path) ? $0.file : nil }
    var file =
      try former.map { try folder.createSuccessor(of: $0, plan.head) } ?? folder.create(plan.head)
    do {
      try plan.write(to: &file, time: now())
    } catch {
      try? file.remove()
      throw error
    }
    hasAskedForHistory = false
    let begun = OpenJournal(
      file, plan, present: start.history.present, in: folder.files)
    if journal == nil {
      journal = begun
      outcome.reports.append(.begun(path: file.path))
    } else {
      // It must be complete on the disk before it replaces the former journal.
      successor = begun
      synchronize(&outcome)
    }
  }

  /// Puts the successor in the journal's place.
  private mutating func succeed(_ outcome: inout Outcome) throws {
    guard var next = successor, let former = journal else { return }
    try next.succeed(former, in: folder)
    journal = next
    successor = nil
    outcome.reports.append(.begun(path: next.file.path))
    askForHistoryIfWanted(&outcome)
  }

  private mutating func dropSuccessor() {
    successor?.remove()
    successor = nil
    synchronizing = nil
  }
}

/// A synchronisation that runs beside the writing of records.
struct PendingSynchronization: Sendable {
  let number: Int
  let work: JournalSynchronization
  /// When it began, in seconds since 1970.
  let time: Double
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
