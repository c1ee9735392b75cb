import Foundation

/// A script that computes expected results with a Python library, for tests that are skipped
/// without it.
///
/// The script takes a seed and a count, and prints a line for each result.
package struct PythonOracle: Sendable {
  private let script: String
  /// The Python that `PORTOLAN_PYTHON` names; `nil` if it has not what the script needs.
  private let python: String?

  /// - Parameters:
  ///   - name: the script's path from the folder of the test.
  ///   - test: the file of the test.
  package init(_ name: String, beside test: String = #filePath) {
    let folder = URL(fileURLWithPath: test).deletingLastPathComponent()
    script = folder.appendingPathComponent(name).path
    let named = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"]
    let script = script
    python = named.flatMap {
      (try? Self.lines($0, script, seed: 1, count: 1))?.isEmpty == false ? $0 : nil
    }
  }

  package var isPresent: Bool { python != nil }

  /// The lines of the script; none where it cannot run.
  package func lines(seed: UInt64, count: Int) throws -> [Substring] {
    guard let python else { return [] }
    return try Self.lines(python, script, seed: seed, count: count)
  }

  private static func lines(
    _ python: String, _ script: String, seed: UInt64, count: Int
  ) throws -> [Substring] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [script, "\(seed)", "\(count)"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }
}
