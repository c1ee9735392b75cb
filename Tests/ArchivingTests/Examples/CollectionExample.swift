import Archiving
import Testing

/// Collections of anything, and classes of the main actor.
@Suite struct CollectionExample {
  // snippet: collections
  final class Stop: Coding {
    let name: String

    init(_ name: String) { self.name = name }

    static var archivedClass: ArchivedClass { "Stop" }

    func encode(with coder: any EncodingCoder) throws { try coder.encode(name, forKey: "name") }

    init(coder: any DecodingCoder) throws { name = try coder.decode(String.self, forKey: "name") }
  }

  struct Network: Coding {
    var lines: [[Stop]]
    var stops: [Int: Stop]
    var zones: Set<String>
    var notes: [any Coding]

    static var archivedClass: ArchivedClass { "Network" }

    /// What may stand among the notes.
    private static let noteTypes = ClassList<any Coding>(
      [String.self, Int.self, Stop.self, [Stop].self])

    init(lines: [[Stop]], stops: [Int: Stop], zones: Set<String>, notes: [any Coding]) {
      (self.lines, self.stops, self.zones, self.notes) = (lines, stops, zones, notes)
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encode(lines, forKey: "lines")
      try coder.encode(stops, forKey: "stops")
      try coder.encode(zones, forKey: "zones")
      try coder.encode(notes, forKey: "notes")
    }

    init(coder: any DecodingCoder) throws {
      lines = try coder.decode([[Stop]].self, forKey: "lines")
      stops = try coder.decode([Int: Stop].self, forKey: "stops")
      zones = try coder.decode(Set<String>.self, forKey: "zones")
      notes = try coder.decodeObjects(in: Self.noteTypes, forKey: "notes")
    }
  }
  // end

  // snippet: main-actor
  @MainActor final class Panel: Coding {
    var title: String

    init(_ title: String) { self.title = title }

    nonisolated static var archivedClass: ArchivedClass { "Panel" }

    nonisolated func encode(with coder: any EncodingCoder) throws {
      nonisolated(unsafe) let coder = coder
      try MainActor.assumeIsolated { try coder.encode(title, forKey: "title") }
    }

    nonisolated init(coder: any DecodingCoder) throws {
      title = try coder.decode(String.self, forKey: "title")
    }
  }
  // end

  private func network() -> Network {
    let (harbour, market) = (Stop("harbour"), Stop("market"))
    return Network(
      lines: [[harbour, market], [], [market]], stops: [7: harbour, 3: market],
      zones: ["A", "B"], notes: ["night line", 24, harbour, [market, market], "", true])
  }

  private func check(_ again: Network) {
    #expect(again.lines.map { $0.map(\.name) } == [["harbour", "market"], [], ["market"]])
    #expect(again.stops.mapValues(\.name) == [7: "harbour", 3: "market"])
    #expect(again.stops[7] === again.lines[0][0])
    #expect(again.zones == ["A", "B"])
    #expect(again.notes.count == 6)
    #expect(again.notes[0] as? String == "night line")
    #expect(again.notes[1] as? Int == 24)
    #expect(again.notes[2] as? Stop === again.stops[7])
    #expect((again.notes[3] as? [Stop])?.allSatisfy { $0 === again.stops[3] } == true)
    #expect(again.notes[5] as? Int == 1)
  }

  @Test func `collections of anything go in and out of both kinds of archives`() throws {
    let network = network()
    let keyed = try KeyedArchiver.archive(network)
    check(try KeyedUnarchiver.unarchive(Network.self, from: keyed))
    check(try Unarchiver.unarchive(Network.self, from: Archiver.archive(network)))
    #expect(try KeyedArchiver.archive(network) == keyed)
  }

  @MainActor @Test func `a class of the main actor is archived there`() throws {
    let panel = Panel("legend")
    let bytes = try KeyedArchiver.archive(panel)
    #expect(try KeyedUnarchiver.unarchive(Panel.self, from: bytes).title == "legend")
  }
}
