/// Reads the lines of a script.
struct ScriptRequest: Request {
  var path: String
  var names = ScriptNames()

  var name: String { "running \(path)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.readText(path)
  }

  func take(_ answer: String, in desk: inout Desk) throws {
    try desk.requireNoScript()
    let shown = InputName.shown(path)
    let includes = answer.contains("include")
    for name in names.unused(in: answer) where !includes {
      desk.warn("--set \(name): {{\(name)}} does not occur in \(shown)")
    }
    try desk.queueScript(answer, name: shown, names: names)
  }
}

/// Runs a verb on files of its own in a script: on another desk, so that the script's document
/// stays as it is.
struct VerbRequest: Request {
  var command: any FileCommand
  /// The names of the scripts around it, outermost first.
  var scripts: [String]

  var name: String { type(of: command).name }
  var isWriting: Bool { true }

  /// Its remarks, and its failure if there is one.
  struct Answer: Sendable {
    var remarks: [Remark] = []
    var failure: Failure?
  }

  func perform(in world: World, _ progress: World.Progress) -> Answer {
    var answer = Answer()
    do throws(Failure) {
      var runner = HeadlessRunner(remarkingIn: world, scripts: scripts) {
        answer.remarks.append($0)
      }
      try runner.run(command)
    } catch {
      answer.failure = error
    }
    return answer
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    if let failure = answer.failure { throw failure }
  }

  func remarks(on answer: Answer, _ desk: Desk) -> [Remark] { answer.remarks }
}
