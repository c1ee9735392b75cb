import Archiving

/// An object with a name and another one: travels by reference unless it is asked for by copy.
final class Guide: Coding {
  var name: String
  var companion: Guide?
  var bycopyWhenEncoded: Bool?

  init(_ name: String, companion: Guide? = nil) {
    self.name = name
    self.companion = companion
  }

  static var archivedClass: ArchivedClass { "Guide" }

  func encode(with coder: any EncodingCoder) throws {
    bycopyWhenEncoded = (coder as? PortArchiver)?.isBycopy
    try coder.encodeString(name, forKey: "name")
    try coder.encodeObject(companion, forKey: "companion")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    companion = try coder.decodeObjectIfPresent(Guide.self, forKey: "companion")
  }
}

/// A value: always a copy.
struct Stop: Coding, Equatable {
  var place: String

  init(_ place: String) { self.place = place }
  static var archivedClass: ArchivedClass { "Stop" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(place, forKey: "place")
  }
  init(coder: any DecodingCoder) throws { place = try coder.decodeString(forKey: "place") }
}

/// A small unchanging object that always travels as a copy, under the name of its public class.
final class Ticket: PortCoding {
  let number: Int

  init(_ number: Int) { self.number = number }
  static var archivedClass: ArchivedClass { "PrivateTicket" }
  var classForPortCoder: ArchivedClass { "Ticket" }
  func replacementObject(for coder: PortArchiver) -> PortReplacement {
    number < 0 ? .none : .copy(self)
  }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(number, forKey: "number")
  }
  init(coder: any DecodingCoder) throws { number = try coder.decodeInt(forKey: "number") }
}

/// What a receiver knows of tickets.
final class PublicTicket: Coding {
  let number: Int
  static var archivedClass: ArchivedClass { "Ticket" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(number, forKey: "number")
  }
  init(coder: any DecodingCoder) throws { number = try coder.decodeInt(forKey: "number") }
}

/// A copied object that refers to another in each way.
struct Route: Coding {
  var copied: Guide?
  var referred: Guide?

  init(copied: Guide?, referred: Guide?) { (self.copied, self.referred) = (copied, referred) }
  static var archivedClass: ArchivedClass { "Route" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeBycopyObject(copied, forKey: "copied")
    try coder.encodeByrefObject(referred, forKey: "referred")
  }
  init(coder: any DecodingCoder) throws {
    copied = try coder.decodeObjectIfPresent(Guide.self, forKey: "copied")
    referred = nil
  }
}

/// A class that is only for archives.
final class Archive: RestrictedCoding {
  init() {}
  static var archivedClass: ArchivedClass { "Archive" }
  static var supportedCoders: CoderKinds { [.keyed, .sequential] }
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws {}
}

/// The two ends of a connection, whose messages go straight from one to the other.
struct Line {
  let here: PortObjects
  let there: PortObjects

  init(root: AnyObject? = nil, other: AnyObject? = nil) {
    here = PortObjects(root: root)
    there = PortObjects(root: other)
  }

  /// Sends a request from here and opens it there.
  func send(
    _ header: PortHeader = .request("do", sequence: 1), classes: [any Coding.Type] = [],
    _ encode: (PortArchiver) throws -> Void
  ) throws -> PortUnarchiver {
    let message = try PortArchiver(header, objects: here)
    try encode(message)
    return try PortUnarchiver(message.finish(), objects: there, classes: classes)
  }

  /// Sends a reply from there and opens it here.
  func answer(_ encode: (PortArchiver) throws -> Void) throws -> PortUnarchiver {
    let message = try PortArchiver(PortHeader(.reply, sequence: 1), objects: there)
    try encode(message)
    return try PortUnarchiver(message.finish(), objects: here)
  }
}

extension PortObject? {
  var local: AnyObject? {
    if case .local(let object)? = self { object } else { nil }
  }

  var distant: DistantObject? {
    if case .distant(let object)? = self { object } else { nil }
  }
}
