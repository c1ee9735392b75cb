import Dispatch
import Glibc
import PortolanEditing
import PortolanFiles
import PortolanKeeping
import Synchronization

/// Finds the editors of this user that can be attached to.
enum HostFinder {
  /// An editor that runs.
  struct Found: Sendable {
    var process: Int
    var socket: String
    /// What it has open; `nil` if it does not answer.
    var state: HostState?
  }

  /// The sockets of this user; `nil` where no folder for them is known.
  static var sockets: HostSockets? {
    HostSockets(
      state: StateFolder(environment: SystemFacts.variable), environment: SystemFacts.variable)
  }

  /// All editors that run, asked at the same time: those that are stopped cost one limit together.
  static func hosts() -> [Found] {
    guard let sockets else { return [] }
    sockets.clear()
    let asked = sockets.processes.filter { $0 != Int(getpid()) }
      .compactMap { process in sockets.path(of: process).map { (process, $0) } }
    let states = States()
    let group = DispatchGroup()
    for (process, path) in asked {
      // A queue of its own is a thread of its own.
      DispatchQueue(label: "portolan.ask.\(process)").async(group: group) {
        if let state = try? HostConnection(to: path).state() { states.note(state, of: process) }
      }
    }
    _ = group.wait(timeout: .now() + patienceSeconds)
    return asked.map { Found(process: $0, socket: $1, state: states.state(of: $0)) }
  }

  /// How long all editors together may take to answer, in seconds.
  private static let patienceSeconds = 0.9

  private final class States: Sendable {
    private let known = Mutex<[Int: HostState]>([:])

    func note(_ state: HostState, of process: Int) { known.withLock { $0[process] = state } }
    func state(of process: Int) -> HostState? { known.withLock { $0[process] } }
  }

  /// The socket that a word leads to: a number, a socket, or a file that is open there.
  ///
  /// - Parameter target: `nil` for the only editor.
  /// - Returns: the socket, and the real path of the file if the word was one.
  static func find(_ target: String?) throws(Failure) -> (socket: String, file: String?) {
    guard let target else { return (try onlyHost(), nil) }
    if let process = Int(target), let path = sockets?.path(of: process) { return (path, nil) }
    let files = RealFileSystem()
    if (try? files.status(target, in: nil).kind) == .socket {
      return (files.knownPath(of: target), nil)
    }
    let path = files.knownPath(of: target)
    let hosts = hosts()
    for host in hosts {
      guard let state = host.state else { continue }
      if state.documents.contains(where: { $0.path == path }) { return (host.socket, path) }
    }
    let what =
      files.exists(path)
      ? "no editor has it open" : "there is no such file, and no editor has it open"
    throw Failure(
      .input, subject: FilePath.shown(target),
      what: "\(what): portolan list names those that run" + silence(of: hosts))
  }

  private static func onlyHost() throws(Failure) -> String {
    let hosts = hosts()
    let answering = hosts.filter { $0.state != nil }
    if answering.count > 1 {
      throw Failure(
        .usage,
        what: "\(answering.count) editors run: name one, as portolan attach "
          + "\(answering[0].process) (portolan list shows them)")
    }
    guard let host = answering.first else {
      throw Failure(
        .input, what: "no editor runs: portolan serve FILE keeps one" + silence(of: hosts))
    }
    return host.socket
  }

  /// The editors that do not answer, in words; empty if all do.
  private static func silence(of hosts: [Found]) -> String {
    let silent = hosts.filter { $0.state == nil }.map { "\($0.process)" }
    if silent.isEmpty { return "" }
    return "; \(silent.joined(separator: ", ")) \(silent.count == 1 ? "does" : "do") not answer"
  }
}
