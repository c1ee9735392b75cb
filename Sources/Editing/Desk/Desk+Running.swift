import PortolanDocuments

/// Running lines of the command language.
extension Desk {
  /// Runs a line; if it throws, nothing of the desk has changed.
  ///
  /// - Throws: `EditingError`, with the column if there is one.
  package mutating func run(line: String) throws {
    guard let command = try session.kinds.commands.command(for: line) else { return }
    try run(command, line: line)
  }

  /// Runs a command that was parsed from a line.
  package mutating func run(_ command: any Command, line: String) throws {
    if !acts(Swift.type(of: command)) { try requireMap(isCamera: command is any CameraCommand) }
    if command is any WholeMapCommand { try requireRead() }
    var desk = self
    let revision = history.present.revision
    do {
      try command.run(in: &desk)
      if command is any MapCommand { try desk.requireNothingLost() }
    } catch {
      command.failed(in: &self)
      throw error
    }
    if Swift.type(of: command).isRepeatable,
      desk.history.present.revision != revision || desk.isEditPending
    {
      desk.session.lastEditLine = line
    }
    desk.commit(since: self)
    self = desk
  }

  /// Records the work note of a step, or makes a step of a change of the draft.
  ///
  /// - Parameter former: the desk before the command.
  mutating func commit(since former: Desk) {
    defer { work.finishedStroke = nil }
    guard former.file.id == file.id else { return }
    let isNew =
      history.present.serial != former.history.present.serial
      && !keepsUndone(since: former.history.nextSerial)
    if isNew {
      settleFilters()
      tellUnfitStyles(since: former.document)
    }
    let before = former.draft.flatMap { $0.isEmpty ? nil : $0 }
    let after = draft.flatMap { $0.isEmpty ? nil : $0 }
    if isNew {
      // Undo and redo restore notes and make none.
      guard history.present.serial >= former.history.nextSerial else { return }
      if let stroke = work.finishedStroke { history.fold(draft: stroke) }
    } else {
      guard before != after else { return }
      keepUndoneOfOthers()
      history.recordDraft(
        title: Self.title(from: before, to: after), stroke: (after ?? before)?.stroke ?? 0)
    }
    history.note(before: former.note, after: note)
  }

  /// Whether the present version only keeps what another person has undone: it has its note.
  private func keepsUndone(since serial: Int) -> Bool {
    let present = history.present
    guard present.serial >= serial, present.reversed != nil, let author = present.after?.author
    else { return false }
    return author != session.author
  }

  private static func title(from before: Draft?, to after: Draft?) -> String {
    guard let after else { return "discard draft" }
    guard let before, before.stroke == after.stroke else { return "draw \(after.kind.rawValue)" }
    return before.vertexCount > after.vertexCount ? "drop vertex" : "put vertex"
  }

  /// The person's work, as stored in a step of the history.
  var note: WorkNote {
    WorkNote(
      author: session.author, activeLayer: activeLayer, selection: selection.features,
      draft: draft)
  }

  /// Restores the work note of a version.
  mutating func take(_ note: WorkNote) {
    activeLayer = note.activeLayer ?? activeLayer
    if selection.features != note.selection { selection = Selection(note.selection) }
    if draft != note.draft {
      draft = note.draft
      isDrawing = isDrawing && note.draft != nil
    }
  }

  /// Runs a line of a key or a person: an error becomes the message.
  package mutating func attempt(line: String) {
    do {
      try run(line: line)
    } catch let error as EditingError {
      fail(error.column.map { "column \($0): \(error.message)" } ?? error.message)
    } catch {
      fail("\(error)")
    }
  }
}

/// A line of a script with the number of its first line.
package struct ScriptLine: Hashable, Sendable {
  package var number: Int
  package var text: String

  /// The lines of a script; a line that ends in `\` continues in the next; comments and empty lines
  /// are left out.
  package static func lines(of text: String) -> [ScriptLine] {
    var lines: [ScriptLine] = []
    var open: ScriptLine?
    var number = 0
    // A byte order mark is no part of the first line.
    let text =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    for part in Substring(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      var line = open ?? ScriptLine(number: number, text: "")
      line.text += part
      if line.text.hasSuffix("\\") {
        line.text.removeLast()
        open = line
        continue
      }
      open = nil
      lines.append(line)
    }
    if let open { lines.append(open) }
    return lines.filter { line in
      guard let first = line.text.first(where: { !$0.isWhitespace }) else { return false }
      return first != "#"
    }
  }
}
