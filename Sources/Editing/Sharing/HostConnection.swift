import Archiving
import PortolanFiles
package import PortolanTerminals
import Ports
import Synchronization

/// A client's connection with a host.
package final class HostConnection: HostLine {
  private let connection: PortConnection
  /// The program through which the host is reached; `nil` for a socket of this machine.
  private let program: PortProgram?
  /// The machine that the program reaches; `nil` for this one.
  private let machine: String?
  private var root: DistantObject { connection.root }

  /// How long a host of this machine may take to answer a client that has just come.
  package static let patience = Duration.milliseconds(900)

  /// Connects to a socket.
  ///
  /// - Throws: `Failure` with the exit code for an unreachable host: `input`; after `patience`
  ///   where the host does not answer.
  package init(to path: String) throws(Failure) {
    do {
      var options = PortSetup.options
      options.limits.greetingLimit = Self.patience
      connection = try PortConnection(to: path, options: options)
      (program, machine) = (nil, nil)
      try requireSignsOfLife()
    } catch {
      throw Self.failure(error, reaching: FilePath.shown(path))
    }
  }

  /// Connects through the standard input and output of a program, such as ssh; what it asks of
  /// people, it may take two minutes for.
  ///
  /// - Parameter machine: the name of the machine that it reaches.
  /// - Throws: `Failure` with the exit code for an unreachable host: `input`.
  package init(through words: [String], to machine: String) throws(Failure) {
    do {
      let program = try PortProgram(words)
      var options = PortSetup.options
      options.limits.greetingLimit = .seconds(120)
      connection = try PortConnection(program.streams, options: options)
      (self.program, self.machine) = (program, machine)
      try connection.waitForGreeting()
      try requireSignsOfLife()
    } catch {
      throw Self.failure(error, reaching: machine)
    }
  }

  deinit { connection.close() }

  /// Refuses a program that might be silent for ever: no question of an editor is without an end.
  private func requireSignsOfLife() throws(PortError) {
    guard let pause = connection.peerKeepAlive, pause <= Self.pauseMax else {
      throw PortError(.otherVersion, "it gives no signs of life")
    }
  }

  /// The longest time between two signs of life of a host.
  private static let pauseMax = Duration.seconds(60)

  // MARK: Questions

  /// The documents and people of the host.
  package func state() throws(Failure) -> HostState {
    do {
      let parcel: Parcel = try root.call("state", timeLimit: Self.patience)
      return try HostState(parcel.bytes)
    } catch {
      throw Failure(.input, what: Self.words(for: error, on: machine))
    }
  }

  /// Runs lines of the command language in the host; waits for their end.
  package func run(_ lines: RemoteLines) throws(Failure) -> RemoteAnswer {
    do {
      let parcel: Parcel = try root.call(
        "run", Parcel(lines.bytes), timeLimit: .seconds(86_400))
      return try RemoteAnswer(parcel.bytes)
    } catch {
      throw Failure(.input, what: Self.words(for: error, on: machine))
    }
  }

  // MARK: A session

  /// Takes a session of the host up; its frames and notices come into a box from now on.
  ///
  /// - Returns: the number of the session.
  @discardableResult
  package func attach(_ facts: GuestFacts, box: ClientBox) throws(Failure) -> Int {
    do {
      connection.onEnd { [machine] error in
        let isBroken = machine != nil && error.code == .peerGone
        box.post(
          .broken(
            Self.words(for: error, on: machine)
              + (isBroken ? ": the same command takes up the session again" : "")))
      }
      let terminal = TerminalPort(box) { [weak connection] in connection?.close($0) }
      return try root.call("attach", Parcel(facts.bytes), Byref(terminal))
    } catch {
      throw Failure(.input, what: Self.words(for: error, on: machine))
    }
  }

  package func send(_ events: [TerminalEvent]) throws {
    try root.send("events", Parcel(PackedEvents.bytes(events)))
  }

  package func noteShown() throws { try root.send("shown") }

  package func close() { connection.close() }

  /// Why there is no host; errors about the way to it name it themselves.
  private static func failure(_ error: any Error, reaching subject: String) -> Failure {
    let what =
      switch error as? PortError {
      case let error? where error.code == .otherVersion:
        "no editor that this program understands: \(error.reason)"
      case let error? where error.code == .peerGone:
        "has ended the connection before an editor answered"
      case let error? where error.code == .peerSilent || error.code == .timeLimit:
        "does not answer (\(error.reason))"
      default: ""
      }
    return what.isEmpty
      ? Failure(.input, what: words(for: error)) : Failure(.input, subject: subject, what: what)
  }

  private static func words(for error: any Error, on machine: String? = nil) -> String {
    switch error {
    case let error as PortError:
      switch error.code {
      case .peerGone: machine.map { "the line to \($0) has ended" } ?? "the host has ended"
      case .peerSilent, .timeLimit: "the host does not answer (\(error.reason))"
      default: error.reason
      }
    case let failure as PortFailure where failure.name == PortFailure.noMethod:
      "this is no editor: \(failure.reason)"
    case let failure as PortFailure: failure.reason
    default: "\(error)"
    }
  }
}

/// What a client vends to its host: the terminal.
private final class TerminalPort: Vended, Sendable {
  private let box: ClientBox
  private let close: @Sendable (String) -> Void

  init(_ box: ClientBox, close: @escaping @Sendable (String) -> Void) {
    (self.box, self.close) = (box, close)
  }

  /// Hands mail over; a host that sends a flood of it is left.
  private func post(_ mail: ClientBox.Mail) {
    if !box.post(mail) { close("more than a terminal can show") }
  }

  static let portMethods = PortMethods(TerminalPort.self) { list in
    list.onCall("present") { terminal, call in
      guard let change = try? call.next(Parcel.self), let echo = try? call.next(Parcel.self),
        let hint = try? EchoHint(echo.bytes)
      else { return call.connection.close("this is no picture of a host") }
      terminal.post(.change(change.bytes, hint))
    }
    list.onCall("echo") { terminal, call in
      guard let parcel = try? call.next(Parcel.self), let hint = try? EchoHint(parcel.bytes)
      else { return call.connection.close("this is no echo of a host") }
      terminal.post(.echo(hint))
    }
    list.onCall("notice") { terminal, call in
      guard let parcel = try? call.next(Parcel.self),
        let notice = try? GuestNotice(parcel.bytes)
      else { return call.connection.close("this is no notice of a host") }
      terminal.post(.notice(notice))
    }
  }
}
