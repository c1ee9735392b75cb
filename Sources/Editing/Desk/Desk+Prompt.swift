import PortolanFiles
import PortolanInterchange

extension Prompt {
  package func type(_ text: String, in desk: inout Desk) {
    desk.prompt?.line.insert(text)
    desk.forgetCompletions()
  }

  package func edit(_ action: LineAction, in desk: inout Desk) {
    switch action {
    case .accept: desk.accept(self)
    case .complete: desk.complete(by: 1)
    case .completeBack: desk.complete(by: -1)
    case .older: desk.recall(by: 1)
    case .newer: desk.recall(by: -1)
    case .backspace where line.characters.isEmpty: desk.prompt = nil
    default:
      desk.prompt?.line.edit(action)
      desk.forgetCompletions()
    }
  }
}

/// Lines being typed, and the prompt's history and completion.
extension Desk {
  mutating func openPrompt(_ kind: Prompt.Kind, text: String) {
    prompt = Prompt(kind: kind, text: text)
  }

  /// Types text into the open line.
  mutating func type(_ text: String) {
    if let open = keyOverlay, open.takesText { open.type(text, in: &self) }
  }

  /// Applies a key's action to the open line.
  mutating func editLine(_ action: LineAction) throws {
    if let open = keyOverlay, open.takesText { try open.edit(action, in: &self) }
  }

  fileprivate mutating func forgetCompletions() {
    prompt?.completions = []
    prompt?.completionIndex = nil
  }

  /// Runs the line. An error leaves the line in the history and tells the column.
  fileprivate mutating func accept(_ prompt: Prompt) {
    self.prompt = nil
    let text = prompt.line.text
    if text.contains(where: { !$0.isWhitespace }) { remember(text, prompt.kind) }
    switch prompt.kind {
    case .command: attempt(line: text)
    case .search: attempt(line: "search " + CommandWord.quoted(text))
    case .position:
      if text.isEmpty { return }
      let verb = isDrawing ? "put" : measuring == nil ? "go to" : "measure"
      attempt(line: "\(verb) " + CommandWord.quoted(text))
    }
  }

  // MARK: History

  mutating func remember(_ text: String, _ kind: Prompt.Kind) {
    // No password of a database is kept.
    if EngineSource.mayHoldPassword(text) { return }
    var lines = session.promptHistory[kind] ?? []
    lines.removeAll { $0 == text }
    lines.append(text)
    session.promptHistory[kind] = lines.suffix(PromptHistory.countMax)
    if kind == .command, let command = try? session.kinds.commands.command(for: text),
      !Swift.type(of: command).isKept
    {
      return
    }
    request(NoteLineRequest(line: PromptHistory.Line(mark: kind.rawValue, text: text)))
  }

  /// Shows an older or newer line with the same beginning as the typed text.
  fileprivate mutating func recall(by step: Int) {
    guard var prompt else { return }
    if prompt.historyIndex == nil { prompt.typed = prompt.line.text }
    let lines = (session.promptHistory[prompt.kind] ?? []).reversed().filter {
      $0.hasPrefix(prompt.typed)
    }
    let index = (prompt.historyIndex ?? -1) + step
    guard index < lines.count else { return }
    if index < 0 {
      prompt.historyIndex = nil
      prompt.line = LineEditor(prompt.typed)
    } else {
      prompt.historyIndex = index
      prompt.line = LineEditor(lines[index])
    }
    self.prompt = prompt
    forgetCompletions()
  }

  // MARK: Completion

  fileprivate mutating func complete(by step: Int) {
    guard var prompt, prompt.kind == .command else { return }
    if prompt.completions.isEmpty {
      let completion = Completer(desk: self).complete(prompt.line.head)
      prompt.completions = completion.words
      prompt.completionStart = completion.start
      prompt.completionIndex = nil
      if let path = completion.path, !isScripted {
        self.prompt = prompt
        return request(FileNamesRequest(head: prompt.line.head, typed: path))
      }
    }
    guard !prompt.completions.isEmpty else {
      send(.beep)
      return
    }
    let count = prompt.completions.count
    self.prompt = prompt
    chooseCompletion(((prompt.completionIndex ?? (step > 0 ? -1 : 0)) + step + count) % count)
  }

  /// Offers the names of files beside the other words, unless the line has changed meanwhile.
  mutating func takeFileNames(_ names: [String], for head: String) {
    guard var prompt, prompt.kind == .command, prompt.line.head == head,
      prompt.completionIndex == nil
    else { return }
    prompt.completions += names.map { FilePath.quoted($0) }
    self.prompt = prompt
    if prompt.completions.isEmpty { return send(.beep) }
    chooseCompletion(0)
  }

  /// Puts a completion into the line.
  mutating func chooseCompletion(_ index: Int) {
    guard var prompt, prompt.completions.indices.contains(index) else { return }
    prompt.completionIndex = index
    let isOnly = prompt.completions.count == 1
    // A folder is followed by a name in it.
    let isFolder = ["/", "/'", "/\""].contains { prompt.completions[index].hasSuffix($0) }
    let isOpen = isFolder || prompt.completions[index].hasSuffix("(")
    let end = isOnly && !isOpen ? " " : ""
    prompt.line.replace(from: prompt.completionStart, with: prompt.completions[index] + end)
    if isOnly { prompt.completions = [] }
    self.prompt = prompt
  }
}
