import Documents
import Files
import Interchange

/// Watches a session and has its edits journalled: what to write when.
///
/// The history is compared by the numbers of its versions, so that undo, redo, scripts and strokes
/// need no word of their own.
struct JournalKeeper {
  private let writer: JournalWriter
  /// The document that is watched.
  private var documentNumber = 0
  /// The serials of the versions that the journal knows, and where it stands among them.
  private var timeline: [Int] = []
  private var position = 0
  private var isOpen = false
  /// The version that stood in the file when the journal was begun.
  private var savedRevision: Int?
  private var path = ""

  init(writer: JournalWriter) { self.writer = writer }

  /// Has what was done since the last time written.
  ///
  /// - Parameter identity: which version of a file stands at a path, as far as that is known.
  /// - Complexity: O(1) while nothing was edited; O(log versions + new versions) after an edit.
  mutating func observe(_ session: Session, identity: (String) -> FileIdentity?) {
    if session.documentNumber != documentNumber { take(session) }
    let history = session.history
    guard isOpen || session.isEdited else { return }
    // What a power cut may still take back ends no journal, and is nothing to begin one with.
    let isSaved = history.savedRevision != savedRevision && session.isSaveConfirmed
    let isNewBase = isSaved || !FilePath.isSame(session.journalPath, path)
    if isOpen, isNewBase, !session.isEdited, session.isSaveConfirmed {
      writer.end()
      isOpen = false
    } else if !isOpen || isNewBase || writer.wantsHistory {
      begin(session, identity)
    } else {
      move(history)
    }
  }

  /// Ends the journal of what was given up or saved.
  mutating func end() {
    if isOpen { writer.end() }
    isOpen = false
  }

  /// Another document is open now, or one was recovered.
  private mutating func take(_ session: Session) {
    documentNumber = session.documentNumber
    if isOpen { writer.end() }
    isOpen = false
    guard let left = session.recovered else { return }
    writer.adopt(left)
    isOpen = true
    remember(session)
  }

  private mutating func begin(_ session: Session, _ identity: (String) -> FileIdentity?) {
    let history = session.history
    let saved = history.savedRevision.flatMap { history.place(ofRevision: $0) }
    writer.begin(
      JournalWriter.Start(
        path: session.journalPath, identity: session.filePath.flatMap { identity($0) },
        history: history, basePlace: saved ?? 0, isBaseSaved: saved != nil))
    isOpen = true
    remember(session)
  }

  private mutating func remember(_ session: Session) {
    let history = session.history
    timeline = (0..<history.count).map { history[$0].serial }
    position = history.past.count
    savedRevision = history.savedRevision
    path = session.journalPath
  }

  /// Tells how the history came to be what it is.
  private mutating func move(_ history: History<Document>) {
    if history.present.serial == timeline[position], history.past.count == position,
      history.count == timeline.count
    {
      return
    }
    let shared = sharedCount(with: history)
    var moves: [JournalWriter.Move] = []
    if shared < history.count, shared > 0 {
      moves += go(to: shared - 1)
      timeline.removeSubrange(shared...)
      for place in shared..<history.count {
        moves.append(
          .step(
            title: history[place].title, from: history[place - 1].value,
            to: history[place].value))
        timeline.append(history[place].serial)
      }
      position = history.count - 1
    }
    moves += go(to: history.past.count)
    writer.add(moves)
  }

  /// How many versions, from the oldest, the journal knows as they are.
  ///
  /// Below a version that both have stand the same ones, so that halving finds the last of them.
  private func sharedCount(with history: History<Document>) -> Int {
    var low = 0
    var high = min(timeline.count, history.count)
    while low < high {
      let middle = (low + high) / 2
      if timeline[middle] == history[middle].serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Undoes or redoes up to a place.
  private mutating func go(to place: Int) -> [JournalWriter.Move] {
    defer { position = place }
    if place < position { return [.undo(position - place)] }
    return place > position ? [.redo(place - position)] : []
  }
}

extension History {
  /// Where a version stands, counted from the oldest.
  func place(ofRevision revision: Int) -> Int? {
    (0..<count).last { self[$0].revision == revision }
  }
}

extension Session {
  /// The path that a journal of this document belongs to; empty for a document without a name.
  var journalPath: String { filePath ?? sourcePath ?? "" }
}
