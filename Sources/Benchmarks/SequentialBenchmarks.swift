import Archiving
import Foundation

/// Typedstreams against a hand-written C writer and reader of keyed archives of the same graphs,
/// and against GNUstep's NSArchiver.
///
/// Graphs: A (employees with shared managers) and B2 (features with packed coordinates).
/// `PORTOLAN_KEYED_FLOOR` names the C source, `PORTOLAN_GNUSTEP_PEER` the Objective-C one, which is
/// compiled where `gnustep-config` is found.
struct SequentialBenchmarks: BenchmarkSuite {
  let name = "sequential"

  func run() throws {
    let peers = Peers(floor: try KeyedFloor(), gnustep: try GNUstepPeer())
    if peers.floor == nil {
      print("sequential: without the C floor; set PORTOLAN_KEYED_FLOOR to its source")
    }
    if peers.gnustep == nil {
      print("sequential: without GNUstep; set PORTOLAN_GNUSTEP_PEER to its source")
    }
    try measureEmployees(100_000, peers)
    try measureFeatures(2_500, peers)
  }

  private struct Peers {
    var floor: KeyedFloor?
    var gnustep: GNUstepPeer?
  }

  private func measureEmployees(_ count: Int, _ peers: Peers) throws {
    let graph = BenchmarkEmployee.graph(count)
    var bytes: [UInt8] = []
    let encode = try median(7) {
      let archiver = Archiver()
      try archiver.encodeObjects(graph, forKey: "root")
      bytes = try archiver.finish()
    }
    let decode = try median(7) {
      let staff = try Unarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    let open = try median(7) { try Typedstream(bytes) }
    try report("A", count, encode, decode, peers)
    print("sequential A: \(bytes.count) bytes, opening alone \(milli(open)) ms")
  }

  private func measureFeatures(_ perLayer: Int, _ peers: Peers) throws {
    let document = BenchmarkDocument(featuresPerLayer: perLayer)
    var bytes: [UInt8] = []
    let encode = try median(7) { bytes = try Archiver.archive(document) }
    let decode = try median(7) {
      let again = try Unarchiver.unarchive(BenchmarkDocument.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
    let open = try median(7) { try Typedstream(bytes) }
    try report("B2", perLayer, encode, decode, peers)
    print("sequential B2: \(bytes.count) bytes, opening alone \(milli(open)) ms")
  }

  private func report(
    _ graph: String, _ count: Int, _ encode: Double, _ decode: Double, _ peers: Peers
  ) throws {
    let file = NSTemporaryDirectory() + "portolan-bench-sequential-" + graph
    for (operation, seconds) in [("encode", encode), ("decode", decode)] {
      var line = "sequential \(graph) \(operation): \(milli(seconds)) ms"
      if let floor = peers.floor {
        let other = try floor.seconds(graph, operation, count, repetitions: 7, file: file)
        line += ", C keyed floor \(milli(other)) ms, ratio \(ratio(seconds, other))"
      }
      if let gnustep = peers.gnustep {
        let other = try gnustep.seconds(graph, operation, count, repetitions: 5, file: file + "gs")
        line += ", GNUstep \(milli(other)) ms, ratio \(ratio(seconds, other))"
      }
      print(line)
    }
  }

  // MARK: Figures

  /// CPU seconds of `body`, the median of several runs.
  ///
  /// What it makes is released after the clock is read, as the peers free after their clocks.
  private func median<Made>(_ repetitions: Int, _ body: () throws -> Made) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = processorSeconds()
      let made = try body()
      times.append(processorSeconds() - start)
      withExtendedLifetime(made) {}
    }
    return times.sorted()[repetitions / 2]
  }

  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func milli(_ seconds: Double) -> String { String(format: "%.3f", seconds * 1e3) }
  private func ratio(_ ours: Double, _ theirs: Double) -> String {
    String(format: "%.2f", ours / theirs)
  }
}
