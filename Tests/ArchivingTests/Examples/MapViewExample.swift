import Archiving
import Testing

/// A view with a superclass that is coded too, an object and a conditional object, all by order.
@Suite struct MapViewExample {
  // snippet: map-view
  class View: Coding {
    private(set) var title = ""
    private(set) var subview: View?

    init(title: String, subview: View? = nil) {
      (self.title, self.subview) = (title, subview)
    }

    class var archivedClass: ArchivedClass { "View" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(title)
      try coder.encodeObject(subview)
    }

    required init(coder: any DecodingCoder) throws {
      title = try coder.decodeString()
      subview = try coder.decodeObjectIfPresent(View.self)
    }
  }

  final class MapView: View {
    private(set) var mapName = ""
    private(set) var magnification: UInt32 = 1
    private(set) var legendView: View?
    private(set) var auxiliaryView: View?

    init(_ mapName: String, magnification: UInt32, legend: View?, auxiliary: View?) {
      (self.mapName, self.magnification) = (mapName, magnification)
      (legendView, auxiliaryView) = (legend, auxiliary)
      super.init(title: "Map")
    }

    override class var archivedClass: ArchivedClass {
      ArchivedClass("MapView", superclass: super.archivedClass)
    }

    override func encode(with coder: any EncodingCoder) throws {
      try super.encode(with: coder)
      try coder.encodeCString(mapName)
      try coder.encodeValues([.integer(Int64(magnification))], ofTypes: "I")
      try coder.encodeObject(legendView)
      try coder.encodeConditionalObject(auxiliaryView)
    }

    required init(coder: any DecodingCoder) throws {
      try super.init(coder: coder)
      mapName = try coder.decodeCString() ?? ""
      guard case .integer(let number)? = try coder.decodeValues(ofTypes: "I").first,
        let magnification = UInt32(exactly: number)
      else { throw coder.valueNotFound() }
      self.magnification = magnification
      legendView = try coder.decodeObjectIfPresent(View.self)
      auxiliaryView = try coder.decodeObjectIfPresent(View.self)
    }
  }
  // end

  enum Kind: CaseIterable, Sendable { case keyed, sequential }

  private func copy(_ view: MapView, _ kind: Kind) throws -> MapView {
    switch kind {
    case .keyed:
      try KeyedUnarchiver.unarchive(MapView.self, from: KeyedArchiver.archive(view))
    case .sequential: try Unarchiver.unarchive(MapView.self, from: Archiver.archive(view))
    }
  }

  @Test(arguments: Kind.allCases)
  func `an auxiliary view that nobody else encodes is left out`(kind: Kind) throws {
    let auxiliary = View(title: "Overview")
    let map = MapView("Île", magnification: .max, legend: View(title: "Key"), auxiliary: auxiliary)
    let copy = try copy(map, kind)
    #expect(copy.title == "Map")
    #expect(copy.mapName == "Île")
    #expect(copy.magnification == .max)
    #expect(copy.legendView?.title == "Key")
    #expect(copy.auxiliaryView == nil)
  }

  @Test(arguments: Kind.allCases)
  func `an auxiliary view that the legend encodes is that same view`(kind: Kind) throws {
    let auxiliary = View(title: "Overview")
    let legend = View(title: "Key", subview: auxiliary)
    let copy = try copy(
      MapView("Isle", magnification: 3, legend: legend, auxiliary: auxiliary), kind)
    #expect(copy.auxiliaryView?.title == "Overview")
    #expect(copy.auxiliaryView === copy.legendView?.subview)
  }

  @Test func `the chain of superclasses is in both archives`() throws {
    let map = MapView("Isle", magnification: 3, legend: nil, auxiliary: nil)
    let graph = try ObjectGraph(KeyedArchiver.archive(map))
    let chain = try graph.node(NodeID(rawValue: 1)).classChain
    #expect(chain == ["MapView", "View", "NSObject"])
    let stream = try Typedstream(Archiver.archive(map))
    #expect(stream.version(forClassName: "View") == 0)
  }
}
