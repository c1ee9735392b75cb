import Archiving
import Foundation

/// Typedstreams against a hand-written C writer and reader of keyed archives of the same graphs,
/// and against GNUstep's NSArchiver.
///
/// Graphs: A (employees with shared managers) and B2 (features with packed coordinates).
struct SequentialBenchmarks: BenchmarkSuite {
  let name = "sequential"

  func run() throws {
    let peers = [try Peer.keyedFloor(), try Peer.gnustep()]
    try measureEmployees(100_000, peers)
    try measureFeatures(2_500, peers)
  }

  private func measureEmployees(_ count: Int, _ peers: [Peer?]) throws {
    let graph = BenchmarkEmployee.graph(count)
    var bytes: [UInt8] = []
    let encode = try medianSeconds(7) {
      let archiver = Archiver()
      try archiver.encodeObjects(graph, forKey: "root")
      bytes = try archiver.finish()
    }
    let decode = try medianSeconds(7) {
      let staff = try Unarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    let open = try medianSeconds(7) { try Typedstream(bytes) }
    try report("A", count, encode, decode, peers)
    print("sequential A: \(bytes.count) bytes, opening alone \(milli(open))")
  }

  private func measureFeatures(_ perLayer: Int, _ peers: [Peer?]) throws {
    let document = BenchmarkDocument<BenchmarkFeature>(featuresPerLayer: perLayer)
    var bytes: [UInt8] = []
    let encode = try medianSeconds(7) { bytes = try Archiver.archive(document) }
    let decode = try medianSeconds(7) {
      let again = try Unarchiver.unarchive(BenchmarkDocument<BenchmarkFeature>.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
    let open = try medianSeconds(7) { try Typedstream(bytes) }
    try report("B2", perLayer, encode, decode, peers)
    print("sequential B2: \(bytes.count) bytes, opening alone \(milli(open))")
  }

  private func report(
    _ graph: String, _ count: Int, _ encode: Double, _ decode: Double, _ peers: [Peer?]
  ) throws {
    for (operation, seconds) in [("encode", encode), ("decode", decode)] {
      var line = "sequential \(graph) \(operation): \(milli(seconds))"
      for peer in peers.compactMap({ $0 }) {
        let file = NSTemporaryDirectory() + "portolan-bench-sequential-\(graph)-"
        let other = try peer.seconds(
          graph, operation, count, repetitions: 7, file: file + peer.name.filter(\.isLetter))
        line += ", \(peer.name) \(milli(other)), ratio \(ratio(seconds, other))"
      }
      print(line)
    }
  }
}
