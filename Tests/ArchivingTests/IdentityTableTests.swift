import PortolanTestSupport
import Testing

@testable import Archiving

struct IdentityTableTests {
  private final class Thing {}

  @Test(arguments: 1...20)
  func `a table is as a dictionary by identity is`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let things = (0..<Int.random(in: 1...200, using: &generator)).map { _ in Thing() }
    var table = IdentityTable()
    var nodes: [ObjectIdentifier: UInt32] = [:]
    for step in 0..<600 {
      guard let thing = things.randomElement(using: &generator) else { return }
      let identity = ObjectIdentifier(thing)
      let noted = table.node(of: thing)
      #expect(noted == nodes[identity])
      switch Int.random(in: 0...20, using: &generator) {
      case 0:
        let limit = UInt32.random(in: 0...UInt32(step), using: &generator)
        table.removeAll(from: limit)
        nodes = nodes.filter { $0.value < limit }
      case 1:
        table = table.copy()
      default:
        let found = table.find(thing, orInsert: UInt32(step))
        #expect(found == nodes[identity])
        nodes[identity] = nodes[identity] ?? UInt32(step)
      }
    }
  }

  @Test func `a table keeps its objects alive until it ends`() {
    weak var thing: Thing?
    do {
      var table = IdentityTable()
      do {
        let made = Thing()
        thing = made
        _ = table.find(made, orInsert: 1)
        _ = table.find(made, orInsert: 2)
      }
      #expect(thing != nil)
      table.removeAll(from: 2)
      #expect(thing != nil)
      table.removeAll(from: 0)
      #expect(thing == nil)
    }
  }
}
