/// The lines of a script.
struct ScriptRequest: Request {
  var path: String

  var name: String { "running \(path)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.readText(path)
  }

  func take(_ answer: String, in desk: inout Desk) throws {
    try desk.queueScript(answer, name: InputName.shown(path))
  }
}

/// A verb on files of its own in a script: done on another desk, so that the script's document
/// stays as it is.
struct VerbRequest: Request {
  var command: any FileCommand
  /// The scripts that it stands in, the outermost first.
  var scripts: [String]

  var name: String { type(of: command).name }
  var isWriting: Bool { true }

  /// What it told, and why it failed if it did.
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
