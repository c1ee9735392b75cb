import Archiving
import Testing

/// A list of layers that keeps those it does not know.
final class LayerStack: Coding {
  var layers: [any Coding]
  var selected: Style?

  init(_ layers: [any Coding], selected: Style? = nil) {
    (self.layers, self.selected) = (layers, selected)
  }

  static let classes = ClassList<any Coding>([View.self], unknown: { $0 })
  static var archivedClass: ArchivedClass { "LayerStack" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(layers, forKey: "layers")
    try coder.encodeObject(selected)
  }

  init(coder: any DecodingCoder) throws {
    layers = try coder.decodeObjects(in: Self.classes, forKey: "layers")
    selected = try coder.decodeObjectIfPresent(Style.self)
  }
}

/// A layer of a class that readers do not know, which refers to ones that they do.
final class ForeignLayer: Coding {
  var view: View?
  var style: Style?
  var bytes: [UInt8]

  init(view: View?, style: Style?, bytes: [UInt8] = [1, 2, 3]) {
    (self.view, self.style, self.bytes) = (view, style, bytes)
  }

  static var archivedClass: ArchivedClass { ArchivedClass("ForeignLayer", version: 7) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(view)
    try coder.encodeObject(style)
    try coder.encodeValues(
      [.cString(Array("q".utf8)), .structure([.float(1.5), .float(2)]), .atom(nil)],
      ofTypes: "*{_NSPoint=ff}%")
    try coder.encodeData(bytes)
  }

  init(coder: any DecodingCoder) throws {
    view = try coder.decodeObjectIfPresent(View.self)
    style = try coder.decodeObjectIfPresent(Style.self)
    _ = try coder.decodeValues(ofTypes: "*{_NSPoint=ff}%")
    bytes = try coder.decodeData()
  }
}

/// Reads all layers, to see what became of those that were kept.
final class FullStack: Coding {
  var layers: [any Coding]
  var selected: Style?
  static let classes = ClassList<any Coding>([View.self, ForeignLayer.self])
  static var archivedClass: ArchivedClass { "LayerStack" }
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws {
    layers = try coder.decodeObjects(in: Self.classes, forKey: "layers")
    selected = try coder.decodeObjectIfPresent(Style.self)
  }
}

/// Objects of unknown classes in archives without keys.
@Suite struct KeptObjectTests {
  @Test func `an object of an unknown class can be read without it`() throws {
    let bytes = try Archiver.archive(ForeignLayer(view: View(title: "v"), style: nil))
    let kept = try Unarchiver.unarchive(UnknownObject.self, from: bytes)
    #expect(kept.className == "ForeignLayer")
    let object = try #require(kept.sequential)
    #expect(object.classChain.map(\.version) == [7, 0])
    let groups = try object.groups()
    #expect(groups.map(\.types) == ["@", "@", "*{_NSPoint=ff}%", "@"])
    guard case .object(let view)? = groups[0].values.first, case .absent? = groups[1].values.first,
      case .structure(let fields)? = groups[2].values.dropFirst().first,
      case .float(1.5)? = fields.first
    else {
      Issue.record("the groups are \(groups)")
      return
    }
    #expect(view.className == "View")
    #expect(try view.groups().count == 1)
    #expect(throws: ArchiveError.self) {
      try SequentialObject(stream: object.stream, number: 999).groups()
    }
  }

  @Test func `a kept object is written back byte for byte`() throws {
    let shared = View(title: "shared")
    let layers = [
      ForeignLayer(view: shared, style: Style(number: 1, colour: "red")),
      ForeignLayer(view: shared, style: nil),
    ]
    let bytes = try Archiver.archive(LayerStack(layers))
    let kept = try Unarchiver.unarchive(UnknownObject.self, from: bytes)
    #expect(try Archiver.archive(kept) == bytes)
    let again = try Unarchiver.unarchive(LayerStack.self, from: bytes)
    #expect(again.layers.allSatisfy { $0 is UnknownObject })
    #expect(try Archiver.archive(again) == bytes)
  }

  @Test func `kept and known objects go on sharing what they shared`() throws {
    let shared = View(title: "shared")
    let style = Style(number: 1, colour: "red")
    let stack = LayerStack(
      [ForeignLayer(view: shared, style: style), shared, ForeignLayer(view: shared, style: nil)],
      selected: style)
    let again = try Unarchiver.unarchive(LayerStack.self, from: Archiver.archive(stack))
    #expect(again.layers[0] is UnknownObject)
    // The known view was edited, the kept ones refer to it.
    let view = try #require(again.layers[1] as? View)
    view.title = "edited"
    again.selected?.colour = "blue"
    let full = try Unarchiver.unarchive(FullStack.self, from: Archiver.archive(again))
    let first = try #require(full.layers[0] as? ForeignLayer)
    let last = try #require(full.layers[2] as? ForeignLayer)
    #expect(first.view === last.view && first.view === full.layers[1] as? View)
    #expect(first.view?.title == "edited")
    #expect(first.style?.colour == "blue" && full.selected?.colour == "blue")
  }

  @Test func `a kept object is not written to an archive of the other kind`() throws {
    let kept = try Unarchiver.unarchive(
      UnknownObject.self, from: Archiver.archive(View(title: "v")))
    #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(kept) }
    let keyed = try KeyedUnarchiver.unarchive(
      UnknownObject.self, from: KeyedArchiver.archive(View(title: "v")))
    #expect(throws: ArchiveError.self) { try Archiver.archive(keyed) }
  }

  @Test func `a cluster, a restricted class and other names work without keys too`() throws {
    var names = ArchivedClassNames()
    names.setName("Panel", for: View.self)
    names.setType(View.self, forName: "Panel")
    let archiver = Archiver()
    archiver.classNames = names
    try archiver.encodeObject(View(title: "v"))
    let bytes = try archiver.finish()
    #expect(try Typedstream(bytes).chain(ofClass: 0) == ["Panel", "NSObject"])
    let unarchiver = try Unarchiver(bytes)
    unarchiver.classNames = names
    #expect(try unarchiver.decodeObject(View.self).title == "v")
    let error = #expect(throws: ArchiveError.self) { try Archiver.archive(KeyedOnly()) }
    #expect(error?.code == .coderNotSupported)
    let member = try Archiver.archive(Member())
    #expect(try Typedstream(member).chain(ofClass: 0) == ["View", "NSObject"])
    #expect(try Unarchiver.unarchive(View.self, from: member).title == "member")
  }
}

/// A class that only keyed coders can code.
struct KeyedOnly: RestrictedCoding {
  static var archivedClass: ArchivedClass { "KeyedOnly" }
  static var supportedCoders: CoderKinds { .keyed }
  init() {}
  func encode(with coder: any EncodingCoder) {}
  init(coder: any DecodingCoder) {}
}

/// A private member of a cluster, which archives as its public class.
struct Member: ClassSubstitutingCoding {
  static var archivedClass: ArchivedClass { "PrivateMember" }
  var classForCoder: ArchivedClass { View.archivedClass }
  init() {}
  func encode(with coder: any EncodingCoder) throws { try coder.encodeString("member") }
  init(coder: any DecodingCoder) {}
}
