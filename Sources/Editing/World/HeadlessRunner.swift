import PortolanDocuments
package import PortolanTerminals

/// Runs commands without an editor: verbs of the program, and scripts.
///
/// Every request is done before the next line is read, so a script sees the effects of its own
/// lines.
package struct HeadlessRunner {
  package private(set) var workspace = Workspace()
  private let world: World
  /// Takes lines for standard error.
  private let report: (Remark) -> Void
  /// Effects of replies, still to be carried out.
  private var pending: [Effect] = []
  /// Reports the progress of each piece of work.
  private let progress: any ProgressReporting

  /// How much is printed on standard error beside errors.
  package enum Verbosity: Sendable {
    case quiet, normal, verbose
  }

  package init(
    world: World, verbosity: Verbosity = .normal, progress: any ProgressReporting = NoProgress(),
    report: @escaping (String) -> Void
  ) {
    self.init(remarkingIn: world, progress: progress) { remark in
      switch verbosity {
      case .quiet: break
      case .normal: if !remark.isDetail { report(remark.text) }
      case .verbose: report(remark.text)
      }
    }
  }

  /// - Parameter scripts: the scripts that run it, which it may not include again.
  init(
    remarkingIn world: World, scripts: [String] = [],
    progress: any ProgressReporting = NoProgress(),
    remark: @escaping (Remark) -> Void
  ) {
    self.progress = progress
    self.world = world
    self.report = remark
    workspace.change { desk in
      desk.isHeadless = true
      desk.session.settings = world.options.settings
      desk.session.keepsVersions = world.options.settings.keepsVersions
      desk.session.base.builtIn = world.options.base
      desk.script.outer = scripts
    }
  }

  /// Sets the desk's screen size; no result depends on it.
  package mutating func resize(to size: CellSize) {
    workspace.change { $0.resize(to: size) }
  }

  /// The desk at the focused pane.
  package var desk: Desk { workspace.desk() }

  /// Runs one verb of the program.
  package mutating func run(_ command: any Command) throws(Failure) {
    guard let whole = command as? any FileCommand else {
      try attempt { desk throws in try command.run(in: &desk) }
      return
    }
    let parts = whole.parts
    if parts.count > 1 { return try run(parts) }
    let command = parts.first ?? whole
    if command.needsInput && command.inputs.isEmpty {
      let name = type(of: command).name
      throw Failure(
        .usage, what: "\(name) what? Give a file, or - for standard input: portolan \(name) FILE")
    }
    try attempt { _ throws in
      try command.checkAsVerb()
      try command.partExport?.check()
    }
    if let export = command.partExport, try run(export) { return }
    if !command.inputs.isEmpty {
      try attempt { desk in
        desk.request(
          OpenRequest(
            paths: command.inputs, reading: command.reading, needsAll: true, needs: command.needs,
            wishes: command.wishes))
      }
    }
    try attempt { desk throws in try command.run(in: &desk) }
    try attempt { desk throws in try command.finish(in: &desk) }
    if type(of: command).requiresSaving { try requireFinished() }
  }

  /// Runs the parts of a command, all of them even if one fails.
  private mutating func run(_ parts: [any FileCommand]) throws(Failure) {
    var failure: Failure?
    for part in parts {
      do throws(Failure) {
        try run(part)
      } catch {
        if error.isBrokenPipe || error.code == .interrupted { throw error }
        if let failure { report(Remark(text: failure.description)) }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// - Throws: if a script ends with edits that it neither saved nor wrote out, or while something
  ///   is drawn: nothing would keep them.
  private func requireFinished() throws(Failure) {
    var lost: Failure?
    for document in workspace.documents.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      guard let loss = document.lossAtEnd else { continue }
      if let lost { report(Remark(text: lost.description)) }
      lost = loss
    }
    if let lost { throw lost }
  }

  /// The lines of help about a command, or about `keys` or `commands`.
  package func help(of topic: String) throws(Failure) -> String {
    var desk = self.desk
    do {
      try desk.openHelp(topic)
    } catch {
      throw Failure(error)
    }
    return (desk.help?.lines ?? []).map { $0 + "\n" }.joined()
  }

  /// Runs the lines of a script up to the first that fails.
  package mutating func run(script text: String, name: String) throws(Failure) {
    try attempt { desk throws in
      try desk.queueScript(text, name: name)
      desk.continueScript()
    }
  }

  /// Runs one line of the command language, as a script of that line does.
  package mutating func run(line: String) throws(Failure) {
    try attempt { desk throws in try desk.run(line: line) }
  }

  /// Lets a command change the desk, and performs its requests.
  private mutating func attempt(_ body: (inout Desk) throws -> Void) throws(Failure) {
    do {
      try workspace.change(body)
    } catch {
      throw Failure(error)
    }
    try carryOut()
  }

  /// Performs all requests, including those made by replies.
  private mutating func carryOut() throws(Failure) {
    while true {
      let effects = pending + workspace.takeEffects()
      pending = []
      for effect in effects { try carryOut(effect) }
      // The output of the lines before a failure comes before it.
      if !pending.isEmpty { continue }
      let (failure, passedOver) = workspace.change { desk in
        defer {
          desk.session.failure = nil
          desk.session.passedOver = []
        }
        return (desk.session.failure, desk.session.passedOver)
      }
      for text in passedOver { report(Remark(text: "passed over: \(text)", isDetail: true)) }
      if let failure { throw failure }
      if effects.isEmpty { return }
    }
  }

  private mutating func carryOut(_ effect: Effect) throws(Failure) {
    switch effect {
    case .print(let lines): try world.print(lines)
    case .printData(let text): try world.printData(text)
    case .warn(let text): report(Remark(text: text))
    case .perform(let request, let job):
      let reply = reply(to: request)
      for text in world.doChores() { report(Remark(text: text)) }
      for remark in reply.remarks(desk) { report(remark) }
      workspace.change { $0.message = nil }
      if let job { pending += workspace.handle(.replied(job, reply)) }
    case .cancel, .quit, .detach, .attach, .suspend, .redraw, .beep, .setClipboard: break
    }
  }

  /// Exports in parts; returns whether that is possible.
  private func run(_ export: PartExport) throws(Failure) -> Bool {
    self.progress.begin("exporting \(export.path)")
    defer { self.progress.end() }
    let progress = progress
    let work = World.Progress(tell: { progress.report($0) })
    guard let survey = try world.survey(export, work.part(0, of: 2)) else { return false }
    for remark in survey.remarks { report(remark) }
    let remarks = try world.write(export, survey, work.part(1, of: 2))
    for text in remarks + world.doChores() { report(Remark(text: text)) }
    return true
  }

  private func reply(to request: any Request) -> Reply {
    if request.name.isEmpty { return request.reply(in: world) }
    progress.begin(request.name)
    defer { progress.end() }
    let progress = progress
    return request.reply(in: world, World.Progress(tell: { progress.report($0) }))
  }
}

/// Reports the progress of work to people.
package protocol ProgressReporting: Sendable {
  /// A piece of work begins.
  func begin(_ name: String)
  /// The part that is done, from 0 to 1; called from any thread.
  func report(_ fraction: Double)
  /// The work is done, or has failed.
  func end()
}

/// Reports nothing.
package struct NoProgress: ProgressReporting {
  package init() {}
  package func begin(_ name: String) {}
  package func report(_ fraction: Double) {}
  package func end() {}
}
