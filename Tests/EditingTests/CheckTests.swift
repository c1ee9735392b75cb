import PortolanChecking
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// `check` in the editor and as a verb.
@Suite struct CheckTests {
  /// Runs a line, and does what it asks of a world.
  private func run(_ line: String, _ editor: inout Editor, in world: World) throws {
    editor.effects = []
    try editor.run(line)
    for effect in editor.effects {
      guard case .perform(let request as CheckDocumentRequest, let job?) = effect else { continue }
      editor.effects += editor.desk.handle(.replied(job, request.reply(in: world)))
      return
    }
    Issue.record("nothing was asked for by \(line)")
  }

  private let world = World(files: MemoryFileSystem())

  /// A field whose ring crosses itself, another with a spike, a town twice in one place.
  private func faulty() throws -> Editor {
    var editor = Editor()
    var fields = try #require(editor.layer("fields"))
    for ring in [
      [(30, 0), (40, 0), (30, 10), (40, 12)],
      [(50, 0), (60, 0), (60, 5), (60, 9), (60, 5), (50, 5)],
    ] {
      _ = fields.add(
        geometry: .polygon([
          ring.map { Coordinate(x: Double($0.0), y: Double($0.1)) }
        ]), attributes: [])
    }
    let changed = fields
    try editor.desk.edit("test") { document in
      document.layers[0] = changed
    }
    return editor
  }

  @Test(arguments: ["]e", "[e", "<ret>"])
  func `The keys that the list names lead from it to the map`(keys: String) throws {
    var editor = try faulty()
    try run("check", &editor, in: world)
    try editor.press(keys)
    #expect(editor.desk.mode == .normal && editor.message.hasPrefix("1 of 2: G209"))
  }

  @Test func `A list of faults is walked, each shown on the map`() throws {
    var editor = try faulty()
    try run("check", &editor, in: world)
    #expect(editor.desk.mode.name == "findings")
    let found = try #require(editor.desk.work.findings).list.findings
    #expect(found.map(\.code) == [.crossing, .spike])
    try editor.press("j<ret>")
    #expect(editor.desk.mode == .normal)
    #expect(editor.message.hasPrefix("2 of 2: G210"))
    let place = try #require(found[1].position)
    #expect((editor.desk.cursor.x - place.x).magnitude < 2)
    #expect((editor.desk.cursor.y - place.y).magnitude < 2)
    #expect(editor.desk.selection.features == [try #require(found[1].feature)])
    try editor.press("]e")
    #expect(editor.message.hasPrefix("1 of 2: G209"))
    try editor.press("[e")
    #expect(editor.message.hasPrefix("2 of 2: G210"))
    try editor.press("[e")
    #expect(editor.message.hasPrefix("1 of 2: G209"))
  }

  @Test func `After an edit the next step checks again`() throws {
    var editor = try faulty()
    try run("check", &editor, in: world)
    try editor.press("<esc>]e")
    #expect(editor.message.hasPrefix("1 of 2: G209"))
    try editor.press("d]e")
    #expect(editor.message.hasPrefix("1 of 1: G210"))
    try editor.press("d")
    #expect(throws: EditingError.self) { try editor.run("next finding") }
    try editor.run("undo")
    try editor.press("]e")
    #expect(editor.message.hasPrefix("1 of 1: G210"))
  }

  @Test func `A sound document has no list, and no step before a check`() throws {
    var editor = Editor()
    #expect(throws: EditingError.self) { try editor.run("next finding") }
    try run("check", &editor, in: world)
    #expect(editor.message == "no faults found")
    #expect(editor.desk.findings == nil)
    #expect(throws: EditingError.self) { try editor.run("finding-step down") }
    try run("check --coverage --expect 'name is not null'", &editor, in: world)
    #expect(editor.desk.work.findings?.list.findings.map(\.code) == [.overlap])
  }

  // MARK: The verb

  private struct Outcome {
    var output: String
    var code: ExitCode
    var remarks: [String]
  }

  private func verb(_ line: String, _ files: MemoryFileSystem) throws -> Outcome {
    var remarks: [String] = []
    var runner = HeadlessRunner(world: World(files: files)) { remarks.append($0) }
    let command = try #require(try Commands.parse(line))
    var code = ExitCode.done
    do throws(Failure) {
      try runner.run(command)
    } catch {
      code = error.code
      if error.code != .findings { remarks.append(error.description) }
    }
    return Outcome(
      output: String(decoding: files.output, as: UTF8.self), code: code, remarks: remarks)
  }

  private static let open =
    "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [4, 4], [0, 4]]]}"
  private static let closed =
    "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}"

  private func files() -> MemoryFileSystem {
    let files = MemoryFileSystem()
    files.put(Array(Self.open.utf8), at: "/m/open.geojson")
    files.put(Array(Self.closed.utf8), at: "/m/closed.geojson")
    files.put(Array("lon,lat,name\n1,2,a\n3,95,b\n4,5,c\n6,7,d\n".utf8), at: "/m/towns.csv")
    return files
  }

  /// Three areas: a gap of 22 m between the first two, and one of their own far away.
  private static let gap = """
    {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"n": 1}, "geometry": {"type": "Polygon", "coordinates": \
    [[[0, 0], [1, 0], [1, 2], [0, 2], [0, 0]]]}},
    {"type":"Feature",  "properties": {"n": 2}, "geometry": {"type": "Polygon", "coordinates": \
    [[[1, 0], [2, 0], [2, 2], [1, 2], [1.0002, 1], [1, 0]]]}},
    {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": \
    [[[5, 0], [6, 0], [6, 2.50], [5, 0]]]},   "properties": {"n": 3}}
    ]}

    """

  @Test func `Narrow gaps are closed, and all else keeps its bytes`() throws {
    let files = files()
    files.put(Array(Self.gap.utf8), at: "/m/gap.geojson")
    #expect(try verb("check --coverage /m/gap.geojson", files).code == .findings)
    let wide = try verb("check --coverage --fix --gap 10m /m/gap.geojson -o /m/a.geojson", files)
    #expect(wide.code == .findings)
    #expect(try files.read("/m/a.geojson", limit: 1 << 20) == Array(Self.gap.utf8))
    let closed = try verb("check --coverage --fix --gap 50m /m/gap.geojson -o /m/b.geojson", files)
    #expect(closed.code == .done, "\(closed.remarks)")
    #expect(closed.output.contains("repaired C801: the gap beside feature 1 is part of this one"))
    let text = String(decoding: try files.read("/m/b.geojson", limit: 1 << 20), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let former = Self.gap.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == former.count)
    let changed = lines.indices.filter { lines[$0] != former[$0] }
    #expect(changed.count == 1)
    #expect(try verb("check --coverage /m/b.geojson", files).code == .done)
    let again = try verb("check --coverage --fix --gap 50m /m/b.geojson -o /m/c.geojson", files)
    #expect(again.code == .done)
    #expect(try files.read("/m/c.geojson", limit: 1 << 20) == Array(text.utf8))
    #expect(throws: (any Error).self) { try Commands.parse("check --gap 5m a.geojson") }
    #expect(throws: (any Error).self) {
      try Commands.parse("check --coverage --fix --gap soon --in-place a.geojson")
    }
    let unitless = try verb("check --coverage --fix --gap 5 /m/gap.geojson -o /m/d.geojson", files)
    #expect(unitless.code == .usage)
  }

  @Test func `In the editor gaps are closed in one step of undo`() throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "areas")
    for ring in [
      [(0.0, 0.0), (1, 0), (1, 2), (0, 2)],
      [(1, 0), (2, 0), (2, 2), (1, 2), (1.0002, 1)],
    ] {
      _ = layer.add(
        geometry: .polygon([ring.map { Coordinate(x: $0.0, y: $0.1) }]), attributes: [],
        isExact: true)
    }
    document.layers = [layer]
    var editor = Editor(document)
    let former = editor.features("areas")
    try editor.run("check --coverage --fix --gap 50m")
    #expect(editor.message == "repaired: 1 gap")
    #expect(editor.features("areas").map(\.geometry) != former.map(\.geometry))
    try editor.run("undo")
    #expect(editor.features("areas").map(\.geometry) == former.map(\.geometry))
    try editor.run("check --coverage --fix --gap 5m")
    #expect(editor.message.hasSuffix("nothing changed"))
    #expect(throws: EditingError.self) { try editor.run("check --fix") }
  }

  @Test func `The exit code tells whether there are faults`() throws {
    #expect(try verb("check /m/closed.geojson", files()).code == .done)
    let found = try verb("check /m/closed.geojson /m/open.geojson", files())
    #expect(found.code == .findings)
    #expect(found.output.hasPrefix("/m/open.geojson:1:62: error G207:"))
    #expect(found.remarks == ["1 error in 1 of 2 files; --fix repairs 1"])
    #expect(try verb("check --ignore G2 /m/open.geojson", files()).code == .done)
    let missing = try verb("check /m/none.geojson /m/open.geojson", files())
    #expect(missing.code == .input)
    #expect(missing.output.contains("G207"))
    #expect(throws: (any Error).self) { try Commands.parse("check --select X9 a.geojson") }
    #expect(throws: (any Error).self) { try Commands.parse("check --fix a.geojson") }
    #expect(try verb("check", files()).code == .usage)
  }

  @Test func `A repair is written in place or elsewhere, and listed`() throws {
    let files = files()
    let fixed = try verb("check --fix --in-place /m/open.geojson", files)
    #expect(fixed.code == .done)
    #expect(fixed.output.contains("repaired G207"))
    #expect(try files.read("/m/open.geojson", limit: 1 << 20) == Array(Self.closed.utf8))
    let other = self.files()
    let piped = try verb("check --fix -o - /m/open.geojson", other)
    #expect(piped.output == Self.closed)
    #expect(piped.remarks.contains { $0.contains("repaired G207") })
    #expect(try verb("check --fix -o /m/closed.geojson /m/open.geojson", other).code == .output)
    #expect(try verb("check --fix --in-place /m/towns.csv", other).code == .unsupported)
  }

  @Test func `Tables are checked as they are read`() throws {
    let found = try verb("check /m/towns.csv --expect 'name != \"a\"' --unique name", files())
    #expect(found.code == .usage)
    let asked = try verb("check /m/towns.csv --expect \"name != 'a'\" --unique name", files())
    #expect(asked.code == .findings)
    #expect(asked.output.contains("/m/towns.csv: feature 1: error T601"))
    #expect(asked.output.contains("/m/towns.csv: feature 2: warning G302"))
    let other = files()
    other.put(Array("lon,lat,name,name\n1,2,a,b\n".utf8), at: "/m/twice.csv")
    let twice = try verb("check /m/twice.csv", other)
    #expect(twice.output.contains("T701") && twice.output.contains("given twice"))
  }

  @Test func `A baseline is written, and hides what it has`() throws {
    let files = files()
    let line = "check --baseline /m/base /m/open.geojson"
    // A missing one hides nothing.
    #expect(try verb(line, files).code == .findings)
    #expect(try verb(line + " --write-baseline", files).code == .done)
    #expect(try verb(line, files).code == .done)
    files.put(Array(Self.open.replacing("4", with: "5").utf8), at: "/m/open.geojson")
    #expect(try verb(line, files).code == .findings)
    files.put(Array("nonsense".utf8), at: "/m/base")
    #expect(try verb(line, files).code == .usage)
  }

  @Test func `A script checks the document that it has made`() throws {
    let files = files()
    var lines: [String] = []
    var runner = HeadlessRunner(world: World(files: files)) { lines.append($0) }
    try runner.run(line: "open /m/closed.geojson")
    try runner.run(line: "check")
    #expect(throws: Failure.self) { try runner.run(line: "check --expect 'false'") }
    #expect(lines.contains("1 error"))
  }
}
