import Dispatch
package import PortolanFiles

/// A document's file as last read or written: the base of a journal.
package struct FileBase: Hashable, Sendable {
  package var identity: FileIdentity
  /// Whether it is an archive, which may be copied in the document's place.
  package var isArchive: Bool

  package init(identity: FileIdentity, isArchive: Bool) {
    self.identity = identity
    self.isArchive = isArchive
  }
}

/// The journals of the open documents: a keeper and a writer for each.
package struct JournalSet: Sendable {
  private let makeWriter: @Sendable (_ document: Int) -> JournalWriter
  private let base: @Sendable (String) -> FileBase?
  private var keepers: [Int: JournalKeeper] = [:]
  /// Writers of closed documents, until they have removed their journals.
  private var retired: [JournalWriter] = []

  /// - Parameters:
  ///   - base: returns the file at a path as last read or written, if it was.
  ///   - report: called on the writers' threads, with the document in question.
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

  /// Appends the edits made since the last call to the journals of the open documents, and ends the
  /// journals of documents that were closed.
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

  /// Ends all journals: unsaved edits are discarded. Journals of saves that the disk did not
  /// confirm stay.
  package mutating func end() {
    for id in keepers.keys { retire(id) }
  }

  private mutating func retire(_ id: Int) {
    guard let keeper = keepers.removeValue(forKey: id) else { return }
    // The next open finds a save that a power cut undid.
    if keeper.isSaveConfirmed {
      keeper.writer.end()
    } else {
      _ = keeper.writer.startFinishing(by: .now() + 5, closes: true)
    }
    retired.removeAll { $0.isDone }
    retired.append(keeper.writer)
  }

  /// Notes that a save of a document begins, so that its journal is recognised afterwards as saved.
  package func noteSaving(_ id: Int) { keepers[id]?.writer.noteSaving() }

  /// Waits until all edits are on the disk, but not longer than some seconds for all together, and
  /// releases the journals: nothing is written or begun after that.
  ///
  /// - Returns: whether all edits are on the disk.
  @discardableResult
  package func close(atMost seconds: Double) -> Bool {
    let deadline = DispatchTime.now() + seconds
    let closing = (retired + keepers.values.map(\.writer)).map {
      $0.startFinishing(by: deadline, closes: true)
    }
    return closing.reduce(true) { $1.isDone(by: deadline) && $0 }
  }
}
