import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import Testing

@testable import PortolanEditing

/// Sources that layers keep, and reading them again.
@Suite struct RefreshTests {
  typealias Seat = GuardingTests.Seat

  private static func table(_ rows: String...) -> [UInt8] {
    Array((["id;name;lon;lat"] + rows).joined(separator: "\n").utf8)
  }

  private static let first = table("1;a;1;1", "2;b;2;2", "3;c;3;3")
  private static let second = table("1;a;1;1", "3;cc;3;3", "4;d;4;4")
  private static let options = "--id-column id --input-separator semicolon --bbox 0,0,9,9"

  let files = MemoryFileSystem(files: ["/m/towns.csv": Self.first])

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

  private func layer(_ path: String) throws -> FeatureLayer {
    let bytes = try files.read(path, limit: 1 << 20)
    return try #require(DocumentFile.open(bytes).document.layers.first as? FeatureLayer)
  }

  private static func names(_ layer: (any Layer)?) -> [String] {
    let blocks = (layer as? any FeatureHolding)?.blocks ?? []
    return blocks.flatMap { block in
      (0..<block.rowCount).map {
        "\(block.featureIDs[$0].rawValue) \(block.attribute("name", row: $0).text)"
      }
    }
  }

  private static let source = LayerOrigin(
    source: "./towns.csv",
    options: ["--bbox=0.0,0.0,9.0,9.0", "--id-column=id", "--input-separator=semicolon"])

  @Test func `An imported layer keeps its source and its options`() throws {
    #expect(verb("import /m/towns.csv \(Self.options) -o /m/a.doc").failure == nil)
    #expect(try layer("/m/a.doc").origin == Self.source)
    #expect(verb("info /m/a.doc").output.contains("  source  /m/towns.csv --bbox=0.0,0.0,9.0,9.0 "))
    let text = verb("info --json /m/a.doc").output
    #expect(text.contains("\"source\":\"/m/towns.csv --bbox"))
  }

  @Test func `A folder with a document and its sources can move`() throws {
    files.put(Self.first, at: "/m/data/more.csv")
    #expect(verb("import /m/data/more.csv \(Self.options) -o /m/a.doc").failure == nil)
    #expect(try layer("/m/a.doc").origin?.source == "./data/more.csv")
    files.put(try files.read("/m/a.doc", limit: 1 << 20), at: "/n/a.doc")
    files.put(Self.second, at: "/n/data/more.csv")
    let moved = verb("refresh /n/a.doc")
    #expect(moved.failure == nil && moved.remarks.last?.contains("1 changed") == true, "\(moved)")
    #expect(try Self.names(layer("/n/a.doc")) == ["1 a", "3 cc", "4 d"])
    // Saved elsewhere, it still names these files.
    files.put([], at: "/k/other")
    _ = verb("refresh /n/a.doc -o /k/a.doc")
    #expect(try layer("/k/a.doc").origin?.source == "/n/data/more.csv")
    #expect(verb("refresh /k/a.doc").remarks.last == "nothing has changed in the sources")
  }

  @Test func `Layers of another document keep their sources`() throws {
    _ = verb("import /m/towns.csv \(Self.options) -o /m/a.doc")
    files.put([], at: "/k/other")
    #expect(verb("import /m/a.doc -o /k/b.doc").failure == nil)
    #expect(try layer("/k/b.doc").origin?.source == "/m/towns.csv")
    #expect(verb("import /m/a.doc -o /m/c.doc").failure == nil)
    #expect(try layer("/m/c.doc").origin == Self.source)
  }

  @Test func `The verb takes what changed, and features keep their numbers`() throws {
    _ = verb("import /m/towns.csv \(Self.options) -o /m/a.doc")
    let before = try layer("/m/a.doc")
    #expect(verb("refresh /m/a.doc").remarks.last == "nothing has changed in the sources")
    files.put(Self.second, at: "/m/towns.csv")
    let dry = verb("refresh /m/a.doc --dry-run")
    #expect(dry.remarks.first?.hasPrefix("towns from /m/towns.csv --bbox") == true, "\(dry)")
    #expect(dry.output.contains("name: \"c\" → \"cc\""), "\(dry)")
    #expect(try Self.names(layer("/m/a.doc")) == Self.names(before))
    let done = verb("refresh /m/a.doc")
    #expect(done.failure == nil && done.remarks.last == "1 changed, 1 added, 1 removed, 1 the same")
    let after = try layer("/m/a.doc")
    #expect(Self.names(after) == ["1 a", "3 cc", "4 d"])
    #expect(after.origin == before.origin && after.style.content == before.style.content)
    _ = verb("refresh /m/a.doc -o /m/b.doc")
    #expect(try Self.names(layer("/m/b.doc")) == Self.names(after))
  }

  @Test func `In the editor it asks, shows, and is taken as one step`() throws {
    _ = verb("import /m/towns.csv \(Self.options) -o /m/a.doc")
    files.put(Self.second, at: "/m/towns.csv")
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    #expect(Self.names(seat.desk.document.layers.first) == ["1 a", "2 b", "3 c"])
    try seat.run("refresh")
    let question = try #require(seat.desk.question)
    #expect(question.text.hasPrefix("towns from /m/towns.csv --bbox="))
    try seat.press("n")
    #expect(seat.desk.question == nil && seat.desk.work.refreshed == nil)
    try seat.run("refresh towns")
    try seat.press("r")
    #expect(seat.message.contains("1 changed, 1 added, 1 removed"), "\(seat.message)")
    #expect(seat.desk.comparison?.layers.isEmpty == false && !seat.desk.isEdited)
    try seat.run("refresh --take")
    #expect(Self.names(seat.desk.document.layers.first) == ["1 a", "3 cc", "4 d"])
    try seat.run("undo")
    #expect(Self.names(seat.desk.document.layers.first) == ["1 a", "2 b", "3 c"])
    #expect(throws: EditingError.self) { try seat.run("refresh --take") }
    try seat.run("refresh --forget")
    #expect(throws: EditingError.self) { try seat.run("refresh") }
  }

  @Test func `What was read is not taken into an edited map`() throws {
    _ = verb("import /m/towns.csv \(Self.options) -o /m/a.doc")
    files.put(Self.second, at: "/m/towns.csv")
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("refresh --read")
    try seat.run("go name b")
    try seat.run("set name=x")
    let error = #expect(throws: EditingError.self) { try seat.run("refresh --take") }
    #expect(error?.message.contains("edited since") == true)
  }

  @Test func `A source with options that are none of import is refused`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "evil", style: Style(name: "x", mark: .init()))
    layer.origin = LayerOrigin(source: "/m/towns.csv", options: ["--as=x", "--frobnicate"])
    document.layers.append(layer)
    files.put(try DocumentFile.bytes(of: document), at: "/m/evil.doc")
    let failure = verb("refresh /m/evil.doc").failure
    #expect(failure?.what.contains("cannot be read again") == true, "\(failure as Any)")
    #expect(verb("refresh /m/towns.csv").failure != nil && verb("refresh").failure?.code == .usage)
  }

  private func put(_ layers: (name: String, source: String)..., at path: String) throws {
    var document = Document()
    for (name, source) in layers {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: name, style: Style(name: "x", mark: .init()))
      layer.origin = LayerOrigin(source: source)
      document.layers.append(layer)
    }
    files.put(try DocumentFile.bytes(of: document), at: path)
  }

  @Test func `The verb asks a database with --read only`() throws {
    try put(("evil", "PG:host=/nowhere dbname=x"), at: "/m/evil.doc")
    for words in ["", " --dry-run", " -o -"] {
      let failure = verb("refresh /m/evil.doc" + words).failure
      #expect(failure?.what.contains("--read") == true, "\(failure as Any)")
      #expect(failure?.what.contains("evil from PG:host=/nowhere") == true, "\(failure as Any)")
    }
  }

  @Test(arguments: ["-", "towns.csv", "/dev/fd/0", "/m"])
  func `A source that is no file is not read`(source: String) throws {
    try put(("evil", source), at: "/m/evil.doc")
    let failure = verb("refresh /m/evil.doc").failure
    #expect(failure?.what.contains("no file to be read again") == true, "\(failure as Any)")
  }

  @Test func `An answer reads the layers that were shown`() throws {
    try put(
      ("a,b", "/m/towns.csv"), ("x.doc", "/m/towns.csv"), ("a", "/m/none.csv"), at: "/m/odd.doc")
    var seat = Seat(files)
    try seat.run("open /m/odd.doc")
    try seat.run("refresh --forget a")
    try seat.run("refresh")
    #expect(try #require(seat.desk.question).text.hasPrefix("a,b from /m/towns.csv; x.doc from"))
    try seat.press("r")
    #expect(seat.desk.work.refreshed?.layers.map(\.name) == ["a,b", "x.doc"], "\(seat.message)")
    #expect(throws: EditingError.self) { try seat.run("refresh --shown") }
  }

  @Test func `A document without a source has nothing to refresh`() throws {
    files.put(try DocumentFile.bytes(of: Document()), at: "/m/empty.doc")
    #expect(verb("refresh /m/empty.doc").failure?.what.contains("no layer has a source") == true)
  }

  @Test func `Files know no condition of databases`() {
    let failure = verb("import /m/towns.csv --where 'a > 1' -o /m/x.doc").failure
    #expect(failure?.code == .usage && failure?.what.contains("for databases") == true)
    #expect(verb("import /m/towns.csv --limit 0 -o /m/x.doc").failure?.code == .usage)
  }

  @Test func `No password is shown or kept`() throws {
    let line = "PG:host=/nowhere dbname=x password=sesame"
    let told = verb("import '\(line)'").failure
    #expect(told?.code == .usage && "\(told as Any)".contains("sesame") == false)
    #expect(InputName.shown(line) == "PG:host=/nowhere dbname=x")
    let request = ImportRequest(path: line)
    #expect(!request.name.contains("sesame"))
    var seat = Seat(files)
    seat.desk.remember("import '\(line)'", .command)
    seat.desk.remember("import postgresql://a:sesame@h/x", .command)
    #expect((seat.desk.session.promptHistory[.command] ?? []).isEmpty)
    seat.desk.remember("import PG:dbname=x", .command)
    #expect(seat.desk.session.promptHistory[.command] == ["import PG:dbname=x"])
  }
}
