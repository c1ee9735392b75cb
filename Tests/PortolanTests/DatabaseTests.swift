import Foundation
import Glibc
import PortolanTestSupport
import Testing

/// A PostgreSQL with PostGIS of its own, on a socket in a folder of its own.
private final class PostgresServer {
  let folder: URL
  private let process = Process()

  /// The folder of its programs; `nil` where PostGIS is not installed.
  static let programs: URL? = {
    let root = URL(fileURLWithPath: "/usr/lib/postgresql")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return versions.sorted().reversed().map { root.appendingPathComponent($0) }.first { version in
      let library = version.appendingPathComponent("lib/postgis-3.so").path
      return FileManager.default.fileExists(atPath: library)
    }.map { $0.appendingPathComponent("bin") }
  }()

  static var isInstalled: Bool {
    guard programs != nil else { return false }
    return ["/usr/bin/ogr2ogr", "/usr/bin/psql"].allSatisfy(FileManager.default.fileExists)
      && (getuid() != 0
        || FileManager.default.fileExists(atPath: "/usr/bin/setpriv")
          && getpwnam("postgres") != nil)
  }

  init() throws {
    let programs = try #require(Self.programs)
    // The path of a socket is short.
    folder = URL(fileURLWithPath: "/tmp/portolan-pg-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let person = getuid() == 0 ? getpwnam("postgres") : nil {
      #expect(chown(folder.path, person.pointee.pw_uid, person.pointee.pw_gid) == 0)
    }
    let data = folder.appendingPathComponent("data").path
    let made = Self.process(
      programs, "initdb", ["-D", data, "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8"])
    try made.run()
    made.waitUntilExit()
    try #require(made.terminationStatus == 0)
    let started = Self.process(
      programs, "postgres",
      ["-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c", "fsync=off"])
    process.executableURL = started.executableURL
    process.arguments = started.arguments
    process.currentDirectoryURL = folder
    process.environment = started.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<200 {
      if (try? run("SELECT 1", in: "postgres")) == 0 { return }
      usleep(50_000)
    }
    Issue.record("PostgreSQL does not start")
  }

  func stop() {
    process.interrupt()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func process(_ folder: URL, _ name: String, _ words: [String]) -> Process {
    let process = Process()
    let program = folder.appendingPathComponent(name)
    // It refuses to run as root.
    let isRoot = getuid() == 0
    process.executableURL = isRoot ? URL(fileURLWithPath: "/usr/bin/setpriv") : program
    let person = ["--reuid=postgres", "--regid=postgres", "--clear-groups", program.path]
    process.arguments = (isRoot ? person : []) + words
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Runs statements; returns the exit code.
  @discardableResult
  func run(_ sql: String, in database: String = "roads") throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    process.arguments = [
      "-h", folder.path, "-U", "tester", "-qX", "-v", "ON_ERROR_STOP=1", database, "-c", sql,
    ]
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The line that names the database.
  var line: String { "PG:host=\(folder.path) dbname=roads user=tester" }
}

/// Layers of databases, as people ask for them.
@Suite struct DatabaseTests {
  private static let path = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

  private static let towns = """
    CREATE EXTENSION postgis;
    CREATE TABLE towns (id serial PRIMARY KEY, name text, pop bigint, h float8, f real,
      tags text[], j jsonb, t timestamptz, place geometry(Point, 25833));
    INSERT INTO towns (name, pop, h, f, tags, j, t, place) SELECT 'town ' || i, i * 1000, i / 3.0,
      0.1, array['a,b', '(2:c'], '{"a": [1]}', '2020-01-02 03:04:05+00',
      ST_SetSRID(ST_MakePoint(i * 1000, 5000000 + i), 25833) FROM generate_series(1, 100) i;
    CREATE SCHEMA s;
    CREATE TABLE s.lines (a text, shape geometry(LineStringZ, 25833));
    INSERT INTO s.lines VALUES ('x', 'SRID=25833;LINESTRING Z (0 0 1, 0.1 1 2)'), (NULL, NULL);
    CREATE TABLE secret (a int);
    """

  @Test(.enabled(if: PostgresServer.isInstalled, "PostGIS or ogr2ogr is not installed"))
  func `PostGIS answers cuts, keeps its bits, and is read again`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    #expect(try server.run("CREATE DATABASE roads", in: "postgres") == 0)
    #expect(try server.run(Self.towns) == 0)
    let program = try Program()
    defer { program.remove() }
    func run(_ words: String...) throws -> Program.Result {
      try program.run(words, environment: Self.path)
    }
    // All tables with shapes, ids where there is a key, doubles to the last bit.
    let info = try run("info", server.line)
    #expect(info.output.contains("layer     towns (pt): 100 features"), "\(info)")
    #expect(info.output.contains("layer     s.lines (ln): 2 features, 2 vertices"))
    #expect(info.output.contains("EPSG:25833"))
    let all = try run(
      "export", server.line, "--layers", "towns", "--format", "geojson", "--where",
      "name == 'town 1'")
    for words in [
      "\"id\":1,", "\"h\":0.3333333333333333", "\"f\":0.1", #""tags":["a,b","(2:c"]"#,
      "\"t\":\"2020-01-02T03:04:05", #""j":{"a": [1]}"#,
    ] { #expect(all.output.contains(words), "\(words): \(all)") }
    // Verbs hand on what they will take.
    let taken = try run(
      "export", server.line, "--layers", "towns", "--fields", "name,up=pop / 1000", "--where",
      "pop > 10000 and name != 'town 12'", "--bbox", "0,0,50500,6000000", "--format", "csv")
    #expect(taken.output.split(whereSeparator: \.isNewline).count == 40, "\(taken)")
    let few = try run(
      "export", server.line, "--layers", "towns", "--limit", "7", "--format", "csv")
    #expect(few.output.split(whereSeparator: \.isNewline).count == 8, "\(few)")
    #expect(few.errors.contains("layer towns: 100 features, 7 taken (--limit)"), "\(few)")
    let none = try run("query", server.line, "pop > 1e9", "--layers", "towns")
    #expect(none.status == 1 && none.errors.contains("nothing found"), "\(none)")
    let counted = try run(
      "query", server.line, "f == 0.1 and pop < 5000", "--fields", "n=count()", "--layers", "towns",
      "--format", "csv")
    #expect(counted.output == "n\n4\n", "\(counted)")
    // Longitudes are compared on the globe, by the server too.
    try server.run(
      """
      CREATE TABLE globe (id serial PRIMARY KEY, g geometry(Geometry, 4326));
      INSERT INTO globe (g) VALUES ('SRID=4326;POINT(190 1)'), ('SRID=4326;POINT(-170 1)'),
        ('SRID=4326;LINESTRING(179 0, -179 2)'), ('SRID=4326;POINT(10 1)'),
        ('SRID=4326;LINESTRING(-179 50, 179 50)')
      """)
    for (box, count) in [("-171,0,-169,2", 2), ("179.5,0,179.9,2", 1), ("175,0,-165,2", 3)] {
      let found = try run(
        "query", server.line, "--layers", "globe", "--bbox", box, "--fields", "n=count()",
        "--format", "csv")
      #expect(found.output == "n\n\(count)\n", "\(box): \(found)")
    }
    // A box is in the system into which all tables are converted.
    try server.run(
      """
      CREATE TABLE spot (id serial PRIMARY KEY, g geometry(Point, 4326));
      INSERT INTO spot (g) VALUES ('SRID=4326;POINT(15 45)')
      """)
    let spot = try run(
      "query", server.line, "--layers", "towns,spot", "--bbox", "499000,4900000,501000,5000000",
      "--fields", "n=count()", "--format", "csv")
    #expect(spot.output == "n\n1\n", "\(spot)")
    try server.run("DROP TABLE globe; DROP TABLE spot")
    // The cut is the server's, and a limit is told.
    let cut = try run(
      "import", server.line, "--layers", "towns", "--bbox", "0,0,50500,6000000", "--where",
      "pop > 10000", "--limit", "5", "-o", "cut.doc")
    #expect(cut.status == 0, "\(cut)")
    #expect(cut.errors.contains("layer towns: 40 features in the box, 5 taken (--limit)"))
    #expect(try run("query", "cut.doc", "--fields", "n=count()").output.contains("5"))
    let across = try run(
      "import", server.line, "--layers", "s.lines", "--bbox", "1000,0,900,1", "--limit", "1", "-o",
      "across.doc")
    #expect(!across.errors.contains("1 taken"), "\(across)")
    _ = try run(
      "import", server.line, "--layers", "towns", "--bbox", "0,0,50500,6000000", "--where",
      "pop > 10000", "-o", "cut.doc", "--force")
    let kept = try run("info", "cut.doc").output
    #expect(kept.contains("  source  \(server.line) --layers=towns --bbox=0.0,0.0,50500.0"))
    // Its changes come by refresh, and nothing else reads it again.
    try server.run("UPDATE towns SET name = 'new' WHERE id = 11; DELETE FROM towns WHERE id = 12")
    #expect(try run("query", "cut.doc", "name == 'new'").status == 1)
    #expect(try run("refresh", "cut.doc").errors.contains("--read"))
    let fresh = try run("refresh", "cut.doc", "--read")
    #expect(fresh.errors.contains("1 changed, 1 removed"), "\(fresh)")
    #expect(try run("query", "cut.doc", "name == 'new'").status == 0)
    // Nothing can be written, and mistakes are told.
    for words in ["true) RETURNING 1; DROP TABLE secret; --", "nextval('towns_id_seq') > 0"] {
      let bad = try run(
        "import", server.line, "--layers", "towns", "--where", words, "-o", "x.doc")
      #expect(bad.status == 3, "\(bad)")
    }
    #expect(try server.run("SELECT * FROM secret") == 0)
    let unknown = try run("import", server.line, "--layers", "nothing", "-o", "x.doc")
    #expect(unknown.errors.contains("no layer is named \"nothing\": there are towns, s.lines"))
    let lost = try run("info", "PG:host=/nowhere dbname=x password=sesame")
    #expect(lost.status == 3 && !lost.errors.contains("sesame"), "\(lost)")
  }

  private static let oddTypes = """
    CREATE EXTENSION postgis;
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE DOMAIN small AS int CHECK (value < 10);
    CREATE TABLE odd (gid serial PRIMARY KEY, n numeric, money numeric(10, 2), d date, t time,
      ts timestamp, tz timestamptz, iv interval, whole int[], tags text[], r int4range, e mood,
      s small, j json, "a""b" text, place geometry(Point, 4326));
    SET TIME ZONE 'UTC';
    INSERT INTO odd VALUES
      (1, 12345678901234567890, 1.10, '2020-01-02', '03:04:05.123456', '2020-01-02 03:04:05.123456',
        '2020-01-02 03:04:05.123456+02', '1 day 2 hours', '{1,NULL}', '{"a,b"}', '[1,5)', 'ok', 5,
        '"x"', 'q', 'SRID=4326;POINT(1 2)'),
      (2, 'NaN', NULL, 'infinity', NULL, '-infinity', 'infinity', NULL, '{}', '{}', 'empty', NULL,
        NULL, '1', NULL, NULL),
      (3, 0.1000000000000000000001, 0, '0044-03-15 BC', NULL, '12020-01-02 03:04:05',
        '0044-03-15 01:00:00+01 BC', NULL, '{{1,2},{3,4}}', NULL, NULL, NULL, NULL, 'null', NULL,
        NULL);
    CREATE TABLE plan (id int PRIMARY KEY, a geometry(Point, 4326), b geometry(LineString, 4326));
    INSERT INTO plan VALUES (7, 'SRID=4326;POINT(1 2)', 'SRID=4326;LINESTRING(0 0, 1 1)');
    CREATE TABLE worn (ogc_fid text, id int PRIMARY KEY, n numeric, g geometry(Point, 4326));
    INSERT INTO worn VALUES ('x', 1, 2.5, 'SRID=4326;POINT(1 2)');
    """

  @Test(.enabled(if: PostgresServer.isInstalled, "PostGIS or ogr2ogr is not installed"))
  func `PostGIS loses no value of any type`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    #expect(try server.run("CREATE DATABASE roads", in: "postgres") == 0)
    #expect(try server.run(Self.oddTypes) == 0)
    let program = try Program()
    defer { program.remove() }
    func run(_ words: String...) throws -> Program.Result {
      try program.run(words, environment: Self.path)
    }
    let odd = try run("export", server.line, "--layers", "odd", "--format", "ndjson")
    let wanted = [
      [
        #""id":1,"#, #""n":12345678901234567890,"#, #""money":1.10,"#, #""d":"2020-01-02","#,
        #""t":"03:04:05.123456","#, #""ts":"2020-01-02T03:04:05.123456","#,
        #""tz":"2020-01-02T01:04:05.123456Z","#, #""iv":"P1DT2H","#, #""whole":[1,null],"#,
        #""tags":["a,b"],"#, #""r":"[1,5)","#, #""e":"ok","#, #""s":5,"#, #""j":"x","#,
        #""a\"b":"q""#, #""coordinates":[1,2]"#,
      ],
      [
        #""n":"NaN","#, #""money":null,"#, #""d":"infinity","#, #""ts":"-infinity","#,
        #""tz":"infinity","#, #""whole":[],"#, #""tags":[],"#, #""r":"empty","#, #""j":1,"#,
        #""geometry":null"#,
      ],
      [
        #""n":0.1000000000000000000001,"#, #""d":"0044-03-15 BC","#,
        #""ts":"12020-01-02T03:04:05","#, #""tz":"0044-03-15T00:00:00Z BC","#,
        #""whole":[[1,2],[3,4]],"#, #""tags":null,"#, #""j":null,"#,
      ],
    ]
    let lines = odd.output.split(whereSeparator: \.isNewline)
    try #require(lines.count == 3, "\(odd)")
    for (line, words) in zip(lines, wanted) {
      for word in words { #expect(line.contains(word), "\(word): \(line)") }
    }
    // Conditions find what they name, whatever the type.
    for (condition, count) in [
      ("n == 12345678901234567890", 1), ("n > 1", 1), ("iv == 'P1DT2H'", 1), ("s == 5", 1),
      ("r == '[1,5)'", 1), ("money < 1.2", 2),
    ] {
      let found = try run(
        "query", server.line, condition, "--layers", "odd", "--fields", "n=count()", "--format",
        "csv")
      #expect(found.output == "n\n\(count)\n", "\(condition): \(found)")
    }
    let cut = try run(
      "import", server.line, "--layers", "odd", "--bbox", "0,0,5,5", "--where", "n > 5", "--limit",
      "1", "-o", "cut.doc")
    #expect(cut.status == 0, "\(cut)")
    #expect(try run("info", "cut.doc").output.contains("1 feature"))
    // A second column of shapes is told, and read by its name.
    let plan = try run("export", server.line, "--layers", "plan", "--format", "ndjson")
    #expect(plan.output.contains(#""id":7"#) && plan.output.contains("Point"), "\(plan)")
    #expect(plan.errors.contains("its other column of shapes, b, is left out: --layers 'plan(b)'"))
    let other = try run("export", server.line, "--layers", "plan(b)", "--format", "ndjson")
    #expect(other.output.contains("LineString") && !other.errors.contains("left out"), "\(other)")
    let worn = try run("export", server.line, "--layers", "worn", "--format", "ndjson")
    #expect(worn.output.contains(#""id":1"#) && worn.output.contains(#""n":2.5"#), "\(worn)")
    #expect(worn.errors.contains("a column is called ogc_fid"), "\(worn)")
    // Decimal numbers of any length come digit by digit.
    var random = SeededGenerator(seed: 31)
    let numbers = (0..<300).map { _ -> String in
      func digits(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789".randomElement(using: &random)! })
      }
      let sign = Bool.random(using: &random) ? "-" : ""
      let whole = "\(Int.random(in: 1...9, using: &random))"
      return sign + whole + digits(Int.random(in: 0...60, using: &random))
        + (Bool.random(using: &random)
          ? "." + digits(Int.random(in: 1...60, using: &random)) : "")
    }
    let rows = numbers.map { "(\($0))" }.joined(separator: ", ")
    try server.run(
      """
      CREATE TABLE numbers (id serial PRIMARY KEY, n numeric, g geometry(Point, 4326));
      INSERT INTO numbers (n) VALUES \(rows)
      """)
    let all = try run("export", server.line, "--layers", "numbers", "--format", "ndjson")
    let read = all.output.split(whereSeparator: \.isNewline)
    #expect(read.count == numbers.count, "\(all.errors)")
    for (line, number) in zip(read, numbers) {
      #expect(line.contains("\"n\":\(number)}"), "\(number): \(line)")
    }
  }

  // MARK: DuckDB

  /// The environment in which DuckDB is found; `nil` where it is not installed.
  private static let duckDB: [String: String]? = {
    let named = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"]
    for folder in [named.map { ($0 as NSString).deletingLastPathComponent }, ""] {
      let path = (folder.map { $0 + ":" } ?? "") + "/usr/local/bin:/usr/bin:/bin"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "command -v duckdb || python3 -c 'import duckdb'"]
      process.environment = ["PATH": path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { continue }
      process.waitUntilExit()
      if process.terminationStatus == 0 { return ["PATH": path] }
    }
    return nil
  }()

  @Test(.enabled(if: duckDB != nil, "DuckDB is not installed"))
  func `DuckDB answers questions over files beside the program`() throws {
    let program = try Program()
    defer { program.remove() }
    let environment = try #require(Self.duckDB)
    func run(_ words: String...) throws -> Program.Result {
      try program.run(words, environment: environment)
    }
    try program.write("name,lon,lat,pop\na,10,50,1\nb,11,51,2\nc,,,3\n", to: "towns.csv")
    let cut = try run(
      "import", "duckdb:SELECT * FROM 'towns.csv' -- all;", "--where", "pop < 3", "--limit", "1",
      "-o", "a.doc")
    #expect(cut.status == 0, "\(cut)")
    #expect(cut.errors.contains("layer query: 2 features, 1 taken (--limit)"))
    let source = try run("info", "a.doc").output
    #expect(source.contains("source  duckdb:SELECT * FROM 'towns.csv'"))
    let box = try run(
      "export", "duckdb:FROM 'towns.csv'", "--format", "ndjson", "--bbox", "10.5,0,12,60")
    #expect(box.output.contains("\"pop\":2") && !box.output.contains("\"pop\":1"), "\(box)")
    try program.write("id,x,y\nb,10,1\na,190,1\nc,-170,1\n", to: "turns.csv")
    // A table and a database of it answer alike.
    try program.write(
      "name,lon,lat,pop,h\n"
        + (0..<60).map { "n\($0 % 7),\($0 * 3 - 90),\($0 - 30),\($0 * $0),\(Double($0) / 7)\n" }
        .joined(), to: "rows.csv")
    for words in [
      ["--where", "pop > 400 and pop <= 2500"], ["--where", "h == 3 or name == 'n3'"],
      ["--where", "name in ('n1', 'n2') and h < 1.5"], ["--bbox", "-20,-10,30,12.5"],
      ["--where", "pop / 2 > 100", "--fields", "name,h"], ["--where", "pop > mean(pop)"],
      ["--where", "pop between 30 and 40 and not name == 'n4'", "--bbox", "-80,-90,80,90"],
    ] {
      let from = ["--format", "csv"] + words
      let (file, database) = (
        try program.run(["export", "rows.csv"] + from, environment: environment),
        try program.run(["export", "duckdb:FROM 'rows.csv'"] + from, environment: environment)
      )
      let rows = { (text: String) in text.split(whereSeparator: \.isNewline).count }
      #expect(rows(file.output) == rows(database.output), "\(words): \(database)")
    }
    let few = try run("query", "duckdb:FROM 'rows.csv'", "--limit", "2", "--fields", "name")
    #expect(few.errors.contains("layer query: 60 features, 2 taken (--limit)"), "\(few)")
    let none = try run("query", "duckdb:FROM 'rows.csv'", "pop > 99999")
    #expect(none.status == 1 && none.errors.contains("nothing found"), "\(none)")
    let turns = try run(
      "import", "duckdb:SELECT id AS K, x AS lon, y AS lat FROM 'turns.csv'", "--bbox",
      "185,0,195,2", "--limit", "1", "--id-column", "k", "-o", "turns.doc")
    #expect(turns.errors.contains("layer query: 2 features in the box, 1 taken"), "\(turns)")
    let keyed = try run(
      "import",
      "duckdb:SELECT 7 AS ID, unhex('0101000000000000000000F03F0000000000000040') AS geom",
      "--id-column", "id", "-o", "keyed.doc")
    #expect(keyed.status == 0 && !keyed.errors.contains("no column holds"), "\(keyed)")
    let split = try run(
      "import", "duckdb:SELECT '1 2' AS p", "--point-column", "p", "-o", "x.doc")
    #expect(split.status == 3 && split.errors.contains("--point-column"), "\(split)")
    let shapes = try run(
      "export",
      """
      duckdb:SELECT 'LINESTRING (0 1, 2 3)' AS wkt, 1/3::DOUBLE AS third, 'nan'::DOUBLE AS n,
      'inf'::DOUBLE AS i, 0.1::FLOAT AS f, '[1]' AS s, [1, 2] AS l UNION ALL
      SELECT 'broken', 0.5, 1, 2, 3, '', []
      """, "--format", "ndjson")
    #expect(
      shapes.output.contains(
        #""third":0.3333333333333333,"n":null,"i":"Infinity","f":0.1,"s":"[1]","l":[1,2]}"#),
      "\(shapes)")
    #expect(shapes.output.contains(#""LineString","coordinates":[[0,1],[2,3]]"#))
    #expect(shapes.errors.contains("1 geometry is broken; kept without a position"))
    let binary = try run(
      "info", "duckdb:SELECT unhex('0101000000000000000000F03F0000000000000040') AS geom, 1 AS a")
    #expect(binary.output.contains("layer     query (pt): 1 feature, 1 vertex"), "\(binary)")
    for sql in [
      "COPY (SELECT 1) TO 'out.csv'", "SELECT 1; COPY (SELECT 1) TO 'out.csv'",
      "SELECT 1) TO 'out.csv'; SELECT (1", "SELECT * FROM 'nothing.csv'", "SELECT", "",
    ] {
      let bad = try run("info", "duckdb:" + sql)
      #expect(bad.status == 3 && bad.errors.contains("DuckDB refuses it"), "\(sql): \(bad)")
    }
    let outside = try run(
      "info", "duckdb:FROM 'towns.csv'", "--where", "true")
    #expect(outside.status == 0)
    let bad = try run(
      "import", "duckdb:FROM 'towns.csv'", "--where", "true); COPY (SELECT 1) TO 'out.csv'; --",
      "-o", "b.doc")
    #expect(bad.status == 3, "\(bad)")
    #expect(
      program.files == ["a.doc", "keyed.doc", "rows.csv", "towns.csv", "turns.csv", "turns.doc"])
  }

  @Test(.enabled(if: duckDB != nil, "DuckDB is not installed"))
  func `A database and its file count alike`() throws {
    let program = try Program()
    defer { program.remove() }
    let environment = try #require(Self.duckDB)
    try program.write(
      "name,lon,lat,pop\n" + (0..<9).map { "n,1,2,\($0 < 3 ? "" : "\($0)")\n" }.joined(),
      to: "towns.csv")
    func run(_ words: String...) throws -> Program.Result {
      try program.run(
        ["query", "duckdb:FROM 'towns.csv'"] + words, environment: environment)
    }
    let count = try run("--format", "count", "--limit", "2")
    #expect(count.output == "2\n", "\(count)")
    #expect(try run("--format", "count").output == "9\n")
    let nulls = try run("pop > 5", "--fields", "n=count()", "--format", "csv")
    #expect(nulls.output == "n\n3\n", "\(nulls)")
    #expect(nulls.errors.contains("3 features left out: the condition is null"), "\(nulls)")
  }
}
