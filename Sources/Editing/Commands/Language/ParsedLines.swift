import Synchronization

/// A cache of parsed lines: parsing one takes up to half a millisecond, and keys repeat.
final class ParsedLines: Sendable {
  /// By the bytes of their lines: lines that are equal in Swift may name different files.
  private let parsed = Mutex<[[UInt8]: any Command]>([:])
  private static let countMax = 1024

  /// The command of a line, parsed if it is not known yet.
  func command(
    for line: String, parse: (String) throws -> (any Command)?
  ) rethrows -> (any Command)? {
    let key = Array(line.utf8)
    if let known = parsed.withLock({ $0[key] }) { return known }
    guard let command = try parse(line) else { return nil }
    parsed.withLock { parsed in
      if parsed.count >= ParsedLines.countMax { parsed = [:] }
      parsed[key] = command
    }
    return command
  }
}
