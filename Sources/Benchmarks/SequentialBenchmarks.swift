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
    try race("A", "encode", count, peers) {
      let archiver = Archiver()
      try archiver.encodeObjects(graph, forKey: "root")
      bytes = try archiver.finish()
    }
    try race("A", "decode", count, peers) {
      let staff = try Unarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    let open = try medianSeconds(7) { try Typedstream(bytes) }
    print("sequential A: \(bytes.count) bytes, opening alone \(milli(open))")
  }

  private func measureFeatures(_ perLayer: Int, _ peers: [Peer?]) throws {
    let document = BenchmarkDocument<BenchmarkFeature>(featuresPerLayer: perLayer)
    var bytes: [UInt8] = []
    try race("B2", "encode", perLayer, peers) { bytes = try Archiver.archive(document) }
    try race("B2", "decode", perLayer, peers) {
      let again = try Unarchiver.unarchive(BenchmarkDocument<BenchmarkFeature>.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
    let open = try medianSeconds(7) { try Typedstream(bytes) }
    print("sequential B2: \(bytes.count) bytes, opening alone \(milli(open))")
  }

  private func race<Made>(
    _ graph: String, _ operation: String, _ count: Int, _ peers: [Peer?],
    _ body: () throws -> Made
  ) throws {
    let race = try Race(graph, operation, count, repetitions: 7, peers, body)
    print(race.text("sequential \(graph) \(operation)"))
  }
}
