import Synchronization

/// A cache of parsed lines: parsing one takes up to half a millisecond, and keys repeat.
final class ParsedLines: Sendable {
  /// By the bytes of their lines: lines that are equal in Swift may name different files.
  private let parsed = Mutex<[[UInt8]: any Command]>([:])
  private let commands: CommandList

  /// - Parameter commands: the list of commands there are.
  init(_ commands: CommandList) { self.commands = commands }

  /// The command of a line; `nil` for an empty one.
  func command(for line: String) throws -> (any Command)? {
    let key = Array(line.utf8)
    if let known = parsed.withLock({ $0[key] }) { return known }
    guard let command = try Commands.parse(line, among: commands) else { return nil }
    parsed.withLock { parsed in
      if parsed.count >= 256 { parsed = [:] }
      parsed[key] = command
    }
    return command
  }
}
