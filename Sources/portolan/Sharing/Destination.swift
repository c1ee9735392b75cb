import PortolanEditing

/// Where `attach` and `remote` find an editor.
enum Destination {
  /// A socket of this machine, and the real path of the file that led to it.
  case socket(String, file: String?)
  /// Another machine, by ssh.
  case machine(SecureShellAddress)

  /// Finds the editor that a word means.
  ///
  /// - Parameter target: a number, a socket, a file, or `ssh://HOST/PATH`; `nil` for the only one.
  init(_ target: String?, _ settings: Settings) throws(Failure) {
    if let target, target.hasPrefix(SecureShellAddress.scheme) {
      self = .machine(try SecureShellAddress(target, program: settings.sshWords))
    } else {
      let found = try HostFinder.find(target)
      self = .socket(found.socket, file: found.file)
    }
  }

  /// The real path of the file that led here; `nil` without one, and on another machine.
  var file: String? { if case .socket(_, let file) = self { file } else { nil } }

  /// Connects, and waits for the other side's greeting.
  func connect() throws(Failure) -> HostConnection {
    switch self {
    case .socket(let path, _): try HostConnection(to: path)
    case .machine(let address): try HostConnection(through: address.words, to: address.host)
    }
  }
}

/// `ssh://USER@HOST:PORT/PATH`, a file on another machine; `/~/PATH` begins at the home folder.
struct SecureShellAddress {
  static let scheme = "ssh://"

  let host: String
  private let port: String?
  private let path: String
  /// The program that reaches the machine, with its options.
  private let program: [String]

  init(_ text: String, program: [String]) throws(Failure) {
    self.program = program
    let rest = text.dropFirst(Self.scheme.count)
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let host = place.first, !host.isEmpty,
      !host.hasPrefix("-"),
      !host.contains(where: { $0.isWhitespace || $0.asciiValue.map { $0 < 32 } == true })
    else {
      throw Failure(
        .usage, subject: text, what: "write ssh://HOST/PATH, or ssh://USER@HOST:PORT/PATH")
    }
    self.host = String(host)
    port = place.count == 2 ? String(place[1]) : nil
    if let port, UInt16(port) == nil {
      throw Failure(.usage, subject: text, what: "“\(port)” is no port")
    }
    path = parts[1].hasPrefix("~/") ? String(parts[1].dropFirst(2)) : "/" + parts[1]
  }

  /// The command: ssh, or what the configuration names, with the program on the other machine.
  var words: [String] {
    let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
    return program
      + (port.map { ["-p", $0] } ?? []) + [host, "portolan serve --stdio -- \(quoted)"]
  }
}
