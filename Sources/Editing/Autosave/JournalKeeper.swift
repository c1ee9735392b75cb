import Documents
import Files
import Interchange

/// Watches an open document and has its edits journalled: what to write when.
///
/// The history is compared by the numbers of its versions, so that undo, redo, scripts and strokes
/// need no word of their own.
struct JournalKeeper {
  private let writer: JournalWriter
  /// The journal that was taken over.
  private var adopted: String?
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
  mutating func observe(_ document: OpenDocument, identity: (String) -> FileIdentity?) {
    if document.recovered?.file.path != adopted { take(document) }
    let history = document.history
    guard isOpen || document.history.isEdited else { return }
    // What a power cut may still take back ends no journal, and is nothing to begin one with.
    let isSaved = history.savedRevision != savedRevision && document.isSaveConfirmed
    let isNewBase = isSaved || !FilePath.isSame(document.journalPath, path)
    if isOpen, isNewBase, !document.history.isEdited, document.isSaveConfirmed {
      writer.end()
      isOpen = false
    } else if !isOpen || isNewBase || writer.wantsHistory {
      begin(document, identity)
    } else {
      move(history)
    }
  }

  /// Ends the journal of what was given up or saved.
  mutating func end() {
    if isOpen { writer.end() }
    isOpen = false
  }

  /// The document was recovered from a journal.
  private mutating func take(_ document: OpenDocument) {
    adopted = document.recovered?.file.path
    if isOpen { writer.end() }
    isOpen = false
    guard let left = document.recovered else { return }
    writer.adopt(left)
    isOpen = true
    remember(document)
  }

  private mutating func begin(_ document: OpenDocument, _ identity: (String) -> FileIdentity?) {
    let history = document.history
    let saved = history.savedRevision.flatMap { history.place(ofRevision: $0) }
    writer.begin(
      JournalWriter.Start(
        path: document.journalPath, identity: document.path.flatMap { identity($0) },
        history: history, basePlace: saved ?? 0, isBaseSaved: saved != nil))
    isOpen = true
    remember(document)
  }

  private mutating func remember(_ document: OpenDocument) {
    let history = document.history
    timeline = (0..<history.count).map { history[$0].serial }
    position = history.past.count
    savedRevision = history.savedRevision
    path = document.journalPath
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

extension OpenDocument {
  /// The path that a journal of this document belongs to; empty for a document without a name.
  var journalPath: String { path ?? source ?? "" }
}
