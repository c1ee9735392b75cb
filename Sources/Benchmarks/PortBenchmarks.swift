import Archiving
import Foundation
import PortolanDocuments
import Ports

/// Calls between two ends of a connection in this process, through a pair of sockets.
///
/// Each call is encoded, sent, read, decoded and carried out on a thread of its own, and its reply
/// takes the same way back.
struct PortBenchmarks: BenchmarkSuite {
  let name = "ports"

  /// Counts, and takes layers.
  final class Counter: Vended {
    var count = 0
    var layer: FeatureLayer?

    static let portMethods = PortMethods(Counter.self) { list in
      list.on("next") { (counter, step: Int) in
        counter.count += step
        return counter.count
      }
      list.on("note") { (counter, step: Int) in counter.count += step }
      list.on("take") { (counter, layer: FeatureLayer) in
        counter.layer = layer
        return layer.count
      }
    }
  }

  func run() throws {
    let (here, there) = try PortStreams.pair()
    let server = try PortConnection(there, root: Counter())
    let client = try PortConnection(here)
    let root = client.root
    let calls = 20_000
    for _ in 0..<3 {
      try report("one after the other", calls) {
        for _ in 0..<calls { let _: Int = try root.call("next", 1) }
      }
    }
    for _ in 0..<3 {
      try report("one way", calls) {
        for _ in 0..<calls { try root.send("note", 1) }
        let _: Int = try root.call("next", 0)
      }
    }
    for callers in [4, 16, 64] {
      for _ in 0..<3 { report("\(callers) tasks", calls) { tasks(callers, calls, root) } }
    }
    try measureLayer(root)
    withExtendedLifetime(server) {}
  }

  private func report(_ what: String, _ count: Int, _ body: () throws -> Void) rethrows {
    let duration = try ContinuousClock().measure(body)
    let seconds = duration / .seconds(1)
    print(
      "ports \(what): \(Int(Double(count) / seconds)) calls/s, \(micro(seconds / Double(count)))")
  }

  private func tasks(_ callers: Int, _ calls: Int, _ root: DistantObject) {
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<callers {
      Task.detached {
        for _ in 0..<calls / callers { let _: Int? = try? await root.call("next", 1) }
        done.signal()
      }
    }
    for _ in 0..<callers { done.wait() }
  }

  private func measureLayer(_ root: DistantObject) throws {
    let layer = DocumentBenchmarks.coast()
    let bytes = try KeyedArchiver.archive(layer)
    let archive = try best {
      let bytes = try KeyedArchiver.archive(layer)
      let again = try KeyedUnarchiver.unarchive(FeatureLayer.self, from: bytes)
      precondition(again.count == layer.count)
    }
    let copy = try best {
      let count: Int = try root.call("take", Bycopy(layer))
      precondition(count == layer.count)
    }
    print(
      "ports layer of \(bytes.count) bytes: by copy \(milli(copy)), as an archive "
        + "\(milli(archive)), ratio \(ratio(copy, archive))")
  }

  private func best(_ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<5 { times.append(try ContinuousClock().measure(body) / .seconds(1)) }
    return times.min() ?? 0
  }
}
