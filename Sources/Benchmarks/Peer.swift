import Foundation

/// Another program that archives the same graphs, or parses the same text, compiled and timed in
/// the same run.
///
/// The environment names the source of each; one that is not named, or does not compile, is left
/// out. It is run as `PROGRAM PEER GRAPH OP N REPS FILE` and prints `RES,…` with the CPU seconds in
/// field 6 and its highest memory in KiB in field 8.
struct Peer {
  /// What it is called in the figures.
  let name: String
  private let word: String
  private let program: String

  /// A plain writer and reader of keyed archives in C, the floor: `PORTOLAN_KEYED_FLOOR`.
  static func keyedFloor() throws -> Peer? {
    try Peer("C floor", "cnska", "PORTOLAN_KEYED_FLOOR") { "cc -O2 -w -o '\($1)' '\($0)'" }
  }

  /// GNUstep's NSArchiver and NSUnarchiver: `PORTOLAN_GNUSTEP_PEER`.
  static func gnustep() throws -> Peer? {
    try Peer("GNUstep", "nsarch", "PORTOLAN_GNUSTEP_PEER") {
      "gcc -O2 -w -o '\($1)' '\($0)' $(gnustep-config --objc-flags) -std=gnu11 "
        + "$(gnustep-config --base-libs)"
    }
  }

  /// Foundation's NSKeyedArchiver and NSKeyedUnarchiver: `PORTOLAN_FOUNDATION_PEER`.
  static func foundation() throws -> Peer? {
    try Peer("Foundation", "nska", "PORTOLAN_FOUNDATION_PEER") {
      "swiftc -O -suppress-warnings -o '\($1)' '\($0)'"
    }
  }

  /// The same program as `foundation()` with JSONEncoder and JSONDecoder.
  static func json() throws -> Peer? {
    guard let foundation = try foundation() else { return nil }
    return Peer(name: "JSON", word: "json", program: foundation.program)
  }

  /// simdjson, which parses a text into its own nodes: `PORTOLAN_SIMDJSON_PEER`.
  static func simdjson() throws -> Peer? {
    try Peer("simdjson", "simdjson", "PORTOLAN_SIMDJSON_PEER") {
      "c++ -O3 -march=native -w -o '\($1)' '\($0)' -lsimdjson"
    }
  }

  private init(name: String, word: String, program: String) {
    (self.name, self.word, self.program) = (name, word, program)
  }

  private init?(
    _ name: String, _ word: String, _ variable: String,
    compile: (_ source: String, _ program: String) -> String
  ) throws {
    guard let source = ProcessInfo.processInfo.environment[variable] else {
      print("without \(name): set \(variable) to the source of its program")
      return nil
    }
    let program = NSTemporaryDirectory() + "portolan-peer-" + word
    guard try Self.run("/bin/sh", ["-c", compile(source, program)]).status == 0 else {
      print("without \(name): \(source) does not compile here")
      return nil
    }
    self.init(name: name, word: word, program: program)
  }

  /// CPU seconds of one operation, the median of `repetitions`.
  ///
  /// An encoding leaves its archive at `file`, where a decoding looks for it.
  func seconds(
    _ graph: String, _ operation: String, _ count: Int, repetitions: Int, file: String
  ) throws -> Double {
    let result = try Self.run(
      program, [word, graph, operation, "\(count)", "\(repetitions)", file])
    let line = result.output.split(separator: "\n").first { $0.hasPrefix("RES,") } ?? ""
    let fields = line.split(separator: ",")
    guard result.status == 0, fields.count > 6, let seconds = Double(fields[6]) else {
      throw CocoaError(.executableLoad)
    }
    return seconds
  }

  /// Where its archive of a graph lies.
  func file(_ graph: String) -> String {
    NSTemporaryDirectory() + "portolan-bench-\(graph)-" + name.filter(\.isLetter)
  }

  private static func run(
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

/// One operation on a graph by us and by peers, in turns, so that whatever else the machine does
/// falls on all of them alike. The figure of each is the best of its rounds: disturbance only adds.
struct Race {
  /// Our CPU seconds.
  let seconds: Double
  /// Those of each peer.
  let peers: [(name: String, seconds: Double)]

  /// How often each takes its turn, and how many repetitions there are in one.
  private static let rounds = 5
  /// A peer that takes longer has one turn of one repetition.
  private static let slowSeconds = 2.0

  init<Made>(
    _ graph: String, _ operation: String, _ count: Int, repetitions: Int, _ peers: [Peer?],
    _ body: () throws -> Made
  ) throws {
    let peers = peers.compactMap { $0 }
    var ours = Double.infinity
    var others = [Double](repeating: .infinity, count: peers.count)
    for round in 0..<Self.rounds {
      ours = min(ours, try medianSeconds(repetitions, body))
      for (place, peer) in peers.enumerated() {
        func turn(_ repetitions: Int) throws {
          let seconds = try peer.seconds(
            graph, operation, count, repetitions: repetitions, file: peer.file("\(graph)\(count)"))
          others[place] = min(others[place], seconds)
        }
        if round == 0 { try turn(1) }
        if others[place] < Self.slowSeconds { try turn(repetitions) }
      }
    }
    seconds = ours
    self.peers = zip(peers, others).map { ($0.name, $1) }
  }

  /// Our time, and each peer's with ours divided by it.
  func text(_ what: String) -> String {
    peers.reduce("\(what): \(milli(seconds))") { line, peer in
      line + ", \(peer.name) \(milli(peer.seconds)), ratio \(ratio(seconds, peer.seconds))"
    }
  }
}
