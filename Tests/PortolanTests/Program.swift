import Foundation
import Testing

/// The built program, run as a person or a script would run it.
struct Program {
  /// What a run left behind.
  struct Result {
    var status: Int32
    /// Whether a signal ended it; `status` is then the signal.
    var wasSignalled: Bool
    var output: String
    var errors: String
    var outputBytes: Data
  }

  /// A folder of its own, removed with the value's `remove()`.
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// The program stands beside the test bundle.
  static var path: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("portolan")
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// Runs a line of the shell in the folder.
  func shell(_ line: String) throws -> Result {
    try run(["-c", line], executable: URL(fileURLWithPath: "/bin/sh"))
  }

  /// Runs the program in the folder with an empty environment but for what is given.
  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    output: FileHandle? = nil, executable: URL = Program.path
  ) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = environment
    variables["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = variables
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let streams = ["in", "out", "err"].map { scratch.appendingPathComponent($0) }
    try Data(input.utf8).write(to: streams[0])
    for url in streams.dropFirst() { try Data().write(to: url) }
    process.standardInput = try FileHandle(forReadingFrom: streams[0])
    process.standardOutput = try output ?? FileHandle(forWritingTo: streams[1])
    process.standardError = try FileHandle(forWritingTo: streams[2])
    try process.run()
    process.waitUntilExit()
    let bytes = try Data(contentsOf: streams[1])
    return Result(
      status: process.terminationStatus,
      wasSignalled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: bytes, as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self),
      outputBytes: bytes)
  }
}
