import Archiving
import Glibc
import Ports
import Synchronization
import Testing

/// A value: always a copy.
struct Position: Coding, Equatable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  static var archivedClass: ArchivedClass { "Position" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDouble(x, forKey: "x")
    try coder.encodeDouble(y, forKey: "y")
  }
  init(coder: any DecodingCoder) throws {
    x = try coder.decodeDouble(forKey: "x")
    y = try coder.decodeDouble(forKey: "y")
  }
}

/// A class that is vended, and may be copied.
final class Map: Vended {
  var title: String
  var places: [Place] = []

  init(_ title: String) { self.title = title }

  static let portMethods = PortMethods(Map.self) { list in
    list.on("title") { map in map.title }
    list.on("rename") { (map, title: String) in map.title = title }
    list.on("add") { (_, a: Int, b: Int) in a + b }
    list.on("none") { (_: Map) -> String? in nil }
    list.on("middle") { (_, a: Position, b: Position) in
      Position((a.x + b.x) / 2, (a.y + b.y) / 2)
    }
    list.on("place") { (map, name: String) in
      let place = Place(name)
      map.places.append(place)
      return place
    }
    list.on("nameOf") { (_, place: Place) in place.name }
    list.on("keep") { (map, count: Int) in
      map.places = (0..<count).map { Place("\($0)") }
      return map.places
    }
    list.on("visit") { (map, visitor: DistantObject) throws -> String in
      let answer: String = try visitor.call("welcome", map)
      return "they said \(answer)"
    }
    list.on("echo") { (_, bytes: [Int]) in bytes }
    list.on("copy") { map in Bycopy(map) }
    list.on("fail") { (_, text: String) throws -> Int in
      throw PortFailure(name: "NotFound", reason: text, details: ["path": "$top.$0"])
    }
    list.on("same") { (_, object: DistantObject) in object }
    list.onCall("never") { map, call in map.kept.append(call.later()) }
    list.onCall("answerAll") { map, call in
      for answer in map.kept { answer.reply("late") }
      map.kept = []
    }
  }

  var kept: [PortAnswer] = []

  static var archivedClass: ArchivedClass { "Map" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
  }
  init(coder: any DecodingCoder) throws { title = try coder.decodeString(forKey: "title") }
}

/// A class that is vended by reference alone.
final class Place: Vended {
  let name: String
  init(_ name: String) { self.name = name }

  static let portMethods = PortMethods(Place.self) { list in
    list.on("name") { place in place.name }
  }
}

/// Is called back.
final class Visitor: Vended {
  let seen = Mutex<[String]>([])
  var depth = 0

  static let portMethods = PortMethods(Visitor.self) { list in
    list.on("welcome") { (visitor, map: DistantObject) throws -> String in
      let title: String = try map.call("title")
      visitor.seen.withLock { $0.append(title) }
      return "hello \(title)"
    }
    list.on("note") { (visitor, text: String) in visitor.seen.withLock { $0.append(text) } }
    list.on("again") { (visitor, other: DistantObject) throws -> Int in
      visitor.depth += 1
      return try other.call("again", Byref(visitor)) + 1
    }
  }
}

/// Two ends of a connection in this process.
struct Ends {
  let here: PortConnection
  let there: PortConnection

  init(
    here root: (any Vended)? = nil, there other: (any Vended)? = nil,
    _ options: PortOptions = PortOptions(), other otherOptions: PortOptions? = nil
  ) throws {
    let (one, two) = try PortStreams.pair()
    here = try PortConnection(one, root: root, options: options)
    there = try PortConnection(two, root: other, options: otherOptions ?? options)
  }
}

/// Waits until something holds; at most a minute.
func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(60)
  while clock.now < deadline {
    if try holds() { return true }
    usleep(1_000)
  }
  return try holds()
}

/// The same in a task, which stands behind those that others have begun: so turns are counted, for
/// each may take long where many tests share few threads.
func soon(_ holds: () -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if holds() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return holds()
}
