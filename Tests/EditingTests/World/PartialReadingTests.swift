import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// A verb says the same of a document whether it reads the whole file or the parts it needs.
@Suite struct PartialReadingTests {
  /// A map of shapes of every kind, in several blocks, with attributes that some features lack.
  private func map(_ random: inout SeededGenerator) -> String {
    var features: [String] = []
    let isOfPoints = Int.random(in: 0..<4, using: &random) == 0
    for number in 0..<150 {
      let x = Double.random(in: -178...178, using: &random).rounded()
      let y = Double.random(in: -80...80, using: &random).rounded()
      let size: Double = Bool.random(using: &random) ? 0.5 : 9
      let far: Double = number % 97 == 3 ? (x < 0 ? 179.5 : -179.5) : x + size
      let line = "[[\(x),\(y)],[\(far),\(y)],[\(x + size / 2),\(y + size)]"
      let geometry =
        switch isOfPoints ? 0 : Int.random(in: 0..<5, using: &random) {
        case 0: #"{"type":"Point","coordinates":[\#(x),\#(y)]}"#
        case 1: #"{"type":"LineString","coordinates":\#(line)]}"#
        case 2: #"{"type":"Polygon","coordinates":[\#(line),[\#(x),\#(y)]]]}"#
        case 3: #"{"type":"LineString","coordinates":[[\#(x),\#(y),5],[\#(x + 1),\#(y),7]]}"#
        default: "null"
        }
      let late = number > 110 ? #","late":"x\#(number)""# : ""
      features.append(
        #"{"type":"Feature","properties":{"n":\#(number),"name":"f \#(number)"\#(late)},"#
          + #""geometry":\#(geometry)}"#)
    }
    return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n") + "]}"
  }

  /// What a line prints and writes, and whether it left coordinates in the file.
  private func answer(
    _ line: String, _ files: MemoryFileSystem, inParts: Bool
  ) throws -> (said: [String], isPart: Bool) {
    var options = World.Options()
    options.partialReading.countMin = inParts ? 1 : .max
    options.partialReading.settlingTime = 0
    let before = files.output.count
    var said: [String] = []
    var runner = HeadlessRunner(world: World(files: files, options: options), verbosity: .verbose) {
      said.append($0)
    }
    let command = try #require(try Commands.parse(line))
    do throws(Failure) {
      try runner.run(command)
    } catch {
      said.append("failed: \(error)")
    }
    let holding = runner.desk.document.layers.compactMap { $0 as? any FeatureHolding }
    let isPart = holding.contains { $0.blocks.contains { $0.geometry.isOutline } }
    said.append(String(decoding: files.output.dropFirst(before), as: UTF8.self))
    return (said, isPart)
  }

  @Test(arguments: Seeds.some(1))
  func `Every verb says the same of a part and of the whole`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let files = MemoryFileSystem(files: ["/m.geojson": Array(map(&random).utf8)])
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    let importing = try #require(try Commands.parse("import /m.geojson -o /m.doc"))
    try runner.run(importing)
    var lines = [
      "info /m.doc", "info --json /m.doc", "query /m.doc --format json",
      "query /m.doc 'n > 40 and late is null' --fields n,name --sort -n",
      "query /m.doc --by late --format csv", "query /m.doc '$area > 0' --fields n,$x",
      "query /m.doc --fields n,$id,$type --limit 9", "query /m.doc 'late like \"x%\"'",
      "query /m.doc 'nmae > 3' --fields n", "query /m.doc --by 'name,late' --fields 'c=count()'",
      "query /m.doc 'n > mean(n)' --format count", "export /m.doc --where 'n > 100'",
      "export /m.doc --where \"late is null and n < 9\" --format csv",
      "export /m.doc --where 'late is not null' --format gpkg -o -",
      "export /m.doc --where 'n < 0' --format ndjson", "export /m.doc --where 'nosuch < 0'",
      "export /m.doc --where 'n > mean(n)' --format ndjson",
      "export /m.doc --where '$x > 0' --format ndjson",
      "export /m.doc --where 'n > 100' --crs EPSG:3857",
      "query /m.doc 'n > 40' --format count", "query /m.doc --format count",
      "query /m.doc --fields n,name --format count --limit 3", "query /m.doc --limit 4",
      "query /m.doc 'n > 100' --fields 'n,a=$area,l=round($length),b=$bearing'",
      "query /m.doc 'n > 100' --fields 'a=sum($area),l=max($length)'",
      "query /m.doc 'late is null' --by name --fields 'n=count(),v=sum($vertices)' --limit 5",
      "query /m.doc '$x > 0 and $y < 0' --fields 'n,$bbox,$vertices' --sort -$x",
      "query /m.doc '$vertices > 2 and n > 50' --fields '$type,n' --format csv",
      "info /m.doc --where 'n > 100'", "info /m.doc --where '$x > 0'",
      "info /m.doc --where '$area > 0'", "info /m.doc --where 'n > mean(n)'",
      "statistics /m.doc n", "statistics /m.doc n late --json --where 'late is null'",
      "statistics /m.doc --where '$type == \"Point\"'", "statistics /m.doc nosuch",
      "frequency /m.doc late --where 'n > 100'", "frequency /m.doc name --limit 4 --format csv",
      "describe /m.doc --where 'n > 100'", "describe /m.doc --where 'late is null' --json",
      "describe /m.doc --where '$x > 0'",
      "export /m.doc --where 'n % 7 < 3' --format ndjson",
      "export /m.doc --where 'n % 2 == 0' --fields 'n,twice=n * 2' --format csv",
      "export /m.doc --where 'n % 2 == 0' --fields 'n,a=$area' --format csv",
      "export /m.doc --where 'n > 100' --fields 'n,m=max(n),t=$type' --format ndjson",
      "export /m.doc --where 'n % 3 > 0' --format gpkg -o -",
      "query /m.doc 'n > 40' --limit 3 --format json", "query /m.doc --limit 0 --format csv",
      "query /m.doc 'n % 7 == 3' --fields late,n --limit 2",
      "query /m.doc 'n > 9' --fields 'n,m=n * 2' --limit 2",
      "query /m.doc 'n > 9' --fields nosuch --limit 2", "query /m.doc 'nosuch > 9' --limit 2",
      "query /m.doc --layers m --fields n --limit 500 --format csv",
      "query /m.doc nosuch=1", "query /m.doc --fields 'm=max(n)' --limit 1",
    ]
    for _ in 0..<2 {
      let (x, y) = (
        Int.random(in: -180..<170, using: &random), Int.random(in: -80..<70, using: &random)
      )
      let box = "\(x),\(y),\(Bool.random(using: &random) ? x + 20 : x - 9),\(y + 15)"
      for format in ["geojson", "ndjson", "geojsonseq", "csv", "tsv", "gpkg", "shapefile"] {
        lines.append("export /m.doc --bbox \(box) --format \(format)")
      }
      lines.append("export /m.doc --bbox \(box) --rfc7946")
      lines.append("export /m.doc --bbox \(box) --precision 0")
      lines.append("export /m.doc --bbox \(box) --crs EPSG:3857")
      lines.append("export /m.doc --bbox \(box) --where 'n > 100' --format csv")
    }
    lines.append("export /m.doc --bbox 179,89,179.5,89.5")
    var parts = 0
    for line in lines {
      let whole = try answer(line, files, inParts: false)
      let part = try answer(line, files, inParts: true)
      #expect(whole.said == part.said, "\(line)")
      #expect(!whole.isPart)
      parts += part.isPart ? 1 : 0
    }
    #expect(parts >= 20)
  }

  @Test func `A large layer is drawn from its file as from memory`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "tracks", style: .standard(forDimension: 1, index: 0))
    for number in 0..<5 {
      let line = (0..<110_000).map {
        Coordinate(x: Double($0) / 1_000 - 60, y: Double($0 % 97) / 10 + Double(number * 9))
      }
      _ = layer.add(geometry: .line(line), attributes: [("n", .number("\(number)"))])
    }
    layer.style = layer.style.changed { $0.labelField = nil }
    document.layers.append(layer)
    let files = MemoryFileSystem(files: ["/m.doc": try DocumentArchive.bytes(of: document)])
    for (line, isDrawnFromFile) in [
      ("render /m.doc", true), ("render /m.doc --size 120x40 --title T --scalebar", true),
      ("render /m.doc --bbox=-20,0,0,30", true), ("render /m.doc --zoom 9", true),
      ("render /m.doc --projection equal-earth --glyphs ascii", true),
      ("render /m.doc --color always --paper light", true), ("render /m.doc --hide tracks", true),
      ("render /m.doc --legend", false), ("render /m.doc --where 'n > 1'", false),
      ("render /m.doc --base coast", false), ("render /m.doc --format svg", false),
    ] {
      let whole = try answer(line, files, inParts: false)
      let part = try answer(line, files, inParts: true)
      #expect(whole.said == part.said, "\(line)")
      #expect(part.isPart == isDrawnFromFile, "\(line)")
    }
  }

  @Test(.enabled(if: Database.isFound, "SQLite is not installed"), arguments: Seeds.some(2))
  func `Every verb says the same of the rows of a GeoPackage that its index finds`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let files = MemoryFileSystem(files: ["/m.geojson": Array(map(&random).utf8)])
    for line in ["export /m.geojson -o /m.gpkg", "import /m.gpkg -o /m.doc"] {
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      try runner.run(try #require(try Commands.parse(line)))
    }
    for number in 0..<6 {
      let x = Int.random(in: -190..<190, using: &random)
      let y = Int.random(in: -80..<70, using: &random)
      let east = Bool.random(using: &random) || x < -171 ? x + 20 : x - 9
      let box = number == 0 ? "179,89,179.5,89.5" : "\(x),\(y),\(east),\(y + 15)"
      for words in [
        "export FILE --bbox \(box) --format ndjson",
        "export FILE --bbox \(box) --where 'n > 70' --fields n --format gpkg -o -",
        "export FILE --bbox \(box) --where 'n > mean(n)' --format ndjson",
        "export FILE --bbox \(box) --fields 'n,late,m=max(n)' --format ndjson",
        "export FILE --clip \(box) --format ndjson", "export FILE --bbox \(box) --limit 2",
        "export FILE --bbox \(box) --crs EPSG:3857", "query FILE --bbox \(box) --format count",
        "query FILE --bbox \(box) --fields 'n,late,$id,$bbox'",
        "query FILE --bbox \(box) --fields 'a=mean(n)'", "query FILE nosuch=1 --bbox \(box)",
        "query FILE --bbox \(box) --by late", "query FILE --bbox \(box) --fields nosuch",
      ] {
        let both = try ["/m.gpkg", "/m.doc"].map { path in
          try answer(words.replacing("FILE", with: path), files, inParts: false).said
            .map { $0.replacing(path, with: "FILE") }
        }
        // A GeoPackage declares what shapes there may be, and a document does not.
        let isEmpty = both[0].contains { $0.contains("no feature") }
        if words.contains("gpkg"), isEmpty { continue }
        #expect(both[0] == both[1], "\(words)")
      }
    }
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(try #require(try Commands.parse("export /m.gpkg --bbox 0,0,9,9 -o /x.csv")))
    let layer = try #require(runner.desk.document.layers.first as? any FeatureHolding)
    #expect(layer.count < 100, "the index was not asked")
  }
}
