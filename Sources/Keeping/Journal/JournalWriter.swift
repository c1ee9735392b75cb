import Dispatch
package import PortolanDocuments
package import PortolanFiles
import Synchronization

/// Writes the journal of the document that is edited, on a thread of its own.
///
/// The editor hands over values and goes on; what differs between them is found, coded and written
/// here. A record is written as soon as its edit is made and is on the disk within a second. What
/// cannot be written is kept and tried again every second.
package final class JournalWriter: Sendable {
  /// What a journal begins with.
  package struct Start: Sendable {
    /// The document's path, or that of the data it came from, as it was given; empty for none.
    package var path: String
    /// The version of the document file that `basePlace` stands in; `nil` if none does.
    package var identity: FileIdentity?
    /// Whether that file is an archive, which may be copied in the document's place.
    package var isArchive: Bool
    package var history: History<Document>
    /// The version in the history that the journal begins with.
    package var basePlace: Int
    /// Whether that one is not edited.
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

  /// What was done to the history.
  package enum Move: Sendable {
    case step(title: String, from: Document, to: Document)
    /// What was put into a draft: as a step of its own, or beside the step before it.
    case draft(title: String, isStep: Bool, from: Draft?, to: Draft?)
    case undo(Int)
    case redo(Int)
  }

  /// What the writer has to say.
  package enum Report: Hashable, Sendable {
    /// All is on the disk, at this time in seconds since 1970.
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
  private let state: Mutex<JournalState>
  private let needsHistory = Atomic<Bool>(false)
  /// The ends of journals that were asked for, and those that are done.
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

  /// Whether the journal should be written anew out of the whole history: it has grown too long,
  /// or its file is not to be trusted any more.
  package var wantsHistory: Bool { needsHistory.load(ordering: .relaxed) }

  /// Whether every journal that was ended is gone.
  var isDone: Bool { doneEnds.load(ordering: .acquiring) == orderedEnds.load(ordering: .relaxed) }

  /// Begins a journal, or writes the present one anew.
  package func begin(_ start: Start) {
    needsHistory.store(false, ordering: .relaxed)
    enqueue { $0.order(.begin(start)) }
  }

  /// Goes on with a journal that was left.
  package func adopt(_ left: LeftJournal) { enqueue { $0.order(.adopt(left)) } }

  package func add(_ moves: [Move]) {
    enqueue { state in
      for move in moves { state.order(.move(move)) }
    }
  }

  /// Notes that a save begins, so that a journal of what was saved is known for that.
  package func noteSaving() { enqueue { $0.order(.saving) } }

  /// Ends the journal: its document was saved or given up.
  package func end() {
    needsHistory.store(false, ordering: .relaxed)
    orderedEnds.add(1, ordering: .relaxed)
    enqueue { $0.order(.end) }
  }

  /// Waits, but not longer than some seconds, until all is on the disk; the journal stays.
  ///
  /// - Returns: Whether it is.
  @discardableResult
  package func finish(atMost seconds: Double) -> Bool { finish(atMost: seconds, closes: false) }

  /// Does as `finish`, and lets go of the journal: nothing is written or begun after that.
  ///
  /// A journal that was ended before is gone for good then, whatever still waited.
  @discardableResult
  package func close(atMost seconds: Double) -> Bool { finish(atMost: seconds, closes: true) }

  private func finish(atMost seconds: Double, closes: Bool) -> Bool {
    let deadline = DispatchTime.now() + seconds
    return startFinishing(by: deadline, closes: closes).wait(timeout: deadline) == .success
  }

  /// Begins to finish or to close; returns what is signalled when all is on the disk.
  func startFinishing(by deadline: DispatchTime, closes: Bool) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      var outcome = state.withLock { $0.work(finishing: true) }
      // The edits are on the disk by now; what they begin with comes behind them.
      while outcome.hasMore, outcome.pause == nil, DispatchTime.now() < deadline {
        tell(outcome)
        outcome = state.withLock { $0.copyOn() }
      }
      tell(outcome)
      if closes { state.withLock { $0.close() } } else { seeTo(outcome) }
      done.signal()
    }
    return done
  }

  /// Waits until what was ordered is done; for tests and the end of the program.
  package func drain() { queue.sync {} }

  private func enqueue(_ body: @escaping @Sendable (inout JournalState) -> Void) {
    queue.async { [self] in
      state.withLock { body(&$0) }
      work()
    }
  }

  /// Writes what waits, and sees to what comes later.
  private func work() {
    let outcome = state.withLock { $0.work(finishing: false) }
    tell(outcome)
    seeTo(outcome)
  }

  /// Has what is left done later.
  private func seeTo(_ outcome: JournalState.Outcome) {
    if outcome.hasMore { queue.async { [self] in work() } }
    guard let pause = outcome.pause else { return }
    let seconds = pause == .sync ? Pause.beforeSync : Pause.beforeRetry
    queue.asyncAfter(deadline: .now() + seconds) { [self] in
      state.withLock { $0.pauseIsOver(pause) }
      work()
    }
  }

  private func tell(_ outcome: JournalState.Outcome) {
    doneEnds.add(outcome.endCount, ordering: .releasing)
    if outcome.wantsHistory { needsHistory.store(true, ordering: .relaxed) }
    for message in outcome.reports { report(message) }
  }
}
