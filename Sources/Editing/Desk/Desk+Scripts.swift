/// Scripts within the editor: as `portolan run` runs them, but beside the keys.
extension Desk {
  /// Puts the lines of a script before all that wait, and runs them up to the first that fails.
  mutating func runScript(_ text: String, name: String) {
    let outer = script.current?.scripts ?? []
    guard outer.count < ScriptQueue.depthMax, !outer.contains(name) else {
      failScript("\(name) is included without end: take the include out")
      return
    }
    let lines = ScriptLine.lines(of: text).map {
      ScriptQueue.Entry(line: $0, scripts: outer + [name])
    }
    script.entries += lines.reversed()
  }

  /// Runs what waits, as long as no line has to wait for an answer.
  mutating func continueScript() {
    while !isScriptWaiting, !hasQuit, let entry = script.entries.popLast() {
      script.current = entry
      var text = entry.line.text
      script.isTried = ScriptWord.take("try", from: &text)
      let firstJob = session.nextJobNumber
      isInScript = true
      defer { isInScript = false }
      do {
        if ScriptWord.take("include", from: &text) {
          try include(text)
        } else {
          try run(line: text)
        }
      } catch let error as EditingError {
        failScript(error.message, column: error.column ?? 1)
      } catch {
        failScript("\(error)")
      }
      script.jobs = Set(jobs.map(\.id).filter { $0.rawValue >= firstJob })
    }
    if hasQuit || (script.entries.isEmpty && !isScriptWaiting) { endScript() }
  }

  /// Forgets what a script had still to do; the cursor is brought back onto the screen.
  mutating func endScript() {
    if script.current == nil && script.entries.isEmpty { return }
    script = ScriptQueue()
    isInScript = false
    settleCursor(at: cursor)
  }

  /// Tells that a job failed; a line of a script that waits for it has failed then.
  mutating func failJob(_ id: JobID, _ message: String) {
    if script.jobs.contains(id) { failScript(message) } else { fail(message) }
  }

  /// Ends all scripts, unless the line was only tried.
  private mutating func failScript(_ message: String, column: Int? = nil) {
    guard let current = script.current, let name = current.scripts.last else {
      fail(message)
      return
    }
    if script.isTried { return }
    endScript()
    fail("\(name):\(current.line.number):\(column.map { "\($0):" } ?? "") \(message)")
  }

  private var isScriptWaiting: Bool {
    !script.jobs.isEmpty && jobs.contains { script.jobs.contains($0.id) }
  }

  private mutating func include(_ rest: String) throws {
    let words = try CommandWord.split(rest)
    guard words.count == 1, let path = words.first?.path, path != "-" else {
      throw EditingError(.usage, "include takes one file")
    }
    request(.runScript(startJob("running \(path)"), path: path))
  }
}
