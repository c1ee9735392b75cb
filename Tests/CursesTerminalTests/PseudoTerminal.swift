import Foundation
import Glibc
import Testing

/// A program in a pseudo-terminal of its own: types, listens, resizes, hangs up.
final class PseudoTerminal {
  let process: pid_t
  private(set) var output: [UInt8] = []
  private(set) var status: Int32?
  private var master: Int32
  private let modesBefore: termios
  /// The questions that this terminal replies to; empty for a silent one.
  private let replies: [(question: String, reply: String)]
  private let replySeconds: Double
  /// The end of the output that was searched for questions.
  private var searched = 0
  private var due: [(time: Date, reply: String)] = []

  /// The test program, built beside the tests.
  static var probe: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("terminal-probe").path
  }

  /// - Parameters:
  ///   - cell: the size of a cell in pixels; 0 for one that is not told.
  ///   - replies: questions and what the terminal replies to each.
  ///   - replySeconds: the time that it takes for it.
  init(
    _ arguments: [String] = [], program: String = PseudoTerminal.probe,
    environment: [String: String] = [:], columns: UInt16 = 80, rows: UInt16 = 24,
    cell: (width: UInt16, height: UInt16) = (0, 0),
    replies: [(question: String, reply: String)] = [], replySeconds: Double = 0
  ) throws {
    self.replies = replies
    self.replySeconds = replySeconds
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: CInt = 0
    var number: CUnsignedInt = 0
    // TIOCSPTLCK and TIOCGPTN, which Swift cannot see.
    let isReady = ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0
    try #require(master >= 0 && isReady, "no pseudo-terminal")
    let slave = "/dev/pts/\(number)"
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns * cell.width,
      ws_ypixel: rows * cell.height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var modes = termios()
    tcgetattr(master, &modes)
    modesBefore = modes

    var variables = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
      "PATH": "/usr/bin:/bin",
    ]
    variables.merge(environment) { $1 }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session's leader opens becomes the session's.
    posix_spawn_file_actions_addopen(&actions, 0, slave, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF  // 0x80: SETSID
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var pairs: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + pairs { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, &attributes, &words, &pairs)
    process = child
    try #require(result == 0, "cannot start \(program)")
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      _ = waitForEnd(seconds: 5)
    }
    if master >= 0 { close(master) }
  }

  /// The process that a shell started here runs.
  var childProcess: pid_t? {
    let path = "/proc/\(process)/task/\(process)/children"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").first
      .flatMap { pid_t($0) }
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Whether the terminal's modes are those of before the start.
  var isCooked: Bool {
    var modes = termios()
    guard tcgetattr(master, &modes) == 0 else { return false }
    return modes.c_lflag == modesBefore.c_lflag && modes.c_iflag == modesBefore.c_iflag
      && modes.c_oflag == modesBefore.c_oflag && modes.c_cflag == modesBefore.c_cflag
  }

  func type(_ keys: String) { type(Array(keys.utf8)) }

  func type(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func hangUp() {
    close(master)
    master = -1
  }

  /// Forgets what was printed so far.
  func clear() {
    output = []
    searched = 0
  }

  /// Sends the replies whose time has come to the questions printed so far.
  private func reply() {
    while let found = nextQuestion() {
      searched = found.end
      due.append((Date(timeIntervalSinceNow: replySeconds), found.reply))
    }
    while let first = due.first, first.time <= Date() {
      due.removeFirst()
      type(first.reply)
    }
  }

  private func nextQuestion() -> (start: Int, end: Int, reply: String)? {
    replies.compactMap { pair in
      place(of: pair.question, from: searched).map {
        (start: $0, end: $0 + pair.question.utf8.count, reply: pair.reply)
      }
    }.min { $0.start < $1.start }
  }

  /// Where a text begins in the output, from a byte on.
  ///
  /// The output is searched for every question each time that more comes: with the searches
  /// of the standard library, which are not specialised in a debug build, tests would wait for them.
  private func place(of text: String, from start: Int = 0) -> Int? {
    let text = Array(text.utf8)
    return output.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let first = text.first else { return nil }
      var place = start
      while bytes.count - place >= text.count,
        let found = memchr(base + place, CInt(first), bytes.count - place - text.count + 1)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, text, text.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }

  /// Listens until a text was printed; false when it does not come in time.
  @discardableResult
  func waitFor(_ text: String, seconds: Double = 60) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if place(of: text) != nil { return true }
      if !listen(milliseconds: 50), status != nil || waitForEnd(seconds: 0) != nil {
        return place(of: text) != nil
      }
    }
    return false
  }

  /// Listens for a while and returns what came.
  func listen(seconds: Double) -> [UInt8] {
    let start = output.count
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline { _ = listen(milliseconds: 20) }
    return Array(output[start...])
  }

  /// The wait status once the program has ended; `nil` when it goes on.
  func waitForEnd(seconds: Double = 60) -> Int32? {
    if let status { return status }
    let deadline = Date(timeIntervalSinceNow: seconds)
    repeat {
      if master >= 0 { _ = listen(milliseconds: 10) } else { usleep(10_000) }
      var value: Int32 = 0
      if waitpid(process, &value, WNOHANG) == process {
        status = value
        while master >= 0, listen(milliseconds: 10) {}
        return value
      }
    } while Date() < deadline
    return nil
  }

  private func listen(milliseconds: Int32) -> Bool {
    guard master >= 0 else { return false }
    var waited = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waited, 1, milliseconds) > 0 else {
      reply()
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    if count > 0 { output += buffer.prefix(count) }
    reply()
    if count <= 0 { usleep(1000) }
    return count > 0
  }

  /// Whether everything that was switched on is off again at the end of the output.
  var isGivenBack: Bool {
    let text = text
    let modes = ["?1049", "?1000", "?1002", "?1006", "?2004", "?2026", "?2031"]
    let pairs = modes.map { ($0 + "h", $0 + "l") } + [("\u{1B}[>1u", "\u{1B}[<u")]
    let pictures = [("a=T,q=2,f=100,i=1349480001", "a=d,d=I,i=1349480001")]
    return (pairs + pictures).allSatisfy { on, off in
      guard let on = text.ranges(of: on).last?.lowerBound else { return true }
      return text.ranges(of: off).last.map { $0.lowerBound > on } ?? false
    } && text.contains("\u{1B}[?25h") && isCooked
  }
}
