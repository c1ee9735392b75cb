import Archiving
import PropertyLists
import Testing

/// A node of a tree whose children know their parent.
final class TreeNode: Coding {
  var name: String
  var children: [TreeNode]
  weak var parent: TreeNode?

  init(_ name: String, _ children: [TreeNode] = []) {
    self.name = name
    self.children = children
    for child in children { child.parent = self }
  }

  static var archivedClass: ArchivedClass { "TreeNode" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeConditionalObject(parent, forKey: "parent")
    try coder.encodeString(name, forKey: "name")
    try coder.encodeObjects(children, forKey: "children")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    children = try coder.decodeObjects(TreeNode.self, forKey: "children")
    try coder.decodeReference(TreeNode.self, forKey: "parent") { [weak self] in self?.parent = $0 }
  }
}

/// An object that holds itself strongly, which cannot be decoded.
final class Knot: Coding {
  var other: Knot?

  init() {}

  static var archivedClass: ArchivedClass { "Knot" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(other, forKey: "other")
  }

  init(coder: any DecodingCoder) throws {
    other = try coder.decodeObjectIfPresent(Knot.self, forKey: "other")
  }
}

/// Two references to one shared style, one by identity only.
struct Legend: Coding {
  var styles: [Style]
  var preferred: StyleID?

  static var archivedClass: ArchivedClass { "Legend" }

  init(styles: [Style], preferred: StyleID?) {
    self.styles = styles
    self.preferred = preferred
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeReference(preferred, forKey: "preferred")
    try coder.encodeObjects(styles, forKey: "styles")
  }

  init(coder: any DecodingCoder) throws {
    preferred = try coder.decodeIdentityIfPresent(of: Style.self, forKey: "preferred")
    styles = try coder.decodeObjects(Style.self, forKey: "styles")
  }
}

/// An object that archives as another.
struct Stand: SubstitutingCoding {
  static var archivedClass: ArchivedClass { "Stand" }
  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { View(title: "stood for") }
  func encode(with coder: any EncodingCoder) {}
  init() {}
  init(coder: any DecodingCoder) {}
}

@Suite struct SemanticsTests {
  @Test(arguments: [true, false])
  func `a conditional object is there if something encodes it, before or after`(
    _ ownerFirst: Bool
  ) throws {
    let shared = View(title: "shared")
    let map = MapView(title: "map", magnification: 1, auxiliary: shared)
    let archiver = KeyedArchiver()
    if ownerFirst { try archiver.encodeObject(shared, forKey: "owner") }
    try archiver.encodeObject(map, forKey: "map")
    if !ownerFirst { try archiver.encodeObject(shared, forKey: "owner") }
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let again = try unarchiver.decodeObject(MapView.self, forKey: "map")
    #expect(again.auxiliary?.title == "shared")
    #expect(try unarchiver.decodeObject(View.self, forKey: "owner") === again.auxiliary)
  }

  @Test func `a conditional object that nothing encodes is none, and its key is there`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeConditionalObject(View(title: "nobody's"), forKey: "view")
    try archiver.encodeObject(nil as View?, forKey: "nil")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    for key in ["view", "nil"] {
      #expect(try unarchiver.containsValue(forKey: key))
      #expect(try unarchiver.decodeObjectIfPresent(View.self, forKey: key) == nil)
    }
    #expect(try !unarchiver.containsValue(forKey: "absent"))
  }

  @Test func `a parent and its children find each other again`() throws {
    let tree = TreeNode("root", [TreeNode("a", [TreeNode("c")]), TreeNode("b")])
    let again = try KeyedUnarchiver.unarchive(TreeNode.self, from: KeyedArchiver.archive(tree))
    #expect(again.children.map(\.name) == ["a", "b"])
    #expect(again.children.allSatisfy { $0.parent === again })
    #expect(again.children[0].children[0].parent === again.children[0])
    #expect(again.parent == nil)
  }

  @Test func `an object that needs itself is an error with its path`() throws {
    let (one, two) = (Knot(), Knot())
    (one.other, two.other) = (two, one)
    let bytes = try KeyedArchiver.archive(one)
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Knot.self, from: bytes)
    }
    #expect(error?.code == .cycle)
    #expect(error?.path == "$top.root.other.other")
    one.other = nil
  }

  @Test func `values with an identity are written once and found by it`() throws {
    let styles = [Style(number: 1, colour: "red"), Style(number: 2, colour: "blue")]
    let legend = Legend(styles: styles + [styles[0]], preferred: StyleID(number: 2))
    let bytes = try KeyedArchiver.archive(legend)
    let graph = try ObjectGraph(bytes)
    let count = try (0..<graph.nodeCount).filter {
      try graph.node(NodeID(rawValue: UInt32($0))).classChain.first == "Style"
    }.count
    #expect(count == 2)
    let again = try KeyedUnarchiver.unarchive(Legend.self, from: bytes)
    #expect(again.styles == legend.styles)
    #expect(again.preferred == StyleID(number: 2))
  }

  @Test func `an identity that nothing has is none`() throws {
    let legend = Legend(styles: [], preferred: StyleID(number: 9))
    let again = try KeyedUnarchiver.unarchive(Legend.self, from: KeyedArchiver.archive(legend))
    #expect(again.preferred == nil)
  }

  @Test func `an object may archive another in its place`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObject(Stand(), forKey: "root")
    let view = try KeyedUnarchiver(archiver.finish()).decodeObject(View.self, forKey: "root")
    #expect(view.title == "stood for")
  }

  @Test func `a key of a client may begin with a dollar`() throws {
    let archiver = KeyedArchiver()
    for key in ["$x", "$$x", "x", "", "$class"] {
      try archiver.encodeString("value of " + key, forKey: key)
    }
    let bytes = try archiver.finish()
    #expect(try ObjectGraph(bytes).top.map(\.key) == ["$$x", "$$$x", "x", "", "$$class"])
    let unarchiver = try KeyedUnarchiver(bytes)
    for key in ["$x", "$$x", "x", "", "$class"] {
      #expect(try unarchiver.decodeString(forKey: key) == "value of " + key)
    }
  }

  @Test func `keys are compared by code units`() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let archiver = KeyedArchiver()
    try archiver.encodeInt(1, forKey: composed)
    try archiver.encodeInt(2, forKey: decomposed)
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeInt(forKey: decomposed) == 2)
    #expect(try unarchiver.decodeInt(forKey: composed) == 1)
  }

  @Test func `a key that is encoded twice is an error`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeInt(1, forKey: "a")
    let error = #expect(throws: ArchiveError.self) { try archiver.encodeInt(2, forKey: "a") }
    #expect(error?.code == .duplicateKey)
    #expect(throws: ArchiveError.self) { try archiver.finish() }
  }

  @Test func `an archive of equal graphs is the same`() throws {
    let legend = Legend(styles: [Style(number: 1, colour: "red")], preferred: nil)
    #expect(try KeyedArchiver.archive(legend) == KeyedArchiver.archive(legend))
  }

  @Test func `the text $null is a text`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeString("$null", forKey: "root")
    try archiver.encodeStrings(["$null", "null"], forKey: "list")
    let bytes = try archiver.finish()
    let unarchiver = try KeyedUnarchiver(bytes)
    #expect(try unarchiver.decodeString(forKey: "root") == "$null")
    #expect(try unarchiver.decodeStrings(forKey: "list") == ["$null", "null"])
  }
}
