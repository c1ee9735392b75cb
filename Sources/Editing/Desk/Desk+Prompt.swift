import PortolanFiles

/// Lines being typed: at the prompt, in the form, in the help's search.
extension Desk {
  mutating func openPrompt(_ kind: Prompt.Kind, text: String) {
    prompt = Prompt(kind: kind, text: text)
  }

  /// Types text into the open line.
  mutating func type(_ text: String) {
    if prompt != nil {
      prompt?.line.insert(text)
      forgetCompletions()
    } else if help?.isFiltering == true {
      help?.filter.insert(text)
      help?.top = 0
    } else if let editing = form?.editing {
      var line = editing.line
      line.insert(text)
      form?.editing = (editing.field, line)
    }
  }

  /// Applies a key's action to the open line.
  mutating func editLine(_ action: LineAction) throws {
    if prompt != nil {
      try editPrompt(action)
    } else if help?.isFiltering == true {
      if action == .accept {
        help?.isFiltering = false
      } else {
        help?.filter.edit(action)
        help?.top = 0
      }
    } else if let editing = form?.editing {
      if action == .accept {
        try acceptFormLine()
      } else {
        var line = editing.line
        line.edit(action)
        form?.editing = (editing.field, line)
      }
    }
  }

  private mutating func editPrompt(_ action: LineAction) throws {
    guard let prompt else { return }
    switch action {
    case .accept: accept(prompt)
    case .complete: complete(by: 1)
    case .completeBack: complete(by: -1)
    case .older: recall(by: 1)
    case .newer: recall(by: -1)
    case .backspace where prompt.line.characters.isEmpty: self.prompt = nil
    default:
      self.prompt?.line.edit(action)
      forgetCompletions()
    }
  }

  private mutating func forgetCompletions() {
    prompt?.completions = []
    prompt?.completionIndex = nil
  }

  /// Runs the line. An error leaves the line in the history and tells the column.
  private mutating func accept(_ prompt: Prompt) {
    self.prompt = nil
    let text = prompt.line.text
    if text.contains(where: { !$0.isWhitespace }) { remember(text, prompt.kind) }
    switch prompt.kind {
    case .command: attempt(line: text)
    case .search: attempt(line: "search " + CommandWord.quoted(text))
    case .position:
      if text.isEmpty { return }
      let verb = isDrawing ? "put" : "go to"
      attempt(line: "\(verb) " + CommandWord.quoted(text))
    }
  }

  // MARK: History

  private mutating func remember(_ text: String, _ kind: Prompt.Kind) {
    var lines = session.promptHistory[kind] ?? []
    lines.removeAll { $0 == text }
    lines.append(text)
    session.promptHistory[kind] = lines.suffix(PromptHistory.countMax)
    request(NoteLineRequest(line: PromptHistory.Line(mark: kind.rawValue, text: text)))
  }

  /// Shows an older or newer line with the same beginning as the typed text.
  private mutating func recall(by step: Int) {
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

  private mutating func complete(by step: Int) {
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
    let end = isOnly && !isFolder ? " " : ""
    prompt.line.replace(from: prompt.completionStart, with: prompt.completions[index] + end)
    if isOnly { prompt.completions = [] }
    self.prompt = prompt
  }
}
