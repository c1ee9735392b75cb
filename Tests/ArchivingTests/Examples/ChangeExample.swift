import Archiving
import Testing

/// A class that changed after files of it were written.
@Suite struct ChangeExample {
  /// What the first version of the program wrote.
  struct OldStop: Coding {
    var name: String
    static var archivedClass: ArchivedClass { "Stop" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
    }
    init(_ name: String) { self.name = name }
    init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
  }

  /// What a version to come will write.
  struct NewStation: Coding {
    static var archivedClass: ArchivedClass { "Station" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString("Quay", forKey: "name")
      try coder.encodeInt(3, forKey: "platforms")
      try coder.encodeString("B", forKey: "zone")
    }
    init() {}
    init(coder: any DecodingCoder) throws {}
  }

  // snippet: changed
  final class Station: Coding {
    var name: String
    var platforms: Int
    private let unread: UnreadFields

    static var archivedClass: ArchivedClass {
      ArchivedClass("Station", version: 1, formerNames: ["Stop"])
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeInt(platforms, forKey: "platforms")
      try coder.encodeUnreadFields(unread)
    }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      platforms = try coder.decodeIntIfPresent(forKey: "platforms") ?? 1
      unread = try coder.unreadFields()
    }
  }
  // end

  // snippet: names
  /// Reads and writes stations under the name that another program has for them.
  var foreignNames: ArchivedClassNames {
    var names = ArchivedClassNames()
    names.setName("MTStation", for: Station.self)
    names.setType(Station.self, forName: "MTStation")
    return names
  }

  func foreignArchive(of station: Station) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    archiver.classNames = foreignNames
    try archiver.encodeObject(station, forKey: "root")
    return try archiver.finish()
  }

  func foreignStation(in bytes: [UInt8]) throws -> Station {
    let unarchiver = try KeyedUnarchiver(bytes)
    unarchiver.classNames = foreignNames
    return try unarchiver.decodeObject(Station.self, forKey: "root")
  }
  // end

  // snippet: versions
  struct Ticket: Coding, Equatable {
    var price: Int
    var currency: String

    static var archivedClass: ArchivedClass { ArchivedClass("Ticket", version: 2) }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(price)
      try coder.encodeString(currency)
    }

    init(coder: any DecodingCoder) throws {
      price = try coder.decodeInt()
      // Before version 2 there was a price only.
      let version = coder.version(forClassName: "Ticket") ?? 0
      currency = version < 2 ? "EUR" : try coder.decodeString()
    }

    init(price: Int, currency: String) { (self.price, self.currency) = (price, currency) }
  }
  // end

  /// What was written before there were currencies.
  struct OldTicket: Coding {
    static var archivedClass: ArchivedClass { ArchivedClass("Ticket", version: 1) }
    func encode(with coder: any EncodingCoder) throws { try coder.encodeInt(250) }
    init() {}
    init(coder: any DecodingCoder) throws {}
  }

  // snippet: migration
  /// Gives the class its new name, and makes two fields of one, in the whole archive.
  func migrated(_ bytes: [UInt8]) throws -> [UInt8] {
    var rewriter = GraphRewriter(try ObjectGraph(bytes))
    rewriter.renameClass("Stop", to: "Station")
    for id in try rewriter.nodes(ofClass: "Station") {
      var station = try rewriter.node(id)
      guard let text = try rewriter.string(station["name"]) else { continue }
      let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
      station["name"] = .reference(rewriter.addString(parts.first ?? text))
      station["town"] = .reference(rewriter.addString(parts.dropFirst().first ?? ""))
      station["platforms"] = .integer(2)
      rewriter.replace(id, with: station)
    }
    return try rewriter.archive()
  }
  // end

  @Test func `an old file is read with a default and under the former name`() throws {
    let station = try KeyedUnarchiver.unarchive(
      Station.self, from: KeyedArchiver.archive(OldStop("Quay")))
    #expect(station.name == "Quay" && station.platforms == 1)
    let graph = try ObjectGraph(KeyedArchiver.archive(station))
    #expect(try graph.node(NodeID(rawValue: 1)).classChain.first == "Station")
  }

  @Test func `fields of a newer file are given back`() throws {
    let station = try KeyedUnarchiver.unarchive(
      Station.self, from: KeyedArchiver.archive(NewStation()))
    station.name = "Pier"
    let unarchiver = try KeyedUnarchiver(KeyedArchiver.archive(station))
    let fields = try unarchiver.graph.node(NodeID(rawValue: 1)).fields.map(\.key)
    #expect(fields == ["name", "platforms", "zone"])
    #expect(try unarchiver.decodeObject(Station.self, forKey: "root").name == "Pier")
  }

  @Test func `another program's name goes both ways, and is unknown without the list`() throws {
    let station = try KeyedUnarchiver.unarchive(
      Station.self, from: KeyedArchiver.archive(OldStop("Quay")))
    let bytes = try foreignArchive(of: station)
    #expect(try ObjectGraph(bytes).node(NodeID(rawValue: 1)).classChain == ["MTStation"])
    #expect(try foreignStation(in: bytes).name == "Quay")
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Station.self, from: bytes)
    }
    #expect(error?.code == .classNotAllowed)
  }

  @Test func `a renamed class is read from sequential archives too`() throws {
    let unarchiver = try Unarchiver(Archiver.archive(OldStop("Quay")))
    unarchiver.classNames.setType(OldStop.self, forName: "Halt")
    #expect(try unarchiver.decodeObject(OldStop.self).name == "Quay")
    let archiver = Archiver()
    archiver.classNames.setName("Halt", for: OldStop.self)
    try archiver.encodeRootObject(OldStop("Pier"))
    let other = try Unarchiver(archiver.finish())
    other.classNames.setType(OldStop.self, forName: "Halt")
    #expect(try other.decodeObject(OldStop.self).name == "Pier")
  }

  @Test func `a sequential archive tells the version of a class`() throws {
    let old = try Unarchiver.unarchive(Ticket.self, from: Archiver.archive(OldTicket()))
    #expect(old == Ticket(price: 250, currency: "EUR"))
    let new = Ticket(price: 3, currency: "CHF")
    #expect(try Unarchiver.unarchive(Ticket.self, from: Archiver.archive(new)) == new)
  }

  @Test func `a migration works on the graph`() throws {
    let bytes = try migrated(KeyedArchiver.archive(OldStop("Quay/Bergen")))
    let station = try KeyedUnarchiver.unarchive(Station.self, from: bytes)
    #expect(station.name == "Quay" && station.platforms == 2)
    let fields = try ObjectGraph(KeyedArchiver.archive(station)).node(NodeID(rawValue: 1)).fields
    #expect(fields.map(\.key) == ["name", "platforms", "town"])
  }
}
