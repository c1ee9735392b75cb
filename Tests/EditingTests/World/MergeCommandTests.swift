import PortolanComparing
import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Merges, conflicts and comparisons through the world and on the desk.
@Suite struct MergeCommandTests {
  typealias Seat = GuardingTests.Seat

  private static func collection(_ features: String...) -> [UInt8] {
    Array(
      ("{\"type\": \"FeatureCollection\", \"features\": [\n" + features.joined(separator: ",\n")
        + "\n]}\n").utf8)
  }

  private static func point(_ id: Int, _ name: String, _ x: Int = 1) -> String {
    "{\"type\": \"Feature\", \"id\": \(id), \"properties\": {\"name\": \"\(name)\", \"n\": \(id)}, "
      + "\"geometry\": {\"type\": \"Point\", \"coordinates\": [\(x), 2.5]}}"
  }

  private static let base = collection(point(1, "a"), point(2, "b"), point(3, "c"))
  private static let ours = collection(point(1, "our"), point(2, "b", 7), point(3, "c"))
  private static let theirs = collection(point(1, "their"), point(3, "cc"), point(4, "new"))

  let files = MemoryFileSystem(files: [
    "/m/base.geojson": Self.base, "/m/ours.geojson": Self.ours,
    "/m/theirs.geojson": Self.theirs, "/m/list.plist": Array("<plist><dict/></plist>".utf8),
    "/m/empty": [],
  ])

  private func verb(_ line: String) -> (failure: Failure?, output: String, remarks: [String]) {
    var remarks: [String] = []
    var failure: Failure?
    var runner = HeadlessRunner(world: World(files: files)) { remarks.append($0) }
    let before = files.output.count
    do {
      try runner.run(try #require(try Commands.parse(line)))
    } catch {
      failure = error as? Failure ?? Failure(error)
    }
    return (failure, String(decoding: files.output[before...], as: UTF8.self), remarks)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  @Test func `a difference is a finding, equal maps of other bytes are not`() throws {
    let difference = verb("diff /m/base.geojson /m/ours.geojson")
    #expect(difference.failure?.code == .findings)
    #expect(difference.output.contains("2 changed, 1 the same"))
    #expect(verb("diff /m/base.geojson /m/base.geojson").failure == nil)
    files.put(
      Array(String(decoding: Self.base, as: UTF8.self).replacing(" ", with: "").utf8),
      at: "/m/dense.geojson")
    let equal = verb("diff /m/base.geojson /m/dense.geojson")
    #expect(equal.failure == nil && equal.output.isEmpty)
    #expect(equal.remarks == ["the maps are equal, their bytes are not"])
    #expect(verb("diff /m/base.geojson /m/list.plist").failure?.code == .usage)
    #expect(verb("diff /m/list.plist /m/list.plist --key n").failure?.code == .usage)
    #expect(verb("diff /m/list.plist /m/list.plist").failure == nil)
  }

  @Test func `documents are compared as maps, with --archive as archives`() throws {
    for name in ["base", "ours"] {
      #expect(verb("import /m/\(name).geojson -o /m/\(name).doc").failure == nil)
    }
    let maps = verb("diff /m/base.doc /m/ours.doc")
    #expect(maps.failure?.code == .findings && maps.output.contains("name: \"a\" → \"our\""))
    #expect(maps.output.contains("was called “base”"))
    #expect(verb("diff /m/base.doc /m/base.geojson").failure == nil)
    let archives = verb("diff --archive /m/base.doc /m/ours.doc")
    #expect(archives.output.contains("@@"))
    #expect(verb("diff --archive /m/base.geojson /m/ours.geojson").failure?.code == .input)
  }

  @Test func `the JSON of a difference makes the new file`() throws {
    let difference = verb("diff /m/base.geojson /m/theirs.geojson --format json")
    files.put(Array(difference.output.utf8), at: "/m/d.json")
    #expect(verb("patch /m/base.geojson /m/d.json").output.utf8.elementsEqual(Self.theirs))
    let other = verb("patch /m/ours.geojson /m/d.json -o /m/x")
    #expect(other.failure?.code == .input && !files.exists("/m/x"))
    let map = verb("diff /m/base.geojson /m/theirs.geojson --format geojson")
    #expect(map.output.contains("\"portolan:change\":\"removed\""))
  }

  @Test func `a merge tells its conflicts and writes all the same`() throws {
    let merged = verb("merge /m/base.geojson /m/ours.geojson /m/theirs.geojson -o /m/out.geojson")
    #expect(merged.failure?.code == .findings)
    #expect(
      merged.remarks == [
        "/m/out.geojson: conflict: feature 1 “our” (id 1): name",
        "/m/out.geojson: conflict: feature 2 “b” (id 2): removed by theirs, changed by ours",
      ])
    #expect(try text("/m/out.geojson").contains(Self.point(3, "cc") + ",\n" + Self.point(4, "new")))
    let clean = verb("merge /m/empty /m/ours.geojson /m/empty")
    #expect(clean.failure == nil && clean.output.utf8.elementsEqual(Self.ours))
    #expect(verb("merge /m/empty /m/ours.geojson /m/list.plist").failure?.code == .unsupported)
    #expect(verb("merge /m/base.geojson /m/ours.geojson /m/empty --geometry no").failure != nil)
  }

  @Test func `documents are merged with their conflicts, which scripts decide`() throws {
    #expect(verb("import /m/base.geojson --as towns -o /m/base.doc").failure == nil)
    for (name, edits) in [
      ("ours", ["go name a", "set name=our", "go name b", "set n=20"]),
      ("theirs", ["go name a", "set name=their", "go name b", "delete", "go name c", "set n=33"]),
    ] {
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      try runner.run(
        script: (["open /m/base.doc"] + edits + ["save /m/\(name).doc"])
          .joined(separator: "\n"), name: "s")
    }
    let merged = verb("merge /m/base.doc /m/ours.doc /m/theirs.doc -o /m/out.doc")
    #expect(merged.failure?.code == .findings, "\(merged)")
    #expect(merged.remarks.count == 2, "\(merged.remarks)")
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(
      script: "open /m/out.doc\nconflict list\nresolve theirs --all\nsave", name: "s")
    let output = String(decoding: files.output, as: UTF8.self)
    #expect(
      output.contains("name: ours “our”, theirs “their”, before “a”\n")
        && output.contains("changed by ours, removed by theirs; n: 2 → 20\n"), "\(output)")
    let document = try DocumentFile.open(files.read("/m/out.doc", limit: 1 << 20)).document
    #expect(document.conflicts.isEmpty && document.layers.first?.count == 2)
    let words = verb("query /m/out.doc --fields name,n --format csv").output
    #expect(words == "name,n\r\ntheir,1\r\nc,33\r\n" || words == "name,n\ntheir,1\nc,33\n")
  }

  @Test func `conflicts of a file are walked, shown and decided`() throws {
    _ = verb("merge /m/base.geojson /m/ours.geojson /m/theirs.geojson -o /m/out.geojson")
    var seat = Seat(files)
    try seat.run("open /m/out.geojson")
    #expect(seat.message.contains("2 conflicts"))
    try seat.press("]c")
    #expect(
      seat.message.contains("conflict 1 of 2: name: ours “our”, theirs “their”, before “a”"),
      "\(seat.message)")
    let current = try #require(seat.desk.selection.currentFeature)
    let rows = SelectionPanel.rows(seat.desk, try #require(seat.desk.document.feature(current)))
    #expect(rows.prefix(3).map(\.value) == ["our", "“their”", "“a”"])
    #expect(seat.desk.theirsShown != nil)
    try seat.run("resolve theirs")
    #expect(seat.message.contains("1 left"))
    try seat.press("]c")
    #expect(
      seat.message.contains("conflict 1 of 1: changed by ours, removed by theirs"),
      "\(seat.message)")
    try seat.run("resolve ours")
    #expect(seat.message.contains("none is left"))
    #expect(throws: EditingError.self) { try seat.run("resolve ours") }
    try seat.run("save")
    let expected = Self.collection(
      Self.point(1, "their"), Self.point(2, "b", 7), Self.point(3, "cc"), Self.point(4, "new"))
    #expect(try files.read("/m/out.geojson", limit: 1 << 20) == expected)
    try seat.run("undo 2")
    #expect(seat.desk.document.conflictPlaces.count == 2)
    try seat.run("resolve both --all")
    #expect(seat.desk.document.layers.first?.count == 5)
    #expect(seat.desk.document.conflictPlaces.isEmpty)
  }

  @Test func `an attribute called geometry is not shown in place of the shape`() throws {
    for (name, x) in [("base", 1), ("ours", 2), ("theirs", 3)] {
      let feature =
        "{\"type\": \"Feature\", \"id\": 1, \"properties\": {\"geometry\": \"g\"}, "
        + "\"geometry\": {\"type\": \"Point\", \"coordinates\": [\(x), 0]}}"
      files.put(Self.collection(feature), at: "/m/\(name).geojson")
    }
    _ = verb("merge /m/base.geojson /m/ours.geojson /m/theirs.geojson -o /m/out.geojson")
    var seat = Seat(files)
    try seat.run("open /m/out.geojson")
    try seat.press("]c")
    #expect(
      seat.message.contains(
        "conflict 1 of 1: geometry (ours to theirs: 1 vertex moved 111.3 km); :resolve"),
      "\(seat.message)")
  }

  @Test func `a file that another program wrote is merged with the edits`() throws {
    var seat = Seat(files)
    try seat.run("open /m/base.geojson")
    try seat.run("go name b")
    try seat.run("set n=22")
    files.put(Self.theirs, at: "/m/base.geojson")
    try seat.run("save")
    let question = try #require(seat.desk.question)
    #expect(question.choices.contains { $0.line == "revert --merge" })
    try seat.press("b")
    #expect(seat.message.contains("1 conflict"), "\(seat.message)")
    #expect(seat.desk.document.conflictPlaces.count == 1)
    try seat.run("resolve ours --all")
    try seat.run("save")
    #expect(!seat.desk.isEdited, "\(seat.message)")
    let saved = try text("/m/base.geojson")
    #expect(saved.contains("\"n\": 22") && saved.contains("their") && saved.contains("\"new\""))
    #expect(!saved.contains(ConflictText.name))
  }

  @Test func `a comparison is drawn until the next edit`() throws {
    var seat = Seat(files)
    try seat.run("open /m/ours.geojson")
    try seat.run("compare /m/base.geojson")
    #expect(seat.message.contains("2 changed, 1 the same"), "\(seat.message)")
    #expect(seat.desk.comparison?.layers.map(\.name) == ["changed, before", "changed"])
    try seat.run("compare --list")
    #expect(seat.desk.help?.lines.contains { $0.contains("name: \"a\" → \"our\"") } == true)
    try seat.press("<esc>")
    try seat.run("go name c")
    try seat.run("set n=5")
    #expect(seat.desk.comparison == nil)
    try seat.run("compare")
    #expect(seat.message.contains("3 changed"))
    try seat.run("compare --off")
    #expect(seat.desk.comparison == nil)
  }

  @Test func `a review has a map before and after each change`() throws {
    let text = verb("review /m/base.geojson /m/theirs.geojson")
    #expect(text.failure == nil && text.output.contains("~ feature 1 “their” (id 1)"))
    #expect(text.output.contains("not there"))
    let page = verb("review /m/base.geojson /m/theirs.geojson -o /m/r.html")
    #expect(page.failure == nil)
    let html = try self.text("/m/r.html")
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.contains("default-src 'none'"))
    #expect(html.split(separator: "<section").count == 5)
    #expect(html.split(separator: "<img ").count == 7)
    #expect(!html.contains("http://") && !html.contains("https://"))
    #expect(verb("review a..b -- /m/base.geojson").failure?.code == .unsupported)
    #expect(verb("review /m/base.geojson /m/theirs.geojson -o /m/r.pdf").failure?.code == .usage)
  }
}
