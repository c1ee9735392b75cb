import Documents

/// What the world's runners need of a desk.
extension Desk {
  /// Takes in an answer of the world; the wishes that it brings are kept to be taken.
  mutating func keepEffects(of answer: Event) {
    effects = handle(answer)
  }

  /// Remembers what was odd in files that were read, for `info`.
  mutating func noteOddities(of answer: Event) {
    switch answer {
    case .opened(_, let file): notices = file.notices
    case .imported(_, let data): notices += document.notices(of: data)
    default: break
    }
  }

  /// Takes the document as it is for unedited: it only shows what was named at the start.
  mutating func forgetEdits() { history.markSaved(history.present.revision) }

  /// Forgets a job whose answer somebody else took.
  mutating func dropJob(_ id: JobID) { jobs.removeAll { $0.id == id } }

  /// Shows a text as a page over the map.
  mutating func show(_ text: String, title: String) {
    help = Help(title: title, lines: text.split(whereSeparator: \.isNewline).map(String.init))
  }
}
