import Archiving
import Dispatch
package import PortolanFiles
import PortolanTerminals
import Ports
import Synchronization

/// The sockets of the hosts of one user: a service for each, by the number of its process.
package struct HostSockets: Sendable {
  private let services: PortServices

  /// `$XDG_RUNTIME_DIR/portolan`, else the sockets of the state folder; `nil` without either.
  package init?(state: StateFolder?, environment: (String) -> String?) {
    if let runtime = environment("XDG_RUNTIME_DIR"), FilePath.isAbsolute(runtime) {
      services = PortServices(folder: FilePath.join(runtime, "portolan"))
    } else if let state {
      services = PortServices(folder: FilePath.join(state.path, "sockets"))
    } else {
      return nil
    }
  }

  /// Removes what killed processes have left in the folder.
  package func clear() { services.clear() }

  /// The numbers of the processes that listen.
  package var processes: [Int] { services.names().compactMap { Int($0) }.sorted() }

  /// The socket of a process, whether it listens or not.
  package func path(of process: Int) -> String? { try? services.path(of: String(process)) }
}

/// The door of a host: other programs connect to its socket, and their mail goes into its box.
package final class HostPort: Sendable {
  package let path: String
  private let listener: PortListener

  /// Listens from now on.
  ///
  /// - Throws: `Failure` if nobody can connect there.
  package init(at path: String, box: GuestBox) throws(Failure) {
    self.path = path
    do {
      listener = try PortListener(at: path, options: PortSetup.options) { connection in
        let entrance = Entrance(line: box.makeLine(), box: box, process: connection.peer?.process)
        connection.onEnd { box.post(.gone(entrance.line, entrance.cutOff($0))) }
        return entrance
      }
    } catch {
      throw Failure(.output, subject: FilePath.shown(path), what: "no socket: \(error)")
    }
  }

  /// Takes no more guests; those who were told the end have half a second to go.
  package func close() {
    let end = DispatchTime.now() + 0.5
    while !listener.connections.isEmpty, DispatchTime.now() < end {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.005)
    }
    listener.close("the host has ended")
  }
}

/// How both sides set up their connections.
enum PortSetup {
  static var options: PortOptions {
    var limits = PortLimits()
    limits.greetingLimit = .seconds(3)
    limits.timeLimit = .seconds(10)
    limits.keepAlive = .seconds(10)
    limits.messageBytesMax = RemoteAnswer.outputMax + (16 << 20)
    return PortOptions(limits: limits, program: SharingProtocol.program)
  }
}

/// What a host vends to each program that connects.
///
/// Only the methods listed here can be called. What breaks their rules ends the connection.
private final class Entrance: Vended, Sendable {
  let line: LineID
  let box: GuestBox
  private let process: Int32?
  /// Why this end closed the connection.
  private let fault = Mutex<String?>(nil)

  init(line: LineID, box: GuestBox, process: Int32?) {
    (self.line, self.box, self.process) = (line, box, process)
  }

  /// What the end of the connection is to those who stay; `nil` where the other end has gone, or
  /// was let go.
  func cutOff(_ error: PortError) -> CutOff? {
    let reason: String? =
      switch error.code {
      case .peerGone: nil
      case .closed: fault.withLock { $0 }
      default: error.reason
      }
    return reason.map { CutOff(process: process, reason: $0) }
  }

  private func cut(_ call: PortCall, _ reason: String) {
    fault.withLock { $0 = reason }
    call.connection.close(reason)
  }

  static let portMethods = PortMethods(Entrance.self) { list in
    list.onCall("attach") { entrance, call in
      let facts = try GuestFacts(try call.next(Parcel.self).bytes)
      let terminal = try call.next(DistantObject.self)
      try call.checkEnd()
      let guest = PortGuestLine(connection: call.connection, terminal: terminal)
      let answer = call.later()
      entrance.post(
        .arrival(entrance.line, facts, guest) { result in
          switch result {
          case .success(let person): answer.reply(person.rawValue)
          case .failure(let failure): answer.fail(PortFailure(failure))
          }
        }, call)
    }
    list.onCall("events") { entrance, call in
      guard let parcel = try? call.next(Parcel.self),
        let events = try? PackedEvents.events(parcel.bytes)
      else { return entrance.cut(call, "these are no events of a terminal") }
      if !entrance.box.post(events, of: entrance.line) { entrance.cut(call, Entrance.flood) }
    }
    list.onCall("shown") { entrance, call in entrance.post(.shown(entrance.line), call) }
    list.onCall("run") { entrance, call in
      let lines = try RemoteLines(try call.next(Parcel.self).bytes)
      try call.checkEnd()
      let answer = call.later()
      entrance.post(.lines(entrance.line, lines) { answer.reply(Parcel($0.bytes)) }, call)
    }
    list.onCall("state") { entrance, call in
      let answer = call.later()
      entrance.post(.state { answer.reply(Parcel($0.bytes)) }, call)
    }
  }

  private static let flood = "more came than can be handled"

  /// Hands mail over; whoever sends a flood of it is cut off.
  private func post(_ mail: GuestMail, _ call: PortCall) {
    if !box.post(mail, of: line) { cut(call, Entrance.flood) }
  }
}

/// The terminal of a client, as its host reaches it.
private final class PortGuestLine: GuestLine {
  private let connection: PortConnection
  private let terminal: DistantObject

  init(connection: PortConnection, terminal: DistantObject) {
    (self.connection, self.terminal) = (connection, terminal)
  }

  var process: Int32? { connection.peer?.process }

  // A broken line is told by the end of its connection.
  func present(_ change: [UInt8], _ echo: EchoHint) {
    try? terminal.send("present", Parcel(change), Parcel(echo.bytes))
  }
  func tell(_ echo: EchoHint) { try? terminal.send("echo", Parcel(echo.bytes)) }
  func tell(_ notice: GuestNotice) { try? terminal.send("notice", Parcel(notice.bytes)) }
  func close(_ reason: String) { connection.close(reason) }
}
