import PortolanFiles

/// The findings that a repository lives with: they are not told again.
///
/// A line a finding: its code, 16 hexadecimal digits of the SHA-256 of the feature's bytes (of the
/// JSON path for a finding outside of features), and the name of the file, for people. So a finding
/// stays known when features or files move, and is told again when its feature is edited.
package struct Baseline: Sendable {
  private var counts: [String: Int] = [:]
  private var lines: [String] = []

  package init() {}

  /// Reads a baseline.
  ///
  /// - Throws: `BaselineError` with the first line that is none.
  package init(_ bytes: [UInt8]) throws(BaselineError) {
    for (index, line) in String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.isEmpty || line.hasPrefix("#") { continue }
      guard words.count >= 2, FaultCode(rawValue: String(words[0])) != nil, words[1].count == 16
      else { throw BaselineError(line: index + 1) }
      counts["\(words[0]) \(words[1])", default: 0] += 1
    }
  }

  /// The findings that are not in it; each line of it hides one finding.
  package mutating func new(_ findings: [Finding], in bytes: [UInt8]) -> [Finding] {
    findings.filter { finding in
      let key = Self.key(of: finding, in: bytes)
      guard let count = counts[key], count > 0 else { return true }
      counts[key] = count - 1
      return false
    }
  }

  /// Adds findings to be written.
  package mutating func add(_ findings: [Finding], in bytes: [UInt8], name: String) {
    for finding in findings { lines.append("\(Self.key(of: finding, in: bytes)) \(name)") }
  }

  /// Its text, in an order of its own, so that versions of it can be compared.
  package var text: String {
    "# Findings that portolan check does not tell again.\n"
      + lines.sorted().map { $0 + "\n" }.joined()
  }

  private static func key(of finding: Finding, in bytes: [UInt8]) -> String {
    let marked: [UInt8]
    if let extent = finding.extent?.clamped(to: bytes.indices), !extent.isEmpty {
      marked = Array(bytes[extent])
    } else {
      marked = Array(finding.path.utf8)
    }
    let digits = Array("0123456789abcdef".utf8)
    let digest = SHA256.digest(of: marked).prefix(8).flatMap {
      [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
    }
    return finding.code.rawValue + " " + String(decoding: digest, as: UTF8.self)
  }
}

/// A line that is no line of a baseline.
package struct BaselineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  package var line: Int

  package init(line: Int) { self.line = line }

  package var description: String {
    "line \(line) is no line of a baseline: a code and 16 hexadecimal digits"
  }
}
