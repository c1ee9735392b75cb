import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite struct PostgresConnectionTests {
  @Test(arguments: [
    ("PG:dbname=roads user=a password=sesame", "PG:dbname=roads user=a", "sesame", "roads"),
    ("PG:dbname = 'my roads' password='it\\'s'", "PG:dbname='my roads'", "it's", "my roads"),
    ("PG:service=x", "PG:service=x", nil, nil),
    ("PG:dbname=a PASSWORD=b sslpassword=c", "PG:dbname=a", "b", "a"),
    ("PG:dbname='host=h password=b dbname=c'", "PG:dbname='host=h dbname=c'", "b", "c"),
    ("PG:dbname=postgresql://u:p@h/d", "PG:dbname=postgresql://u@h/d", "p", "d"),
    ("postgresql://u:p%40@h:5/d?sslmode=a", "postgresql://u@h:5/d?sslmode=a", "p@", "d"),
    ("postgres://h/d?password=p&user=u", "postgresql://h/d?user=u", "p", "d"),
    ("PG:postgresql://u:p@h", "postgresql://u@h", "p", nil),
    ("PG:", "PG:", nil, nil), ("PG:password", "PG:password", nil, nil),
    ("PG:= password='", "PG:", "", nil), ("pg:dbname=x password=p", "PG:dbname=x", "p", "x"),
    ("postgresql://u:p?w@h/db", "postgresql://u@h/db", "p?w", "db"),
    ("postgresql://u@h/d?%20pass%77ord=p&a=b@c", "postgresql://u@h/d?a=b@c", "p", "d"),
    ("postgresql://h?a=b/c@d", "postgresql://h?a=b/c@d", nil, nil),
    ("postgresql://u:p@q@h/d", "postgresql://u@h/d", "p@q", "d"),
    ("PG:user=a\u{A0}b password=c\u{2003}d", "PG:user=a\u{A0}b", "c\u{2003}d", nil),
    ("PG:a=b\r\npassword=\u{301}c", "PG:a=b", "\u{301}c", nil),
  ])
  func `Passwords are taken out of a line`(
    line: String, wanted: String, password: String?, name: String?
  ) {
    let connection = PostgresConnection(line)
    #expect(connection?.line == wanted && connection?.password == password)
    #expect(connection?.databaseName == name)
  }

  @Test(arguments: Seeds.some(20))
  func `No line keeps its password, whatever is in it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let signs = Array("ab =:/?&@'\\% é\n")
    for _ in 0..<20 {
      func text() -> String {
        String(
          (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
            signs.randomElement(using: &random)
          })
      }
      let secret = "S3CRET" + text()
      let quoted = secret.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      let name = text().replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      let line = "PG:user='\(name)' password='\(quoted)' dbname=x"
      let connection = try #require(PostgresConnection(line))
      #expect(!connection.line.contains("S3CRET"), "seed \(seed): \(connection.line)")
      #expect(connection.password == secret && connection.databaseName == "x", "seed \(seed)")
      #expect(PostgresConnection(connection.line)?.line == connection.line, "seed \(seed)")
      let escaped = secret.replacing("%", with: "%25").replacing("@", with: "%40")
        .replacing("/", with: "%2f")
      let address = try #require(PostgresConnection("postgresql://u:\(escaped)@h/x?a=b@c"))
      #expect(address.line == "postgresql://u@h/x?a=b@c", "seed \(seed)")
      #expect(address.password == secret && address.databaseName == "x", "seed \(seed)")
      // Whatever stands in a line, reading it ends.
      _ = PostgresConnection("PG:" + text() + secret + text())
    }
  }

  @Test(arguments: [
    "PG:dbname=x options='-c default_transaction_read_only=off'",
    "PG:dbname='host=h options=-ca=b'", "postgresql://h/d?opt%69ons=-ca%3Db",
  ])
  func `Options of a session are refused`(line: String) throws {
    let connection = try #require(PostgresConnection(line))
    #expect(connection.hasOptions && !connection.line.contains("=b"))
    #expect(!connection.line.contains("read_only"))
    #expect(throws: ToolError.self) {
      _ = try PostgresReader(connection).read(
        FileSource([], path: line), options: ImportOptions(name: "")
      ) { _ in }
    }
  }

  @Test func `A condition names no file`() {
    #expect(
      PostgresReader.words(ofConditions: [nil, "@/etc/passwd"]) == ["-where", "(@/etc/passwd\n)"])
    #expect(PostgresReader.words(ofConditions: [nil]) == [])
  }

  @Test func `Other lines name files`() {
    for line in ["a.geojson", "duckdb", "/tmp/PG:x", "http://h/x", "pg"] {
      #expect(EngineSource(line) == nil)
    }
    #expect(EngineSource("duckdb:SELECT 1")?.line == "duckdb:SELECT 1")
    #expect(EngineSource("PG:dbname=roads")?.title == "PG:roads")
  }
}
