import Glibc
import PortolanEditing
import PortolanFiles
import PortolanKeeping

/// Finds the editors of this user that can be attached to.
enum HostFinder {
  /// The sockets of this user; `nil` where no folder for them is known.
  static var sockets: HostSockets? {
    HostSockets(
      state: StateFolder(environment: SystemFacts.variable), environment: SystemFacts.variable)
  }

  /// The states of all editors that answer, and the paths of their sockets.
  static func hosts() -> [(socket: String, state: HostState)] {
    guard let sockets else { return [] }
    return sockets.processes.filter { $0 != Int(getpid()) }.compactMap { process in
      guard let path = sockets.path(of: process),
        let state = try? HostConnection(to: path).state()
      else { return nil }
      return (path, state)
    }
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
    for host in hosts() where host.state.documents.contains(where: { $0.path == path }) {
      return (host.socket, path)
    }
    throw Failure(
      .input, subject: FilePath.shown(target),
      what: "no editor has it open: portolan list names those that run")
  }

  private static func onlyHost() throws(Failure) -> String {
    let hosts = hosts()
    if hosts.count > 1 {
      throw Failure(
        .usage,
        what: "\(hosts.count) editors run: name one, as portolan attach "
          + "\(hosts[0].state.process) (portolan list shows them)")
    }
    guard let host = hosts.first else {
      throw Failure(.input, what: "no editor runs: portolan serve FILE keeps one")
    }
    return host.socket
  }
}
