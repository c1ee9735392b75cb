internal import Glibc

/// A process that has a document open, or wants it: shown to the other one, never trusted.
package struct LockHolder: Hashable, Sendable {
  package var user: String
  package var host: String
  package var process: Int32
  /// The system's boot: a process number is valid only until the next one.
  package var boot: String
  /// The terminal; empty if there is none.
  package var terminal: String
  /// The time, in seconds since 1970.
  package var since: Int64

  package init(
    user: String, host: String, process: Int32, boot: String = "", terminal: String = "",
    since: Int64
  ) {
    self.user = user
    self.host = host
    self.process = process
    self.boot = boot
    self.terminal = terminal
    self.since = since
  }

  /// This process.
  package static func current(in fileSystem: any FileSystem) -> LockHolder {
    var host = [CChar](repeating: 0, count: 256)
    if gethostname(&host, host.count - 1) != 0 { host = [0] }
    let boot = try? fileSystem.load("/proc/sys/kernel/random/boot_id", limit: 100).bytes
    return LockHolder(
      user: userName, host: text(host), process: getpid(),
      boot: String(decoding: boot?.prefix { $0 > 32 } ?? [], as: UTF8.self),
      terminal: terminalName, since: fileSystem.seconds)
  }

  private static var userName: String {
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name {
      return String(cString: name)
    }
    return "user \(geteuid())"
  }

  private static var terminalName: String {
    for descriptor: Int32 in [0, 1, 2] {
      if let name = ttyname(descriptor) { return String(cString: name) }
    }
    return ""
  }

  private static func text(_ characters: [CChar]) -> String {
    FilePath.text(of: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }

  /// `lea (process 4242 on box, /dev/pts/3)`; the machine's name only if it is another one.
  package var description: String {
    let place = terminal.isEmpty ? "" : ", \(terminal)"
    return "\(user) (process \(process) on \(host)\(place))"
  }

  /// The person and the terminal, as others see them who share a document: `lea pts/3`.
  package var shortName: String {
    let name = terminal.hasPrefix("/dev/") ? terminal.dropFirst(5) : terminal[...]
    return name.isEmpty ? user : "\(user) \(name)"
  }

  // MARK: As a line of a lock file

  /// `user=lea host=box process=4242 …`; no value can end the line or the value.
  var line: String {
    [
      ("user", user), ("host", host), ("process", "\(process)"), ("boot", boot),
      ("terminal", terminal), ("since", "\(since)"),
    ].map { "\($0.0)=\(WordText.escaped($0.1.utf8.prefix(200)))" }.joined(separator: " ")
  }

  init?(line: Substring) {
    var values: [Substring: String] = [:]
    for pair in line.split(separator: " ") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      values[parts[0]] = String(
        decoding: WordText.unescaped(parts[1].prefix(1000)), as: UTF8.self)
    }
    guard let user = values["user"], let host = values["host"],
      let process = values["process"].flatMap({ Int32($0) })
    else { return nil }
    self.init(
      user: user, host: host, process: process, boot: values["boot"] ?? "",
      terminal: values["terminal"] ?? "", since: values["since"].flatMap { Int64($0) } ?? 0)
  }
}

/// Moments and spans of time in words.
package enum TimeText {
  /// `2026-11-21 12:04:05` by the system's clock and time zone.
  package static func local(seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }

  /// `12 seconds`, `3 minutes`, `5 hours`, `2 days`.
  package static func span(seconds: Int64) -> String {
    let seconds = max(0, seconds)
    let (count, unit): (Int64, String) =
      switch seconds {
      case ..<120: (seconds, "second")
      case ..<7200: (seconds / 60, "minute")
      case ..<172_800: (seconds / 3600, "hour")
      default: (seconds / 86_400, "day")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
