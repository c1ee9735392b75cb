import Glibc

/// A program in a pseudo-terminal of its own, timed from outside.
final class PseudoTerminal {
  /// What could not be done.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let master: Int32
  private let child: pid_t
  private var isOver = false

  /// Starts a program on a fresh terminal.
  ///
  /// - Parameters:
  ///   - command: the program's path and its arguments.
  ///   - columns: width in cells.
  ///   - rows: height in cells.
  ///   - home: where the program finds its user's files.
  init(
    command: [String], columns: UInt16, rows: UInt16, home: String = "/nonexistent"
  ) throws {
    // posix_openpt, unlockpt and ptsname as Linux has them; Swift's Glibc does not show them.
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: CUnsignedInt = 0
    var lock: CInt = 0
    guard master >= 0, ioctl(master, Self.lockRequest, &lock) == 0,
      ioctl(master, Self.numberRequest, &number) == 0
    else { throw Failure(description: "no pseudo-terminal: \(errno)") }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Self.newSession)
    var words = command.map { strdup($0) } + [nil]
    var variables = (Self.environment + ["HOME=\(home)"]).map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var child: pid_t = 0
    guard posix_spawn(&child, command[0], &actions, &attributes, &words, &variables) == 0 else {
      throw Failure(description: "\(command[0]) does not start")
    }
    self.master = master
    self.child = child
  }

  /// TIOCSPTLCK and TIOCGPTN of `asm-generic/ioctls.h`, and POSIX_SPAWN_SETSID of `spawn.h`.
  private static let lockRequest: UInt = 0x4004_5431
  private static let numberRequest: UInt = 0x8004_5430
  private static let newSession: Int16 = 0x80

  private static let environment = [
    "TERM=xterm-256color", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin",
    "SWIFT_BACKTRACE=enable=no",
  ]

  /// Types bytes.
  func type(_ text: String) {
    var bytes = Array(text.utf8)
    _ = write(master, &bytes, bytes.count)
  }

  /// Reads until the output holds `marker`, and gives all that was read.
  ///
  /// - Throws: `Failure` when `timeoutSeconds` pass or the program ends first.
  func read(until marker: [UInt8], timeoutSeconds: Double) throws -> [UInt8] {
    try read(timeoutSeconds: timeoutSeconds) { output, from in
      let start = max(0, from - marker.count)
      return output[start...].firstRange(of: marker) != nil
    }
  }

  /// Reads until `isDone` says so of the output and where its newest part begins.
  func read(
    timeoutSeconds: Double, until isDone: ([UInt8], Int) -> Bool
  ) throws -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    let end = now() + timeoutSeconds
    while now() < end {
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 50) > 0 else { continue }
      let count = Glibc.read(master, &buffer, buffer.count)
      guard count > 0 else { throw Failure(description: "the program ended") }
      let from = output.count
      output += buffer[..<count]
      if isDone(output, from) { return output }
    }
    throw Failure(description: "nothing within \(timeoutSeconds) s")
  }

  /// Reads and drops what comes until nothing has come for a while.
  func drain(quietSeconds: Double) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(quietSeconds * 1000)) > 0,
        Glibc.read(master, &buffer, buffer.count) > 0
      else { return }
    }
  }

  /// Ends the program and gives its peak memory in MiB.
  @discardableResult
  func end() -> Double {
    guard !isOver else { return 0 }
    isOver = true
    kill(child, SIGTERM)
    drain(quietSeconds: 0.2)
    var status: Int32 = 0
    var usage = rusage()
    wait4(child, &status, 0, &usage)
    close(master)
    return Double(usage.ru_maxrss) / 1024
  }

  deinit { end() }
}

/// Seconds on a clock that never steps back.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
