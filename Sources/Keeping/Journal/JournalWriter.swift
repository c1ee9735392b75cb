import Dispatch
package import PortolanDocuments
package import PortolanFiles
import Synchronization

/// Writes the journal of an edited document, on a thread of its own.
///
/// The editor hands over values and goes on; the differences between them are found, coded and
/// written here. A record is written as soon as its edit is made and, where the disk is quick, is
/// on it within a second. No record waits for the disk: synchronisations run on a thread of their
/// own. A record that cannot be written is kept and tried again every second.
package final class JournalWriter: Sendable {
  /// The beginning of a journal.
  package struct Start: Sendable {
    /// The document's path, or that of its source, as it was given; empty for none.
    package var path: String
    /// The identity of the document file that holds the version at `basePlace`; `nil` if none does.
    package var identity: FileIdentity?
    /// Whether that file is an archive, which may be copied as the base document.
    package var isArchive: Bool
    package var history: History<Document>
    /// The place of the base version in the history.
    package var basePlace: Int
    /// Whether the base version is unedited.
    package var isBaseSaved: Bool

    package init(
      path: String, identity: FileIdentity?, isArchive: Bool = true, history: History<Document>,
      basePlace: Int, isBaseSaved: Bool
    ) {
      self.path = path
      self.identity = identity
      self.isArchive = isArchive
      self.history = history
      self.basePlace = basePlace
      self.isBaseSaved = isBaseSaved
    }
  }

  /// A move in the history.
  package enum Move: Sendable {
    case step(title: String, from: History<Document>.Version, to: History<Document>.Version)
    /// A change of a draft: as a step of its own, or beside the step before it.
    case draft(title: String, isStep: Bool, from: Draft?, to: Draft?)
    /// Undoes (below 0) or redoes so many versions, up to this one.
    case go(Int, to: History<Document>.Version)
  }

  /// A message of the writer.
  package enum Report: Hashable, Sendable {
    /// All records are on the disk, at this time in seconds since 1970.
    case written(Double)
    /// Nothing can be written; it is tried again.
    case failing(String)
    /// The journal has been begun.
    case begun(path: String)
  }

  /// Seconds from a record to the disk, and between tries.
  private enum Pause {
    static let beforeSync = 0.3
    static let beforeRetry = 1.0
  }

  private let queue = DispatchQueue(label: "portolan.journal", qos: .userInitiated)
  private let disk = DispatchQueue(label: "portolan.journal.disk", qos: .userInitiated)
  private let state: Mutex<JournalState>
  private let needsHistory = Atomic<Bool>(false)
  /// The number of ordered ends of journals, and of those done.
  private let orderedEnds = Atomic<Int>(0)
  private let doneEnds = Atomic<Int>(0)
  private let report: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - report: called on the writer's thread.
  package init(
    folder: JournalFolder, process: Int, now: @escaping @Sendable () -> Double,
    report: @escaping @Sendable (Report) -> Void
  ) {
    state = Mutex(JournalState(folder: folder, process: process, now: now))
    self.report = report
  }

  /// Whether the journal should be rewritten from the whole history: it has grown too long, or its
  /// file is no longer trusted.
  package var wantsHistory: Bool { needsHistory.load(ordering: .relaxed) }

  /// Whether every ended journal is removed.
  var isDone: Bool { doneEnds.load(ordering: .acquiring) == orderedEnds.load(ordering: .relaxed) }

  /// Begins a journal, or rewrites the present one.
  package func begin(_ start: Start) {
    needsHistory.store(false, ordering: .relaxed)
    enqueue { $0.order(.begin(start)) }
  }

  /// Continues a left journal.
  ///
  /// - Parameter reach: the versions that it leads to.
  package func adopt(_ left: LeftJournal, _ reach: JournalReach) {
    enqueue { $0.order(.adopt(left, reach)) }
  }

  package func add(_ moves: [Move]) {
    enqueue { state in
      for move in moves { state.order(.move(move)) }
    }
  }

  /// Notes that a save begins, so that the journal is recognised afterwards as saved.
  package func noteSaving() { enqueue { $0.order(.saving) } }

  /// Ends the journal: its document was saved or its edits were discarded.
  package func end() {
    needsHistory.store(false, ordering: .relaxed)
    orderedEnds.add(1, ordering: .relaxed)
    enqueue { $0.order(.end) }
  }

  /// Waits until all records are on the disk, but not longer than some seconds; the journal stays.
  ///
  /// - Returns: whether they are.
  @discardableResult
  package func finish(atMost seconds: Double) -> Bool { finish(atMost: seconds, closes: false) }

  /// Does as `finish`, and releases the journal: nothing is written or begun after that.
  ///
  /// An ended journal is removed for good then, whatever orders are pending.
  @discardableResult
  package func close(atMost seconds: Double) -> Bool { finish(atMost: seconds, closes: true) }

  private func finish(atMost seconds: Double, closes: Bool) -> Bool {
    let deadline = DispatchTime.now() + seconds
    return startFinishing(by: deadline, closes: closes).isDone(by: deadline)
  }

  /// The end of the writing of all records, or of the try.
  final class Finish: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let isDone = Atomic<Bool>(false)

    fileprivate func end(isDone: Bool) {
      self.isDone.store(isDone, ordering: .releasing)
      end.signal()
    }

    /// Waits for the end; returns whether all records are on the disk.
    func isDone(by deadline: DispatchTime) -> Bool {
      end.wait(timeout: deadline) == .success && isDone.load(ordering: .acquiring)
    }
  }

  /// Begins to finish or close.
  func startFinishing(by deadline: DispatchTime, closes: Bool) -> Finish {
    let finish = Finish()
    queue.async { [self] in
      var outcome = state.withLock { $0.work(finishing: true) }
      // The edits are on the disk by now; their base document follows.
      while outcome.hasMore, outcome.pause == nil, DispatchTime.now() < deadline {
        tell(outcome)
        outcome = state.withLock { $0.copyOn() }
      }
      tell(outcome)
      if closes { state.withLock { $0.close() } } else { seeTo(outcome) }
      finish.end(isDone: outcome.pause != .retry)
    }
    return finish
  }

  /// Waits until all orders are done, but not for the disk; for tests.
  package func drainRecords() { queue.sync {} }

  /// Waits until all orders are done, and the synchronisations that they began; for tests.
  package func drain() {
    repeat {
      drainRecords()
      disk.sync {}
    } while state.withLock { $0.isSynchronizing }
  }

  private func enqueue(_ body: @escaping @Sendable (inout JournalState) -> Void) {
    queue.async { [self] in
      state.withLock { body(&$0) }
      work()
    }
  }

  /// Writes pending records, and schedules later work.
  private func work() {
    let outcome = state.withLock { $0.work(finishing: false) }
    tell(outcome)
    seeTo(outcome)
  }

  /// Schedules the work that is left.
  private func seeTo(_ outcome: JournalState.Outcome) {
    if outcome.hasMore { queue.async { [self] in work() } }
    if let pending = outcome.synchronization {
      disk.async { [self] in synchronize(pending) }
    }
    guard let pause = outcome.pause else { return }
    let seconds = pause == .sync ? Pause.beforeSync : Pause.beforeRetry
    queue.asyncAfter(deadline: .now() + seconds) { [self] in
      state.withLock { $0.pauseIsOver(pause) }
      work()
    }
  }

  /// Brings records to the disk while others are written.
  private func synchronize(_ pending: PendingSynchronization) {
    var failure: FileError?
    do throws(FileError) { try pending.work.run() } catch { failure = error }
    queue.async { [self, failure] in
      let outcome = state.withLock { $0.synchronizationEnded(pending, failure) }
      tell(outcome)
      seeTo(outcome)
      work()
    }
  }

  private func tell(_ outcome: JournalState.Outcome) {
    doneEnds.add(outcome.endCount, ordering: .releasing)
    if outcome.wantsHistory { needsHistory.store(true, ordering: .relaxed) }
    for message in outcome.reports { report(message) }
  }
}
