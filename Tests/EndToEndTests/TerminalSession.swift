import Foundation
import Glibc

/// The real program in a real pseudo-terminal: tmux types the keys and reads the screen.
final class TerminalSession {
  /// What went wrong, with the screen as it stood.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: String
  let directory: URL

  /// Where tmux is, or `nil`.
  static let tmux: String? = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The program, built beside the tests.
  static var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("portolan")
  }

  /// Starts a shell in a terminal of the given size; `run` types commands into it.
  ///
  /// - Parameters:
  ///   - terminal: the value of `TERM` inside.
  ///   - environment: more variables for the shell, as `NAME=value`.
  init(
    columns: Int = 80, rows: Int = 24, terminal: String = "xterm-256color",
    environment: [String] = []
  ) throws {
    socket = "portolan-test-\(UUID().uuidString.prefix(8))"
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(socket)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let variables = [
      "TERM=\(terminal)", "PS1=ready$ ", "HOME=\(directory.path)", "LC_ALL=C.UTF-8",
      "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
      "XDG_STATE_HOME=\(directory.path)/state", "XDG_CONFIG_HOME=\(directory.path)/config",
    ]
    let shell =
      ["env", "-i"] + variables + environment + ["sh", "-c", "cd \"$HOME\"; exec sh -i"]
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + shell)
    try tmux(["set-option", "-g", "status", "off"])
    try waitFor("ready$")
  }

  deinit {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(at: directory)
  }

  /// Types a shell command and Enter.
  func run(_ command: String) throws {
    try type(command)
    try keys("Enter")
  }

  /// Starts the program under test with the given words.
  func start(_ arguments: String) throws {
    try run("\(Self.program.path) \(arguments)")
  }

  /// Presses keys by tmux's names: `Enter`, `Escape`, `C-s`, `Up` …
  func keys(_ names: String...) throws {
    try tmux(["send-keys"] + names)
  }

  /// Types text as it is.
  func type(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The screen as text, trailing spaces trimmed.
  func screen() throws -> String {
    try tmux(["capture-pane", "-p"])
  }

  /// The title that programs have given the terminal.
  func title() throws -> String {
    try tmux(["display-message", "-p", "#{pane_title}"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until the screen holds a text.
  ///
  /// - Throws: `Failure` with the last screen, after `timeoutSeconds`.
  @discardableResult
  func waitFor(_ text: String, timeoutSeconds: Double = 60) throws -> String {
    try waitUntil("\"\(text)\" shows", timeoutSeconds: timeoutSeconds) { $0.contains(text) }
  }

  /// Waits until the screen satisfies a condition.
  @discardableResult
  func waitUntil(
    _ what: String, timeoutSeconds: Double = 60, _ condition: (String) -> Bool
  ) throws -> String {
    let end = Date().addingTimeInterval(timeoutSeconds)
    var last = ""
    while Date() < end {
      last = try screen()
      if condition(last) { return last }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw Failure(description: "never came true: \(what). The screen:\n\(last)")
  }

  /// Runs one tmux command and gives what it prints.
  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    guard let tmux = Self.tmux else { throw Failure(description: "tmux is not installed") }
    // A file and `posix_spawn`: tmux's server inherits whatever is open, so that a pipe, or
    // Foundation's `Process`, would wait for the server to end. It inherits blocked signals too,
    // which the threads of tests have, and could then not be ended.
    let path = directory.appendingPathComponent(".tmux-output").path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = [tmux, "-u", "-L", socket] + arguments
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child: pid_t = 0
    guard posix_spawn(&child, tmux, &actions, &attributes, &pointers, environ) == 0 else {
      throw Failure(description: "tmux does not start")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let text = try String(contentsOfFile: path, encoding: .utf8)
    if status != 0 {
      throw Failure(description: "tmux \(arguments.first ?? ""): \(text)")
    }
    return text
  }
}
