import Archiving
import Testing

/// Messages between two programs, and what an archive may not do.
@Suite struct PortExample {
  // snippet: port
  struct Position: Coding, Equatable {
    var x: Double
    var y: Double
    static var archivedClass: ArchivedClass { "Position" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeDouble(x, forKey: "x")
      try coder.encodeDouble(y, forKey: "y")
    }
    init(coder: any DecodingCoder) throws {
      x = try coder.decodeDouble(forKey: "x")
      y = try coder.decodeDouble(forKey: "y")
    }
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  final class Ship: Coding {
    let name: String
    init(_ name: String) { self.name = name }
    static var archivedClass: ArchivedClass { "Ship" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
    }
    init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
  }

  /// A request whose bytes go to the other program.
  func request(about ship: Ship, from here: PortObjects) throws -> [UInt8] {
    let message = try PortArchiver(.request("moor", sequence: 1), objects: here)
    try message.encodeObject(Position(x: 5.3, y: 60.4), forKey: "where")  // a value: a copy
    try message.encodeObject(ship, forKey: "ship")  // an object: a reference
    try message.encodeBycopyObject(ship, forKey: "papers")  // a copy, because it is asked for
    return try message.finish()
  }
  // end

  // snippet: safety
  /// Reads what came from anywhere: only ships are made, and not without end.
  func shipNames(fromAnywhere bytes: [UInt8]) throws -> [String] {
    var limits = ArchiveLimits()
    limits.depthMax = 100
    let unarchiver = try KeyedUnarchiver(bytes, limits: limits)
    return try unarchiver.decodeObjects(Ship.self, forKey: "root").map(\.name)
  }
  // end

  @Test func `a message has copies and references`() throws {
    let (here, there) = (PortObjects(), PortObjects())
    let ship = Ship("Fram")
    let message = try PortUnarchiver(request(about: ship, from: here), objects: there)
    #expect(try message.decodeObject(Position.self, forKey: "where") == Position(x: 5.3, y: 60.4))
    let copy = try message.decodeObject(Ship.self, forKey: "papers")
    #expect(copy !== ship && copy.name == "Fram")
    guard case .distant(let distant)? = try message.decodePortObject(forKey: "ship") else {
      Issue.record("the ship is not a distant object")
      return
    }
    #expect(here.object(distant.number) === ship)
  }

  @Test func `an error names the path of what is wrong`() throws {
    let archiver = KeyedArchiver()
    let mixed: [any Coding] = [Ship("Fram"), Position(x: 1, y: 2)]
    try archiver.encodeObjects(mixed, forKey: "root")
    let bytes = try archiver.finish()
    let error = #expect(throws: ArchiveError.self) { try shipNames(fromAnywhere: bytes) }
    #expect(error?.code == .classNotAllowed)
    #expect(error?.path == "$top.root[1]")
    #expect(error?.reason == "expected Ship, found an object of class Position")
  }
}
