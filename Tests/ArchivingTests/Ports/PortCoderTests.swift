import Archiving
import Testing

@Suite("Messages between programs")
struct PortCoderTests {
  // MARK: By copy and by reference

  @Test("Values travel as copies, objects as references, or as copies where that is asked for")
  func kinds() throws {
    let line = Line()
    let guide = Guide("Virgil", companion: Guide("Beatrice"))
    let message = try line.send {
      try $0.encodeObject(Stop("Limbo"))
      try $0.encodeObject(guide)
      try $0.encodeBycopyObject(guide)
      try $0.encodeInt(3)
      try $0.encodeObject(Guide?.none)
    }
    #expect(try message.decodeObject(Stop.self) == Stop("Limbo"))
    let distant = try #require(try message.decodePortObject().distant)
    #expect(line.here.object(distant.number) === guide)
    let copy = try message.decodeObject(Guide.self)
    #expect(copy !== guide && copy.name == "Virgil" && copy.companion?.name == "Beatrice")
    #expect(try message.decodeInt() == 3)
    #expect(try message.decodePortObject().distant == nil)
    #expect(guide.bycopyWhenEncoded == true && guide.companion?.bycopyWhenEncoded == true)
  }

  @Test("By copy means all that is within, unless that asks for a reference")
  func nested() throws {
    let line = Line()
    let (copied, referred) = (Guide("a", companion: Guide("b")), Guide("c"))
    let message = try line.send {
      try $0.encodeBycopyObject(Route(copied: copied, referred: referred))
      #expect(!$0.isBycopy && !$0.isByref)
    }
    let route = try message.decodeObject(Route.self)
    #expect(route.copied?.companion?.name == "b")
    #expect(line.here.vendedCount == 1)
    #expect(referred.bycopyWhenEncoded == nil, "what is referred to is not encoded")
  }

  @Test("A class says itself how it travels, and under which name")
  func ownWish() throws {
    let line = Line()
    let ticket = Ticket(7)
    let message = try line.send {
      try $0.encodeObject(ticket)
      try $0.encodeByrefObject(ticket)
      try $0.encodeObject(Ticket(-1))
    }
    #expect(try message.decodeObject(PublicTicket.self).number == 7)
    #expect(try message.decodeObject(PublicTicket.self).number == 7)
    #expect(try message.decodeObjectIfPresent(PublicTicket.self) == nil)
    #expect(line.here.vendedCount == 0)
  }

  @Test("One object in one message is one copy and one reference, however often it is there")
  func sharing() throws {
    let line = Line()
    let guide = Guide("x")
    let message = try line.send {
      for _ in 0..<3 { try $0.encodeBycopyObject(guide) }
      for _ in 0..<3 { try $0.encodeObject(guide) }
    }
    let copies = try (0..<3).map { _ in try message.decodeObject(Guide.self) }
    #expect(copies.allSatisfy { $0 === copies[0] })
    let distant = try (0..<3).map { _ in try message.decodePortObject().distant }
    #expect(distant.allSatisfy { $0 === distant[0] && $0 != nil })
  }

  // MARK: Identity

  @Test("What comes back is the object that was sent, also where its class is asked for")
  func home() throws {
    let line = Line()
    let guide = Guide("Virgil")
    let request = try line.send { try $0.encodeObject(guide) }
    let distant = try #require(try request.decodePortObject().distant)
    let reply = try line.answer {
      try $0.encodePortObject(distant)
      try $0.encodePortObject(distant)
      try $0.encodePortObject(distant)
    }
    #expect(try reply.decodePortObject().local === guide)
    #expect(try reply.decodeObject(Guide.self) === guide)
    #expect {
      try reply.decodeObject(Stop.self)
    } throws: {
      ($0 as? ArchiveError)?.code == .classNotAllowed
    }
  }

  @Test("Two messages about one object give one number and one distant object")
  func unique() throws {
    let line = Line()
    let guide = Guide("Virgil")
    let first = try line.send { try $0.encodeObject(guide) }.decodePortObject().distant
    let second = try line.send { try $0.encodeObject(guide) }.decodePortObject().distant
    #expect(first === second && first != nil)
    #expect(line.here.vendedCount == 1)
  }

  @Test("A reference where a copy is expected is refused, and the advice is given")
  func referenceForCopy() throws {
    let message = try Line().send { try $0.encodeObject(Guide("x")) }
    let error = #expect(throws: ArchiveError.self) { try message.decodeObject(Guide.self) }
    #expect(error?.code == .classNotAllowed)
    #expect(error?.reason.contains("decodePortObject") == true)
  }

  @Test("A third program's object travels with its address, and needs one")
  func triangle() throws {
    let line = Line()
    let named = line.here.distantObject(77, address: "unix:/run/third")
    let message = try line.send { try $0.encodePortObject(named) }
    let there = try #require(try message.decodePortObject().distant)
    #expect(there.number == 77 && there.address == "unix:/run/third")
    let other = Line()
    let foreign = try #require(
      try other.send { try $0.encodeObject(Guide("y")) }.decodePortObject().distant)
    let third = try PortArchiver(.request("do", sequence: 1), objects: line.here)
    #expect {
      try third.encodePortObject(foreign)
    } throws: {
      ($0 as? ArchiveError)?.code == .misuse
    }
  }

  // MARK: Giving back

  @Test("References are given back when nobody holds them, as many as were received")
  func releases() throws {
    let line = Line()
    let guide = Guide("Virgil")
    var held: [DistantObject] = []
    for _ in 0..<3 {
      let message = try line.send {
        try $0.encodeObject(guide)
        try $0.encodeObject(guide)
      }
      held.append(try #require(try message.decodePortObject().distant))
    }
    #expect(line.there.takeReleases().isEmpty)
    let number = held[0].number
    held = []
    let given = line.there.takeReleases()
    #expect(given == [PortRelease(number: number, count: 3)])
    let bytes = try PortArchiver.release(given, sequence: 9, objects: line.there).finish()
    let message = try PortUnarchiver(bytes, objects: line.here)
    #expect(message.header == PortHeader(.release, sequence: 9))
    for release in try message.releases() { try line.here.release(release) }
    #expect(line.here.vendedCount == 0)
    #expect(throws: ArchiveError.self) { try line.here.release(given[0]) }
  }

  @Test("A reference that nobody asks for is given back, and an unsent message takes its own back")
  func unasked() throws {
    let line = Line()
    var message: PortUnarchiver? = try line.send { try $0.encodeObject(Guide("x")) }
    #expect(line.there.takeReleases().isEmpty && message != nil)
    message = nil
    let given = line.there.takeReleases()
    #expect(given.map(\.count) == [1])
    for release in given { try line.here.release(release) }
    var unsent: PortArchiver? = try PortArchiver(.request("do", sequence: 2), objects: line.here)
    try unsent?.encodeObject(Guide("y"))
    #expect(line.here.vendedCount == 1)
    unsent = nil
    #expect(line.here.vendedCount == 0)
  }

  @Test("The root is object 0, is never given back, and everybody may ask it")
  func root() throws {
    let root = Guide("root")
    let line = Line(other: root)
    let message = try line.send(.request("hello", sequence: 0)) { _ in }
    #expect(try message.target() === root)
    #expect(message.header == .request("hello", sequence: 0))
    #expect(throws: ArchiveError.self) {
      try line.there.release(PortRelease(number: 0, count: 1))
    }
  }

  // MARK: Failures and refusals

  @Test("A failure travels with its name, reason and details")
  func failure() throws {
    let sent = PortFailure(name: "NotFound", reason: "no such map", details: ["map": "Europe"])
    let message = try PortArchiver(PortHeader(.failure, sequence: 4), objects: PortObjects())
    try message.encodeObject(sent)
    let received = try PortUnarchiver(message.finish(), objects: PortObjects())
    #expect(received.header.kind == .failure)
    #expect(try received.decodeObject(PortFailure.self) == sent)
  }

  @Test("A class for archives only is not copied into a message; it may be referred to")
  func restricted() throws {
    let line = Line()
    #expect(throws: Never.self) { try line.send { try $0.encodeObject(Archive()) } }
    let error = #expect(throws: ArchiveError.self) {
      try line.send { try $0.encodeBycopyObject(Archive()) }
    }
    #expect(error?.code == .coderNotSupported)
    #expect(error?.reason.contains("PortArchiver") == true)
  }

  @Test("A message makes no object of a class that was not named")
  func closed() throws {
    let line = Line()
    let message = try line.send { try $0.encodeBycopyObject(Guide("x")) }
    #expect {
      try message.decodeObject(Stop.self)
    } throws: {
      ($0 as? ArchiveError)?.code == .classNotAllowed
    }
  }

  /// A message with any header, and a reference of any kind.
  private struct Forged: Coding {
    static let archivedClass = ArchivedClass("NSDistantObject", superclass: "NSProxy")
    var tag: Int
    var number: Int
    init(tag: Int, number: Int) { (self.tag, self.number) = (tag, number) }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(tag, forKey: "tag")
      try coder.encodeInt(number, forKey: "number")
    }
    init(coder: any DecodingCoder) throws { (tag, number) = (0, 0) }
  }

  private func forged(_ fill: (KeyedArchiver) throws -> Void) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try fill(archiver)
    return try archiver.finish()
  }

  @Test(
    "Forged references are refused when the message is opened or when they are used",
    arguments: [(0, 12_345), (0, -1), (1, -1), (2, 5), (3, 5), (-1, 5), (Int.max, Int.max)])
  func forgedReferences(tag: Int, number: Int) throws {
    let bytes = try forged {
      try $0.encodeString("request", forKey: "kind")
      try $0.encodeInt(1, forKey: "sequence")
      try $0.encodeInt(0, forKey: "target")
      try $0.encodeString("do", forKey: "method")
      try $0.encodeObject(Forged(tag: tag, number: number))
    }
    #expect(throws: ArchiveError.self) {
      let message = try PortUnarchiver(bytes, objects: PortObjects(root: Guide("root")))
      _ = try message.decodePortObject()
    }
  }

  @Test(
    "Headers that are none are refused",
    arguments: [
      ("request", 1, 0, ""), ("request", -1, 0, "do"), ("request", 1, -7, "do"),
      ("hello", 1, 0, "do"),
      ("request", 1, 0, String(repeating: "m", count: 1_025)),
    ])
  func headers(kind: String, sequence: Int, target: Int, method: String) throws {
    let bytes = try forged {
      try $0.encodeString(kind, forKey: "kind")
      try $0.encodeInt(sequence, forKey: "sequence")
      try $0.encodeInt(target, forKey: "target")
      try $0.encodeString(method, forKey: "method")
    }
    #expect(throws: ArchiveError.self) { try PortUnarchiver(bytes, objects: PortObjects()) }
  }

  @Test("A target that was never sent is refused, and so are too large messages")
  func limits() throws {
    let message = try Line().send(.request("do", of: 99, sequence: 1)) { _ in }
    #expect(throws: ArchiveError.self) { try message.target() }
    let large = try PortArchiver(.request("do", sequence: 1), objects: PortObjects())
    try large.encodeData([UInt8](repeating: 1, count: PortUnarchiver.sizeMax))
    let bytes = try large.finish()
    #expect {
      try PortUnarchiver(bytes, objects: PortObjects())
    } throws: {
      ($0 as? ArchiveError)?.code == .tooLarge
    }
  }

  @Test("References of a message stand in no keyed archive")
  func notInArchives() throws {
    let line = Line()
    let message = try PortArchiver(.request("do", sequence: 1), objects: line.here)
    try message.encodeObject(Guide("x"))
    let unarchiver = try KeyedUnarchiver(message.finish())
    #expect(throws: ArchiveError.self) { try unarchiver.decodeObject(Guide.self) }
  }

  @Test("Any change of any bytes of a message opens or throws", arguments: 0..<4)
  func mutations(seed: UInt64) throws {
    let line = Line()
    let message = try PortArchiver(.request("do", sequence: 1), objects: line.here)
    try message.encodeBycopyObject(Guide("Virgil", companion: Guide("Beatrice")))
    try message.encodeObject(Guide("x"))
    let sound = try message.finish()
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<500 {
      var bytes = sound
      for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
      guard let opened = try? PortUnarchiver(bytes, objects: line.there) else { continue }
      _ = try? opened.decodeObject(Guide.self)
      _ = try? opened.decodePortObject()
    }
  }
}
