import Archiving
import Foundation
import Ports
import Synchronization
import Testing

@Suite("What the other end may not do")
struct ProtocolTests {
  /// A connection whose other end is bytes.
  private struct Line {
    let connection: PortConnection
    let raw: Raw

    init(_ limits: PortLimits = PortLimits(), root: (any Vended)? = Map("Europe")) throws {
      let (one, two) = try PortStreams.pair()
      connection = try PortConnection(
        one, root: root, options: PortOptions(limits: limits, program: "map 2.1"))
      raw = Raw(two)
    }

    /// Why the connection has ended after these bytes.
    func end(after bytes: [UInt8]) -> PortError? {
      raw.send(bytes)
      _ = eventually { connection.end != nil }
      return connection.end
    }
  }

  private func limits(_ change: (inout PortLimits) -> Void) -> PortLimits {
    var limits = PortLimits()
    change(&limits)
    return limits
  }

  @Test("The greeting has the bytes of its page")
  func greeting() throws {
    let line = try Line()
    let size = 24 + 7
    let bytes = line.raw.read { $0.count >= size }
    #expect(
      bytes == Array("PORTOLAN".utf8) + [1, 0, 1, 0, 0x98, 0x3A, 0, 0, 0, 0, 0, 4, 7, 0, 0, 0]
        + Array("map 2.1".utf8))
    #expect(line.connection.peerProgram == nil)
    line.raw.send(Raw.greeting(program: "raw\u{1B}[2J 1"))
    try line.connection.waitForGreeting()
    #expect(line.connection.peerProgram == "raw[2J 1")
  }

  @Test("Another version is refused with a sentence that says what to install")
  func versions() throws {
    let newer = try Line().end(after: Raw.greeting(version: 7, oldest: 2, program: "map 9.0"))
    #expect(newer?.code == .otherVersion)
    #expect(
      newer?.reason
        == "map 9.0 speaks version 7 of the protocol, map 2.1 version 1: "
        + "install the program of map 9.0 here too")
    let older = try Line().end(after: Raw.greeting(version: 0, oldest: 0, program: "map 0.1"))
    #expect(older?.reason.hasSuffix("install map 2.1 there too") == true)
    let line = try Line()
    line.raw.send(Raw.greeting(version: 7, oldest: 1))
    try line.connection.waitForGreeting()
    let stranger = try Line().end(after: Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(stranger?.code == .otherVersion)
    let long = try Line().end(after: Array(Raw.greeting().prefix(20)) + Raw.little(UInt32(257)))
    #expect(long?.code == .otherVersion)
  }

  @Test(
    "Bytes that break the rules end the connection, and the other end is told",
    arguments: [
      Raw.frame(0), Raw.frame(5), Raw.frame(255),
      [0, 0, 0, 0, 1, 1, 0, 0] + [UInt8](repeating: 0, count: 8),
      Raw.frame(1, 0, [], size: UInt32.max), Raw.frame(1, 0, [], size: (64 << 20) + 1),
      Raw.frame(2, 0, [1]), Raw.frame(3, 0, [1]), Raw.frame(4, 0, [], size: 1_025),
      Raw.frame(1, 0, []), Raw.frame(1, 0, Array("bplist00".utf8)), Raw.greeting(),
    ])
  func violations(bytes: [UInt8]) throws {
    let line = try Line()
    let end = line.end(after: Raw.greeting() + bytes)
    #expect(end?.code == .violation)
    line.raw.read()
    #expect(try line.raw.messages().end == end?.reason)
  }

  @Test("Replies unasked, requests of one number, releases of what is not held are violations")
  func states() throws {
    let objects = PortObjects()
    let reply = try PortArchiver(PortHeader(.reply, sequence: 77), objects: objects).finish()
    #expect(try Line().end(after: Raw.greeting() + Raw.frame(1, 0, reply))?.code == .violation)
    let twice = try Raw.request("never", 5) + Raw.request("never", 5)
    #expect(try Line().end(after: Raw.greeting() + twice)?.code == .violation)
    for (number, count) in [(UInt64(0), 1), (1, 1), (12_345, Int.max)] {
      let release = try PortArchiver.release(
        [PortRelease(number: number, count: count)], sequence: 1, objects: objects
      ).finish()
      let end = try Line().end(after: Raw.greeting() + Raw.frame(1, 0, release))
      #expect(end?.code == .violation)
    }
  }

  @Test("Cancels and requests within calls that are not under way change nothing")
  func harmless() throws {
    let line = try Line()
    let archiver = try PortArchiver(.request("title", sequence: Int.max), objects: PortObjects())
    line.raw.send(
      Raw.greeting() + Raw.frame(3, UInt64.max) + Raw.frame(3, 5) + Raw.frame(2)
        + Raw.frame(1, UInt64.max, try archiver.finish()))
    line.raw.read { _ in (try? line.raw.messages().messages.count) == 1 }
    let reply = try #require(try line.raw.messages().messages.first)
    #expect(reply.header == PortHeader(.reply, sequence: Int.max))
    #expect(try reply.decodeString() == "Europe")
    #expect(line.connection.end == nil)
  }

  @Test("Silence at the greeting, in a message and afterwards ends the connection in time")
  func silence() throws {
    let quick = limits {
      $0.greetingLimit = .milliseconds(30)
      $0.stallLimit = .milliseconds(30)
    }
    #expect(try Line(quick).end(after: [])?.code == .peerSilent)
    #expect(try Line(quick).end(after: Array(Raw.greeting().dropLast()))?.code == .peerSilent)
    let part = Array(Raw.frame(1, 0, [], size: 1_000).dropLast())
    #expect(try Line(quick).end(after: Raw.greeting() + part)?.code == .peerSilent)
    let whole = try Line(limits { $0.stallLimit = .milliseconds(30) })
    whole.raw.send(Raw.greeting())
    try whole.connection.waitForGreeting()
    usleep(100_000)
    #expect(whole.connection.end == nil, "who has said all may be silent")
    let promising = try Line()
    promising.raw.send(Raw.greeting(alive: 20) + Raw.frame(2))
    #expect(eventually { promising.connection.end?.code == .peerSilent })
  }

  @Test("Signs of life are 16 bytes, and are sent when nothing else is")
  func alive() throws {
    let line = try Line(limits { $0.keepAlive = .milliseconds(20) })
    line.raw.send(Raw.greeting())
    let size = 24 + 7 + 32
    let bytes = line.raw.read { $0.count >= size }
    #expect(Array(bytes[31..<47]) == Raw.frame(2) && Array(bytes[47..<63]) == Raw.frame(2))
  }

  @Test("Who floods and does not read is bounded and cut off")
  func flood() throws {
    let line = try Line(
      limits {
        $0.requestsMax = 16
        $0.waitingBytesMax = 1 << 20
        $0.stallLimit = .milliseconds(200)
      })
    line.raw.send(Raw.greeting())
    let bytes = [UInt8](repeating: 7, count: 1_000).map { Int($0) }
    for sequence in 1...4_000 {
      let request = try Raw.request("echo", sequence) { try $0.encodeObject(bytes) }
      if !line.raw.send(request) { break }
      #expect(line.connection.underWay.requests < 200)
    }
    #expect(eventually { line.connection.end != nil })
    #expect([.tooMany, .peerSilent].contains(line.connection.end?.code))
  }

  @Test("Who takes nothing any more and goes on sending is cut off")
  func oneWay() throws {
    let line = try Line(limits { $0.stallLimit = .milliseconds(300) })
    line.raw.send(Raw.greeting())
    try line.connection.waitForGreeting()
    line.raw.finishReading()
    let request = try Raw.request("note", 1, oneway: true)
    let isOver = Mutex(false)
    defer { isOver.withLock { $0 = true } }
    let raw = Handed(line.raw)
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }), raw.value.send(request) {}
    }
    try? line.connection.root.send("note")
    #expect(eventually { line.connection.end?.code == .peerGone })
  }

  private struct Handed: @unchecked Sendable {
    let value: Raw
    init(_ value: Raw) { self.value = value }
  }

  @Test("Objects in one message, and vended ones, are limited")
  func references() throws {
    let line = try Line(limits { $0.messageReferencesMax = 10 })
    let bomb = try Raw.request("title") { archiver in
      for _ in 0..<11 { try archiver.encodePortObject(Place("x")) }
    }
    #expect(line.end(after: Raw.greeting() + bomb)?.code == .violation)
    let few = limits { $0.referencesMax = 50 }
    let ends = try Ends(there: Map("Europe"), PortOptions(limits: few))
    let failure = #expect(throws: PortFailure.self) {
      let _: [DistantObject] = try ends.here.root.call("keep", 100)
    }
    #expect(failure?.code == "tooLarge")
    #expect(ends.there.vendedCount == 1, "what was not sent is taken back")
    #expect(try ends.here.root.call("title") == "Europe")
  }
}
