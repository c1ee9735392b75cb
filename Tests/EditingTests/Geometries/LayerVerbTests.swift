import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import Testing

@testable import PortolanEditing

/// The verbs of the program that make a map of others.
@Suite struct LayerVerbTests {
  private static func feature(_ head: String, _ code: String, _ n: Int, _ ring: String) -> String {
    let shape = ring.isEmpty ? "null" : #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
    return #"{"type":"Feature",\#(head),"properties":{"code":"\#(code)","n":\#(n)},"#
      + #""geometry":\#(shape)}"#
  }

  private static let map = """
    {"type":"FeatureCollection","features":[
    \(feature(#""id":1,"note":"kept""#, "01", 5, "[0,0],[4,0],[4,4],[0,4],[0,0]")),
    \(feature(#""id":2"#, "02", 6, "[4,0],[8,0],[8,4],[4,4],[4,0]")),
    \(feature(#""id":3"#, "X/y", 7, "")),
    \(feature(#""id":4"#, "x/Y", 7, "[20,20],[22,22],[22,20],[20,22],[20,20]"))
    ]}
    """

  private static func points(_ keys: String...) -> String {
    let features = keys.map {
      #"{"type":"Feature","properties":{"k":"\#($0)"},"geometry":null}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private static let kinds = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":7,"properties":{"k":"A","b":true,"l":[1,2],"o":{"x":1},"z":null,\
    "t":"true"},\
    "geometry":{"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","id":8,"properties":{"k":"e\u{301}","b":false,"s":"007"},\
    "geometry":{"type":"Point","coordinates":[3,4]}},
    {"type":"Feature","id":9,"properties":{"k":"\u{e9}","b":false,"n":1.50},\
    "geometry":{"type":"Point","coordinates":[3,4]}}
    ]}
    """

  /// Two areas with lines, in collections.
  private static let mixed =
    #"{"type":"FeatureCollection","features":["#
    + [0, 1].map { x in
      #"{"type":"Feature","properties":{"n":"a"},"geometry":{"type":"GeometryCollection","#
        + #""geometries":[{"type":"Polygon","coordinates":[[[\#(x),0],[\#(x + 1),0],"#
        + #"[\#(x + 1),1],[\#(x),1],[\#(x),0]]]},"#
        + #"{"type":"LineString","coordinates":[[\#(x),5],[\#(x),6]]}]}}"#
    }.joined(separator: ",") + "]}"

  private static let plane =
    #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","#
    + #""coordinates":[[-179,0],[179,0],[179,50]]}}"#

  /// Points with a box of all; values that are odd as names of files.
  private static let boxed =
    #"{"type":"FeatureCollection","bbox":[1,1,9,9],"features":["#
    + [("-", 1), ("b", 9), ("{format}", 2), ("geojson", 3)].map { value, x in
      #"{"type":"Feature","properties":{"k":"\#(value)"},"#
        + #""geometry":{"type":"Point","coordinates":[\#(x),\#(x)]}}"#
    }.joined(separator: ",") + "]}"

  private struct Run {
    var output = ""
    var words: [String] = []
    var failure: Failure?
    var files: MemoryFileSystem
  }

  private func run(_ line: String, and more: [String: String] = [:]) throws -> Run {
    var texts = [
      "/m/map.geojson": Self.map, "/m/t.csv": "key,v,n\n1,a,1\n2,b,2\n2,c,3\n9,d,4\n,e,5\n",
      "/m/u.csv": "code,n\n01,5\n02,60\n03,1\n", "/m/twice.csv": "code,n\n01,1\n01,2\n",
      "/m/same.csv": "code,n\n01,1\n01,1\n", "/m/thrice.csv": "code,n\n01,1\n01,1\n01,2\n",
      "/m/zeros.csv": "n,v\n06,1\n06,2\n007,9\n",
      "/m/a.geojson": Self.points("A", "B"), "/m/b.geojson": Self.points("C", "D"),
      "/m/kinds.geojson": Self.kinds,
      "/m/letters.csv": "k,v\nA,1\nB,2\nC,3\nD,4\n", "/m/bc.csv": "k,v\nB,2\nC,3\n",
      "/m/mixed.geojson": Self.mixed, "/m/plane.geojson": Self.plane,
      "/m/boxed.geojson": Self.boxed, "/m/taken-b.geojson": "here",
      "/m/box.geojson":
        #"{"type":"Polygon","coordinates":[[[2,-1],[6,-1],[6,2],[2,2],[2,-1]]]}"#,
    ]
    texts.merge(more) { $1 }
    let files = MemoryFileSystem(files: texts.mapValues { Array($0.utf8) })
    var words: [String] = []
    var made = Run(files: files)
    var runner = HeadlessRunner(world: World(files: files)) { words.append($0) }
    let command = try #require(try Commands.parse(line))
    do throws(Failure) { try runner.run(command) } catch { made.failure = error }
    made.output = String(decoding: files.output, as: UTF8.self)
    made.words = words
    return made
  }

  private func text(_ path: String, _ run: Run) throws -> String {
    String(decoding: try run.files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  @Test(arguments: [
    ("clip a.geojson -o b.geojson -- -175,0,-171,5", ["a.geojson", "-175,0,-171,5"]),
    ("clip -- -175,0,-171,5", ["-175,0,-171,5"]),
    ("buffer a.geojson -- -5m", ["a.geojson", "-5m"]),
    ("difference a.geojson -- -1,0,1,5", ["a.geojson", "-1,0,1,5"]),
  ])
  func `Words that begin as options do may follow two hyphens`(line: String, words: [String]) throws
  {
    #expect(try #require(Commands.parse(line) as? any LayerVerb).words == words)
  }

  @Test func `What is cut keeps its attributes, and what is not its bytes`() throws {
    let made = try run("clip /m/map.geojson /m/box.geojson -o -")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.output.contains(#""id":1,"note":"kept","properties":{"code":"01","n":5}"#))
    #expect(made.words.contains { $0.contains("nothing is left of 1 feature") }, "\(made.words)")
    #expect(made.words.contains { $0.contains("invalid shapes") } == false)
    let whole = try run("clip /m/map.geojson 0,-1,9,9")
    let line = Self.map.split(separator: "\n")[1].dropLast()
    #expect(whole.output.contains(line), "\(whole.output)")
  }

  @Test func `Invalid shapes are repaired and counted`() throws {
    let made = try run("make-valid /m/map.geojson -o /m/out.geojson")
    #expect(made.words.contains { $0.contains("repaired first (make-valid): 1 feature") })
    let text = try text("/m/out.geojson", made)
    #expect(text.contains(Self.map.split(separator: "\n")[2].dropLast()))
    #expect(text.contains("MultiPolygon"))
  }

  @Test func `An invalid area is repaired by dissolve, alone in its group too`() throws {
    let made = try run("dissolve /m/map.geojson --by code -o -")
    #expect(made.words.contains { $0.contains("repaired first (make-valid): 1 feature") })
    #expect(made.output.contains("MultiPolygon") && !made.output.contains("[22,20],[20,22]"))
    // A valid one keeps its positions.
    #expect(made.output.contains("[[[0,0],[4,0],[4,4],[0,4],[0,0]]]"))
  }

  @Test func `A table of a merge with conflicts says that it lacks them`() throws {
    let conflict =
      #"{"type":"Feature","properties":{"k":1},"geometry":{"type":"Point","coordinates":[1,2]},"#
      + #""portolan:conflict":{"base":null,"theirs":{"type":"Feature"}}}"#
    let more = ["/m/c.geojson": conflict]
    let table = try run("export /m/c.geojson --format csv -o -", and: more)
    #expect(table.words.contains { $0.contains("1 conflict of a merge is not in it") })
    let text = try run("export /m/c.geojson -o -", and: more)
    #expect(text.words.isEmpty && text.output.contains("portolan:conflict"))
  }

  @Test func `A join tells what has no row, and what has several`() throws {
    let made = try run("join /m/map.geojson /m/t.csv --on code=key --format csv -o -")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    let words = made.words.joined(separator: "; ")
    for wanted in [
      "compared as numbers", "without a row in t: 2 features", "“n” becomes “n_2”",
      "1 key has several rows in t", "1 key of t in no feature", "1 row of t without a key",
    ] { #expect(words.contains(wanted), "\(wanted): \(words)") }
    #expect(made.output.hasPrefix("id,wkt,code,n,v,n_2"), "\(made.output)")
    let matched = try run(
      "join /m/map.geojson /m/t.csv --on code=key --matched-only --fields v --prefix t_")
    #expect(matched.output.contains(#""t_v":"b""#) && !matched.output.contains("X/y"))
    #expect(!matched.output.contains(#""t_n""#))
  }

  @Test func `An update changes values by keys, and nothing else`() throws {
    let made = try run("update /m/map.geojson /m/u.csv --key code -o -")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    let (former, lines) = (
      Self.map.split(separator: "\n"), made.output.split(separator: "\n")
    )
    #expect(lines[1] == former[1] && lines[3] == former[3])
    #expect(lines[2] == Substring(former[2].replacing(#""n":6"#, with: #""n":60"#)))
    #expect(made.words.contains { $0.contains("1 key of u in no feature") })
    #expect(try run("update /m/map.geojson /m/same.csv --key code").failure == nil)
  }

  @Test func `An update from the table that an export wrote changes nothing`() throws {
    let table = try run("export /m/kinds.geojson --format csv -o -").output
    let made = try run(
      "update /m/kinds.geojson /m/kinds.csv --key k -o -", and: ["/m/kinds.csv": table])
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.output == Self.kinds, "\(table) \(made.output)")
    #expect(made.words.contains("updated 0 values of 0 features"), "\(made.words)")
    #expect(made.words.contains { $0.contains("without --fields: lon, lat, id") })
    let other = table.replacing("true,", with: "false,").replacing("3,4", with: "3,5")
    let changed = try run(
      "update /m/kinds.geojson /m/kinds.csv --key k --fields b,lat -o -",
      and: ["/m/kinds.csv": other])
    #expect(changed.output.contains(#""b":false,"l":[1,2]"#), "\(changed.output)")
    #expect(changed.output.contains(#""lat":5"#), "\(changed.output)")
  }

  /// A value that is a list or an object stays one.
  @Test(arguments: [
    ("[3, 4]", #""l":[3, 4]"#), (#"{""a"":[]}"#, #""l":{"a":[]}"#), ("", #""l":[1,2]"#),
  ])
  func `A list is updated by a list or an object`(cell: String, written: String) throws {
    let table = "k,l\nA,\(cell.isEmpty ? "" : "\"\(cell)\"")\n"
    let made = try run(
      "update /m/lists.geojson /m/l.csv --key k -o -",
      and: [
        "/m/lists.geojson": Self.lists, "/m/l.csv": table,
      ])
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.output.contains(written), "\(made.output)")
  }

  @Test(arguments: ["foo", "[1", "7", "true", "{a}"])
  func `What is neither takes the place of no list`(cell: String) throws {
    let made = try run(
      "update /m/lists.geojson /m/l.csv --key k -o -",
      and: [
        "/m/lists.geojson": Self.lists, "/m/l.csv": "k,l\nA,\"\(cell)\"\n",
      ])
    #expect(made.output.isEmpty)
    let words = made.failure?.description ?? ""
    #expect(
      words.contains("“l” of the feature with the key “A” is a list or an object"), "\(words)")
  }

  @Test func `Where all values are lists, a first value becomes one`() throws {
    let made = try run(
      "update /m/lists.geojson /m/l.csv --key k -o -",
      and: [
        "/m/lists.geojson": Self.lists, "/m/l.csv": "k,l,t\nB,[5],[6]\n",
      ])
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.output.contains(#""l":[5],"t":"[6]""#), "\(made.output)")
  }

  private static let lists = #"""
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"k":"A","l":[1,2],"t":"x"},"geometry":null},
    {"type":"Feature","properties":{"k":"B","l":null,"t":"y"},"geometry":null}]}
    """#

  @Test func `Two spellings of a letter are two values of a split`() throws {
    let made = try run("split-layer /m/kinds.geojson --by k -o '/m/out-{value}.geojson'")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.words.contains { $0.contains("_2") })
  }

  @Test func `Equal numbers are one value of a split, as of a count`() throws {
    let made = try run(
      "split-layer /m/k.csv --by k -o '/m/out-{value}.csv'",
      and: ["/m/k.csv": "k,lon,lat\n1,0,0\n1.0,1,1\n2,2,2\n"])
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(try text("/m/out-1.csv", made) == "k,lon,lat\n1,0,0\n1.0,1,1\n")
    #expect(throws: (any Error).self) { try text("/m/out-1.0.csv", made) }
  }

  @Test func `Features of several layers get the rows of their own keys`() throws {
    for line in ["join --on k", "update --key k"] {
      let words = line.split(separator: " ", maxSplits: 1)
      let made = try run("\(words[0]) /m/a.geojson /m/b.geojson /m/letters.csv \(words[1]) -o -")
      #expect(made.failure == nil, "\(made.failure?.description ?? "")")
      for (key, value) in zip("ABCD", 1...4) {
        #expect(made.output.contains(#""k":"\#(key)","v":\#(value)}"#), "\(made.output)")
      }
    }
    let matched = try run(
      "join /m/a.geojson /m/b.geojson /m/bc.csv --on k --matched-only -o -")
    for (key, isKept) in [("A", false), ("B", true), ("C", true), ("D", false)] {
      #expect(matched.output.contains("\"\(key)\"") == isKept, "\(matched.output)")
    }
  }

  @Test(arguments: [
    ("update /m/map.geojson /m/twice.csv --key code", "twice, with different values of “n”"),
    ("update /m/map.geojson /m/thrice.csv --key code", "with different values of “n”"),
    ("update /m/map.geojson /m/zeros.csv --key n", "with different values of “v”"),
    ("update /m/map.geojson /m/u.csv --key cod", "did you mean “code”"),
    ("join /m/map.geojson /m/t.csv --on code=key --fields w", "no attribute “w”"),
    ("join /m/map.geojson /m/t.csv --on code=v", "no feature has a row in t"),
    ("buffer /m/map.geojson 5", "the coordinates are degrees"),
    ("buffer /m/map.geojson 20000km", "at most 10000 km"),
    ("buffer 5km", "buffer what?"),
    ("clip /m/map.geojson /m/none.geojson", "No such file"),
    ("clip /m/map.geojson 5,9,7,8", "is north of"),
    ("intersect /m/map.geojson /m/t.csv", "no column holds positions"),
    ("dissolve /m/map.geojson --by count --count", "--count would hide"),
    ("dissolve /m/map.geojson --by cod", "did you mean “code”"),
    ("dissolve /m/map.geojson --sum code", "takes numbers"),
    ("dissolve /m/map.geojson --in-place", "--in-place is for the open document"),
  ])
  func `Errors say what to write`(line: String, words: String) throws {
    do {
      let failure = try run(line).failure
      #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    } catch {
      #expect("\(error)".contains(words))
    }
  }

  @Test func `Each value gets a file, and values of one name are told`() throws {
    let made = try run("split-layer /m/map.geojson --by code -o '/m/{value}.{format}' --format csv")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.words.contains { $0.contains("“x/Y” is in x_Y_2") }, "\(made.words)")
    #expect(try text("/m/01.csv", made).contains("01") && text("/m/x_Y_2.csv", made).contains("7"))
    #expect(try text("/m/X_y.csv", made).contains("7"))
  }

  @Test func `Files of values have boxes and names of their own, and all or none is written`()
    throws
  {
    let made = try run(
      "split-layer /m/boxed.geojson --by k -o '{value}.x' --format geojson".replacing(
        "{value}", with: "/m/o-{value}"))
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(try text("/m/o-b.x", made).contains(#""bbox":[9,9,9,9]"#))
    #expect(try text("/m/o-{format}.x", made).contains("[2,2]"))
    #expect(try text("/m/o-geojson.x", made).contains("[3,3]"))
    #expect(try text("/m/o-_.x", made).contains("[1,1]"))
    let taken = try run("split-layer /m/boxed.geojson --by k -o '/m/taken-{value}.geojson'")
    #expect(taken.failure?.description.contains("exists already") == true)
    #expect(!taken.files.exists("/m/taken-_.geojson"))
  }

  @Test func `Lines of collections are kept, or it is told`() throws {
    let dissolved = try run("dissolve /m/mixed.geojson --by n -o -")
    #expect(dissolved.output.contains("LineString"), "\(dissolved.output)")
    #expect(dissolved.output.contains("[1,5]") && dissolved.output.contains("[0,5]"))
    let united = try run("union /m/mixed.geojson /m/box.geojson -o -")
    #expect(united.failure?.description.contains("a union is of areas") == true)
    let met = try run("intersect /m/mixed.geojson /m/map.geojson -o -")
    #expect(met.failure == nil, "\(met.failure?.description ?? "")")
    #expect(
      met.words.contains { $0.contains("the greatest extent are taken: 2 features") },
      "\(met.words)")
  }

  @Test func `A union tells of features without a shape`() throws {
    for files in ["map.geojson /m/box.geojson", "box.geojson /m/map.geojson"] {
      let made = try run("union /m/\(files) -o -")
      #expect(made.failure == nil, "\(made.failure?.description ?? "")")
      let told = made.words.contains { $0.contains("left out without a shape: 1 feature") }
      #expect(told, "\(made.words)")
    }
  }

  @Test func `A clip tells of invalid and missing shapes that stay`() throws {
    let bow = #"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}"#
    let features = [bow, "null"].map {
      #"{"type":"Feature","properties":{},"geometry":\#($0)}"#
    }
    let text =
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"# + "\n"
    let files = ["/m/bow.geojson": text]
    let inside = try run("clip /m/bow.geojson 0,-1,3,3 -o -", and: files)
    #expect(inside.output == text)
    let words = inside.words.joined()
    #expect(words.contains("invalid and left as it was: 1 feature"), "\(words)")
    #expect(words.contains("kept without a shape: 1 feature") && !words.contains("repaired first"))
    let cut = try run("clip /m/bow.geojson 0,0,1,2 -o -", and: files)
    #expect(cut.words.joined().contains("repaired first (make-valid): 1 feature"))
  }

  @Test(arguments: ["", " --together"])
  func `Hulls in the plane know no turns`(option: String) throws {
    let made = try run("hull /m/plane.geojson\(option) --input-crs EPSG:3857 -o -")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(made.output.contains("179,50") && made.output.contains("-179,0"), "\(made.output)")
  }

  @Test func `Groups have the figures that are asked for`() throws {
    let made = try run(
      "dissolve /m/map.geojson --where '$id < 3' --sum n --count --first code --fields 'm=max(n)'")
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(
      made.output.contains(#""properties":{"m":6,"count":2,"n":11,"code":"01"}"#),
      "\(made.output)")
    #expect(made.output.contains(#""type":"Polygon""#))
    let several = try run("dissolve /m/map.geojson --by n --mean n --max n")
    #expect(several.output.contains(#""n_mean""#) && several.output.contains(#""n_max""#))
  }

  @Test func `Work on a large layer is a job that can be stopped`() throws {
    var document = Document()
    let id = LayerID(document.makeID())
    var layer = LayerKinds.features(id, name: "ring")
    let count = 30_000
    _ = layer.add(
      geometry: .polygon([
        (0..<count).map { corner in
          let angle = 2 * Double.pi * Double(corner) / Double(count)
          let radius = corner % 2 == 0 ? 5.0 : 4
          return Coordinate(
            x: radius * Mathematics.cosine(angle), y: radius * Mathematics.sine(angle))
        }
      ]), attributes: [], isExact: true)
    document.layers = [layer]
    var editor = Editor(document)
    try editor.run("layer ring")
    try editor.run("buffer 1km")
    let request = try #require(
      editor.effects.compactMap { effect -> EditRequest? in
        guard case .perform(let request as EditRequest, _) = effect else { return nil }
        return request
      }.first)
    let cancellation = Cancellation()
    cancellation.cancel()
    let progress = World.Progress(cancellation: cancellation)
    let failure = #expect(throws: Failure.self) {
      try request.perform(in: World(files: MemoryFileSystem()), progress)
    }
    #expect(failure?.code == .interrupted)
  }
}
