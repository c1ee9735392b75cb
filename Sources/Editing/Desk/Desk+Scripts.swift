/// Scripts, in the editor beside the keys and without an editor: one engine.
extension Desk {
  /// Puts the lines of a script before all waiting ones.
  mutating func queueScript(
    _ text: String, name: String, names: ScriptNames = ScriptNames()
  ) throws {
    let frames = script.current?.frames ?? []
    guard script.outer.count + frames.count < ScriptQueue.depthMax,
      !(script.outer + frames.map(\.name)).contains(name)
    else {
      throw EditingError(.usage, "\(name) is included without end: take the include out")
    }
    var frame = ScriptQueue.Frame(name: name, isTried: script.isTried, given: names)
    if let current = script.current, let inner = current.frames.last {
      frame.given = names.over(inner.given)
      frame.place = inner.place + "\(inner.name):\(current.line.number): "
    }
    let lines = ScriptLine.lines(of: text).map {
      ScriptQueue.Entry(line: $0, frames: frames + [frame])
    }
    script.entries += lines.reversed()
    if script.current == nil { script.current = script.entries.last }
    script.place = script.place ?? pane.id
  }

  /// Throws while a script runs whose line this is not.
  func requireNoScript() throws {
    if script.current != nil, !isInScript {
      throw EditingError(.refused, "a script is running: wait for it, Ctrl-C ends it")
    }
  }

  /// Runs the waiting lines in this pane, until a line has to wait for a reply.
  mutating func continueScript() {
    while script.place == pane.id, !isScriptWaiting, !hasQuit, session.failure == nil, shown == nil
    {
      let firstJob = freshJob.rawValue
      let focus = session.arrangement.focus
      isInScript = true
      defer { isInScript = false }
      do {
        if let command = script.unfinished {
          script.unfinished = nil
          try command.finish(in: &self)
        } else if let entry = script.entries.popLast() {
          try run(entry)
        } else {
          break
        }
      } catch {
        failScript(Failure(error))
      }
      script.jobs = Set(jobs.map(\.id).filter { $0.rawValue >= firstJob })
      if script.place != nil, session.arrangement.focus != focus {
        script.place = session.arrangement.focus
      }
    }
    if hasQuit || (script.entries.isEmpty && script.unfinished == nil && !isScriptWaiting) {
      endScript()
    }
  }

  private mutating func run(_ entry: ScriptQueue.Entry) throws {
    script.current = entry
    var text = entry.line.text
    script.isTried = ScriptWord.take("try", from: &text)
    let names = (entry.frames.last?.given ?? ScriptNames()).over(script.names)
    if ScriptWord.take("include", from: &text) { return try include(text, names) }
    if ScriptWord.take("let", from: &text) { return try name(text, names) }
    guard let command = try parse(&text, names) else { return }
    let fileCommand = command as? any FileCommand
    if isHeadless, let fileCommand, !fileCommand.inputs.isEmpty {
      request(
        VerbRequest(command: fileCommand, scripts: script.outer + entry.frames.map(\.name)))
      return
    }
    try run(command, line: text)
    script.unfinished = fileCommand
  }

  /// Drops the rest of a script; the cursor is brought back onto the screen.
  mutating func endScript() {
    if script.current == nil && script.entries.isEmpty { return }
    script = ScriptQueue(outer: script.outer)
    isInScript = false
    settleCursor(at: cursor)
  }

  /// Ends the script, or its innermost part in a `try`.
  mutating func failScript(_ failure: Failure) {
    guard let current = script.current, let frame = current.frames.last else {
      fail(failure.description)
      return
    }
    script.unfinished = nil
    let isFinal = failure.code == .interrupted || failure.isBrokenPipe
    var told = failure
    if !failure.isBrokenPipe {
      let column = failure.column.map { ":\($0)" } ?? ""
      told.subject = "\(frame.place)\(frame.name):\(current.line.number)\(column)"
      told.what = failure.description
      told.column = nil
    }
    if script.isTried, !isFinal {
      session.passedOver.append(failure.description)
      return
    }
    if let tried = current.frames.lastIndex(where: \.isTried), !isFinal {
      session.passedOver.append(told.description)
      while let next = script.entries.last, next.frames.count > tried {
        script.entries.removeLast()
      }
      return
    }
    endScript()
    if isHeadless { session.failure = told } else { fail(told.description) }
  }

  private var isScriptWaiting: Bool {
    !script.jobs.isEmpty && jobs.contains { script.jobs.contains($0.id) }
  }

  /// The command of a line, and the line with its values.
  private mutating func parse(_ text: inout String, _ names: ScriptNames) throws -> (any Command)? {
    guard text.contains("{{") else { return try session.kinds.commands.command(for: text) }
    let parsed = try Commands.parse(text, among: session.kinds.commands, naming: names)
    text = parsed?.line ?? text
    return parsed?.command
  }

  /// Names values: `NAME=VALUE …`.
  private mutating func name(_ rest: String, _ names: ScriptNames) throws {
    let words = try CommandWord.split(rest)
    if words.isEmpty { throw EditingError(.usage, "let NAME=VALUE names a value") }
    // Each value may be made of those before it.
    var names = names
    for word in words {
      guard let (name, _) = ScriptNames.assignment(word.bytes) else {
        throw EditingError(
          .usage, "“\(word.text)”: write let NAME=VALUE, a name of letters, digits and _")
      }
      let value = try names.replaced([word], in: rest)[0]
      script.names.set(name, to: Array(value.bytes.dropFirst(name.utf8.count + 1)))
      names = (script.current?.frames.last?.given ?? ScriptNames()).over(script.names)
    }
  }

  private mutating func include(_ rest: String, _ names: ScriptNames) throws {
    let words = try names.replaced(CommandWord.split(rest), hasCommand: false, in: rest)
    guard words.count == 1, let path = words.first?.path, path != "-" else {
      throw EditingError(.usage, "include takes one file")
    }
    request(ScriptRequest(path: path))
  }
}

/// The words that can precede a command in a script.
enum ScriptWord {
  /// Takes a word off the front of a line, in which blanks stand for it then; returns whether it
  /// was there.
  static func take(_ word: String, from line: inout String) -> Bool {
    let rest = line.drop { $0.isWhitespace }
    guard rest.hasPrefix(word), let next = rest.dropFirst(word.count).first, next.isWhitespace
    else { return false }
    // Columns of errors stay those of the line.
    let head = line.count - rest.count + word.count
    line = String(repeating: " ", count: head) + rest.dropFirst(word.count)
    return true
  }
}
