import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Damaged archives: every truncation and every flipped bit is refused or decoded, never a trap.
@Suite struct MutationTests {
  static func good() throws -> [[UInt8]] {
    let boss = Employee("Ada", "Lovelace", number: 1)
    let map = MapView(
      title: "Zoë", magnification: 2.5, legend: View(title: "a title of more than fifteen"))
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(
      [boss, Employee("B", "C", number: 70_000, manager: boss)], forKey: "a")
    try archiver.encodeObject(map, forKey: "map")
    try archiver.encodeObject(TreeNode("t", [TreeNode("u")]), forKey: "tree")
    return [
      try KeyedArchiver.archive(Place(number: 1, twin: Place(number: 2))), try archiver.finish(),
    ]
  }

  /// Everything that can be asked of an archive.
  static func read(_ bytes: [UInt8]) {
    guard let graph = try? ObjectGraph(bytes) else { return }
    try? graph.list.validate()
    for number in 0..<min(graph.nodeCount, 1_000) {
      guard let node = try? graph.node(NodeID(rawValue: UInt32(number))) else { continue }
      for field in node.fields { _ = try? graph.content(of: field.value) }
    }
    guard let unarchiver = try? KeyedUnarchiver(graph: graph, classes: [MapView.self]) else {
      return
    }
    _ = try? unarchiver.decodeObject(Place.self, forKey: "root")
    _ = try? unarchiver.decodeObjects(Employee.self, forKey: "a")
    _ = try? unarchiver.decodeObject(TreeNode.self, forKey: "tree")
    if let view = try? unarchiver.decodeObject(View.self, forKey: "map") {
      _ = try? KeyedArchiver.archive(view)
    }
    for key in ["root", "map"] {
      if let kept = try? unarchiver.decodeObject(UnknownObject.self, forKey: key) {
        _ = try? KeyedArchiver.archive(kept)
      }
    }
  }

  @Test func `truncations`() throws {
    for bytes in try Self.good() {
      for count in 0..<bytes.count {
        let cut = Array(bytes[..<count])
        #expect(throws: (any Error).self) { try ObjectGraph(cut) }
      }
    }
  }

  @Test func `flipped bits`() throws {
    for (bytes, step) in zip(try Self.good(), [1, 3]) {
      for place in bytes.indices {
        for bit in stride(from: place % step, to: 8, by: step) {
          var bytes = bytes
          bytes[place] ^= 1 << bit
          Self.read(bytes)
        }
      }
    }
  }

  @Test func `several bytes at once, from a seed`() throws {
    var generator = SeededGenerator(seed: 20_010_324)
    for bytes in try Self.good() {
      for _ in 0..<1_500 {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          let place = Int.random(in: bytes.indices, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[place] = 0xFF
          case 1: bytes[place] = bytes.randomElement(using: &generator) ?? 0
          case 2: bytes.swapAt(place, Int.random(in: bytes.indices, using: &generator))
          default: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          }
        }
        Self.read(bytes)
      }
    }
  }
}
