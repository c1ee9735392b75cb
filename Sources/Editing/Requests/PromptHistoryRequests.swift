import PortolanFiles

/// Reads the lines of former sessions for the prompts, at the start.
struct PromptHistoryRequest: Request {
  var name: String { "reading the history of prompts" }
  var isOfPane: Bool { true }
  var isAside: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> [PromptHistory.Line]
  {
    world.options.state.map { PromptHistory(in: $0, world.files).lines() } ?? []
  }

  func take(_ answer: [PromptHistory.Line], in desk: inout Desk) {
    for (kind, typed) in desk.session.promptHistory.merging(
      Dictionary(grouping: answer, by: \.mark).compactMap { mark, lines in
        Prompt.Kind(rawValue: mark).map { ($0, lines.map(\.text)) }
      }, uniquingKeysWith: { typed, former in former + typed })
    {
      desk.session.promptHistory[kind] = typed
    }
  }
}

/// Keeps a typed line for later sessions. It is not worth an error.
struct NoteLineRequest: Request {
  let line: PromptHistory.Line

  /// No job is shown for it.
  var name: String { "" }
  var isWriting: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) {
    guard world.options.guardsDocuments, let state = world.options.state else { return }
    try? PromptHistory(in: state, world.files).note(line)
  }

  func take(_ answer: Void, in desk: inout Desk) {}
}
