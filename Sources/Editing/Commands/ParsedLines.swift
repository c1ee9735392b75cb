/// Lines that were parsed already: parsing one takes up to half a millisecond, keys repeat.
struct ParsedLines: Sendable {
  private var commands: [String: any Command] = [:]

  /// The command of a line; `nil` for an empty one.
  mutating func command(for line: String) throws -> (any Command)? {
    if let known = commands[line] { return known }
    guard let command = try Commands.parse(line) else { return nil }
    if commands.count >= 256 { commands = [:] }
    commands[line] = command
    return command
  }
}
