import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// Merges of views, panes and bookmarks.
@Suite struct ViewMergeTests {
  private static func base() throws -> Document {
    var document = Document()
    for (name, x) in [("Harbour", 10.0), ("Centre", 20)] {
      try add(name, x, to: &document)
      document.bookmarks.set(Bookmark(name: name, place: Coordinate(x: x, y: 0)))
    }
    return document
  }

  private static func add(_ name: String, _ x: Double, to document: inout Document) throws {
    let first = try #require(document.views[0] as? any MapShowing)
    var view = first.copy(as: ViewID(document.makeID()), name: name)
    view.center.x = x
    document.views.append(view)
  }

  private static func change(
    _ document: Document, _ name: String, _ change: (inout any MapShowing) -> Void
  ) throws -> Document {
    var document = document
    let index = try #require(document.views.firstIndex { $0.name == name })
    var view = try #require(document.views[index] as? any MapShowing)
    change(&view)
    document.views[index] = view
    return document
  }

  private static func merged(
    _ base: Document, _ ours: Document, _ theirs: Document
  ) throws -> (document: Document, remarks: [String]) {
    var merge = DocumentMerge(base: base, ours: ours, theirs: theirs)
    let merged = try merge.merged()
    #expect(merge.conflicts.isEmpty)
    let again = try DocumentArchive.open(DocumentArchive.bytes(of: merged)).document
    #expect(again.views.map(\.name) == merged.views.map(\.name))
    return (merged, merge.remarks)
  }

  private static func view(_ name: String, _ document: Document) -> (any MapShowing)? {
    document.views.first { $0.name == name } as? any MapShowing
  }

  @Test func `Properties of a view come from the side that changed them`() throws {
    let base = try Self.base()
    let ours = try Self.change(base, "Harbour") { $0.magnification = 64 }
    let theirs = try Self.change(base, "Harbour") { view in
      view.center.x = 11
      view.name = "Port"
    }
    let (merged, remarks) = try Self.merged(base, ours, theirs)
    #expect(remarks.isEmpty)
    let port = try #require(Self.view("Port", merged))
    #expect(port.magnification == 64 && port.center.x == 11)
    #expect(merged.views.count == 3)
  }

  @Test func `What both changed is ours, and told`() throws {
    let base = try Self.base()
    let ours = try Self.change(base, "Harbour") { $0.center.x = 12 }
    let theirs = try Self.change(base, "Harbour") { view in
      view.center.x = 13
      view.showsLegend = false
    }
    let (merged, remarks) = try Self.merged(base, ours, theirs)
    #expect(remarks == ["view “Harbour”: both changed place; ours is kept"])
    let view = try #require(Self.view("Harbour", merged))
    #expect(view.center.x == 12 && view.showsLegend == false)
  }

  @Test func `Views of both sides are added under numbers of their own`() throws {
    let base = try Self.base()
    var (ours, theirs) = (base, base)
    try Self.add("North", 1, to: &ours)
    try Self.add("South", 2, to: &theirs)
    for document in [0, 1] {
      if document == 0 { try Self.add("Both", 3, to: &ours) }
      if document == 1 { try Self.add("Both", 3, to: &theirs) }
    }
    theirs.layers.append(LayerKinds.features(LayerID(theirs.makeID()), name: "roads"))
    let (merged, remarks) = try Self.merged(base, ours, theirs)
    #expect(remarks.isEmpty)
    #expect(merged.views.map(\.name) == ["Map", "Harbour", "Centre", "North", "Both", "South"])
    #expect(Set(merged.views.map(\.id)).count == 6)
    #expect(merged.nextID > merged.views.map(\.id.rawValue).max() ?? 0)
  }

  @Test func `A view removed by one side goes, unless the other changed it`() throws {
    let base = try Self.base()
    var ours = base
    ours.views.removeAll { $0.name == "Harbour" }
    let moved = try Self.change(base, "Harbour") { $0.center.x = 40 }
    #expect(try Self.merged(base, ours, moved).document.views.map(\.name) == ["Map", "Centre"])
    let renamed = try Self.change(base, "Harbour") { $0.name = "Port" }
    let kept = try Self.merged(base, ours, renamed)
    #expect(kept.document.views.map(\.name) == ["Map", "Centre", "Port"])
    #expect(kept.remarks == ["view “Port”: removed by ours, changed by theirs; it is kept"])
    let other = try Self.merged(base, renamed, ours)
    #expect(other.document.views.map(\.name) == ["Map", "Port", "Centre"])
    #expect(other.remarks == ["view “Port”: removed by theirs, changed by ours; it is kept"])
    var without = base
    without.views.removeAll { $0.name != "Map" }
    var rest = base
    rest.views.removeAll { $0.name == "Map" }
    #expect(try Self.merged(base, without, rest).document.views.contains { $0 is any MapShowing })
  }

  @Test func `Bookmarks are merged by their names`() throws {
    let base = try Self.base()
    var (ours, theirs) = (base, base)
    ours.bookmarks.set(Bookmark(name: "Harbour", place: Coordinate(x: 10, y: 0), magnification: 8))
    ours.bookmarks.set(Bookmark(name: "Both", place: Coordinate(x: 1, y: 1)))
    theirs.bookmarks.set(Bookmark(name: "Harbour", place: Coordinate(x: 10, y: 5)))
    theirs.bookmarks.removeAll { $0.name == "Centre" }
    theirs.bookmarks.set(Bookmark(name: "Both", place: Coordinate(x: 2, y: 2)))
    theirs.bookmarks.set(Bookmark(name: "New", place: Coordinate(x: 3, y: 3)))
    let (merged, remarks) = try Self.merged(base, ours, theirs)
    #expect(merged.bookmarks.map(\.name) == ["Harbour", "Both", "New"])
    #expect(merged.bookmarks[0].place.y == 5 && merged.bookmarks[0].magnification == 8)
    #expect(merged.bookmarks[1].place.x == 1)
    #expect(remarks == ["bookmark “Both”: both changed place; ours is kept"])
  }

  @Test func `Panes are those of the side that changed them`() throws {
    let base = try Self.base()
    var theirs = base
    try Self.add("North", 1, to: &theirs)
    let table = ViewKinds.table(ViewID(theirs.makeID()))
    theirs.views.append(table)
    let leaves = [theirs.views[3].id, table.id].map {
      PaneLayout.Part(layout: .leaf(PaneLayout.Leaf(view: $0)))
    }
    theirs.layout = .node(PaneLayout.Node(axis: .columns, parts: leaves))
    var ours = base
    try Self.add("South", 2, to: &ours)
    // Another view makes another standard layout: ours changed its panes, too.
    #expect(try Self.merged(base, ours, theirs).document.layout == nil)
    let taken = try Self.merged(base, base, theirs).document
    let views = try #require(taken.layout).leaves.map { leaf in
      taken.views.first { $0.id == leaf.view }?.name
    }
    #expect(views == ["North", "Table"])
  }

  @Test(arguments: Seeds.some(40))
  func `Sides swapped merge to the same views where nothing is told`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = try Self.base()
    func edited(_ name: String) throws -> Document {
      var document = base
      for step in 0..<Int.random(in: 0...4, using: &generator) {
        let names = document.views.map(\.name)
        let view = try #require(names.randomElement(using: &generator))
        switch Int.random(in: 0...5, using: &generator) {
        case 0: document = try Self.change(document, view) { $0.magnification *= 2 }
        case 1: document = try Self.change(document, view) { $0.showsLegend = false }
        case 2: document = try Self.change(document, view) { $0.name += name }
        case 3: try Self.add("\(name) \(step)", 1, to: &document)
        case 4 where names.count > 1: document.views.removeAll { $0.name == view }
        default:
          document.bookmarks.set(
            Bookmark(name: "Centre", place: Coordinate(x: Double(step), y: 1)))
        }
      }
      return document
    }
    let (one, other) = (try edited("a"), try edited("b"))
    let (first, firstRemarks) = try Self.merged(base, one, other)
    let (second, secondRemarks) = try Self.merged(base, other, one)
    #expect(firstRemarks.count == secondRemarks.count, "seed \(seed)")
    #expect(try Self.merged(base, one, base).document.views.map(\.name) == one.views.map(\.name))
    #expect(
      Set(try Self.merged(base, base, one).document.views.map(\.name))
        == Set(one.views.map(\.name)), "seed \(seed)")
    guard firstRemarks.isEmpty else { return }
    #expect(Self.words(first) == Self.words(second), "seed \(seed)")
  }

  private static func words(_ document: Document) -> Set<String> {
    let views = document.views.compactMap { $0 as? any MapShowing }.map {
      "\($0.name) \($0.magnification) \($0.center) \($0.showsLegend as Any)"
    }
    return Set(views + document.bookmarks.map { "\($0.name) \($0.place)" })
  }

  @Test func `A difference names views and bookmarks, but not where views look`() throws {
    let base = try Self.base()
    var new = try Self.change(base, "Harbour") { view in
      view.center.x = 77
      view.projection = .equirectangular
    }
    try Self.add("North", 1, to: &new)
    new.views.removeAll { $0.name == "Centre" }
    new.bookmarks.set(Bookmark(name: "Centre", place: Coordinate(x: 20, y: 5)))
    new.bookmarks.removeAll { $0.name == "Harbour" }
    new.bookmarks.set(Bookmark(name: "New", place: Coordinate(x: 3, y: 3)))
    let options = MapDifference.Options(areDocuments: true)
    let notes = try MapDifference(from: base, to: new, options: options).notes
    let former = try #require(Self.view("Harbour", base)).projection.rawValue
    let later = try #require(Self.view("Harbour", new)).projection.rawValue
    #expect(
      notes == [
        "view “Harbour”: projection \(former) → \(later)", "view “North”: added",
        "view “Centre”: removed", "bookmark “Centre”: 20.0 0.0 → 20.0 5.0",
        "bookmark “New”: added at 3.0 3.0", "bookmark “Harbour”: removed",
      ])
    let moved = try Self.change(base, "Map") { $0.center.x = 5 }
    #expect(try MapDifference(from: base, to: moved, options: options).isEmpty)
  }
}
