import Archiving
import Foundation

/// Keyed archiving against a hand-written C writer and reader of the same archives.
///
/// Graphs: A (employees with shared managers), B1 (features whose coordinates are number objects),
/// B2 (features with packed coordinates), C (a chain), D (one small map view, many times), and one
/// object out of A. The words `A`, `B1`, `B2`, `C`, `D` and `growth` after the suite's choose among
/// them. Peers: the C floor, Foundation for A, B2 and D, GNUstep's NSArchiver for B1, JSON for D.
struct ArchiveBenchmarks: BenchmarkSuite {
  let name = "archive"

  func run() throws {
    let (floor, foundation) = (try Peer.keyedFloor(), try Peer.foundation())
    let words = ["A", "B1", "B2", "C", "D", "growth"].filter(CommandLine.arguments.contains)
    func wants(_ word: String) -> Bool { words.isEmpty || words.contains(word) }
    if wants("A") { try measureEmployees(100_000, [floor, foundation]) }
    if wants("B1") { try measureNumbers(2_500, [floor, try Peer.gnustep()]) }
    if wants("B2") {
      try measureFeatures(2_500, [floor])
      print("a tenth of B2, because Foundation's time grows with its square:")
      try measureFeatures(250, [floor, foundation])
    }
    if wants("C") { try measureDepth() }
    if wants("D") { try measureMapViews(20_000, [floor, foundation, try Peer.json()]) }
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
    _ = try race("A", "encode", count, repetitions: 7, peers) {
      bytes = try encodeEmployees(graph)
    }
    let decode = try race("A", "decode", count, repetitions: 7, peers) {
      let staff = try decodeEmployees(bytes)
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    let random = try race("A", "random", count, repetitions: 51, peers) {
      let one = try KeyedUnarchiver(bytes).decodeObject(BenchmarkEmployee.self, forKey: "favorite")
      precondition(one.number == count / 2)
    }
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
    _ = try race(graph, "encode", perLayer, repetitions: repetitions, peers) {
      bytes = try KeyedArchiver.archive(document)
    }
    _ = try race(graph, "decode", perLayer, repetitions: repetitions, peers) {
      let again = try KeyedUnarchiver.unarchive(Document.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
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
    let encode = try race("D", "encode", count, repetitions: 5, peers) {
      for _ in 0..<count { bytes = try KeyedArchiver.archive(view) }
    }
    let decode = try race("D", "decode", count, repetitions: 5, peers) {
      for _ in 0..<count {
        let again = try KeyedUnarchiver.unarchive(BenchmarkMapView.self, from: bytes)
        precondition(again.magnification == 2.5)
      }
    }
    print(
      "archive D: \(micro(encode / Double(count))) encode, \(micro(decode / Double(count)))"
        + " decode, \(bytes.count) bytes")
  }

  private func measureGrowth(_ floor: Peer?) throws {
    var races: [String: [Race]] = [:]
    let counts = [10_000, 1_000_000]
    for count in counts {
      let graph = BenchmarkEmployee.graph(count)
      var bytes: [UInt8] = []
      let repetitions = count > 100_000 ? 1 : 61
      races["encode", default: []].append(
        try Race("A", "encode", count, repetitions: repetitions, [floor]) {
          bytes = try encodeEmployees(graph)
        })
      races["decode", default: []].append(
        try Race("A", "decode", count, repetitions: repetitions, [floor]) {
          try decodeEmployees(bytes)
        })
    }
    for operation in ["encode", "decode"] {
      guard let races = races[operation], races.count == counts.count else { continue }
      let size = Double(counts[1]) / Double(counts[0])
      let ours = races[1].seconds / races[0].seconds / size
      var line = "archive growth per object, 10,000 to 1,000,000, \(operation): \(ratio(ours, 1))"
      for (large, small) in zip(races[1].peers, races[0].peers) {
        let other = large.seconds / small.seconds / size
        line += ", \(large.name) \(ratio(other, 1)), ratio \(ratio(ours, other))"
      }
      let times = races.map { race in
        ([race.seconds] + race.peers.map(\.seconds)).map(milli).joined(separator: ", ")
      }
      print(line + " (\(times.joined(separator: "; ")))")
    }
  }

  // MARK: Figures

  /// Prints and gives our time.
  private func race<Made>(
    _ graph: String, _ operation: String, _ count: Int, repetitions: Int, _ peers: [Peer?],
    _ body: () throws -> Made
  ) throws -> Double {
    let race = try Race(graph, operation, count, repetitions: repetitions, peers, body)
    print(race.text("archive \(graph) \(operation)"))
    return race.seconds
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
