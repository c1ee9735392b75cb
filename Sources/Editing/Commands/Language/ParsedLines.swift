/// A cache of parsed lines: parsing one takes up to half a millisecond, and keys repeat.
struct ParsedLines: Sendable {
  /// By the bytes of their lines: lines that are equal in Swift may name different files.
  private var commands: [[UInt8]: any Command] = [:]

  /// The command of a line; `nil` for an empty one.
  mutating func command(for line: String) throws -> (any Command)? {
    let key = Array(line.utf8)
    if let known = commands[key] { return known }
    guard let command = try Commands.parse(line) else { return nil }
    if commands.count >= 256 { commands = [:] }
    commands[key] = command
    return command
  }
}
