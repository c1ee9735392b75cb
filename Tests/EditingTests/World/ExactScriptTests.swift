import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// A script means positions, not cells: it does the same on every screen and without one.
@Suite final class ExactScriptTests {
  /// Squares side by side, much narrower than a cell of a small screen, a road and some towns.
  private static let map: String = {
    var features: [String] = []
    func add(_ name: String, _ kind: String, _ coordinates: String) {
      features.append(
        #"{"type":"Feature","id":"\#(name)","properties":{"name":"\#(name)"},"geometry":"#
          + #"{"type":"\#(kind)","coordinates":\#(coordinates)}}"#)
    }
    for column in 0..<6 {
      let (w, e) = (Double(column), Double(column) + 1)
      add("square \(column)", "Polygon", "[[[\(w),0],[\(e),0],[\(e),1],[\(w),1],[\(w),0]]]")
    }
    add("road", "LineString", "[[-60,-20],[3.5,0.5],[100,60]]")
    add("across", "Polygon", "[[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]")
    for place in [(0.5, 0.5), (0.6, 0.5), (150.0, 70), (-120, -45)] {
      add("town \(place.0)", "Point", "[\(place.0),\(place.1)]")
    }
    return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
  }()

  /// What a script leaves behind.
  struct Outcome: Equatable {
    var exported: String
    var selection: [FeatureReference]
    var vertex: VertexReference?
    var cursor: Coordinate
    var position: Int
  }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-exact-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.map.utf8).write(to: folder.appendingPathComponent("map.geojson"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func outcome(_ desk: Desk, _ world: World) throws -> Outcome {
    var desk = desk
    let out = folder.appendingPathComponent("out.ndjson").path
    desk.attempt(line: "export --force -o '\(out)'")
    for effect in desk.takeEffects() { _ = try world.perform(effect) }
    return Outcome(
      exported: try String(contentsOfFile: out, encoding: .utf8),
      selection: desk.selection.features, vertex: desk.selection.vertex,
      cursor: desk.cursor, position: desk.history.past.count)
  }

  /// Runs a script in an editor of some size in which the map is open.
  private func inEditor(_ script: String, _ size: CellSize) throws -> Desk {
    try Data(script.utf8).write(to: folder.appendingPathComponent("script"))
    let world = World(files: RealFileSystem())
    var desk = Desk()
    desk.resize(to: size)
    for line in ["open", "run"] {
      let name = line == "open" ? "map.geojson" : "script"
      desk.attempt(line: "\(line) '\(folder.appendingPathComponent(name).path)'")
      var effects = desk.takeEffects()
      while !effects.isEmpty {
        let effect = effects.removeFirst()
        if let answer = try world.perform(effect) { effects += desk.handle(answer) }
      }
    }
    return desk
  }

  private func withoutScreen(_ script: String, _ size: CellSize) throws -> Desk {
    var runner = HeadlessRunner(world: World(files: RealFileSystem()), report: { _ in })
    runner.resize(to: size)
    let open = "open '\(folder.appendingPathComponent("map.geojson").path)'\n"
    try runner.run(script: open + script, name: "script")
    return runner.desk
  }

  private func names(_ desk: Desk) -> [String] {
    desk.selection.features.compactMap { desk.document.feature($0)?.attributes[0].value.text }
  }

  private static let sizes = [(80, 24), (20, 6), (1, 1), (400, 120), (61, 90)].map {
    CellSize(columns: $0.0, rows: $0.1)
  }

  @Test(arguments: sizes)
  func `What was gone to by name is what is edited`(size: CellSize) throws {
    for name in ["square 3", "road", "town 0.6", "across"] {
      let script = "go name \(name)\nselect here\nset n=1\n"
      let desks = [try inEditor(script, size), try withoutScreen(script, size)]
      for desk in desks {
        #expect(names(desk) == [name], "\(desk.message?.text ?? "")")
        #expect(desk.history.past.count == 1)
      }
    }
  }

  @Test(arguments: [
    ("go to 2.5 0.5\nselect here\n", ["square 2"]),
    ("go to 0.55 0.5\nselect here\n", ["square 0"]),
    ("go to 0.6 0.5\nselect here\n", ["town 0.6"]), ("go to 50 50\nselect here\n", []),
    ("go to 1.25 0.25\nbox start\ngo to 1.75 0.75\nbox replace\n", ["square 1"]),
    ("go to 0.6 0.5\nbox start\ngo to 0.55 0.25\nbox replace\n", ["square 0", "town 0.6"]),
    ("box replace --bbox=171,-5,-171,5\n", ["across"]),
    ("box replace --bbox=150,70,151,71\n", ["town 150.0"]),
  ])
  func `A place and a box are exact`(script: String, selected: [String]) throws {
    for size in Self.sizes {
      #expect(names(try inEditor(script, size)) == selected)
      #expect(names(try withoutScreen(script, size)) == selected)
    }
  }

  @Test(arguments: [
    "cursor left 3", "select here --at 3,3", "box start --at 1,1", "put --at 1,1", "where --at 1,1",
    "zoom in --at 1,1", "go to -100 0\nbox start\ngo to 100 10\nbox replace",
  ])
  func `What depends on a screen is refused with the way out`(script: String) throws {
    let desk = try inEditor(script, CellSize(columns: 80, rows: 24))
    #expect(desk.message?.severity == .error)
    let text = desk.message?.text ?? ""
    #expect(text.contains("go to LON LAT") || text.contains("--bbox W,S,E,N"), "\(text)")
    #expect(throws: Failure.self) {
      try self.withoutScreen(script, CellSize(columns: 80, rows: 24))
    }
  }

  @Test(arguments: Seeds.some(16))
  func `A script does the same on every screen and without one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = (0..<30).map { _ in "try " + Self.line(&random) }
    let script = lines.joined(separator: "\n")
    let world = World(files: RealFileSystem())
    let wanted = try outcome(
      try withoutScreen(script, CellSize(columns: 80, rows: 24)), world)
    for _ in 0..<2 {
      let size = CellSize(
        columns: Int.random(in: 1...300, using: &random),
        rows: Int.random(in: 1...100, using: &random))
      let there = try outcome(try inEditor(script, size), world)
      // The editor's cursor has to stand on a cell.
      #expect(there.exported == wanted.exported, "seed \(seed), \(size)\n\(script)")
      #expect(there.selection == wanted.selection, "seed \(seed), \(size)\n\(script)")
      #expect(there.vertex == wanted.vertex && there.position == wanted.position)
      let small = try outcome(try withoutScreen(script, size), world)
      #expect(small == wanted, "seed \(seed), \(size)\n\(script)")
    }
  }

  private static func line(_ random: inout SeededGenerator) -> String {
    let places = [
      (0.5, 0.5), (0.55, 0.5), (2.25, 0.75), (3.5, 0.5), (1, 1), (175, 0), (-175, 5), (20, -5),
      (-120, -45), (0, 89), (100, 60),
    ]
    let place = places[Int.random(in: 0..<places.count, using: &random)]
    let step = Double(Int.random(in: -20...20, using: &random)) / 10
    let lines = [
      "go to \(place.0) \(place.1)", "go to \(place.0) \(place.1)", "go to @\(step),\(-step)",
      "go name square \(Int.random(in: 0...6, using: &random))", "go name road", "go name town",
      "select here", "select here", "select here --as add", "select here --as remove", "select all",
      "select none", "select former", "box start", "box replace", "box add --all", "box toggle",
      "box replace --bbox=\(place.0),\(place.1 - 1),\(place.0 + 1),\(place.1)",
      "set n=\(Int.random(in: 0...9, using: &random))", "unset n", "delete", "put",
      "put \(place.0) \(place.1)", "draw point", "draw line", "draw polygon", "finish", "close",
      "discard-draft", "escape", "move", "drop", "move --by \(step),\(step / 10)", "append",
      "next near", "next near 3", "previous near", "next vertex", "previous vertex", "next feature",
      "next selected", "next match", "search town", "search square", "select found", "search-same",
      "yank", "paste", "paste --in-place", "undo", "redo", "zoom in 3", "zoom out 5", "zoom to 9",
      "pan right half", "pan cells 7 -3", "fit", "fit layer", "fit selection", "center", "go home",
      "go previous", "go next", "snap all", "snap vertex", "where", "new-layer x", "layer 1",
      "projection equirectangular", "projection web-mercator", "box zoom", "repeat",
    ]
    return lines[Int.random(in: 0..<lines.count, using: &random)]
  }
}
