import Foundation
import PortolanProbes
import PortolanTestSupport
import Testing

/// A row of the manifest of hostile files.
struct HostileFile: Sendable, CustomTestStringConvertible {
  /// Such as `keyed/k081-cycle-parent.doc`.
  let path: String
  /// `reject`, `accept`, `accept-sanitised` or `bounded`.
  let expectation: String
  let attack: String

  var layer: Substring { path.prefix { $0 != "/" } }
  var testDescription: String { path }

  /// The files for which there is a reader.
  ///
  /// Those of the layer `port` are frames of a connection; they wait for its sockets.
  static let all: [HostileFile] = Shared.manifest("hostile/MANIFEST.tsv").compactMap { row in
    guard let path = row["file"], let expectation = row["expect"] else { return nil }
    let file = HostileFile(path: path, expectation: expectation, attack: row["attack"] ?? "")
    return HostileReader.of(layer: file.layer) == nil ? nil : file
  }
}

/// What a file cost a process that read it.
struct Verdict: Sendable {
  var isAccepted = false
  var microseconds = 0
  var kibibytes = 0
  var gadgets = 0
  var message = ""

  /// What every file of the manifest cost, by path; `nil` for one that ended its process.
  static let all: [String: Verdict?] = (try? judge(HostileFile.all)) ?? [:]

  /// What every file cost a program that takes whatever there is.
  static let values: [String: Verdict?] = (try? judge(HostileFile.all, reader: "values")) ?? [:]

  /// What every file cost that was written as values.
  static let resolved: [String: Verdict?] =
    (try? judge(HostileFile.all, reader: "resolved")) ?? [:]

  /// How much a file of a size may cost.
  static func kibibytesMax(size: Int) -> Int { 32 << 10 + 12 * size >> 10 }

  /// How long a file of a size may take.
  static func microsecondsMax(size: Int) -> Int {
    #if DEBUG
      let slowness = 25
    #else
      // Other tests run beside it.
      let slowness = 5
    #endif
    return (size < 4_096 ? 10_000 : 200_000 + 50_000 * size / (1 << 20)) * slowness
  }

  /// What a file cost one reader; `nil` when it ended the process.
  static func judge(_ file: URL, reader: String) throws -> Verdict? {
    let lines = try run([String(stack), reader, file.path])
    return lines.last == "done" ? lines.first.flatMap { Verdict($0) } : nil
  }

  /// The stack on which files are read.
  private static let stack = 256 << 10

  /// Reads files in processes of their own: one for as many as it survives.
  ///
  /// Each is read by the reader of its layer, or all by one.
  private static func judge(
    _ files: [HostileFile], reader: String? = nil
  ) throws -> [String: Verdict?] {
    var verdicts: [String: Verdict?] = [:]
    var rest = files[...]
    while !rest.isEmpty {
      let arguments = rest.flatMap {
        [reader ?? String($0.layer), Shared.path("hostile/" + $0.path)]
      }
      var lines = try run([String(stack)] + arguments)
      let isDone = lines.last == "done"
      if isDone { lines.removeLast() }
      for (file, line) in zip(rest, lines) { verdicts[file.path] = Verdict(line) }
      // The last line is there before the probes run, so the file at fault may be that one.
      if isDone { break }
      let survivors = max(0, lines.count - 1)
      if let last = rest.dropFirst(survivors).first { verdicts[last.path] = .some(nil) }
      rest = rest.dropFirst(survivors + 1)
    }
    return verdicts
  }

  private init?(_ line: Substring) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard cells.count == 6 else { return nil }
    isAccepted = cells[1] == "accepted"
    microseconds = Int(cells[2]) ?? .max
    kibibytes = Int(cells[3]) ?? .max
    gadgets = Int(cells[4]) ?? .max
    message = String(cells[5])
  }

  private static func run(_ arguments: [String]) throws -> [Substring] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("hostile-judge")
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }
}
