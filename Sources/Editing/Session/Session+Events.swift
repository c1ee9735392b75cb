import Terminals

extension Session {
  /// Takes in an event; answers what is wanted from the outside.
  package mutating func handle(_ event: Event) -> [Effect] {
    effects = []
    switch event {
    case .terminal(let event): handle(event)
    case .tick(let seconds): now = seconds
    case .progress(let id, let fraction):
      if let index = jobs.firstIndex(where: { $0.id == id }) { jobs[index].fraction = fraction }
    default: break
    }
    defer { effects = [] }
    return effects
  }

  private mutating func handle(_ event: TerminalEvent) {
    switch event {
    case .resize(let size): screenSize = size
    case .resumed: request(.redraw)
    default: break
    }
  }

  /// Asks the outside for something.
  package mutating func request(_ effect: Effect) { effects.append(effect) }

  /// Notes a job that the world is asked to do.
  package mutating func startJob(_ name: String) -> JobID {
    let id = JobID(nextJobNumber)
    nextJobNumber += 1
    jobs.append(Job(id: id, name: name))
    return id
  }

  package mutating func say(_ text: String, _ severity: Message.Severity = .note) {
    message = Message(text, severity)
  }

  /// Runs a line of the command language; the message tells what went wrong.
  ///
  /// - Throws: `EditingError`; nothing has changed then.
  package mutating func run(line: String) throws {
    guard let command = try parsedLines.command(for: line) else { return }
    var session = self
    try command.run(in: &session)
    self = session
  }
}
