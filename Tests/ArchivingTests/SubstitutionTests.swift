import Archiving
import Testing

/// The unique font of the seeds: equal fonts are one instance in the program, be they decoded or
/// made.
final class Font: AwakingCoding {
  let name: String
  let size: Double
  weak var user: View?

  /// The fonts of one program.
  final class Cabinet {
    var fonts: [String: Font] = [:]
  }

  init(_ name: String, size: Double) { (self.name, self.size) = (name, size) }

  static var archivedClass: ArchivedClass { "Font" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeDouble(size, forKey: "size")
    try coder.encodeConditionalObject(user, forKey: "user")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    size = try coder.decodeDouble(forKey: "size")
    try coder.decodeReference(View.self, forKey: "user") { [weak self] in self?.user = $0 }
  }

  /// The fonts that are in use, by name; a test has one thread of its own.
  @TaskLocal static var cabinet = CabinetBox()

  struct CabinetBox: @unchecked Sendable {
    // Only the test that made it uses it.
    let cabinet = Cabinet()
  }

  static func awake(_ decoded: Font, after coder: any DecodingCoder) -> (any Coding)? {
    if let known = cabinet.cabinet.fonts[decoded.name] { return known }
    cabinet.cabinet.fonts[decoded.name] = decoded
    return decoded
  }
}

/// A class cluster: members archive under the name of the public class, which makes the member.
class Shape: Coding {
  class var archivedClass: ArchivedClass { ArchivedClass("Shape", superclass: "Figure") }
  let sides: Int
  init(sides: Int) { self.sides = sides }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeInt(sides, forKey: "sides") }
  required init(coder: any DecodingCoder) throws { sides = try coder.decodeInt(forKey: "sides") }
}

final class Triangle: Shape, ClassSubstitutingCoding {
  override class var archivedClass: ArchivedClass { "_PrivateTriangle" }
  var classForCoder: ArchivedClass { Shape.archivedClass }
}

/// A proxy for an object.
final class Proxy: SubstitutingCoding {
  let subject: View
  var asked = 0
  init(_ subject: View) { self.subject = subject }
  static var archivedClass: ArchivedClass { "Proxy" }
  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? {
    asked += 1
    return subject
  }
  func encode(with coder: any EncodingCoder) {}
  init(coder: any DecodingCoder) throws { subject = try View(coder: coder) }
}

@Suite struct SubstitutionTests {
  private func chains(_ bytes: [UInt8]) throws -> [[String]] {
    let graph = try ObjectGraph(bytes)
    return try (0..<graph.nodeCount).map {
      try graph.node(NodeID(rawValue: UInt32($0))).classChain
    }.filter { !$0.isEmpty }
  }

  @Test func `what awakes as another is that other for every reference`() throws {
    try Font.$cabinet.withValue(Font.CabinetBox()) {
      let known = Font("Optima", size: 9)
      Font.cabinet.cabinet.fonts["Optima"] = known
      let (optima, times) = (Font("Optima", size: 12), Font("Times", size: 8))
      let archiver = KeyedArchiver()
      try archiver.encodeObjects([optima, times, optima, Font("Times", size: 1)], forKey: "fonts")
      try archiver.encodeObject(optima, forKey: "preferred")
      let unarchiver = try KeyedUnarchiver(archiver.finish())
      let fonts = try unarchiver.decodeObjects(Font.self, forKey: "fonts")
      #expect(fonts[0] === known && fonts[2] === known)
      #expect(fonts[1] === fonts[3] && fonts[1].size == 8)
      #expect(try unarchiver.decodeObject(Font.self, forKey: "preferred") === known)
    }
  }

  @Test func `back references within a cycle get what awoke`() throws {
    final class Owner: Coding {
      static var archivedClass: ArchivedClass { "View" }
      let title: String
      let font: Font
      init(font: Font) { (title, self.font) = ("owner", font) }
      func encode(with coder: any EncodingCoder) throws {
        try coder.encodeString(title, forKey: "title")
        try coder.encodeObject(font, forKey: "font")
      }
      init(coder: any DecodingCoder) throws {
        title = try coder.decodeString(forKey: "title")
        font = try coder.decodeObject(Font.self, forKey: "font")
      }
    }
    try Font.$cabinet.withValue(Font.CabinetBox()) {
      let tree = TreeNode("root", [TreeNode("leaf")])
      let font = Font("Zapfino", size: 30)
      let archiver = KeyedArchiver()
      try archiver.encodeObject(Owner(font: font), forKey: "owner")
      try archiver.encodeObject(tree, forKey: "tree")
      try archiver.encodeObject(font, forKey: "font")
      let unarchiver = try KeyedUnarchiver(archiver.finish())
      let owner = try unarchiver.decodeObject(Owner.self, forKey: "owner")
      let again = try unarchiver.decodeObject(TreeNode.self, forKey: "tree")
      #expect(again.children[0].parent === again)
      #expect(try unarchiver.decodeObject(Font.self, forKey: "font") === owner.font)
    }
  }

  @Test func `a member of a cluster is archived under the public class`() throws {
    let archiver = KeyedArchiver()
    let triangle = Triangle(sides: 3)
    try archiver.encodeObjects([triangle, Shape(sides: 4), triangle] as [any Coding], forKey: "s")
    let bytes = try archiver.finish()
    #expect(
      try Set(chains(bytes)) == [["Shape", "Figure", "NSObject"], ["NSArray", "NSObject"]])
    let shapes = try KeyedUnarchiver(bytes).decodeObjects(Shape.self, forKey: "s")
    #expect(shapes.map(\.sides) == [3, 4, 3])
    #expect(shapes[0] === shapes[2])
  }

  @Test func `a proxy is asked once and archives as its subject`() throws {
    let view = View(title: "subject")
    let proxy = Proxy(view)
    let archiver = KeyedArchiver()
    try archiver.encodeConditionalObject(proxy, forKey: "conditional")
    try archiver.encodeObject(proxy, forKey: "proxy")
    try archiver.encodeObject(view, forKey: "view")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(proxy.asked == 1)
    let again = try unarchiver.decodeObject(View.self, forKey: "view")
    #expect(try unarchiver.decodeObject(View.self, forKey: "proxy") === again)
    #expect(try unarchiver.decodeObject(View.self, forKey: "conditional") === again)
  }

  @Test func `other names are given to many coders, in both directions`() throws {
    var names = ArchivedClassNames()
    names.setName("OutletView", for: MapView.self)
    names.setType(MapView.self, forName: "OutletView")
    for title in ["one", "two"] {
      let archiver = KeyedArchiver()
      archiver.classNames = names
      try archiver.encodeObject(MapView(title: title, magnification: 2), forKey: "root")
      try archiver.encodeObject(View(title: "plain"), forKey: "view")
      let bytes = try archiver.finish()
      #expect(try chains(bytes) == [["OutletView"], ["View", "NSObject"]])
      let graph = try ObjectGraph(bytes)
      let keys = try (0..<graph.nodeCount).compactMap { place -> [String]? in
        let node = try graph.node(NodeID(rawValue: UInt32(place)))
        guard case .classRecord = node.kind else { return nil }
        return node.fields.map(\.key)
      }
      #expect(keys == [["$classname"], ["$classname", "$classes"]])
      let unarchiver = try KeyedUnarchiver(bytes)
      #expect(throws: ArchiveError.self) { try unarchiver.decodeObject(View.self, forKey: "root") }
      unarchiver.classNames = names
      #expect(try unarchiver.decodeObject(View.self, forKey: "root").title == title)
    }
  }

  @Test func `a name can be read as a type that the place does not admit by itself only`() throws {
    var names = ArchivedClassNames()
    names.setType(Employee.self, forName: "View")
    let unarchiver = try KeyedUnarchiver(KeyedArchiver.archive(View(title: "t")))
    unarchiver.classNames = names
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(View.self, forKey: "root")
    }
    #expect(error?.code == .classNotAllowed)
  }

  struct Novel: Coding {
    static var archivedClass: ArchivedClass {
      ArchivedClass("Novel", fallbackNames: ["Unheard", "View"])
    }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString("novel", forKey: "title")
    }
    init() {}
    init(coder: any DecodingCoder) {}
  }

  @Test func `hints are written, and followed only by who asks for it`() throws {
    let bytes = try KeyedArchiver.archive(Novel())
    let unarchiver = try KeyedUnarchiver(bytes)
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(View.self, forKey: "root")
    }
    #expect(error?.code == .classNotAllowed)
    unarchiver.followsClassHints = true
    #expect(try unarchiver.decodeObject(View.self, forKey: "root").title == "novel")
    #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(Employee.self, forKey: "root")
    }
  }
}

@Suite struct RestrictionTests {
  /// Supports sequential coders only.
  struct Ancient: RestrictedCoding {
    static var archivedClass: ArchivedClass { "Ancient" }
    static var supportedCoders: CoderKinds { .sequential }
    func encode(with coder: any EncodingCoder) {}
    init() {}
    init(coder: any DecodingCoder) {}
  }

  /// Opts out of the coding that it inherits.
  final class Session: Shape, RestrictedCoding {
    override class var archivedClass: ArchivedClass {
      ArchivedClass("Session", superclass: super.archivedClass)
    }
    static var supportedCoders: CoderKinds { [] }
  }

  /// Looks at the coder itself.
  struct Choosy: Coding {
    static var archivedClass: ArchivedClass { "Choosy" }
    func encode(with coder: any EncodingCoder) throws {
      if coder.allowsKeyedCoding { throw coder.notSupported(by: Self.self, "it needs an order") }
    }
    init() {}
    init(coder: any DecodingCoder) throws {
      if coder.allowsKeyedCoding { throw coder.notSupported(by: Self.self) }
    }
  }

  @Test func `a class that refuses a kind of coder names itself and the coder`() throws {
    let error = #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(Ancient()) }
    #expect(error?.code == .coderNotSupported)
    #expect(
      error?.reason == "Ancient cannot be coded by KeyedArchiver: it supports other coders only")
    let choosy = #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(Choosy()) }
    #expect(choosy?.reason == "Choosy cannot be coded by KeyedArchiver: it needs an order")
  }

  @Test func `a subclass opts out of the coding that it inherits, both ways`() throws {
    let error = #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(Session(sides: 1)) }
    #expect(error?.reason == "Session cannot be coded by KeyedArchiver: no coder can")
    let archiver = KeyedArchiver()
    archiver.classNames.setName("Session", for: Shape.self)
    try archiver.encodeObject(Shape(sides: 2), forKey: "root")
    let bytes = try archiver.finish()
    let refused = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Shape.self, from: bytes, classes: [Session.self])
    }
    #expect(refused?.code == .coderNotSupported)
    #expect(refused?.description.hasPrefix("$top.root: Session cannot") == true)
  }
}
