import Archiving
import Foundation

/// Keyed archiving against a hand-written C writer and reader of the same archives.
///
/// Graphs: A (employees with shared managers), B2 (features with packed coordinates), D (one small
/// map view, many times), and one object out of A. `PORTOLAN_KEYED_FLOOR` names the C source; the
/// words `A`, `B2`, `C`, `D` and `growth` after the suite's choose among them.
struct ArchiveBenchmarks: BenchmarkSuite {
  let name = "archive"

  func run() throws {
    let floor = try KeyedFloor()
    if floor == nil {
      print("archive: without the C floor; set PORTOLAN_KEYED_FLOOR to its source")
    }
    let words = ["A", "B2", "C", "D", "growth"].filter(CommandLine.arguments.contains)
    func wants(_ word: String) -> Bool { words.isEmpty || words.contains(word) }
    if wants("A") { try measureEmployees(100_000, floor) }
    if wants("B2") { try measureFeatures(2_500, floor) }
    if wants("C") { try measureDepth() }
    if wants("D") { try measureMapViews(20_000, floor) }
    if wants("growth") { try measureGrowth(floor) }
  }

  private func measureEmployees(_ count: Int, _ floor: KeyedFloor?) throws {
    let graph = BenchmarkEmployee.graph(count)
    let file = NSTemporaryDirectory() + "portolan-bench-A"
    var bytes: [UInt8] = []
    let encode = try median(7) { bytes = try encodeEmployees(graph) }
    try report("A encode", encode, floor, "A", "encode", count, file)
    let decode = try median(7) {
      let staff = try KeyedUnarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
      precondition(staff.count == count && staff[count - 1].manager != nil)
      return staff
    }
    try report("A decode", decode, floor, "A", "decode", count, file)
    let random = try median(51) {
      let one = try KeyedUnarchiver(bytes).decodeObject(BenchmarkEmployee.self, forKey: "favorite")
      precondition(one.number == count / 2)
    }
    try report("A random", random, floor, "A", "random", count, file)
    print("archive A random / decode: \(percent(random / decode)), \(bytes.count) bytes")
  }

  private func encodeEmployees(_ graph: [BenchmarkEmployee]) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(graph, forKey: "root")
    try archiver.encodeObject(graph[graph.count / 2], forKey: "favorite")
    return try archiver.finish()
  }

  private func measureFeatures(_ perLayer: Int, _ floor: KeyedFloor?) throws {
    let document = BenchmarkDocument(featuresPerLayer: perLayer)
    let file = NSTemporaryDirectory() + "portolan-bench-B2"
    var bytes: [UInt8] = []
    let encode = try median(7) { bytes = try KeyedArchiver.archive(document) }
    try report("B2 encode", encode, floor, "B2", "encode", perLayer, file)
    let decode = try median(7) {
      let again = try KeyedUnarchiver.unarchive(BenchmarkDocument.self, from: bytes)
      precondition(again.layers.count == 8)
      return again
    }
    try report("B2 decode", decode, floor, "B2", "decode", perLayer, file)
    print("archive B2: \(bytes.count) bytes")
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

  private func measureMapViews(_ count: Int, _ floor: KeyedFloor?) throws {
    let view = BenchmarkMapView()
    let file = NSTemporaryDirectory() + "portolan-bench-D"
    var bytes: [UInt8] = []
    let encode = try median(5) {
      for _ in 0..<count { bytes = try KeyedArchiver.archive(view) }
    }
    try report("D encode", encode, floor, "D", "encode", count, file)
    let decode = try median(5) {
      for _ in 0..<count {
        let again = try KeyedUnarchiver.unarchive(BenchmarkMapView.self, from: bytes)
        precondition(again.magnification == 2.5)
      }
    }
    try report("D decode", decode, floor, "D", "decode", count, file)
    let json = try measureJSON(count)
    print(
      "archive D: \(micro(encode / Double(count))) us encode, \(micro(decode / Double(count))) us"
        + " decode, \(bytes.count) bytes; JSONEncoder \(micro(json.encode / Double(count))) us,"
        + " JSONDecoder \(micro(json.decode / Double(count))) us")
  }

  private struct JSONMapView: Codable {
    struct SubView: Codable { var title: String }
    var name = "Mount Rainier"
    var magnification = 2.5
    var legend = SubView(title: "Legend")
    var auxiliary = SubView(title: "Auxiliary")
  }

  private func measureJSON(_ count: Int) throws -> (encode: Double, decode: Double) {
    var data = Data()
    let encode = try median(3) {
      for _ in 0..<count { data = try JSONEncoder().encode(JSONMapView()) }
    }
    let decode = try median(3) {
      for _ in 0..<count { _ = try JSONDecoder().decode(JSONMapView.self, from: data) }
    }
    return (encode, decode)
  }

  private func measureGrowth(_ floor: KeyedFloor?) throws {
    var perObject: [String: [Double]] = [:]
    for count in [10_000, 1_000_000] {
      let file = NSTemporaryDirectory() + "portolan-bench-A\(count)"
      let graph = BenchmarkEmployee.graph(count)
      var bytes: [UInt8] = []
      let repetitions = count > 100_000 ? 3 : 9
      let encode = try median(repetitions) { bytes = try encodeEmployees(graph) }
      let decode = try median(repetitions) {
        try KeyedUnarchiver(bytes).decodeObjects(BenchmarkEmployee.self, forKey: "root")
      }
      perObject["encode", default: []].append(encode / Double(count))
      perObject["decode", default: []].append(decode / Double(count))
      guard let floor else { continue }
      for operation in ["encode", "decode"] {
        let seconds = try floor.seconds(
          "A", operation, count, repetitions: repetitions, file: file)
        perObject["C " + operation, default: []].append(seconds / Double(count))
      }
    }
    for (operation, times) in perObject.sorted(by: { $0.key < $1.key }) {
      print("archive growth per object, 10,000 to 1,000,000, \(operation): \(ratio(times))")
    }
  }

  // MARK: Figures

  private func report(
    _ label: String, _ seconds: Double, _ floor: KeyedFloor?, _ graph: String,
    _ operation: String, _ count: Int, _ file: String
  ) throws {
    guard let floor else {
      print("archive \(label): \(milli(seconds)) ms")
      return
    }
    let other = try floor.seconds(graph, operation, count, repetitions: 7, file: file)
    print(
      "archive \(label): \(milli(seconds)) ms, C floor \(milli(other)) ms, ratio "
        + String(format: "%.2f", seconds / other))
  }

  /// CPU seconds of `body`, the median of several runs.
  ///
  /// What it makes is released after the clock is read, as the C program frees after its clock.
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
  private func micro(_ seconds: Double) -> String { String(format: "%.2f", seconds * 1e6) }
  private func percent(_ part: Double) -> String { String(format: "%.3f %%", part * 100) }
  private func ratio(_ times: [Double]) -> String {
    times.count == 2 ? String(format: "%.2f", times[1] / times[0]) : "-"
  }
}
