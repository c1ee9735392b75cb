import Archiving
import PropertyLists
import Testing

/// What a later version of the program knows: a view with more fields, and another class.
final class FutureView: Coding {
  static var archivedClass: ArchivedClass { "View" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString("from the future", forKey: "title")
    try coder.encodeInt(7, forKey: "seven")
    try coder.encodeObject(FutureThing(parts: [1, 2.5]), forKey: "thing")
  }
  init() {}
  init(coder: any DecodingCoder) throws {}
}

struct FutureThing: Coding {
  var parts: [Double]
  static var archivedClass: ArchivedClass {
    ArchivedClass("FutureThing", superclass: "FutureBase")
  }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDoubles(parts, forKey: "parts")
    try coder.encodeBytes(Array(repeating: 7, count: 400), forKey: "bytes")
  }
  init(parts: [Double]) { self.parts = parts }
  init(coder: any DecodingCoder) throws { parts = try coder.decodeDoubles(forKey: "parts") }
}

/// A place that is typed by a protocol.
protocol Layer {
  var label: String { get }
}

struct PointLayer: Layer, Coding {
  var label: String
  static var archivedClass: ArchivedClass { "PointLayer" }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeString(label, forKey: "l") }
  init(label: String) { self.label = label }
  init(coder: any DecodingCoder) throws { label = try coder.decodeString(forKey: "l") }
}

final class LineLayer: Layer, Coding {
  let label: String
  static var archivedClass: ArchivedClass { "LineLayer" }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeString(label, forKey: "l") }
  init(label: String) { self.label = label }
  init(coder: any DecodingCoder) throws { label = try coder.decodeString(forKey: "l") }
}

struct UnknownLayer: Layer, SubstitutingCoding {
  var kept: UnknownObject
  var label: String { "unknown " + (kept.className ?? "value") }
  static var archivedClass: ArchivedClass { "UnknownLayer" }
  init(_ kept: UnknownObject) { self.kept = kept }
  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { kept }
  func encode(with coder: any EncodingCoder) {}
  init(coder: any DecodingCoder) throws { kept = try UnknownObject(coder: coder) }
}

@Suite struct ClassTests {
  static let layers = ClassList<any Layer>(
    [PointLayer.self, LineLayer.self], unknown: { UnknownLayer($0) })

  @Test func `the chain of classes is written`() throws {
    let bytes = try KeyedArchiver.archive(MapView(title: "", magnification: 1))
    #expect(
      try ObjectGraph(bytes).node(NodeID(rawValue: 1)).classChain == [
        "MapView", "View", "NSObject",
      ]
    )
  }

  @Test func `a former name is read and never written`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObject(OldMapView(), forKey: "root")
    let bytes = try archiver.finish()
    let view = try KeyedUnarchiver.unarchive(MapView.self, from: bytes)
    #expect(view.title == "old")
    #expect(view.magnification == 1, "the default for a key that is absent")
    let again = try ObjectGraph(KeyedArchiver.archive(view))
    #expect(try again.node(NodeID(rawValue: 1)).classChain.first == "MapView")
  }

  struct OldMapView: Coding {
    static var archivedClass: ArchivedClass { "OldMapView" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString("old", forKey: "title")
    }
    init() {}
    init(coder: any DecodingCoder) {}
  }

  @Test func `a subclass is made only when it is listed`() throws {
    let bytes = try KeyedArchiver.archive(MapView(title: "t", magnification: 3))
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(View.self, from: bytes)
    }
    #expect(error?.code == .classNotAllowed)
    #expect(
      error?.description.hasPrefix(
        "$top.root: expected View, found an object of class MapView; list it in `classes:` (byte "
      ) == true)
    let view = try KeyedUnarchiver.unarchive(View.self, from: bytes, classes: [MapView.self])
    #expect(view is MapView)
  }

  @Test func `a class that is allowed elsewhere is refused in a place of another type`() throws {
    let archiver = KeyedArchiver()
    let employee = Employee("A", "B", number: 1)
    try archiver.encodeObject(employee, forKey: "employee")
    try archiver.encodeObject(employee, forKey: "view")
    let bytes = try archiver.finish()
    for readFirst in [true, false] {
      let unarchiver = try KeyedUnarchiver(bytes, classes: [Employee.self, View.self])
      if readFirst { _ = try unarchiver.decodeObject(Employee.self, forKey: "employee") }
      let error = #expect(throws: ArchiveError.self) {
        try unarchiver.decodeObject(View.self, forKey: "view")
      }
      #expect(error?.code == .classNotAllowed)
      #expect(throws: ArchiveError.self) {
        try unarchiver.decodeObject(in: Self.layersOnly, forKey: "view")
      }
      // The failed attempts leave the unarchiver as it was.
      #expect(try unarchiver.decodeObject(Employee.self, forKey: "employee").number == 1)
    }
  }

  static let layersOnly = ClassList<any Layer>([PointLayer.self])

  @Test func `a place typed by a protocol admits what its list names`() throws {
    let line = LineLayer(label: "line")
    let mixed: [any Coding] = [PointLayer(label: "point"), line, line]
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(mixed, forKey: "layers")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let layers = try unarchiver.decodeObjects(in: Self.layers, forKey: "layers")
    #expect(layers.map(\.label) == ["point", "line", "line"])
    #expect((layers[1] as? LineLayer) === (layers[2] as? LineLayer))
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObjects(in: Self.layersOnly, forKey: "layers")
    }
    #expect(error?.path == "$top.layers[1]")
  }

  @Test func `an object of an unknown class is kept and written back unchanged`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(
      [PointLayer(label: "p"), FutureThing(parts: [1, 2])] as [any Coding], forKey: "layers")
    let first = try archiver.finish()
    let layers = try KeyedUnarchiver(first).decodeObjects(in: Self.layers, forKey: "layers")
    #expect(layers.map(\.label) == ["p", "unknown FutureThing"])
    let second = KeyedArchiver()
    try second.encodeObjects(layers.compactMap { $0 as? any Coding }, forKey: "layers")
    let bytes = try second.finish()
    let graph = try ObjectGraph(bytes)
    let things = try (0..<graph.nodeCount).map {
      try graph.node(NodeID(rawValue: UInt32($0))).classChain
    }
    #expect(things.contains(["FutureThing", "FutureBase", "NSObject"]))
    let known = ClassList<any Coding>([PointLayer.self, FutureThing.self])
    let again = try KeyedUnarchiver(bytes).decodeObjects(in: known, forKey: "layers")
    #expect((again[1] as? FutureThing)?.parts == [1, 2])
  }

  @Test func `fields that nobody reads are kept and given back`() throws {
    let bytes = try KeyedArchiver.archive(FutureView())
    let view = try KeyedUnarchiver.unarchive(View.self, from: bytes)
    #expect(view.title == "from the future")
    #expect(view.unread.keys == ["seven", "thing"])
    view.title = "edited"
    let again = try KeyedArchiver.archive(view)
    let unarchiver = try KeyedUnarchiver(again)
    let probe = try unarchiver.decodeObject(FutureProbe.self, forKey: "root")
    #expect(probe.title == "edited")
    #expect(probe.seven == 7)
    #expect(probe.thing.parts == [1, 2.5])
  }

  /// Reads all that `FutureView` writes.
  final class FutureProbe: Coding {
    let title: String
    let seven: Int
    let thing: FutureThing
    static var archivedClass: ArchivedClass { "View" }
    func encode(with coder: any EncodingCoder) {}
    init(coder: any DecodingCoder) throws {
      title = try coder.decodeString(forKey: "title")
      seven = try coder.decodeInt(forKey: "seven")
      thing = try coder.decodeObject(FutureThing.self, forKey: "thing")
    }
  }
}

/// Kept objects that refer to objects which the program knows.
@Suite struct KeptLinkTests {
  /// A layer kind of the future, which refers to a shared style and to its owner.
  struct FutureLayer: Coding {
    var style: Style
    var view: View
    static var archivedClass: ArchivedClass { "FutureLayer" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeObject(style, forKey: "style")
      try coder.encodeObject(view, forKey: "view")
    }
    init(style: Style, view: View) { (self.style, self.view) = (style, view) }
    init(coder: any DecodingCoder) throws {
      style = try coder.decodeObject(Style.self, forKey: "style")
      view = try coder.decodeObject(View.self, forKey: "view")
    }
  }

  private func archive(_ layer: any Coding, _ style: Style?, _ view: View?) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeAnyObject(layer, forKey: "layer")
    try archiver.encodeObject(style, forKey: "style")
    try archiver.encodeObject(view, forKey: "view")
    return try archiver.finish()
  }

  @Test func `a kept object points at the known ones again`() throws {
    let (style, view) = (Style(number: 1, colour: "red"), View(title: "v"))
    let first = try archive(FutureLayer(style: style, view: view), style, view)
    let unarchiver = try KeyedUnarchiver(first)
    let kept = try unarchiver.decodeObject(UnknownObject.self, forKey: "layer")
    var edited = try unarchiver.decodeObject(Style.self, forKey: "style")
    edited.colour = "blue"
    let sameView = try unarchiver.decodeObject(View.self, forKey: "view")
    sameView.title = "edited"
    for _ in 0..<2 {
      let again = try KeyedUnarchiver(archive(kept, edited, sameView))
      let layer = try again.decodeObject(FutureLayer.self, forKey: "layer")
      #expect(layer.style.colour == "blue")
      #expect(layer.view.title == "edited")
      #expect(try again.decodeObject(View.self, forKey: "view") === layer.view)
    }
  }

  @Test func `a kept object has its own copy of what the document no longer has`() throws {
    let (style, view) = (Style(number: 1, colour: "red"), View(title: "v"))
    let first = try archive(FutureLayer(style: style, view: view), style, view)
    let unarchiver = try KeyedUnarchiver(first)
    let kept = try unarchiver.decodeObject(UnknownObject.self, forKey: "layer")
    _ = try unarchiver.decodeObject(Style.self, forKey: "style")
    let sameView = try unarchiver.decodeObject(View.self, forKey: "view")
    sameView.title = "not in the document any more"
    let again = try KeyedUnarchiver(archive(kept, nil, nil))
    let layer = try again.decodeObject(FutureLayer.self, forKey: "layer")
    #expect(layer.style.colour == "red")
    #expect(layer.view.title == "v")
  }
}
