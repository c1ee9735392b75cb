import Glibc
import PortolanCSystem
import PortolanEditing
import PortolanFiles
import PortolanTerminals
import PortolanTexts

/// `portolan serve`: starts the process that keeps the files, or is that process.
enum ServeProgram {
  private static let ready = "ready "
  /// What a process in a scope says first.
  private static let begun = "begun"

  static func run(_ serve: ServeFiles) throws -> Int32 {
    if serve.foreground || serve.staysBehind { return try host(serve) }
    SystemFacts.settings.faults.forEach(Diagnostics.write)
    if serve.stdio { return try relay(serve) }
    let host = try start()
    try HeadlessProgram.write("process \(host.process), socket \(host.socket)\n")
    Diagnostics.write(
      "serving: portolan attach \(host.process) shows it"
        + (host.isScoped || !Reception.hasSystemd
          ? "" : "; systemd gave it no scope of its own: a logout may end it"))
    return ExitCode.done.rawValue
  }

  /// Serves the files, unless they are served, and stands for their socket.
  private static func relay(_ serve: ServeFiles) throws(Failure) -> Int32 {
    let socket: String
    if let file = serve.files.first, let found = try? HostFinder.find(file).socket {
      socket = found
    } else {
      socket = try start().socket
    }
    try Relay.run(to: socket)
    return ExitCode.done.rawValue
  }

  // MARK: The process at the terminal

  /// The process that stays.
  private struct Started {
    var process: pid_t
    var socket: String
    /// Whether systemd runs it in a scope of its own.
    var isScoped = false
  }

  /// Starts the process that stays: in a systemd scope of its own, where there is systemd.
  private static func start() throws(Failure) -> Started {
    if let scoped = try startInScope() { return scoped }
    let (process, output) = try spawn("/proc/self/exe", before: [], flag: "--daemon")
    defer { close(output) }
    return try started(process, firstLine(output))
  }

  /// Has systemd start the process; `nil` where it does not answer.
  ///
  /// `systemd-run` becomes the process itself, which keeps its number.
  private static func startInScope() throws(Failure) -> Started? {
    guard let program = ownPath else { return nil }
    let words = [
      "env", "systemd-run", "--user", "--scope", "--quiet", "--collect", "--", program,
    ]
    let (process, output) = try spawn("/usr/bin/env", before: words, flag: "--scoped-daemon")
    defer { close(output) }
    var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, scopeMilliseconds) > 0, firstLine(output) == begun else {
      // It may hang; two hosts of one file must not be.
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
      return nil
    }
    var host = try started(process, firstLine(output))
    host.isScoped = true
    return host
  }

  /// The path of this program; `nil` if it is not known.
  private static var ownPath: String? {
    var bytes = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    return FilePath.text(of: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// How long systemd may take to begin the process.
  private static let scopeMilliseconds: Int32 = 3_000

  /// Starts a program with the words of this one's command line.
  ///
  /// - Parameters:
  ///   - before: the words before those of this program but its name; empty for its name.
  ///   - flag: what tells the process that it is the one that stays.
  /// - Returns: its number, and the pipe of what it says.
  private static func spawn(
    _ path: String, before: [String], flag: String
  ) throws(Failure) -> (process: pid_t, output: Int32) {
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
    ).filter { word in word.map { strcmp($0, "--stdio") != 0 } ?? false }
    let copies = (before + [flag]).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let own = before.isEmpty ? Array(words.prefix(1)) : Array(copies.dropLast())
    let arguments =
      own + words.dropFirst().prefix(1) + copies.suffix(1) + words.dropFirst(2) + [nil]
    var process: pid_t = 0
    var output: Int32 = -1
    let number = portolan_start_daemon(path, arguments, &process, &output)
    if number != 0 {
      throw Failure(.output, what: "no process: \(String(cString: strerror(number)))")
    }
    return (process, output)
  }

  /// The process by what it says of its beginning.
  private static func started(_ process: pid_t, _ line: String) throws(Failure) -> Started {
    if line.hasPrefix(ready) {
      return Started(process: process, socket: String(line.dropFirst(ready.count)))
    }
    let parts = line.split(separator: " ", maxSplits: 1)
    let code = parts.first.flatMap { Int32($0) }.flatMap { ExitCode(rawValue: $0) }
    throw Failure(
      code ?? .output, what: parts.count == 2 ? String(parts[1]) : "the process has ended at once")
  }

  /// The next line that the process says.
  private static func firstLine(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 10_000 {
      let count = read(descriptor, &byte, 1)
      if count == 1, byte != 0x0A {
        bytes.append(byte)
      } else if count != -1 || errno != EINTR {
        break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: The process that stays

  private static func host(_ serve: ServeFiles) throws -> Int32 {
    if serve.isScoped { write(begun) }
    var settings = SystemFacts.settings
    settings.set(.versions, to: serve.noVersions ? "no" : nil, by: "--no-versions")
    settings.set(.serve, to: "always", by: "serve")
    var options = World.Options()
    options.beginsNewDocuments = true
    SystemFacts.tell(&options, settings)
    options.guardsDocuments = true
    options.keepsEdits = true
    options.socket = Reception.socket
    let world = World(files: RealFileSystem(), options: options)
    var desk = Desk()
    desk.begin(with: settings)
    var loop = EditorLoop(desk: desk, screen: NoScreen(), world: world, isHere: false)
    let reception = Reception()
    reception.endOnSignals(loop.box)
    signal(SIGPIPE, SIG_IGN)
    if serve.staysBehind { signal(SIGHUP, SIG_IGN) }
    var failure: Failure?
    let code = try loop.run(
      files: serve.files, reading: serve.columns.reading, patienceSeconds: 86_400
    ) { loop in
      failure = Self.failure(of: loop.desk)
      if failure == nil {
        reception.open(
          &loop, stays: true, outlivesLogin: serve.isScoped || serve.foreground)
        if let trouble = loop.desk.sharing.socketTrouble {
          failure = Failure(.output, what: trouble)
        }
      }
      guard failure == nil else { return loop.endFromOutside() }
      say(ready + (loop.desk.sharing.socket ?? ""), serve)
    }
    reception.close()
    if let failure {
      guard serve.staysBehind else { throw failure }
      say("\(failure.code.rawValue) \(failure.description)", serve)
      return failure.code.rawValue
    }
    return code
  }

  /// Why the files cannot be served.
  private static func failure(of desk: Desk) -> Failure? {
    if desk.file.isHeldByOther {
      return Failure(
        .input, what: "\(desk.title): \(desk.file.readOnlyReason ?? "it is open elsewhere")")
    }
    guard let message = desk.message, message.severity == .error else { return nil }
    return Failure(.input, what: message.text)
  }

  /// Tells the process at the terminal; nothing is written after that.
  private static func say(_ text: String, _ serve: ServeFiles) {
    write(DisplayWidth.sanitised(text))
    if serve.staysBehind { portolan_drop_streams() }
  }
  /// Writes a line to the process at the terminal.
  private static func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
  }
}
