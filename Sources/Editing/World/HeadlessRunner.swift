package import Terminals

/// Runs commands without an editor: verbs of the program, and scripts.
///
/// Every wish is carried out before the next line is read, so a script sees what its own lines did.
package struct HeadlessRunner {
  package private(set) var desk: Desk
  private let world: World
  private let verbosity: Verbosity
  /// Takes lines for standard error.
  private let report: (String) -> Void
  /// Told of each piece of work.
  private let progress: any ProgressReporting
  /// Scripts that are being run, one inside the other.
  private var scriptNames: [String] = []

  /// How much is told on standard error beside errors.
  package enum Verbosity: Sendable {
    case quiet, normal, verbose
  }

  private static let scriptDepthMax = 16

  package init(
    world: World, verbosity: Verbosity = .normal, progress: any ProgressReporting = NoProgress(),
    report: @escaping (String) -> Void
  ) {
    self.progress = progress
    self.world = world
    self.verbosity = verbosity
    self.report = report
    desk = Desk()
    desk.isHeadless = true
  }

  /// Gives the desk a screen's size; nothing that is done depends on it.
  package mutating func resize(to size: CellSize) { desk.resize(to: size) }

  /// Runs one verb of the program.
  package mutating func run(_ command: any Command) throws(Failure) {
    if let command = command as? any FileCommand {
      if command.needsInput && command.inputs.isEmpty {
        let name = type(of: command).name
        throw Failure(
          .usage, what: "\(name) what? Give a file, or - for standard input: portolan \(name) FILE")
      }
      do {
        try command.checkAsVerb()
      } catch {
        throw Self.failure(error)
      }
      try openAll(command.inputs)
      try attempt { desk throws in try command.run(in: &desk) }
      try attempt { desk throws in try command.finish(in: &desk) }
    } else {
      try attempt { desk throws in try command.run(in: &desk) }
    }
  }

  /// The lines of help about a command, or about `keys` or `commands`.
  package func help(of topic: String) throws(Failure) -> String {
    var desk = self.desk
    do {
      try desk.openHelp(topic)
    } catch {
      throw Self.failure(error)
    }
    return (desk.help?.lines ?? []).map { $0 + "\n" }.joined()
  }

  /// The first input is opened, the others become its upper layers.
  private mutating func openAll(_ paths: [String]) throws(Failure) {
    for (index, path) in paths.enumerated() {
      let job = desk.startJob("reading \(InputName.shown(path))")
      desk.request(
        index == 0
          ? .open(job, path: path) : .importData(job, path: path, layerName: nil))
      try carryOut()
    }
  }

  /// Runs the lines of a script up to the first that fails.
  package mutating func run(script text: String, name: String) throws(Failure) {
    guard scriptNames.count < Self.scriptDepthMax, !scriptNames.contains(name) else {
      throw Failure(.usage, what: "\(name) is included without end: take the include out")
    }
    scriptNames.append(name)
    defer { scriptNames.removeLast() }
    for line in ScriptLine.lines(of: text) {
      do throws(Failure) {
        try run(line)
      } catch {
        if error.isBrokenPipe { throw error }
        var failure = error
        failure.subject = "\(name):\(line.number)" + (error.column.map { ":\($0)" } ?? "")
        failure.what = error.description
        failure.column = nil
        throw failure
      }
      if desk.hasQuit { return }
    }
  }

  private mutating func run(_ line: ScriptLine) throws(Failure) {
    var text = line.text
    let isTried = ScriptWord.take("try", from: &text)
    do throws(Failure) {
      if ScriptWord.take("include", from: &text) {
        try include(text)
      } else {
        try run(line: text)
      }
    } catch {
      guard isTried, error.code != .interrupted, !error.isBrokenPipe else { throw error }
      if verbosity == .verbose { report("passed over: \(error.description)") }
    }
  }

  private mutating func include(_ rest: String) throws(Failure) {
    let words: [CommandWord]
    do {
      words = try CommandWord.split(rest)
    } catch {
      throw Failure(.usage, what: "\(error)")
    }
    guard words.count == 1, let path = words.first?.path, path != "-" else {
      throw Failure(.usage, what: "include takes one file")
    }
    desk.request(.runScript(desk.startJob(path), path: path))
    try carryOut()
  }

  /// Runs one line of the command language.
  package mutating func run(line: String) throws(Failure) {
    let command: (any Command)?
    do {
      command = try Commands.parse(line)
    } catch {
      throw Self.failure(error)
    }
    guard let command else { return }
    guard let file = command as? any FileCommand, !file.inputs.isEmpty, !(file is RunScript)
    else {
      if let file = command as? any FileCommand {
        try attempt { desk throws in try file.run(in: &desk) }
        try attempt { desk throws in try file.finish(in: &desk) }
      } else {
        try attempt { desk throws in try desk.run(command, line: line) }
        try printAnswer(of: command)
      }
      return
    }
    var inner = HeadlessRunner(
      world: world, verbosity: verbosity, progress: progress, report: report)
    try inner.run(command)
  }

  /// Prints what a command has to say, where saying it is all that it does.
  private mutating func printAnswer(of command: any Command) throws(Failure) {
    let answer: String?
    switch command {
    case is Where, is ShowHistory: answer = desk.message?.text
    case is ShowHelp:
      answer = desk.help?.lines.joined(separator: "\n")
      desk.help = nil
    default: return
    }
    if let answer { _ = try world.perform(.print(answer + "\n")) }
  }

  /// Lets a command change the desk, and carries out what it asks for.
  private mutating func attempt(
    _ body: (inout Desk) throws -> Void
  ) throws(Failure) {
    do {
      try body(&desk)
    } catch {
      throw Self.failure(error)
    }
    try carryOut()
  }

  /// Carries out all wishes, those that answers bring among them.
  private mutating func carryOut() throws(Failure) {
    while true {
      let wishes = desk.takeEffects()
      if wishes.isEmpty { return }
      for wish in wishes {
        let answer = try perform(wish)
        for event in world.doChores() {
          if case .remark(let text) = event, verbosity != .quiet { report(text) }
        }
        if let answer {
          tell(answer, to: wish)
          try take(answer)
        }
      }
    }
  }

  private func perform(_ wish: Effect) throws(Failure) -> Event? {
    guard let name = wish.job.flatMap({ id in desk.jobs.first { $0.id == id }?.name }) else {
      return try world.perform(wish)
    }
    progress.begin(name)
    defer { progress.end() }
    let progress = progress
    return try world.perform(wish) { progress.report($0) }
  }

  private mutating func take(_ answer: Event) throws(Failure) {
    switch answer {
    case .opened(_, let file): note(file.notices, of: file.path)
    case .imported(_, let data): note(desk.document.notices(of: data), of: data.path)
    case .saved(_, let path, _, let notice, _):
      if let notice, verbosity != .quiet { report("\(path): \(notice)") }
    case .script(let job, let name, let text):
      desk.dropJob(job)
      try run(script: text, name: name)
      return
    default: break
    }
    desk.noteOddities(of: answer)
    desk.message = nil
    desk.keepEffects(of: answer)
    if case .imported = answer, let message = desk.message, message.severity == .error {
      throw Failure(.unsupported, what: message.text)
    }
  }

  /// Says what was done where nothing else shows it: work or versions were given up or written.
  private func tell(_ answer: Event, to wish: Effect) {
    guard verbosity != .quiet, case .finished(_, let notice) = answer, !notice.isEmpty else {
      return
    }
    switch wish {
    case .recover, .useVersion: report(notice)
    default: break
    }
  }

  private mutating func note(_ notices: [String], of path: String) {
    let name = path == "-" ? World.standardInputName : path
    guard verbosity == .verbose else { return }
    for notice in notices { report("\(name): \(notice)") }
  }

  private static func failure(_ error: any Error) -> Failure {
    if let failure = error as? Failure { return failure }
    var failure = Failure(.usage, what: "\(error)")
    failure.column = (error as? EditingError)?.column
    return failure
  }
}

/// Tells people how far work is.
package protocol ProgressReporting: Sendable {
  /// A piece of work begins.
  func begin(_ name: String)
  /// The part of it that is done, from 0 to 1; may come from any thread.
  func report(_ fraction: Double)
  /// It is done, or has failed.
  func end()
}

/// Tells nobody.
package struct NoProgress: ProgressReporting {
  package init() {}
  package func begin(_ name: String) {}
  package func report(_ fraction: Double) {}
  package func end() {}
}

/// The words that stand before a command in a script.
enum ScriptWord {
  /// Takes a word off the front of a line; answers whether it was there.
  static func take(_ word: String, from line: inout String) -> Bool {
    let rest = line.drop { $0.isWhitespace }
    guard rest.hasPrefix(word), let next = rest.dropFirst(word.count).first, next.isWhitespace
    else { return false }
    line = String(rest.dropFirst(word.count))
    return true
  }
}
