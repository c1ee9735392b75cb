import Archiving
import Foundation
import PortolanTestSupport
import Ports
import Synchronization
import Testing

/// A node of a random graph of calls: vended at one end, called from the other.
final class Node: Vended, Sendable {
  let number: Int
  let census: Census

  /// How many nodes there are at a time.
  final class Census: Sendable {
    let alive = Mutex(0)
    let made = Mutex(0)
  }

  init(_ number: Int, _ census: Census) {
    (self.number, self.census) = (number, census)
    census.alive.withLock { $0 += 1 }
    census.made.withLock { $0 += 1 }
  }

  deinit { census.alive.withLock { $0 -= 1 } }

  static let portMethods = PortMethods(Node.self) { list in
    list.on("number") { node in node.number }
    list.on("make") { (node, number: Int) in Node(number, node.census) }
    list.on("makeMany") { (node, count: Int) in (0..<count).map { Node($0, node.census) } }
    list.on("same") { (node, other: Node) in
      other === node ? -1 : other.number
    }
    list.on("echo") { (_, other: DistantObject) in other }
    list.on("copied") { (_, stop: Position) in Position(stop.y, stop.x) }
    list.on("through") { (node, other: DistantObject, depth: Int) throws -> Int in
      if depth == 0 { return try other.call("number") }
      return try other.call("back", node, depth - 1)
    }
    list.on("back") { (node, other: DistantObject, depth: Int) throws -> Int in
      try other.call("through", node, depth)
    }
    list.on("sum") { (_, others: [DistantObject]) throws -> Int in
      try others.reduce(0) { try $0 + $1.call("number") }
    }
    list.on("drop") { (_) in }
  }
}

@Suite("Laws of random calls")
struct LawTests {
  /// One side of a random exchange: what it holds of the other.
  private struct Side {
    let root: DistantObject
    let census: Node.Census
    var held: [(object: DistantObject, number: Int)] = []
    var own: [Node] = []
  }

  @Test(
    "Identity is kept, each reference is given back once, and nothing is left in tables",
    arguments: Seeds.some(4))
  func exchange(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (mine, theirs) = (Node.Census(), Node.Census())
    do {
      let ends = try Ends(here: Node(0, mine), there: Node(0, theirs))
      var side = Side(root: ends.here.root, census: mine)
      for step in 1...120 { try act(&side, step, &random) }
      for entry in side.held {
        #expect(try entry.object.call("number") == entry.number)
      }
      side.held = []
      side.own = []
      #expect(eventually { ends.there.vendedCount == 1 && ends.here.vendedCount == 1 })
      #expect(eventually { ends.here.underWay == (0, 0) && ends.there.underWay == (0, 0) })
      #expect(ends.there.distantCount == 0)
      #expect(ends.here.end == nil && ends.there.end == nil)
      ends.here.close()
    }
    #expect(eventually { mine.alive.withLock { $0 } == 0 && theirs.alive.withLock { $0 } == 0 })
    #expect(theirs.made.withLock { $0 } > 1)
  }

  private func act(_ side: inout Side, _ step: Int, _ random: inout SeededGenerator) throws {
    let target = side.held.randomElement(using: &random)?.object ?? side.root
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      side.held.append((try target.call("make", step), step))
    case 2:
      let many: [DistantObject] = try target.call("makeMany", 3)
      for (number, object) in many.enumerated() { side.held.append((object, number)) }
    case 3:
      guard let other = side.held.randomElement(using: &random) else { return }
      #expect(try side.root.call("same", other.object) == other.number)
      #expect(try other.object.call("same", other.object) == -1)
    case 4:
      let own = side.own.randomElement(using: &random) ?? Node(step, side.census)
      if !side.own.contains(where: { $0 === own }) { side.own.append(own) }
      let back: Node = try target.call("echo", own)
      #expect(back === own)
    case 5:
      let own = Node(step, side.census)
      let depth = Int.random(in: 0..<6, using: &random)
      let number: Int = try side.root.call("through", own, depth)
      #expect(number == step)
    case 6:
      let own = (0..<Int.random(in: 0..<9, using: &random)).map { Node($0, side.census) }
      #expect(try target.call("sum", own) == own.reduce(0) { $0 + $1.number })
    case 7:
      #expect(try target.call("copied", Position(1, 2)) == Position(2, 1))
    case 8:
      try target.send("drop")
    default:
      if !side.held.isEmpty {
        side.held.remove(at: Int.random(in: 0..<side.held.count, using: &random))
      }
    }
  }

  @Test("Many threads call at a time in both directions: each gets its own reply", arguments: 1..<3)
  func threads(seed: UInt64) throws {
    let ends = try Ends(here: Node(1, Node.Census()), there: Node(2, Node.Census()))
    let wrong = Mutex(0)
    let group = DispatchGroup()
    for thread in 0..<6 {
      let root = (thread % 2 == 0 ? ends.here : ends.there).root
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
        for _ in 0..<60 {
          let number = Int.random(in: 0..<1_000_000, using: &random)
          let object: DistantObject? = try? root.call("make", number)
          let reply: Int? = try? object?.call("number")
          if reply != number { wrong.withLock { $0 += 1 } }
        }
      }
    }
    group.wait()
    #expect(wrong.withLock { $0 } == 0)
    #expect(eventually { ends.there.vendedCount == 1 && ends.here.vendedCount == 1 })
    #expect(ends.here.end == nil && ends.there.end == nil)
  }

  @Test(
    "However the bytes are cut, changed or mixed, the connection answers or ends",
    arguments: Seeds.some(6))
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var sound: [[UInt8]] = [Raw.greeting()]
    for sequence in 1...6 {
      sound.append(try Raw.request("echo", sequence) { try $0.encodeObject([1, 2, 3]) })
      sound.append(try Raw.request("visit", sequence + 50) { try $0.encodePortObject(Place("x")) })
    }
    for _ in 0..<12 {
      var frames = sound
      for _ in 0..<Int.random(in: 0..<4, using: &random) { mutate(&frames, &random) }
      var limits = PortLimits()
      limits.greetingLimit = .milliseconds(200)
      limits.stallLimit = .milliseconds(200)
      limits.timeLimit = .milliseconds(100)
      let (one, two) = try PortStreams.pair()
      let connection = try PortConnection(
        one, root: Map("Europe"), options: PortOptions(limits: limits))
      var raw: Raw? = Raw(two)
      let bytes = frames.flatMap { $0 }
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + Int.random(in: 1..<400, using: &random))
        guard raw?.send(Array(bytes[place..<end])) == true else { break }
        place = end
      }
      raw?.finish()
      raw?.read()
      raw = nil
      #expect(eventually { connection.end != nil }, "seed \(seed)")
      #expect(eventually { connection.vendedCount == 0 })
    }
  }

  private func mutate(_ frames: inout [[UInt8]], _ random: inout SeededGenerator) {
    let index = Int.random(in: 0..<frames.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where !frames[index].isEmpty:
      let place = Int.random(in: 0..<frames[index].count, using: &random)
      frames[index][place] = UInt8.random(in: 0...255, using: &random)
    case 1: frames[index].removeLast(Int.random(in: 0...frames[index].count, using: &random))
    case 2: frames.insert(frames[index], at: Int.random(in: 0...frames.count, using: &random))
    case 3: frames.shuffle(using: &random)
    default: frames.remove(at: frames.count > 1 ? index : 0)
    }
    if frames.isEmpty { frames = [[0]] }
  }
}
