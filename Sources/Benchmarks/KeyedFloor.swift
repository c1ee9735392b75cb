import Foundation

/// A hand-written C writer and reader of keyed archives, compiled and timed in the same run.
///
/// Its source is the file in `PORTOLAN_KEYED_FLOOR`; without it only our own figures are printed.
/// It is run as `PEER GRAPH OP N REPS FILE` and prints `RES,…` with the CPU seconds in field 7.
struct KeyedFloor {
  private let program: String

  init?() throws {
    guard let source = ProcessInfo.processInfo.environment["PORTOLAN_KEYED_FLOOR"] else {
      return nil
    }
    program = NSTemporaryDirectory() + "portolan-keyed-floor"
    let status = try Self.run("/usr/bin/env", ["cc", "-O2", "-w", "-o", program, source]).status
    guard status == 0 else { throw CocoaError(.executableLoad) }
  }

  /// CPU seconds of one operation, the median of `repetitions`.
  func seconds(
    _ graph: String, _ operation: String, _ count: Int, repetitions: Int, file: String
  )
    throws -> Double
  {
    let result = try Self.run(
      program, ["cnska", graph, operation, "\(count)", "\(repetitions)", file])
    let fields = result.output.split(separator: ",")
    guard result.status == 0, fields.count > 6, let seconds = Double(fields[6]) else {
      throw CocoaError(.executableLoad)
    }
    return seconds
  }

  static func run(
    _ path: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
