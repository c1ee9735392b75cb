import PortolanComparing
import PortolanDocuments

/// The reversal of one step of a history, with words for the person who asked for it.
struct StepReversal: Sendable {
  let history: History<Document>
  /// The place of the step.
  let place: Int
  /// `undo` or `redo`.
  let verb: String
  /// The names of the other people, by the numbers of their sessions.
  let names: [Int: String]

  var step: History<Document>.Version { history[place] }

  private var reversal: EditReversal {
    EditReversal(
      from: history[place - 1].value, to: step.value, in: history.value)
  }

  /// Whether it may take longer than half a second.
  var isLong: Bool { reversal.comparedCount > EditRequest.leastFeatures }

  /// The present document without the step.
  ///
  /// - Throws: `EditingError` that says who has changed which part since.
  func document() throws -> Document {
    do {
      return try reversal.reversed()
    } catch let part as ChangedPart {
      throw EditingError(.refused, words(for: part))
    }
  }

  private func words(for part: ChangedPart) -> String {
    let what = "(\(step.title)) cannot be \(verb == "undo" ? "undone" : "done again")"
    guard let name = culprit(part) else {
      return "your step \(what): \(part.label) was changed since"
    }
    return "your step \(what): \(name) has changed \(part.label) since"
  }

  /// Who changed a part last, since the step; `nil` if they are not known or have left.
  private func culprit(_ part: ChangedPart) -> String? {
    for later in stride(from: history.past.count, to: place, by: -1) {
      let version = history[later]
      guard let name = version.after?.author.flatMap({ names[$0] }), version.draftStroke == nil
      else { continue }
      if part.isChanged(from: history[later - 1].value, to: version.value) { return name }
    }
    return nil
  }
}
