import Archiving
import PortolanTestSupport
import Testing

/// A node that holds others in every container; its number is its identity in a graph.
private final class Node: Coding, Hashable {
  let number: Int
  var next: Node?
  var array: [Node] = []
  var set: Set<Node> = []
  var byName: [String: Node] = [:]
  var byNode: [Node: Int] = [:]
  var ordered = ArchivedOrderedSet<Node>([])
  var counted = ArchivedCountedSet<Node>([])
  var nested: [[String: [Node]]] = []
  var things: [any Coding] = []
  var named: [String: any Coding] = [:]
  var one: any Coding = 0

  init(_ number: Int) { self.number = number }

  static func == (first: Node, second: Node) -> Bool { first.number == second.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }

  static var archivedClass: ArchivedClass { "Node" }

  /// What may stand in the mixed fields, at every depth.
  static let types = ClassList<any Coding>([
    Node.self, String.self, Int.self, Double.self, Bool.self, UInt64.self, Leaf.self,
    [Node].self, [String].self, MixedArray.self, MixedSet.self, MixedDictionary.self,
    ArchivedOrderedSet<Node>.self, ArchivedCountedSet<Node>.self, [Node: Node].self,
  ])

  func encode(with coder: any EncodingCoder) throws {
    try coder.encode(number, forKey: "number")
    try coder.encodeObject(next, forKey: "next")
    try coder.encode(array, forKey: "array")
    try coder.encode(set, forKey: "set")
    try coder.encode(byName, forKey: "byName")
    try coder.encode(byNode, forKey: "byNode")
    try coder.encode(ordered, forKey: "ordered")
    try coder.encode(counted, forKey: "counted")
    try coder.encode(nested, forKey: "nested")
    try coder.encode(things, forKey: "things")
    try coder.encode(named, forKey: "named")
    try coder.encodeAnyObject(one, forKey: "one")
  }

  init(coder: any DecodingCoder) throws {
    number = try coder.decode(Int.self, forKey: "number")
    func later<Value: Coding>(
      _ key: String, _ path: ReferenceWritableKeyPath<Node, Value>
    ) throws {
      try coder.decodeReference(Value.self, forKey: key) { [weak self] in self?[keyPath: path] = $0
      }
    }
    try coder.decodeReference(Node.self, forKey: "next") { [weak self] in self?.next = $0 }
    try later("array", \.array)
    try later("set", \.set)
    try later("byName", \.byName)
    try later("byNode", \.byNode)
    try later("ordered", \.ordered)
    try later("counted", \.counted)
    try later("nested", \.nested)
    try coder.decodeReferences(in: Self.types, forKey: "things") { [weak self] in
      self?.things = $0
    }
    try coder.decodeReference(in: Self.types, forKey: "named") { [weak self] in
      self?.named = Dictionary(
        uniqueKeysWithValues: ($0 as? MixedDictionary)?.pairs.map { ($0.key, $0.value) } ?? [])
    }
    try coder.decodeReference(in: Self.types, forKey: "one") { [weak self] in self?.one = $0 }
  }
}

/// A value with a node in it.
private struct Leaf: Coding {
  var node: Node
  static var archivedClass: ArchivedClass { "Leaf" }
  init(_ node: Node) { self.node = node }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(node, forKey: "node") }
  init(coder: any DecodingCoder) throws { node = try coder.decode(Node.self, forKey: "node") }
}

/// A graph as text: each node once, by its number, and what it holds.
private struct Description {
  var lines: [Int: String] = [:]
  var instances: [Int: ObjectIdentifier] = [:]
  /// Numbers of which there are several instances.
  var doubles: Set<Int> = []
  private var work: [Node] = []

  init(_ root: Node) {
    note(root)
    while let node = work.popLast() {
      lines[node.number] = [
        node.next.map { text($0) } ?? "-", text(node.array), text(node.set), text(node.byName),
        text(node.byNode), text(node.ordered), text(node.counted), text(node.nested),
        text(MixedArray(node.things)), text(MixedDictionary(node.named.map { ($0.key, $0.value) })),
        text(node.one),
      ].joined(separator: " ")
    }
  }

  private mutating func note(_ node: Node) {
    if let known = instances[node.number] {
      if known != ObjectIdentifier(node) { doubles.insert(node.number) }
      return
    }
    instances[node.number] = ObjectIdentifier(node)
    work.append(node)
  }

  private mutating func list(_ values: [any Coding]) -> [String] { values.map { text($0) } }

  private mutating func text(_ value: any Coding) -> String {
    switch value {
    case let node as Node:
      note(node)
      return "#\(node.number)"
    case let leaf as Leaf: return "leaf(\(text(leaf.node)))"
    case let array as MixedArray: return "[\(list(array.elements).joined(separator: ","))]"
    case let set as MixedSet: return "{\(list(set.elements).sorted().joined(separator: ","))}"
    case let pairs as MixedDictionary:
      return pairs.pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }
        .description
    case let array as [Node]: return text(MixedArray(array))
    case let array as [String]: return text(MixedArray(array))
    case let set as Set<Node>: return text(MixedSet(Array(set)))
    case let nested as [[String: [Node]]]: return nested.map { text($0) }.description
    case let pairs as [String: [Node]]:
      return text(MixedDictionary(pairs.map { ($0.key, $0.value as any Coding) }))
    case let pairs as [String: Node]:
      return text(MixedDictionary(pairs.map { ($0.key, $0.value as any Coding) }))
    case let pairs as [Node: Int]:
      return pairs.map { "\(text($0.key)):\($0.value)" }.sorted().description
    case let pairs as [Node: Node]:
      return pairs.map { "\(text($0.key)):\(text($0.value))" }.sorted().description
    case let set as ArchivedOrderedSet<Node>: return "o" + text(set.elements)
    case let set as ArchivedCountedSet<Node>:
      return "c" + set.members.map { "\(text($0.element))x\($0.count)" }.description
    default: return "\(type(of: value)):\(value)"
    }
  }
}

/// Random graphs whose cycles lead through every container.
private struct Graphs {
  var random: SeededGenerator

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func graph() -> Node {
    let nodes = (0...number(7)).map { Node($0) }
    func some() -> [Node] { (0..<number(4)).map { _ in nodes[number(nodes.count)] } }
    func unique() -> [Node] { some().reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    func names() -> [String: Node] {
      Dictionary(some().map { ("k\(number(3))", $0) }, uniquingKeysWith: { $1 })
    }
    for node in nodes {
      if number(3) > 0 { node.next = nodes[number(nodes.count)] }
      node.array = some()
      node.set = Set(some())
      node.byName = names()
      node.byNode = Dictionary(some().map { ($0, number(9)) }, uniquingKeysWith: { $1 })
      node.ordered = ArchivedOrderedSet(unique())
      node.counted = ArchivedCountedSet(unique().map { ($0, 1 + number(3)) })
      node.nested = (0..<number(3)).map { _ in ["a": some(), "b\(number(2))": some()] }
      node.things = (0..<number(4)).map { _ in thing(nodes, 0) }
      for _ in 0..<number(3) { node.named["n\(number(4))"] = thing(nodes, 0) }
      node.one = thing(nodes, 0)
    }
    return nodes[0]
  }

  private mutating func thing(_ nodes: [Node], _ depth: Int) -> any Coding {
    let node = nodes[number(nodes.count)]
    switch number(depth < 3 ? 15 : 7) {
    case 0: return "text \(number(5))"
    case 1: return number(1_000) - 500
    case 2: return Double(number(9)) / 4
    case 3: return number(2) == 1
    case 4: return UInt64.max - UInt64(number(3))
    case 5: return Leaf(node)
    case 6: return node
    case 7: return MixedSet([node, "s", 7])
    case 8, 9:
      return MixedDictionary((0..<number(3)).map { ("p\($0)", thing(nodes, depth + 1)) })
    case 10: return [node, nodes[number(nodes.count)]]
    case 11: return ["x", "y"]
    case 12: return ArchivedOrderedSet([node])
    case 13: return [node: nodes[number(nodes.count)]]
    default: return MixedArray((0..<number(4)).map { _ in thing(nodes, depth + 1) })
    }
  }
}

/// What is written can be read: graphs come back through every coder, alike in shape and identity.
@Suite struct CycleLawTests {
  private func check(_ again: Node, _ graph: Node, _ note: Comment) {
    let (expected, found) = (Description(graph), Description(again))
    #expect(found.doubles.isEmpty, note)
    #expect(found.lines == expected.lines, note)
  }

  @Test(arguments: Seeds.some(100))
  func `graphs with cycles through every container come back`(_ seed: UInt64) throws {
    var graphs = Graphs(random: SeededGenerator(seed: seed))
    let graph = graphs.graph()
    for format in [ArchiveFormat.binary, .xml] {
      let archiver = KeyedArchiver()
      archiver.outputFormat = format
      try archiver.encode(graph, forKey: "root")
      let unarchiver = try KeyedUnarchiver(archiver.finish())
      check(try unarchiver.decode(Node.self, forKey: "root"), graph, "\(format)")
    }
    let bytes = try Archiver.archive(graph)
    check(try Unarchiver.unarchive(Node.self, from: bytes), graph, "sequential")
    let message = try Line().send { try $0.encodeBycopyObject(graph) }
    check(try message.decodeObject(Node.self), graph, "port")
  }

  /// Reads what it holds at once, although it may be needed to make itself.
  private final class Hasty: Coding {
    var array: [Hasty] = []
    var names: [String: Hasty] = [:]
    var things: [any Coding] = []
    var next: Hasty?
    init() {}
    static var archivedClass: ArchivedClass { "Hasty" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encode(array, forKey: "array")
      try coder.encode(names, forKey: "names")
      try coder.encode(things, forKey: "things")
      try coder.encodeObject(next, forKey: "next")
    }
    init(coder: any DecodingCoder) throws {
      array = try coder.decode([Hasty].self, forKey: "array")
      names = try coder.decode([String: Hasty].self, forKey: "names")
      things = try coder.decodeObjects(in: [Hasty.self, MixedArray.self], forKey: "things")
      next = try coder.decodeObjectIfPresent(Hasty.self, forKey: "next")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  func `a cycle that is read at once names the call that reads it`(_ container: Int) throws {
    let (first, second) = (Hasty(), Hasty())
    first.array = [second]
    switch container {
    case 0: second.array = [first]
    case 1: second.names = ["a": first]
    case 2: second.things = [first]
    case 3: second.things = [MixedArray([first])]
    default: second.next = first
    }
    let keyed = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Hasty.self, from: KeyedArchiver.archive(first))
    }
    let sequential = #expect(throws: ArchiveError.self) {
      try Unarchiver.unarchive(Hasty.self, from: Archiver.archive(first))
    }
    for error in [keyed, sequential] {
      #expect(error?.code == .cycle)
      #expect(error?.reason.contains("decodeReference") == true)
      #expect(error?.reason.contains("collection") == (container < 4))
    }
  }

  @Test func `what is wrong with an object that is handed over later is told with its place`()
    throws
  {
    let (first, second) = (Node(1), Node(2))
    first.array = [second]
    let archiver = KeyedArchiver()
    archiver.classNames.setName("Stranger", for: Node.self)
    try archiver.encode(["a": [second]] as [String: [Node]], forKey: "root")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeReference([String: [Node]].self, forKey: "root") { _ in }
    }
    #expect(error?.code == .classNotAllowed)
    #expect(error?.path == "$top.root.NS.objects[0].NS.objects[0]")
  }

  @Test func `an object of a list is handed over if there is one`() throws {
    let unarchiver = try KeyedUnarchiver(KeyedArchiver.archive(Node(1)))
    let list: ClassList<any Coding> = [Node.self]
    var found: (any Coding)?
    try unarchiver.decodeReference(in: list, forKey: "root") { found = $0 }
    #expect((found as? Node)?.number == 1)
    try unarchiver.decodeReference(in: list, forKey: "absent") { _ in
      Issue.record("there is none")
    }
    #expect(throws: ArchiveError.self) {
      try unarchiver.decodeReferences(in: list, forKey: "root") { _ in }
    }
  }
}
