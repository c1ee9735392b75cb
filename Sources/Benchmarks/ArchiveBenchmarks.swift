import Archiving
import Foundation

/// Keyed archiving against a hand-written C writer and reader of the same archives.
///
/// Graphs: A (employees with shared managers), B1 (features whose coordinates are number objects),
/// B2 (features with packed coordinates), C (a chain), D (one small map view, many times), and one
/// object out of A. The words `A`, `B1`, `B2`, `C`, `D` and `growth` after the suite's choose among
/// them. Peers: the C floor, Foundation for A, GNUstep's NSArchiver for B1, JSON for D.
struct ArchiveBenchmarks: BenchmarkSuite {
  let name = "archive"

  func run() throws {
    let floor = try Peer.keyedFloor()
    let words = ["A", "B1", "B2", "C", "D", "growth"].filter(CommandLine.arguments.contains)
    func wants(_ word: String) -> Bool { words.isEmpty || words.contains(word) }
    if wants("A") { try measureEmployees(100_000, [floor, try Peer.foundation()]) }
    if wants("B1") { try measureNumbers(2_500, [floor, try Peer.gnustep()]) }
    if wants("B2") { try measureFeatures(2_500, [floor]) }
    if wants("C") { try measureDepth() }
    if wants("D") { try measureMapViews(20_000, [floor, try Peer.json()]) }
    if wants("growth") { try measureGrowth(floor) }
  }

  private func measureEmployees(_ count: Int, _ peers: [Peer?]) throws {
    let graph = BenchmarkEmployee.graph(count)
    var bytes = try encodeEmployees(graph)
    try reportMemory("A", bytes.count) {
      try encodeEmployees(graph)
    } decode: {
      try decodeEmployees(bytes)
    }
    let encode = try medianSeconds(7) { bytes = try encodeEmployees(graph) }
    try report("A", "encode", encode, count, peers)
    let decode = try medianSeconds(7) {
      let staff = try decodeEmployees(bytes)
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    try report("A", "decode", decode, count, peers)
    let random = try medianSeconds(51) {
      let one = try KeyedUnarchiver(bytes).decodeObject(BenchmarkEmployee.self, forKey: "favorite")
      precondition(one.number == count / 2)
    }
    try report("A", "random", random, count, peers)
    print("archive A random / decode: \(percent(random / decode)), \(bytes.count) bytes")
  }

  private func encodeEmployees(_ graph: [BenchmarkEmployee]) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(graph, forKey: "root")
    try archiver.encodeObject(graph[graph.count / 2], forKey: "favorite")
    return try archiver.finish()
  }

  private func decodeEmployees(_ bytes: [UInt8]) throws -> [BenchmarkEmployee] {
    try KeyedUnarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
  }

  private func measureFeatures(_ perLayer: Int, _ peers: [Peer?]) throws {
    let document = BenchmarkDocument<BenchmarkFeature>(featuresPerLayer: perLayer)
    try measureDocument(document, "B2", perLayer, repetitions: 7, peers)
  }

  private func measureNumbers(_ perLayer: Int, _ peers: [Peer?]) throws {
    let document = BenchmarkDocument<BenchmarkNumberFeature>(featuresPerLayer: perLayer)
    try measureDocument(document, "B1", perLayer, repetitions: 3, peers)
  }

  private func measureDocument<Feature: BenchmarkFeatureKind>(
    _ document: BenchmarkDocument<Feature>, _ graph: String, _ perLayer: Int, repetitions: Int,
    _ peers: [Peer?]
  ) throws {
    typealias Document = BenchmarkDocument<Feature>
    var bytes = try KeyedArchiver.archive(document)
    try reportMemory(graph, bytes.count) {
      try KeyedArchiver.archive(document)
    } decode: {
      try KeyedUnarchiver.unarchive(Document.self, from: bytes)
    }
    let encode = try medianSeconds(repetitions) { bytes = try KeyedArchiver.archive(document) }
    try report(graph, "encode", encode, perLayer, peers)
    let decode = try medianSeconds(repetitions) {
      let again = try KeyedUnarchiver.unarchive(Document.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
    try report(graph, "decode", decode, perLayer, peers)
    print("archive \(graph): \(bytes.count) bytes")
  }

  /// How deep a chain may be on this thread's stack before it is refused.
  private func measureDepth() throws {
    var limits = ArchiveLimits()
    limits.depthMax = .max
    for operation in ["encode", "decode"] {
      var (fits, tooDeep) = (1, 400_000)
      while tooDeep - fits > 100 {
        let length = (fits + tooDeep) / 2
        var chain = [BenchmarkEmployee(0, manager: nil)]
        for index in 1..<length {
          chain.append(BenchmarkEmployee(index, manager: chain[index - 1]))
        }
        do {
          if operation == "encode" {
            _ = try KeyedArchiver.archive(chain[length - 1], limits: limits)
          } else {
            // Written from the bottom up, so that encoding does not nest.
            let archiver = KeyedArchiver()
            try archiver.encodeObjects(chain, forKey: "all")
            try archiver.encodeObject(chain[length - 1], forKey: "root")
            let bytes = try archiver.finish()
            _ = try KeyedUnarchiver.unarchive(BenchmarkEmployee.self, from: bytes, limits: limits)
          }
          fits = length
        } catch let error as ArchiveError where error.code == .tooDeep {
          tooDeep = length
        }
        while chain.popLast() != nil {}
      }
      print("archive C \(operation): \(fits) levels on this stack")
    }
  }

  private func measureMapViews(_ count: Int, _ peers: [Peer?]) throws {
    let view = BenchmarkMapView()
    var bytes: [UInt8] = []
    let encode = try medianSeconds(9) {
      for _ in 0..<count { bytes = try KeyedArchiver.archive(view) }
    }
    try report("D", "encode", encode, count, peers)
    let decode = try medianSeconds(9) {
      for _ in 0..<count {
        let again = try KeyedUnarchiver.unarchive(BenchmarkMapView.self, from: bytes)
        precondition(again.magnification == 2.5)
      }
    }
    try report("D", "decode", decode, count, peers)
    print(
      "archive D: \(micro(encode / Double(count))) encode, \(micro(decode / Double(count)))"
        + " decode, \(bytes.count) bytes")
  }

  private func measureGrowth(_ floor: Peer?) throws {
    var perObject: [String: [Double]] = [:]
    for count in [10_000, 1_000_000] {
      let graph = BenchmarkEmployee.graph(count)
      var bytes: [UInt8] = []
      let repetitions = count > 100_000 ? 3 : 9
      let encode = try medianSeconds(repetitions) { bytes = try encodeEmployees(graph) }
      let decode = try medianSeconds(repetitions) { try decodeEmployees(bytes) }
      perObject["encode", default: []].append(encode / Double(count))
      perObject["decode", default: []].append(decode / Double(count))
      guard let floor else { continue }
      for operation in ["encode", "decode"] {
        let seconds = try floor.seconds(
          "A", operation, count, repetitions: repetitions, file: file(floor, "A\(count)"))
        perObject[floor.name + " " + operation, default: []].append(seconds / Double(count))
      }
    }
    for (operation, times) in perObject.sorted(by: { $0.key < $1.key }) {
      print(
        "archive growth per object, 10,000 to 1,000,000, \(operation): "
          + ratio(times[1], times[0]))
    }
  }

  // MARK: Figures

  /// Prints our time, and each peer's with ours divided by it.
  private func report(
    _ graph: String, _ operation: String, _ seconds: Double, _ count: Int, _ peers: [Peer?]
  ) throws {
    var line = "archive \(graph) \(operation): \(milli(seconds))"
    for peer in peers.compactMap({ $0 }) {
      // Quick ones are run often, slow ones not.
      var other = try peer.seconds(
        graph, operation, count, repetitions: 1, file: file(peer, graph))
      if other < 2 {
        other = try peer.seconds(graph, operation, count, repetitions: 7, file: file(peer, graph))
      }
      line += ", \(peer.name) \(milli(other)), ratio \(ratio(seconds, other))"
    }
    print(line)
  }

  private func file(_ peer: Peer, _ graph: String) -> String {
    NSTemporaryDirectory() + "portolan-bench-\(graph)-\(peer.name.filter(\.isLetter))"
  }

  private func reportMemory<Encoded, Decoded>(
    _ graph: String, _ size: Int, encode: () throws -> Encoded, decode: () throws -> Decoded
  ) throws {
    for (operation, bytes) in [
      ("encode", try memoryBeyondResult(encode)), ("decode", try memoryBeyondResult(decode)),
    ] {
      guard let bytes else { continue }
      print(
        "archive \(graph) \(operation): \(bytes >> 20) MiB beyond the result, "
          + "\(ratio(Double(bytes), Double(size))) of the archive's size")
    }
  }
}
