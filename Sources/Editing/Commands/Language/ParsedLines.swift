/// A cache of parsed lines: parsing one takes up to half a millisecond, and keys repeat.
struct ParsedLines: Sendable {
  /// By the bytes of their lines: lines that are equal in Swift may name different files.
  private var parsed: [[UInt8]: any Command] = [:]
  private let commands: [any Command.Type]

  /// - Parameter commands: the list of commands there are.
  init(_ commands: [any Command.Type]) { self.commands = commands }

  /// The command of a line; `nil` for an empty one.
  mutating func command(for line: String) throws -> (any Command)? {
    let key = Array(line.utf8)
    if let known = parsed[key] { return known }
    guard let command = try Commands.parse(line, among: commands) else { return nil }
    if parsed.count >= 256 { parsed = [:] }
    parsed[key] = command
    return command
  }
}
