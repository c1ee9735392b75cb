import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The finer base map that a package may install.
@Suite struct FinerBaseTests {
  private static let path = "/usr/share/portolan/base-50m.doc"

  /// The archive of a map: an island with so many corners, and a border.
  private static func archive(isPlanar: Bool = false, land: Int = 200) throws -> [UInt8] {
    var document = Document()
    if isPlanar { document.metadata.coordinateSystem = .planar }
    var areas = FeatureLayer(
      id: LayerID(document.makeID()), name: "land", style: .standard(forDimension: 2, index: 0))
    if land > 0 {
      var ring = (0..<land).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(land)
        return Coordinate(x: 10 + cos(angle), y: 5 + sin(angle))
      }
      ring.append(ring[0])
      _ = areas.add(geometry: .polygon([ring]), attributes: [])
    }
    var borders = FeatureLayer(
      id: LayerID(document.makeID()), name: "borders", style: .standard(forDimension: 1, index: 0))
    _ = borders.add(
      geometry: .line([Coordinate(x: 9, y: 5), Coordinate(x: 11, y: 5)]), attributes: [])
    document.layers = [areas, borders]
    return try DocumentFile.bytes(of: document)
  }

  private static func world(_ bytes: [UInt8]?, paths: [String] = [path]) throws -> World {
    let files = MemoryFileSystem()
    if let bytes { files.put(bytes, at: path) }
    var options = World.Options()
    options.finerBasePaths = paths
    return World(files: files, options: options)
  }

  @Test func `It is drawn where the built-in map is too coarse`() throws {
    let found = try Self.world(Self.archive()).finerBase()
    #expect(found.fault == nil)
    let maps = try #require(found.maps)
    var editor = BaseMapTests.editor(Document())
    try editor.run("new-layer sites")
    func base(_ zoom: Double) throws -> BaseMap? {
      try editor.run("zoom to \(zoom)")
      return editor.desk.base
    }
    let coarse = try #require(try base(2))
    editor.desk.session.base.mayHaveFiner = true
    #expect(!editor.desk.wantsFinerBase)
    #expect(try base(5) === coarse)
    #expect(editor.desk.wantsFinerBase)
    #expect(try base(7) == nil)
    _ = editor.desk.handle(.foundBase(found))
    #expect(!editor.desk.wantsFinerBase)
    #expect(try base(7) === maps[.coast])
    #expect(try base(5) === maps[.coast])
    #expect(try base(2) === coarse)
    #expect(try base(9) == nil)
    try editor.run("base coast")
    #expect(editor.message.contains("drawn up to zoom 8"))
    try editor.run("base countries")
    #expect(try base(7) === maps[.countries])
    #expect(try base(3) === editor.desk.session.base.builtIn?.map(.countries))
    // What is added does not depend on what is installed.
    try editor.run("base add coast")
    #expect(editor.layer("land")?.count == 127)
  }

  @Test func `Without one nothing is said`() throws {
    let found = try Self.world(nil, paths: ["/nowhere/base.doc", Self.path]).finerBase()
    #expect(found.maps == nil && found.fault == nil)
    #expect(try Self.world(Self.archive(), paths: []).finerBase().maps == nil)
    #expect(
      try Self.world(Self.archive(), paths: ["/a/base.doc", Self.path]).finerBase().maps != nil)
  }

  @Test func `A file that is no such map is told once, and the built-in one is drawn`() throws {
    let whole = try Self.archive()
    let faulty: [[UInt8]] = [
      [], [1, 2, 3], Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8),
      Array(whole.prefix(whole.count / 2)), try Self.archive(isPlanar: true),
      try Self.archive(land: 0), [UInt8](repeating: 0x62, count: 17 << 20),
    ]
    for bytes in faulty {
      let found = try Self.world(bytes).finerBase()
      #expect(found.maps == nil)
      let fault = try #require(found.fault)
      #expect(fault.hasPrefix("the finer base map is not used: \(Self.path): "))
      #expect(fault.hasSuffix("as Docs/base-map.md tells"))
    }
    var editor = BaseMapTests.editor()
    try editor.run("zoom to 5")
    let before = editor.desk.base
    editor.desk.session.base.mayHaveFiner = true
    _ = editor.desk.handle(.foundBase(FinerBase(fault: "it is broken")))
    #expect(editor.message == "it is broken")
    #expect(editor.desk.base === before)
    #expect(!editor.desk.wantsFinerBase)
  }

  @Test func `A folder without a usable map is passed over, and told if no other has one`() throws {
    let files = MemoryFileSystem()
    files.put([1], at: "/file")
    files.putLink(to: "/circle", at: "/circle")
    try files.makeDirectories("/folder/base.doc")
    files.put([1, 2, 3], at: "/damaged/base.doc")
    var options = World.Options()
    let faulty = ["/file/base.doc", "/circle/base.doc", "/folder/base.doc", "/damaged/base.doc"]
    for path in faulty {
      options.finerBasePaths = ["/nowhere/base.doc", path, Self.path]
      let fault = try #require(World(files: files, options: options).finerBase().fault)
      #expect(fault.hasPrefix("the finer base map is not used: \(path): "))
      let isThere = ["/folder/base.doc", "/damaged/base.doc"].contains(path)
      #expect(fault.contains("remove it") == isThere, "\(fault)")
    }
    options.finerBasePaths = faulty
    let first = World(files: files, options: options).finerBase().fault
    #expect(first?.contains(": /file/base.doc: ") == true)
    // With a map behind them nothing is said.
    files.put(try Self.archive(), at: Self.path)
    options.finerBasePaths = faulty + [Self.path]
    let found = World(files: files, options: options).finerBase()
    #expect(found.maps != nil && found.fault == nil)
  }

  @Test(arguments: Seeds.some(60))
  func `Damaged bytes are refused or drawn, in bounded time`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var bytes = try Self.archive()
    for _ in 0..<Int.random(in: 1...12, using: &numbers) {
      bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
        UInt8.random(in: .min ... .max, using: &numbers)
    }
    let found = try Self.world(bytes).finerBase()
    #expect((found.maps == nil) == (found.fault != nil))
    guard found.maps != nil else { return }
    var editor = BaseMapTests.editor()
    _ = editor.desk.handle(.foundBase(found))
    try editor.run("base countries")
    var memory = RenderMemory()
    for zoom in [4, 7] {
      try editor.run("zoom to \(zoom)")
      _ = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    }
  }

  @Test func `The places are those of the environment`() {
    func paths(_ environment: [String: String]) -> [String] {
      DataFolders.paths(of: "portolan/base-50m.doc") { environment[$0] }
    }
    #expect(
      paths(["HOME": "/home/a"]) == [
        "/home/a/.local/share/portolan/base-50m.doc", "/usr/local/share/portolan/base-50m.doc",
        "/usr/share/portolan/base-50m.doc",
      ])
    #expect(
      paths(["XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/x::relative:/y/", "HOME": "/home/a"]) == [
        "/d/portolan/base-50m.doc", "/x/portolan/base-50m.doc", "/y/portolan/base-50m.doc",
      ])
    #expect(paths(["XDG_DATA_DIRS": String(repeating: "/a:", count: 500)]).count <= 32)
    #expect(paths(["XDG_DATA_HOME": "here", "XDG_DATA_DIRS": "there"]).isEmpty)
  }
}
