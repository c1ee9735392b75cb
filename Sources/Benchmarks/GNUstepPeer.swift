import Foundation

/// GNUstep's NSArchiver and NSUnarchiver, compiled and timed in the same run.
///
/// The source is the file in `PORTOLAN_GNUSTEP_PEER`; without it, or without GNUstep, there is no
/// peer. It is run as `PEER GRAPH OP N REPS FILE` and prints `RES,…` with the CPU seconds in
/// field 7.
struct GNUstepPeer {
  private let program: String

  init?() throws {
    guard let source = ProcessInfo.processInfo.environment["PORTOLAN_GNUSTEP_PEER"] else {
      return nil
    }
    program = NSTemporaryDirectory() + "portolan-gnustep-peer"
    let command =
      "gcc -O2 -w -o '\(program)' '\(source)' $(gnustep-config --objc-flags) -std=gnu11 "
      + "$(gnustep-config --base-libs)"
    guard try KeyedFloor.run("/bin/sh", ["-c", command]).status == 0 else { return nil }
  }

  /// CPU seconds of one operation, the median of `repetitions`.
  func seconds(
    _ graph: String, _ operation: String, _ count: Int, repetitions: Int, file: String
  ) throws -> Double {
    let result = try KeyedFloor.run(
      program, ["nsarch", graph, operation, "\(count)", "\(repetitions)", file])
    let line = result.output.split(separator: "\n").first { $0.hasPrefix("RES,") } ?? ""
    let fields = line.split(separator: ",")
    guard result.status == 0, fields.count > 6, let seconds = Double(fields[6]) else {
      throw CocoaError(.executableLoad)
    }
    return seconds
  }
}
