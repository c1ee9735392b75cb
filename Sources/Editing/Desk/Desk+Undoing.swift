import PortolanComparing
import PortolanDocuments

/// Undo and redo.
///
/// Alone with a document, one goes back and forth in its history. Beside others one takes back
/// one's own last step: its change is reversed in the present document, as a new step.
extension Desk {
  /// Undoes one's own last steps.
  mutating func undo(_ count: Int) throws {
    try repeated(count, "nothing to undo") { desk in
      if desk.stepsAnew {
        let places = desk.ownSteps.done
        guard let place = places.last else { throw desk.nothing("undo", desk.lastOfOthers) }
        return ("undone", try desk.takeBack(place, "undo", "undone", more: places.count - 1))
      }
      let undone = desk.history.present
      guard let title = desk.history.undo() else { return nil }
      if let note = undone.before { desk.take(note) }
      return ("undone", "\(title) (\(desk.history.past.count) more)")
    }
  }

  /// Redoes one's own last undone steps.
  mutating func redo(_ count: Int) throws {
    try repeated(count, "nothing to redo") { desk in
      if let next = desk.history.future.last, desk.author(of: next) == nil {
        let title = desk.history.redo() ?? ""
        if let note = desk.history.present.after { desk.take(note) }
        return ("done again", "\(title) (\(desk.history.future.count) more)")
      }
      let places = desk.ownSteps.undone
      guard let place = places.last else {
        throw desk.nothing("redo", desk.history.future.last)
      }
      return ("done again", try desk.takeBack(place, "redo", "done again", more: places.count - 1))
    }
  }

  /// Repeats a step back or forth, up to the first that is refused.
  private mutating func repeated(
    _ count: Int, _ end: String, _ step: (inout Desk) throws -> (did: String, what: String?)?
  ) throws {
    try requireNoPendingEdit()
    let former = document
    var last: String?
    var isAtWork = false
    for _ in 0..<min(max(1, count), history.count) where !isAtWork {
      do {
        guard let (did, what) = try step(&self) else { break }
        guard let what else {
          isAtWork = true
          break
        }
        last = "\(did): \(what)"
      } catch {
        if last == nil { throw error }
        break
      }
    }
    forgetWhatIsGone(since: former)
    if isAtWork { return }
    guard let last else { throw EditingError(.refused, end) }
    say(last)
  }

  /// Whether a step is taken back by a new one: the history is that of several people, or was.
  private var stepsAnew: Bool {
    isInHands(file.id) || (0...history.past.count).contains { history[$0].reversed != nil }
  }

  /// Keeps what another person has undone while they were alone, before a step of this one.
  mutating func keepUndoneOfOthers() {
    if let next = history.future.last, author(of: next) != nil { keepUndone() }
  }

  /// Keeps undone steps as steps taken back by new ones; numbers do not fall.
  private mutating func keepUndone() {
    if history.canRedo { history.keepUndone { $0.keepNumbers(of: $1) } }
  }

  /// The name of the other person who made a step and still has the document; `nil` for one's own
  /// steps, for those of people who have left and for recovered ones.
  func author(of step: History<Document>.Version) -> String? {
    step.after?.author.flatMap { number in
      company.first { $0.id.rawValue == number && $0.documents.contains(file.id) }?.name
    }
  }

  private var ownSteps: OwnSteps {
    history.steps { version in
      if version.draftStroke != nil, version.after?.author != session.author { return false }
      return author(of: version) == nil
    }
  }

  /// The last step of another person.
  private var lastOfOthers: History<Document>.Version? {
    (0...history.past.count).reversed().lazy.map { history[$0] }.first { author(of: $0) != nil }
  }

  /// Why there is nothing to go to, with a step of another person that stands there.
  private func nothing(_ verb: String, _ step: History<Document>.Version?) -> EditingError {
    guard let step, let other = author(of: step) else {
      return EditingError(.refused, "nothing to \(verb)")
    }
    return EditingError(
      .refused, "nothing of yours to \(verb): \(step.title) is \(other)'s, theirs to \(verb)")
  }

  // MARK: By a new step

  /// Takes a step back by a new one, in a job where that may take long.
  ///
  /// - Returns: the message about it; `nil` while a job does it.
  private mutating func takeBack(
    _ place: Int, _ verb: String, _ did: String, more: Int
  ) throws -> String? {
    try requireWritable()
    try requireTakingPart()
    keepUndone()
    let begin = note
    let step = history[place]
    let name = Self.plainTitle(step.title)
    let title = "\(verb): \(name)"
    let message = "\(name) (\(more) more)"
    if case .version(let serial) = file.basis, serial == step.serial {
      throw EditingError(
        .refused, "\(name) took over what another program wrote into the file: it stays")
    }
    let noted: @Sendable (inout Desk) -> Void = { desk in
      if let note = step.before, note.author == desk.session.author { desk.take(note) }
    }
    if let stroke = step.draftStroke {
      history.recordReversal(
        document, title: title, of: step.serial, revision: history.present.revision,
        draftStroke: stroke)
    } else if let equal = history.version(reversing: step.serial) {
      var value = equal.value
      value.keepNumbers(of: document)
      history.recordReversal(value, title: title, of: step.serial, revision: equal.revision)
    } else {
      let reversal = StepReversal(
        history: history, place: place, verb: verb, names: authorNames)
      if reversal.isLong {
        return try takeBack(reversal, title, "\(did): \(message)", then: noted)
      }
      history.recordReversal(try reversal.document(), title: title, of: step.serial)
    }
    noted(&self)
    // Each of several steps has its author.
    history.note(before: begin, after: note)
    return message
  }

  private mutating func takeBack(
    _ reversal: StepReversal, _ title: String, _ message: String,
    then: @escaping @Sendable (inout Desk) -> Void
  ) throws -> String? {
    let serial = reversal.step.serial
    try edit(
      title, isLong: true, saying: message,
      { document, _ in document = try reversal.document() },
      then: { desk in
        let present = desk.history.present
        if present.title == title, present.reversed == nil {
          desk.history.noteReversal(of: serial)
        } else {
          // Nothing was left of the edit: it is taken back all the same.
          desk.history.recordReversal(
            desk.document, title: title, of: serial, revision: present.revision)
        }
        then(&desk)
      })
    return nil
  }

  /// The title of the first step of a chain of undo and redo.
  private static func plainTitle(_ title: String) -> String {
    for word in ["undo: ", "redo: "] where title.hasPrefix(word) {
      return String(title.dropFirst(word.count))
    }
    return title
  }

  /// The names of the others, by the numbers of their sessions.
  private var authorNames: [Int: String] {
    var names: [Int: String] = [:]
    for other in company { names[other.id.rawValue] = other.name }
    return names
  }
}
