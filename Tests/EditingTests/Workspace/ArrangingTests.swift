import Archiving
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The arrangement of panes is saved with the document, and restored where it is opened.
@Suite struct ArrangingTests {
  private static let path = "/m/a.doc"

  /// An editor with a file open, on a disk of its own.
  private func office(
    opening bytes: [UInt8], size: CellSize = CellSize(columns: 200, rows: 60)
  ) throws -> Office {
    var office = Office(MemoryFileSystem(files: [Self.path: bytes]), size: size)
    try office.run("open \(Self.path)")
    return office
  }

  private func bytes(_ office: Office) throws -> [UInt8] {
    try office.world.files.read(Self.path, limit: 1 << 24)
  }

  private func saved(_ office: Office) throws -> Document {
    try DocumentArchive.open(bytes(office)).document
  }

  /// The tabs in words: shares, kinds, where they look, and what has the keys.
  private func words(_ office: Office) -> [String] {
    let session = office.desk.session
    func words(_ tree: PaneTree) -> String {
      switch tree {
      case .split(let axis, let parts):
        return "\(axis)(" + parts.map { "\($0.share) \(words($0.tree))" }.joined(separator: ", ")
          + ")"
      case .pane(let id):
        guard let pane = session.panes[id] else { return "?" }
        guard let map = pane.state.map else { return pane.kind.name }
        let center = map.viewpoint.center
        let zoom = (map.viewpoint.zoom * 1e9).rounded()
        return "map \(center.x) \(center.y) \(zoom)"
          + (pane.links.words.map { " linked \($0)" } ?? "")
      }
    }
    return session.arrangement.tabs.map { tab in
      let place = tab.tree.panes.firstIndex(of: tab.focus) ?? -1
      return words(tab.tree) + " keys \(place) name \(tab.name)"
    } + ["tab \(session.arrangement.index)"]
  }

  // MARK: The law

  @Test(arguments: Seeds.some(30))
  func `What is saved opens as the same tree with the same views`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var office = Office(size: CellSize(columns: 200, rows: 60))
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let number = Int.random(in: -60...60, using: &random)
      let lines = [
        "split right", "split below", "tab new", "overview --pane", "pane next", "pane link",
        "zoom to \(Double(number + 60) / 11)", "go to \(number) \(number / 2)", "center",
        "pan right \(number)", "tab 1", "tab 2", "pane close", "projection equirectangular",
        "pane wider \(number)", "pane shorter 3", "pane taller", "pane swap", "pane swap left",
        "pane rotate", "pane link zoom", "pane link both", "pane link off", "pane tab new",
        "pane tab 1", "tab name n\(number)", "tab move 1", "view save v\(number % 3)",
        "view show v1", "view rename w\(number)", "view delete v2",
      ]
      // Some are refused where they are of no use.
      try? office.run(lines[Int.random(in: 0..<lines.count, using: &random)])
    }
    try office.run("save \(Self.path)")
    #expect(!office.desk.isEdited)
    let first = try bytes(office)
    var again = try self.office(opening: first)
    #expect(words(again) == words(office), "seed \(seed)")
    #expect(again.desk.session.panes[again.desk.pane.id] != nil)
    // Saved without a change, it is the same file.
    try again.run("save")
    #expect(try bytes(again) == first, "seed \(seed)")
  }

  // MARK: Views

  @Test func `New panes get views with free numbers, and keep them; the document stays as it is`()
    throws
  {
    var office = Office()
    try office.run("save \(Self.path)")
    #expect(try saved(office).layout == nil)
    let revision = office.desk.history.present.revision
    try office.run("split right")
    try office.run("zoom to 5")
    try office.run("tab new")
    try office.run("zoom to 3")
    try office.run("save")
    #expect(office.desk.history.present.revision == revision)
    #expect(office.desk.document.views.count == 1 && office.desk.document.layout == nil)
    let document = try saved(office)
    #expect(document.views.map(\.name) == ["Map", "Map 2", "Map 3"])
    #expect(Set(document.views.map(\.id)).count == 3)
    let maps = document.views.compactMap { $0 as? any MapShowing }
    #expect(abs(maps[1].magnification - 32) < 1e-9 && abs(maps[2].magnification - 8) < 1e-9)
    #expect(document.layout?.tabs.count == 2 && document.layout?.selectedTab == 1)
    #expect(document.nextID > document.views.map(\.id.rawValue).max() ?? .max)
    try office.run("new-layer between")
    try office.run("save")
    #expect(try saved(office).views.map(\.id) == document.views.map(\.id))
    #expect(try saved(office).views.map(\.name) == document.views.map(\.name))
    let next = office.desk.document.nextID
    try office.run("undo")
    #expect(office.desk.document.nextID <= next)
  }

  @Test func `An overview is in the file while it is shown`() throws {
    var office = Office()
    try office.run("overview --pane")
    try office.run("save \(Self.path)")
    var document = try saved(office)
    let overview = try #require(document.views.first { $0 is any OverviewShowing })
    #expect(document.mapView?.auxiliaryView == overview.id)
    var other = try self.office(opening: bytes(office))
    #expect(other.panes.count == 2)
    let kinds = other.panes.map { other.desk.session.panes[$0]?.kind.name }
    #expect(kinds == ["map", "overview"])
    try other.run("overview --pane")
    try other.run("overview --pane")
    try other.run("save")
    #expect(try saved(other).mapView?.auxiliaryView == overview.id)
    try other.run("overview --pane")
    try other.run("save")
    document = try saved(other)
    #expect(document.views.count == 1)
    #expect(document.mapView?.auxiliaryView == nil)
    #expect(document.layout == nil)
  }

  @Test(arguments: ["tab 1", "tab 2"])
  func `An overview whose map shows another document is no tab of its own`(_ tab: String) throws {
    let other = "/m/other.doc"
    var office = Office()
    try office.run("save \(Self.path)")
    let files = MemoryFileSystem(files: [Self.path: try bytes(office), other: try bytes(office)])
    var again = Office(files)
    try again.run("open \(Self.path)")
    try again.run("tab new")
    try again.run("overview --pane")
    try again.run("open \(other)")
    try again.run("tab 1")
    try again.run("save")
    #expect(try saved(again).layout?.tabs.count ?? 1 == 1)
    var last = try self.office(opening: bytes(again))
    try? last.run(tab)
    #expect(last.desk.pane.kind.takesKeys && last.desk.session.panes.count == 1)
  }

  // MARK: Where it is opened

  /// A document with a tab of two panes.
  private func divided() throws -> [UInt8] {
    var office = Office()
    try office.run("zoom to 2")
    try office.run("split right")
    try office.run("zoom to 6")
    try office.run("save \(Self.path)")
    return try bytes(office)
  }

  @Test func `In one pane of several the first view is shown, and a save keeps the layout`() throws
  {
    let bytes = try divided()
    var office = Office(MemoryFileSystem(files: [Self.path: bytes]))
    try office.run("split below \(Self.path)")
    #expect(office.desk.file.path == Self.path)
    #expect(office.panes.count == 2)
    #expect(office.desk.viewpoint.zoom == 2)
    try office.run("zoom to 4")
    try office.run("save")
    let document = try saved(office)
    #expect(document.layout?.leaves.count == 2)
    let maps = document.views.compactMap { ($0 as? any MapShowing)?.magnification.rounded() }
    #expect(maps == [16, 64])
  }

  @Test func `In a pane that stands alone all panes are restored, beside the other tabs`() throws {
    var office = Office(MemoryFileSystem(files: [Self.path: try divided()]))
    let first = office.desk.pane.id
    try office.run("tab new \(Self.path)")
    #expect(office.desk.session.arrangement.tabs.count == 2)
    #expect(office.desk.session.arrangement.index == 1)
    #expect(office.panes.count == 2)
    #expect(office.desk.viewpoint.zoom == 6)
    #expect(office.desk.session.panes[first]?.document != office.desk.file.id)
    // The tab of the other document is not saved with this one.
    try office.run("save")
    #expect(try saved(office).layout?.tabs.count == 1)
    #expect(try saved(office).layout?.leaves.count == 2)
  }

  @Test func `A document without a layout opens with a tab for each map view`() throws {
    var document = Document.towns
    let map = try #require(document.mapView)
    for name in ["Second", "Third"] {
      document.views.append(map.copy(as: ViewID(document.makeID()), name: name))
    }
    let bytes = try DocumentArchive.bytes(of: document)
    var office = try self.office(opening: bytes)
    #expect(office.desk.tabNames == ["Map", "Second", "Third"])
    #expect(office.desk.session.arrangement.index == 0)
    try office.run("save")
    #expect(try self.bytes(office) == bytes)
  }

  // MARK: Unknown views

  @Test func `A view of an unknown kind has a pane that says what it is, and is kept`() throws {
    let size = CellSize(columns: 160, rows: 40)
    let bytes = try KeyedArchiver.archive(FutureArrangement())
    var office = try self.office(opening: bytes, size: size)
    #expect(office.panes.count == 2)
    let text = office.screen(size)
    #expect(text.contains("PortolanGlobeView") && text.contains("unknown"), "\(text)")
    try office.run("zoom to 3")
    try office.run("split below")
    try office.run("save")
    let document = try saved(office)
    #expect(document.views.map(\.className).contains("PortolanGlobeView"))
    #expect(document.layout?.leaves.count == 3)
    let again = try self.office(opening: self.bytes(office), size: size)
    #expect(words(again) == words(office))
  }
}

/// What a newer program might write: a map beside a table.
private struct FutureArrangement: Coding {
  static var archivedClass: ArchivedClass { "PortolanDocument" }
  init() {}
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(3, forKey: "formatVersion")
    try coder.encodeInt(9, forKey: "nextID")
    let map = Document().views[0]
    try coder.encodeObjects([map], forKey: "views")
    let panes = [FuturePane(view: map), FuturePane(view: nil)]
    try coder.encodeObject(FuturePane(panes: panes), forKey: "layout")
  }
}

private struct FuturePane: Coding {
  static var archivedClass: ArchivedClass { "PortolanPane" }
  var panes: [FuturePane] = []
  var view: (any View)?

  init(panes: [FuturePane]) { self.panes = panes }
  init(view: (any View)?) { self.view = view }
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    if !panes.isEmpty {
      try coder.encodeString("columns", forKey: "axis")
      try coder.encodeObjects(panes, forKey: "panes")
    } else if let view {
      try coder.encodeObject(view, forKey: "view")
    } else {
      try coder.encodeObject(FutureTable(), forKey: "view")
    }
  }
}

private struct FutureTable: Coding {
  static var archivedClass: ArchivedClass {
    ArchivedClass("PortolanGlobeView", superclass: "PortolanView")
  }
  init() {}
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(8, forKey: "id")
    try coder.encodeString("table", forKey: "name")
  }

  @Test func `The first save beside another document tells whose panes it keeps`() throws {
    var office = Office()
    try office.run("save /m/a.doc")
    #expect(office.message == "saved /m/a.doc")
    try office.run("split right /m/b.doc")
    try office.run("new-layer b")
    try office.run("save")
    #expect(office.message == "saved /m/b.doc; it keeps its own panes, other documents keep theirs")
    try office.run("save")
    #expect(office.message == "saved /m/b.doc")
  }
}
