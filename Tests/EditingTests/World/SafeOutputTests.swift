import Archiving
import Foundation
import PortolanComparing
import PortolanDocuments
import PortolanKeeping
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanEditing
@testable import PortolanFiles

/// No text of a file acts on a terminal, whatever the verb, the kind of file and the field.
@Suite struct SafeOutputTests {
  /// What stands in every field: a title, a colour, a turn of direction, a mark, another line.
  static let evil = "A\u{1B}]0;x\u{07}\u{9B}31m\u{202E}\u{FEFF}\nINJECTED\tB"

  /// A call of a verb.
  struct Call: CustomTestStringConvertible, Sendable {
    var line: String
    /// Whether its output is data: a pipe gets it exactly.
    var isData = false
    /// Whether it is no text, which a terminal does not get.
    var isBinary = false
    var testDescription: String { line }
  }

  // MARK: Files

  private static func name(_ ending: String) -> String { "/m/" + evil + "." + ending }
  private static func quoted(_ ending: String) -> String { FilePath.quoted(name(ending)) }

  private static func json(_ text: String) -> String { SafeJSON.string(text) }

  /// In XML, which has no way to write most controls.
  private static let xml = evil.unicodeScalars
    .filter { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }.map { String($0) }.joined()

  /// An object whose class has such a name.
  struct Evil: Coding {
    static var archivedClass: ArchivedClass { ArchivedClass(SafeOutputTests.evil) }
    func encode(with coder: any EncodingCoder) throws {
      if coder.allowsKeyedCoding {
        try coder.encode(SafeOutputTests.evil, forKey: SafeOutputTests.evil)
      } else {
        try coder.encodeObject(Cocoa.AttributedString(SafeOutputTests.evil))
      }
    }
    init() {}
    init(coder: any DecodingCoder) throws {}
  }

  private static func nib() -> [UInt8] {
    NibWriter([
      NibWriter.Object(evil, [(evil, .object(1)), ("b", .data(Array(evil.utf8)))]),
      NibWriter.Object.string(evil),
    ]).bytes
  }

  /// A name that JSON holds as it is.
  private static let raw = "C\u{9B}31m\u{202E}\u{FEFF}"

  /// Files of every kind, all of whose texts and names are like that.
  static func files() throws -> MemoryFileSystem {
    let feature = """
      {"type":"Feature","id":\(json(evil)),"properties":{\(json(evil)):\(json(evil)),"\(raw)":"\(raw)"},
      "geometry":{"type":"Point","coordinates":[1,2]}}
      """
    let collection =
      "{\"type\":\"FeatureCollection\",\"name\":\(json(evil)),\"features\":[\(feature)]}"
    let cell = "\"" + evil + "\""
    let plist = """
      <plist version="1.0"><dict><key>\(xml)</key><string>\(xml)</string><key>d</key><date>x\(xml)</date></dict></plist>
      """
    let list =
      "<plist version=\"1.0\"><dict><key>\(xml)</key><string>\(xml)</string></dict></plist>"
    let files = MemoryFileSystem(files: [
      name("geojson"): Array(collection.utf8),
      name("ndjson"): Array((feature.replacing("\n", with: "") + "\n").utf8),
      name("csv"): Array("lon,lat,\(cell)\n1,2,\(cell)\n".utf8),
      name("plist"): Array(list.utf8), "/m/broken.plist": Array(plist.utf8),
      name("keyed"): try KeyedArchiver.archive(Evil()),
      name("stream"): try Archiver.archive(Evil()),
      name("nib"): nib(), name("txt"): Array(evil.utf8),
      "/m/empty.geojson": Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8),
      "/m/other.plist": Array("<plist><dict/></plist>".utf8),
      name("por"): Array("where\ndetails\nhistory\ninfo\nhelp keys\nnonsense \(evil)\n".utf8),
    ])
    try addDocument(to: files)
    try addPatch(to: files)
    return files
  }

  private static let made = Result { try files() }

  /// The difference that makes the lines of the collection.
  private static func addPatch(to files: MemoryFileSystem) throws {
    let sides = try ["geojson", "ndjson"].map {
      DifferenceFile.Side(name: evil, bytes: try files.read(name($0), limit: 1 << 20))
    }
    let none = try MapDifference(from: Document(), to: Document())
    var json: [UInt8] = []
    DifferenceFile.write(none, from: sides[0], to: sides[1], patch: true) { json += $0 }
    files.put(json, at: "/m/patch.json")
  }

  private static func world(_ files: MemoryFileSystem, isTerminal: Bool) -> World {
    var options = World.Options()
    options.state = MemoryFileSystem.state
    options.outputColumns = { isTerminal ? 80 : nil }
    options.settings.set(.base, to: evil, by: .file(name("config"), line: 1))
    return World(files: files, options: options)
  }

  /// A document with such names, an earlier version of it, and unsaved work of two kinds.
  private static func addDocument(to files: MemoryFileSystem) throws {
    var runner = HeadlessRunner(world: world(files, isTerminal: false)) { _ in }
    let text = FilePath.quoted(evil.replacing("\n", with: " "))
    for line in [
      "open \(quoted("geojson"))", "rename \(text)", "new-layer \(text)1",
      "save --force \(quoted("doc"))", "new-layer \(text)2", "save",
    ] {
      try runner.run(line: line)
    }
    let imported = try Commands.parse("import \(quoted("geojson")) -o /m/imported.doc")
    var importer = HeadlessRunner(world: world(files, isTerminal: false)) { _ in }
    try importer.run(try #require(imported))
    let document = try DocumentFile.open(files.read(name("doc"), limit: 1 << 20)).document
    files.leaveJournal(title: evil, on: document, path: name("doc"))
    let folder = JournalFolder(MemoryFileSystem.state, in: files)
    let head = JournalHead(
      path: "/m/u\(evil).doc", base: .embedded(nil), isBaseSaved: false, title: evil, begun: 1,
      process: 1)
    var journal = try folder.create(head)
    try journal.append(.step, Evil())
    journal.leave()
    files.closeAll()
  }

  // MARK: Verbs

  /// Calls of each verb by its name; a new verb needs some.
  static let calls: [String: [Call]] = {
    let maps = ["geojson", "ndjson", "csv", "doc"].map(quoted)
    let archives = ["plist", "keyed", "stream", "nib", "doc"].map(quoted) + ["/m/broken.plist"]
    let none = [quoted("txt"), quoted("missing")]
    let forms = [
      "", "--raw", "--stats", "--json", "--values", "--stable", "--stats --json",
      "--nested --values", "--limit 2",
    ]
    return [
      "info": (maps + none).flatMap {
        [Call(line: "info \($0)"), Call(line: "info --json \($0)")]
      },
      "describe": (maps + none).flatMap {
        [Call(line: "describe \($0)"), Call(line: "describe --json \($0)")]
      },
      "measure": ["", " --json", " --units ft"].map {
        Call(line: "measure 0,0 1,1 1,0 --area" + $0)
      },
      "query": (maps + none).flatMap { file in
        [Call(line: "query \(file)"), Call(line: "query \(file) --by name --sort -count")]
          + ["csv", "tsv", "json", "ndjson", "count"].map {
            Call(line: "query \(file) --format \($0)", isData: true)
          }
      },
      "statistics": (maps + none).flatMap {
        [Call(line: "statistics \($0)"), Call(line: "statistics --json \($0)")]
      },
      "check": (maps + none).flatMap { file in
        [
          Call(line: "check \(file) --level note"),
          Call(line: "check \(file) --expect false --level note"),
          Call(line: "check \(file) --level note --format github"),
          Call(line: "check \(file) --level note --format json", isData: true),
        ]
      } + [
        Call(line: "check \(quoted("geojson")) --fix -o -", isData: true),
        Call(line: "check \(quoted("geojson")) --coverage --fix --gap 1km -o -", isData: true),
      ],
      "frequency": (maps + none).flatMap { file in
        let column = "--column \(FilePath.quoted(raw))"
        return [Call(line: "frequency \(file) \(column)")]
          + ["csv", "json", "markdown"].map {
            Call(line: "frequency \(file) \(column) --format \($0)", isData: true)
          }
      },
      "import": (maps + none).map { Call(line: "import \($0) --force -o /m/out.doc") }
        + [Call(line: "import \(quoted("csv")) -o -", isData: true, isBinary: true)],
      "export": (maps + none).flatMap { file in
        ["geojson", "ndjson", "csv", "tsv"].map {
          Call(line: "export \(file) --format \($0) -o -", isData: true)
        }
      }
        + maps.flatMap { file in
          [
            Call(line: "export \(file) --format gpkg -o -", isData: true, isBinary: true),
            Call(line: "export \(file) --format topojson -o -", isData: true),
            Call(line: "export \(file) --crs EPSG:3857 -o -", isData: true),
            Call(line: "export \(file) --clip -10,-10,10,10 -o -", isData: true),
            Call(line: "export \(file) --input-crs EPSG:4326 --format csv -o -", isData: true),
            Call(line: "info --from wkt \(file)"),
          ]
        },
      "simplify": (maps + none).map { Call(line: "simplify \($0) 50% -o -", isData: true) },
      "render": maps.flatMap { file in
        [Call(line: "render \(file) --size 60x20 --legend")]
          + ["svg", "html"].map { Call(line: "render \(file) --format \($0) -o -", isData: true) }
      },
      "migrate": none.map { Call(line: "migrate \($0)") } + [
        Call(line: "migrate --dry-run \(quoted("doc"))")
      ],
      "run": [
        Call(line: "run \(quoted("por")) \(quoted("doc"))"), Call(line: "run \(quoted("txt"))"),
      ],
      "option": [
        Call(line: "option"), Call(line: "option --json"), Call(line: "option base"),
        Call(line: "option --example"), Call(line: "option \(FilePath.quoted(evil))"),
        Call(line: "option base=\(FilePath.quoted(evil))"),
      ],
      "versions": [
        Call(line: "versions \(quoted("doc"))"), Call(line: "versions --json \(quoted("doc"))"),
        Call(line: "versions --compare 1 \(quoted("doc"))"),
        Call(line: "versions \(quoted("missing"))"),
        Call(line: "versions --restore 1 -o - \(quoted("doc"))", isData: true, isBinary: true),
      ],
      "recover": [
        Call(line: "recover --list"), Call(line: "recover \(quoted("doc"))"),
        Call(line: "recover \(FilePath.quoted("/m/u\(evil).doc"))"), Call(line: "recover"),
      ],
      "inspect": (archives + none).flatMap { file in
        forms.map { Call(line: "inspect \($0) \(file)") }
          + ["--text", "--exact"].map { Call(line: "inspect \($0) \(file)", isData: true) }
          + [Call(line: "inspect --path /nothing \(file)")]
      } + [Call(line: "inspect --lines --from hex \(quoted("txt"))")],
      "convert": archives.flatMap { file in
        ["xml", "json"].map { Call(line: "convert \(file) --format \($0) -o -", isData: true) }
          + ["keyed", "typedstream"].map {
            Call(line: "convert \(file) --format \($0) -o -", isData: true, isBinary: true)
          }
      },
      "diff": archives.flatMap { file in
        [
          Call(line: "diff \(file) /m/other.plist"),
          Call(line: "diff --format json /m/other.plist \(file)"),
        ]
      }
        + maps.dropFirst().flatMap { file in
          [Call(line: "diff \(maps[0]) \(file)"), Call(line: "diff /m/empty.geojson \(file)")]
            + ["json", "geojson"].map {
              Call(line: "diff /m/empty.geojson \(file) --format \($0)", isData: true)
            }
        },
      "buffer": overlays("buffer", maps, "5km"), "centroid": overlays("centroid", maps, ""),
      "hull": overlays("hull", maps, "--together"), "make-valid": overlays("make-valid", maps, ""),
      "explode": overlays("explode", maps, ""), "collect": overlays("collect", maps, ""),
      "dissolve": overlays("dissolve", maps, "--count"),
      "reproject": overlays("reproject", maps, "EPSG:3857"),
      "clip": overlays("clip", maps, "0,-80,170,80"),
      "difference": overlays("difference", maps, maps[0]),
      "intersect": overlays("intersect", maps, maps[0]),
      "union": overlays("union", maps, maps[0]),
      "join": overlays("join", maps, maps[0] + " --on $id"),
      "update": overlays("update", maps, maps[0] + " --key $id"),
      "split-layer": maps.map {
        Call(line: "split-layer \($0) --by \(FilePath.quoted(raw)) --force -o '/m/{value}.geojson'")
      },
      "refresh": [
        Call(line: "refresh /m/imported.doc --dry-run"),
        Call(line: "refresh /m/imported.doc -o /m/refreshed.doc"),
        Call(line: "refresh \(quoted("doc"))"),
      ],
      "patch": [Call(line: "patch \(maps[0]) \(maps[0])")]
        + [Call(line: "patch \(quoted("geojson")) /m/patch.json", isData: true)],
      "merge": maps.map {
        Call(line: "merge /m/empty.geojson \($0) /m/empty.geojson", isData: true)
      },
      "review": maps.flatMap { file in
        [
          Call(line: "review /m/empty.geojson \(file)"),
          Call(line: "review \(file) /m/empty.geojson --format html", isData: true),
        ]
      },
    ]
  }()

  /// Calls of a verb that makes a map of others.
  private static func overlays(_ verb: String, _ maps: [String], _ words: String) -> [Call] {
    maps.map { Call(line: "\(verb) \($0) \(words) -o -", isData: true) }
  }

  @Test func `every verb is tried`() {
    let verbs = Commands.all.filter { $0.isVerb }.map { $0.name }
    #expect(Set(Self.calls.keys) == Set(verbs))
  }

  private func output(of call: Call, isTerminal: Bool) throws -> [UInt8] {
    let files = try Self.made.get().copy()
    var runner = HeadlessRunner(world: Self.world(files, isTerminal: isTerminal)) { _ in }
    let command = try #require(try Commands.parse(call.line))
    do throws(Failure) { try runner.run(command) } catch {
      // What the main program writes to standard error is one line, sanitised as a whole.
      #expect(error.code != .interrupted)
    }
    return files.output
  }

  @Test(arguments: calls.keys.sorted())
  func `nothing acts on a terminal, and words nowhere`(_ verb: String) throws {
    var total = 0
    for call in Self.calls[verb] ?? [] {
      for isTerminal in [true, false] {
        let bytes = try output(of: call, isTerminal: isTerminal)
        total += bytes.count
        if !isTerminal && call.isData { continue }
        #expect(bytes.isEmpty || !call.isBinary, "\(call.line)")
        let text = try #require(String(validating: bytes, as: UTF8.self), "\(call.line)")
        let acting = text.unicodeScalars.first {
          ScalarKind($0) == .hidden && $0 != "\n" && $0 != "\t"
            && $0.properties.generalCategory != .privateUse
        }
        #expect(acting == nil, "\(call.line): \(text.debugDescription)")
        if !call.isData {
          #expect(!text.contains("\nINJECTED"), "\(call.line): \(text.debugDescription)")
        }
      }
    }
    let isSilent = ["migrate", "import", "refresh", "split-layer", "union"].contains(verb)
    #expect(total > 0 || isSilent)
  }

  @Test func `a filter gives the same in whatever pieces`() {
    for seed in Seeds.some(200) {
      var generator = SeededGenerator(seed: seed)
      let alphabet = Array((Self.evil + "aé東😀\u{E000}").utf8) + [0xFF, 0xC3, 0xE2, 0x82, 0xF0]
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      var filter = TerminalFilter()
      var safe: [UInt8] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...5, using: &generator)
        safe += filter.safe(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      safe += filter.rest()
      let text = String(validating: safe, as: UTF8.self)
      #expect(text != nil)
      let isSafe = text?.unicodeScalars.allSatisfy {
        ScalarKind($0) != .hidden || $0 == "\n" || $0 == "\t"
      }
      #expect(isSafe == true)
      let lines = bytes.count { $0 == 0x0A }
      #expect(safe.count { $0 == 0x0A } == lines)
    }
  }
}
