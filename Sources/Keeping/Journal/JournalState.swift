import PortolanDocuments
import PortolanFiles

/// What the journal's writer has to do, has done, and waits for; it works without a thread.
struct JournalState: Sendable {
  enum Order: Sendable {
    case begin(JournalWriter.Start)
    case adopt(LeftJournal)
    case move(JournalWriter.Move)
    case saving
    case end
  }

  enum Pause: Hashable, Sendable { case sync, retry }

  /// What comes of working.
  struct Outcome {
    var reports: [JournalWriter.Report] = []
    var wantsHistory = false
    /// How many journals were ended.
    var endCount = 0
    /// Work that gives way to orders is left.
    var hasMore = false
    /// What to wait for before working again.
    var pause: Pause?
  }

  private let folder: JournalFolder
  private let process: Int
  private let now: @Sendable () -> Double
  private var orders: [Order] = []
  private var file: JournalFile?
  private var limits = JournalLimits(documentCount: 0, isEmbedded: false)
  /// The first document, as far as it still has to be copied into the journal.
  private var copy: BaseCopy?
  /// Versions from before that still have to be told.
  private var past: JournalPast?
  private var isSyncAwaited = false
  private var isRetryAwaited = false
  private var failure: String?
  private var hasAskedForHistory = false
  /// Whether the document's file could not be copied: the document itself has to be written then.
  private var isFileGone = false
  /// Whether nothing is to be written any more.
  private var isClosed = false

  init(folder: JournalFolder, process: Int, now: @escaping @Sendable () -> Double) {
    self.folder = folder
    self.process = process
    self.now = now
  }

  /// Takes an order in.
  ///
  /// The end of a journal does not wait for what could not be written to it: that is given up too.
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

  /// Lets go of the journal, which stays as it is.
  mutating func close() {
    isClosed = true
    orders = []
    stopCopy()
    past = nil
    file?.leave()
    file = nil
  }

  mutating func pauseIsOver(_ pause: Pause) {
    if pause == .sync { isSyncAwaited = false } else { isRetryAwaited = false }
  }

  /// Does what there is to do, as long as nobody waits for it.
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

  /// Copies one piece more of the first document, and brings it to the disk when it is whole.
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
    case .adopt(let left):
      file?.leave()
      file = left.file
      stopCopy()
      past = nil
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
      // One that cannot be removed tells nothing that the document does not hold.
      try? file?.remove()
      file = nil
      stopCopy()
      past = nil
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
    try file.append(move, time: now())
    limits.recordCount += file.count - former
    if limits.areExceeded { askForHistory(&outcome) }
  }

  private mutating func askForHistory(_ outcome: inout Outcome) {
    if !hasAskedForHistory { outcome.wantsHistory = true }
    hasAskedForHistory = true
  }

  /// Copies the first document and tells earlier versions, a piece at a time.
  private mutating func workAhead(_ outcome: inout Outcome) throws {
    if copy != nil {
      try copyNext(&outcome)
      outcome.hasMore = true
    } else if past != nil, var file {
      defer { self.file = file }
      let time = now()
      if try past?.writeNext(to: &file, limits: &limits, time: time) != true { past = nil }
      outcome.hasMore = true
    }
  }

  /// Copies a piece of the first document; a file that is another one by now is given up, and the
  /// document written in its place when the history is at hand.
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
      // What the disk has refused once is lost, whatever it says the next time.
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
    let plan = try JournalPlan(
      start, process: process, now: now(), in: folder, copiesFile: !isFileGone)
    // The document of another name is not found in a journal of this one's.
    let former = file.flatMap { folder.isName($0.path, of: plan.head.path) ? $0 : nil }
    var journal =
      try former.map { try folder.createSuccessor(of: $0, plan.head) }
      ?? folder.create(plan.head)
    do {
      try plan.write(to: &journal, time: now())
      // A successor must stand for itself before it takes the place of what it replaces.
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
    hasAskedForHistory = false
    outcome.reports.append(.begun(path: journal.path))
    // From here on it is the journal, whatever fails: begun once more, another takes its place.
    if former != nil { try file?.synchronize() }
  }
}

/// How long a journal may grow: the journal and the first document in it together at most twice the
/// document and a mebibyte, even while one journal takes the place of another.
struct JournalLimits: Sendable {
  /// The document's size as a file.
  let documentCount: Int
  let isEmbedded: Bool
  /// The bytes of records since the first document.
  var recordCount = 0

  private static let leastCount = 512 << 10

  private var recordMax: Int {
    isEmbedded ? Self.leastCount : max(Self.leastCount, documentCount / 2)
  }

  init(documentCount: Int, isEmbedded: Bool) {
    self.documentCount = documentCount
    self.isEmbedded = isEmbedded
  }

  var areExceeded: Bool { recordCount > recordMax }
  /// Whether there is room for versions from before: they may fill half of what there is.
  var haveRoom: Bool { recordCount < recordMax / 2 }
}
