package import PortolanDocuments
import PortolanFiles

/// A document as its journal sees it.
package struct JournaledDocument: Sendable {
  /// A number unique among all documents of the process.
  package var id: Int
  package var history: History<Document>
  /// The path of the document's file, or of its source; empty for none.
  package var path: String
  /// Whether the document is saved at the path.
  package var isFile: Bool
  /// Whether the disk confirmed the last save.
  package var isSaveConfirmed: Bool
  /// The journal that it was recovered from.
  package var recovered: RecoveredJournal?

  package init(
    id: Int, history: History<Document>, path: String, isFile: Bool, isSaveConfirmed: Bool = true,
    recovered: RecoveredJournal? = nil
  ) {
    self.id = id
    self.history = history
    self.path = path
    self.isFile = isFile
    self.isSaveConfirmed = isSaveConfirmed
    self.recovered = recovered
  }
}

/// The journal that a document was recovered from, and the versions of its history in it.
package struct RecoveredJournal: Sendable {
  package let left: LeftJournal
  /// The serials of the recovered versions, and the place of the present one among them.
  let serials: [Int]
  let place: Int

  /// - Parameter history: as recovered, before any further edit.
  package init(_ left: LeftJournal, history: History<Document>) {
    self.left = left
    serials = (0..<history.count).map { history[$0].serial }
    place = history.past.count
  }
}

/// Watches the history of a document and orders its edits to be journalled.
///
/// The history is compared by the numbers of its versions, so that undo, redo, scripts and strokes
/// need no notification of their own.
struct JournalKeeper: Sendable {
  let writer: JournalWriter
  /// The path of the adopted journal.
  private var adopted: String?
  /// The versions in the journal, and the place of the present one among them.
  private var timeline = JournalTimeline()
  private var position = 0
  /// The oldest version whose draft is in the journal; earlier ones are recorded without drafts.
  private var firstKnown = 0
  private var isOpen = false
  /// Whether the disk had confirmed the last save at the last observation.
  private(set) var isSaveConfirmed = true
  /// The saved revision at the beginning of the journal.
  private var savedRevision: Int?
  /// The number of saves by the beginning of the journal.
  private var saveCount = 0
  private var path = ""

  init(writer: JournalWriter) { self.writer = writer }

  /// Appends the edits made since the last call to the journal.
  ///
  /// - Parameter base: returns the file at a path as last read or written, if it was.
  /// - Complexity: O(1) while nothing was edited; O(log versions + new versions) after an edit.
  mutating func observe(_ document: JournaledDocument, base: (String) -> FileBase?) {
    if document.recovered?.left.file.path != adopted { adopt(document) }
    isSaveConfirmed = document.isSaveConfirmed
    let history = document.history
    guard isOpen || history.isEdited || history.present.draft != nil else { return }
    // A save that a power cut may undo neither ends a journal nor begins one.
    let wasSaved = history.savedRevision != savedRevision || history.saveCount != saveCount
    let isSaved = wasSaved && document.isSaveConfirmed
    let isNewBase = isSaved || !FilePath.isSame(document.path, path)
    if isOpen, isNewBase, !history.isEdited, history.present.draft == nil, document.isSaveConfirmed
    {
      end()
    } else if !isOpen || isNewBase || writer.wantsHistory {
      begin(document, base)
    } else {
      move(history)
    }
  }

  /// Ends the journal: its edits were saved or discarded.
  mutating func end() {
    if isOpen { writer.end() }
    isOpen = false
  }

  /// Continues the journal that the document was recovered from, as far as its versions go.
  private mutating func adopt(_ document: JournaledDocument) {
    adopted = document.recovered?.left.file.path
    end()
    guard let recovered = document.recovered else { return }
    let (place, count) = (recovered.place, recovered.serials.count)
    writer.adopt(recovered.left, JournalReach(before: place, after: count - 1 - place))
    remember(document)
    timeline = JournalTimeline(serials: recovered.serials)
    position = recovered.place
  }

  private mutating func begin(_ document: JournaledDocument, _ base: (String) -> FileBase?) {
    let history = document.history
    remember(document)
    let saved = timeline.savedPlace
    let base = document.isFile ? base(document.path) : nil
    writer.begin(
      JournalWriter.Start(
        path: document.path, identity: base?.identity, isArchive: base?.isArchive ?? true,
        history: history, basePlace: saved ?? 0, isBaseSaved: saved != nil))
    firstKnown = history.past.count
  }

  private mutating func remember(_ document: JournaledDocument) {
    let history = document.history
    timeline.follow(history)
    position = history.past.count
    savedRevision = history.savedRevision
    saveCount = history.saveCount
    path = document.path
    isOpen = true
  }

  /// Records how the history changed.
  private mutating func move(_ history: History<Document>) {
    if history.present.serial == timeline.serials[position], history.past.count == position,
      history.count == timeline.serials.count
    {
      return
    }
    let shared = timeline.commonCount(with: history)
    var moves: [JournalWriter.Move] = []
    if shared < history.count, shared > 0 {
      moves += go(to: shared - 1, of: history)
      for place in shared..<history.count {
        let isKnown = place > firstKnown
        moves += Self.moves(from: history[place - 1], to: history[place], isKnown: isKnown)
        firstKnown = min(firstKnown, place)
      }
      timeline.follow(history)
      position = history.count - 1
    }
    moves += go(to: history.past.count, of: history)
    let present = history.present
    if position <= firstKnown, let draft = present.draft {
      moves.append(.draft(title: present.title, isStep: false, from: nil, to: draft))
    }
    writer.add(moves)
  }

  /// The moves that record a version by its difference from the one before.
  ///
  /// - Parameter isKnown: whether the journal has the draft of the version before.
  static func moves(
    from former: History<Document>.Version, to version: History<Document>.Version,
    isKnown: Bool = true
  ) -> [JournalWriter.Move] {
    guard version.draftStroke != nil else {
      return leap(from: former, to: version, title: version.title, isKnown: isKnown)
    }
    let before = isKnown ? former.draft : nil
    return [.draft(title: version.title, isStep: true, from: before, to: version.draft)]
  }

  /// The moves that record any version as one step from another one.
  static func leap(
    from former: History<Document>.Version, to version: History<Document>.Version, title: String,
    isKnown: Bool = true
  ) -> [JournalWriter.Move] {
    let (before, after) = (isKnown ? former.draft : nil, version.draft)
    let step = JournalWriter.Move.step(title: title, from: former, to: version)
    // A draft that an edit leaves unchanged need not be recorded again; beside an unknown one, none
    // is recorded too.
    return isKnown && before == after
      ? [step] : [step, .draft(title: title, isStep: false, from: before, to: after)]
  }

  /// Undoes or redoes up to a place.
  private mutating func go(to place: Int, of history: History<Document>) -> [JournalWriter.Move] {
    defer { position = place }
    return place == position ? [] : [.go(place - position, to: history[place])]
  }
}
