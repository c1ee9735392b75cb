import Archiving
import PropertyLists
import Testing

@Suite struct RewriterTests {
  /// What version 1 of a program wrote.
  struct OldPerson: Coding {
    var name: String
    var friend: View
    static var archivedClass: ArchivedClass { ArchivedClass("Person", superclass: "Being") }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeInt(41, forKey: "age")
      try coder.encodeObject(friend, forKey: "friend")
    }
    init(name: String, friend: View) { (self.name, self.friend) = (name, friend) }
    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      friend = try coder.decodeObject(View.self, forKey: "friend")
    }
  }

  /// What version 2 reads: another class name, the name in two, months instead of years.
  struct Citizen: Coding {
    var first: String
    var last: String
    var months: Int
    var friend: View
    static var archivedClass: ArchivedClass { ArchivedClass("Citizen", superclass: "Being") }
    func encode(with coder: any EncodingCoder) {}
    init(coder: any DecodingCoder) throws {
      first = try coder.decodeString(forKey: "first")
      last = try coder.decodeString(forKey: "last")
      months = try coder.decodeInt(forKey: "months")
      friend = try coder.decodeObject(View.self, forKey: "friend")
    }
  }

  /// The migration: no type of either program takes part.
  private func migrate(_ graph: ObjectGraph) throws -> ObjectGraph {
    var rewriter = GraphRewriter(graph)
    rewriter.renameClass("Person", to: "Citizen")
    for id in try rewriter.nodes(ofClass: "Citizen") {
      var person = try rewriter.node(id)
      let name = try rewriter.string(person["name"]) ?? ""
      let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
      person["first"] = .reference(rewriter.addString(parts.first ?? ""))
      person["last"] = .reference(rewriter.addString(parts.dropFirst().first ?? ""))
      person["name"] = nil
      if case .original(let age) = person["age"],
        case .integer(let years) = try rewriter.content(of: age)
      {
        person["months"] = .integer(years * 12)
        person["age"] = nil
      }
      rewriter.replace(id, with: person)
    }
    return try rewriter.finish()
  }

  @Test func `a class is renamed and a field split on the graph`() throws {
    let friend = View(title: "shared")
    let archiver = KeyedArchiver()
    try archiver.encodeObject(OldPerson(name: "Ada Lovelace", friend: friend), forKey: "root")
    try archiver.encodeObject(friend, forKey: "friend")
    let graph = try migrate(ObjectGraph(archiver.finish()))
    let unarchiver = try KeyedUnarchiver(graph: graph)
    let citizen = try unarchiver.decodeObject(Citizen.self, forKey: "root")
    #expect(citizen.first == "Ada")
    #expect(citizen.last == "Lovelace")
    #expect(citizen.months == 492)
    #expect(try unarchiver.decodeObject(View.self, forKey: "friend") === citizen.friend)
  }

  @Test func `a graph that is not touched is written as it was`() throws {
    let bytes = try KeyedArchiver.archive(Place(number: 1, twin: Place(number: 2)))
    let graph = try ObjectGraph(bytes)
    let again = try GraphRewriter(graph).finish()
    #expect(again.nodeCount == graph.nodeCount)
    for number in 1..<graph.nodeCount {
      let id = NodeID(rawValue: UInt32(number))
      try expectEqual(graph, id, again, id)
    }
  }

  @Test func `nodes are added and the top is replaced`() throws {
    var rewriter = GraphRewriter(try ObjectGraph(KeyedArchiver.archive(View(title: "old"))))
    let title = rewriter.addString("$null")
    let view = rewriter.add(
      GraphRewriter.Node(
        classChain: ["View", "NSObject"], fields: [("title", .reference(title))]))
    let list = rewriter.add(
      GraphRewriter.Node(
        classChain: ["NSArray", "NSObject"],
        fields: [("NS.objects", .references([view, NodeID(rawValue: 1)]))]))
    rewriter.replaceTop(with: [("views", .reference(list)), ("count", .integer(2))])
    let unarchiver = try KeyedUnarchiver(graph: rewriter.finish())
    let views = try unarchiver.decodeObjects(View.self, forKey: "views")
    #expect(views.map(\.title) == ["$null", "old"])
    #expect(try unarchiver.decodeInt(forKey: "count") == 2)
  }
}
