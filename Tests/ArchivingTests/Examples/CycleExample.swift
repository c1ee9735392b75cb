import Archiving
import Testing

/// Objects that hold each other in collections, and collections of several types in each other.
@Suite struct CycleExample {
  // snippet: cycle
  /// Rooms lead to each other: every way through the house is a cycle.
  final class Room: Coding {
    let name: String
    var doors: [Room] = []
    var facts: [String: any Coding] = [:]

    init(_ name: String) { self.name = name }

    static var archivedClass: ArchivedClass { "Room" }

    /// What the facts are, at every depth.
    private static let factTypes = ClassList<any Coding>([
      MixedDictionary.self, [String].self, MixedArray.self, String.self, Int.self, Double.self,
      Bool.self, Room.self,
    ])

    func encode(with coder: any EncodingCoder) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(doors, forKey: "doors")
      try coder.encode(facts, forKey: "facts")
    }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      try coder.decodeReference([Room].self, forKey: "doors") { [weak self] in self?.doors = $0 }
      try coder.decodeReference(in: Self.factTypes, forKey: "facts") { [weak self] in
        guard let facts = $0 as? MixedDictionary else { return }
        self?.facts = Dictionary(facts.pairs.map { ($0.key, $0.value) }) { first, _ in first }
      }
    }
  }
  // end

  private func check(_ hall: Room) {
    let kitchen = hall.doors[0]
    #expect(hall.name == "hall" && kitchen.name == "kitchen" && kitchen.doors[0] === hall)
    #expect(hall.facts["width"] as? Double == 2.5 && hall.facts["windows"] as? Int == 1)
    #expect(hall.facts["heated"] as? Bool == true && hall.facts["walls"] as? [String] == ["white"])
    let tour = hall.facts["tour"] as? MixedArray
    #expect(tour?.elements[0] as? Room === kitchen && tour?.elements[1] as? String == "and back")
  }

  @Test func `rooms that lead to each other go in and out of both kinds of archives`() throws {
    let (hall, kitchen) = (Room("hall"), Room("kitchen"))
    (hall.doors, kitchen.doors) = ([kitchen], [hall])
    hall.facts = [
      "width": 2.5, "windows": 1, "heated": true, "walls": ["white"],
      "tour": MixedArray([kitchen, "and back"]),
    ]
    check(try KeyedUnarchiver.unarchive(Room.self, from: KeyedArchiver.archive(hall)))
    check(try Unarchiver.unarchive(Room.self, from: Archiver.archive(hall)))
  }
}
