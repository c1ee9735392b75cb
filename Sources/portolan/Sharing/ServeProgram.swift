import Glibc
import PortolanCSystem
import PortolanEditing
import PortolanFiles
import PortolanTerminals
import PortolanTexts

/// `portolan serve`: starts the process that keeps the files, or is that process.
enum ServeProgram {
  private static let ready = "ready "

  static func run(_ serve: ServeFiles) throws -> Int32 {
    if serve.foreground || serve.isDaemon { return try host(serve) }
    if serve.stdio { return try relay(serve) }
    let (process, socket) = try start()
    try HeadlessProgram.write("process \(process), socket \(socket)\n")
    Diagnostics.write("serving: portolan attach \(process) shows it")
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

  /// Starts the process that stays; returns its number and its socket.
  private static func start() throws(Failure) -> (process: pid_t, socket: String) {
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
    ).filter { word in word.map { strcmp($0, "--stdio") != 0 } ?? false }
    var process: pid_t = 0
    var output: Int32 = -1
    let number = "--daemon".withCString { flag in
      var arguments = Array(words.prefix(2)) + [UnsafeMutablePointer(mutating: flag)]
      arguments += Array(words.dropFirst(2)) + [nil]
      return portolan_start_daemon("/proc/self/exe", arguments, &process, &output)
    }
    if number != 0 {
      throw Failure(.output, what: "no process: \(String(cString: strerror(number)))")
    }
    defer { close(output) }
    let line = firstLine(output)
    if line.hasPrefix(ready) { return (process, String(line.dropFirst(ready.count))) }
    let parts = line.split(separator: " ", maxSplits: 1)
    let code = parts.first.flatMap { Int32($0) }.flatMap { ExitCode(rawValue: $0) }
    throw Failure(
      code ?? .output, what: parts.count == 2 ? String(parts[1]) : "the process has ended at once")
  }

  /// What the process says first; it says one line.
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
    var options = World.Options()
    options.beginsNewDocuments = true
    SystemFacts.tell(&options)
    options.guardsDocuments = true
    options.keepsEdits = true
    options.socket = Reception.socket
    let world = World(files: RealFileSystem(), options: options)
    var desk = Desk()
    desk.session.keepsVersions = !serve.noVersions
    var loop = EditorLoop(desk: desk, screen: NoScreen(), world: world, isHere: false)
    let reception = Reception()
    reception.endOnSignals(loop.box)
    signal(SIGPIPE, SIG_IGN)
    if serve.isDaemon { signal(SIGHUP, SIG_IGN) }
    var failure: Failure?
    let code = try loop.run(
      files: serve.files, reading: serve.columns.reading, patienceSeconds: 86_400
    ) { loop in
      failure = Self.failure(of: loop.desk)
      if failure == nil {
        reception.open(&loop, stays: true)
        if let trouble = loop.desk.sharing.socketTrouble {
          failure = Failure(.output, what: trouble)
        }
      }
      guard failure == nil else { return loop.endFromOutside() }
      say(ready + (loop.desk.sharing.socket ?? ""), serve)
    }
    reception.close()
    if let failure {
      guard serve.isDaemon else { throw failure }
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
    let bytes = Array((DisplayWidth.sanitised(text) + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if serve.isDaemon { portolan_drop_streams() }
  }
}
