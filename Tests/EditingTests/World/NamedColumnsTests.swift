import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Tables whose columns are named by flags, and separators of exports.
@Suite struct NamedColumnsTests {
  typealias Seat = GuardingTests.Seat

  private static let table = "key,E,N,name\n\"k1\",1,2,Ulm\nk2,3,4,\"Bonn\"\n"
  private static let flags = "--x-column e --y-column N --id-column key"

  private let files = MemoryFileSystem(files: [
    "/m/t.csv": Array(Self.table.utf8), "/m/plain": Array(Self.table.utf8),
    "/m/a.geojson": Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8),
  ])

  private func text(_ path: String) throws -> String {
    String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  private func layer(_ seat: Seat) throws -> FeatureLayer {
    try #require(seat.desk.document.layers.last as? FeatureLayer)
  }

  @Test(arguments: ["open /m/t.csv", "import /m/t.csv", "open /m/plain"])
  func `Named columns are positions and ids`(line: String) throws {
    var seat = Seat(files)
    try seat.run("\(line) \(Self.flags)")
    let feature = try #require(layer(seat).feature(FeatureID(2)))
    #expect(feature.geometry == .point(Coordinate(x: 3, y: 4)))
    #expect(feature.identifier == .string("k2"))
    #expect(feature.attributes.map(\.name) == ["name"])
  }

  @Test(arguments: ["/m/t.csv", "/m/plain"])
  func `A table opened so is saved and read again so`(path: String) throws {
    var seat = Seat(files)
    try seat.run("open \(path) \(Self.flags)")
    try seat.run("save")
    #expect(try text(path) == Self.table, "\(seat.message)")
    try seat.run("go name Ulm")
    try seat.run("set name=Neu-Ulm")
    try seat.run("save")
    #expect(seat.desk.question == nil)
    #expect(try text(path) == Self.table.replacing("Ulm", with: "Neu-Ulm"))
    files.put(Array(Self.table.replacing("Ulm", with: "Urm").utf8), at: path)
    try seat.look()
    #expect(seat.message.contains("read again"), "\(seat.message)")
    #expect(try layer(seat).feature(FeatureID(2))?.identifier == .string("k2"))
    // Opened without names it is read by its own.
    try seat.run("open /m/a.geojson")
    if path == "/m/t.csv" {
      try seat.run("open \(path)")
      #expect(seat.message.contains("--x-column"), "\(seat.message)")
    }
  }

  @Test func `A name that no column has is an error that lists them`() throws {
    for flag in ["--x-column lon", "--y-column lat", "--x-column E --y-column N --id-column no"] {
      var seat = Seat(files)
      try seat.run("open /m/t.csv \(flag)")
      #expect(seat.message.contains("there are key, E, N, name"), "\(seat.message)")
    }
  }

  @Test func `Columns are named of tables only`() throws {
    var seat = Seat(files)
    try seat.run("save /m/d.doc")
    for line in ["open /m/a.geojson", "import /m/a.geojson", "import /m/d.doc"] {
      try seat.run("\(line) --x-column E")
      #expect(seat.message.contains("is no table"), "\(line): \(seat.message)")
    }
    #expect(throws: EditingError.self) { try seat.run("export -o /m/x.csv --x-column E") }
    #expect(throws: EditingError.self) { try seat.run("info --id-column E") }
  }

  @Test(arguments: [("semicolon", ";"), (";", ";"), ("tab", "\t"), ("bar", "|"), ("comma", ",")])
  func `An export has the separator that is asked for`(word: String, separator: String) throws {
    var seat = Seat(files)
    try seat.run("open /m/t.csv --x-column E --y-column N")
    try seat.run("export -o /m/x.csv --separator '\(word)'")
    #expect(try text("/m/x.csv").hasPrefix("key,E,N,name\n".replacing(",", with: separator)))
    #expect(throws: EditingError.self) { try seat.run("export -o /m/x.geojson --separator ;") }
    #expect(throws: EditingError.self) { try seat.run("export -o /m/y.csv --separator x") }
  }

  @Test func `The flags are completed`() throws {
    var editor = Editor()
    try editor.press(":open a.csv --x<tab>")
    #expect(editor.desk.prompt?.line.text == "open a.csv --x-column ")
    try editor.press("<esc>:export --separator <tab>")
    #expect(editor.desk.prompt?.completions == ["bar", "comma", "semicolon", "tab"])
  }
}
