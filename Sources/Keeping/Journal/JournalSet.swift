import Dispatch
package import PortolanFiles

/// A document's file as it was read or written last, for a journal to begin with.
package struct FileBase: Hashable, Sendable {
  package var identity: FileIdentity
  /// Whether it is an archive, which may be copied in the document's place.
  package var isArchive: Bool

  package init(identity: FileIdentity, isArchive: Bool) {
    self.identity = identity
    self.isArchive = isArchive
  }
}

/// The journals of the documents that are open: a keeper and a writer for each.
package struct JournalSet: Sendable {
  private let makeWriter: @Sendable (_ document: Int) -> JournalWriter
  private let base: @Sendable (String) -> FileBase?
  private var keepers: [Int: JournalKeeper] = [:]
  /// Writers of documents that were closed, until they have removed their journals.
  private var retired: [JournalWriter] = []

  /// - Parameters:
  ///   - base: the file at a path as it was read or written last, if it was.
  ///   - report: called on the threads of writers, with the document that it is about.
  package init(
    folder: JournalFolder, process: Int, now: @escaping @Sendable () -> Double,
    base: @escaping @Sendable (String) -> FileBase?,
    report: @escaping @Sendable (_ document: Int, JournalWriter.Report) -> Void
  ) {
    self.base = base
    makeWriter = { document in
      JournalWriter(folder: folder, process: process, now: now) { report(document, $0) }
    }
  }

  /// Has written what was done since the last time to the documents that are open; the journals of
  /// those that are no longer are ended.
  ///
  /// - Complexity: O(documents) while nothing was edited.
  package mutating func observe(_ documents: [JournaledDocument]) {
    for document in documents {
      let writer = { [makeWriter] in makeWriter(document.id) }
      keepers[document.id, default: JournalKeeper(writer: writer())].observe(document, base: base)
    }
    guard keepers.count > documents.count else { return }
    let open = Set(documents.map(\.id))
    for id in keepers.keys where !open.contains(id) { retire(id) }
  }

  /// Ends all journals: what was not saved is given up. Those of saves that the disk did not
  /// confirm stay.
  package mutating func end() {
    for id in keepers.keys { retire(id) }
  }

  private mutating func retire(_ id: Int) {
    guard let keeper = keepers.removeValue(forKey: id) else { return }
    // What a power cut may still take back is found by the next open.
    if keeper.isSaveConfirmed { keeper.writer.end() }
    retired.removeAll { $0.isDone }
    retired.append(keeper.writer)
  }

  /// Notes that a save of a document begins, so that a journal of what was saved is known for that.
  package func noteSaving(_ id: Int) { keepers[id]?.writer.noteSaving() }

  /// Waits, but for all together not longer than some seconds, until all edits are on the disk, and
  /// lets go of the journals: nothing is written or begun after that.
  ///
  /// - Returns: Whether they are.
  @discardableResult
  package func close(atMost seconds: Double) -> Bool {
    let deadline = DispatchTime.now() + seconds
    let closing = (retired + keepers.values.map(\.writer)).map {
      $0.startFinishing(by: deadline, closes: true)
    }
    return closing.reduce(true) { $1.wait(timeout: deadline) == .success && $0 }
  }
}
