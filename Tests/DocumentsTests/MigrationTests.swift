import Archiving
import Testing

@testable import PortolanDocuments

@Suite("Migrations")
struct MigrationTests {
  /// A note of the steps that an archive went through.
  private struct Trail: Coding {
    static var archivedClass: ArchivedClass { "Trail" }
    var steps: [Int]
    init(steps: [Int]) { self.steps = steps }
    init(coder: any DecodingCoder) throws { steps = try coder.decodeInts(forKey: "steps") }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInts(steps, forKey: "steps")
    }

    static func adding(_ step: Int, to graph: ObjectGraph) throws -> ObjectGraph {
      var trail = try KeyedUnarchiver(graph: graph).decodeObject(Trail.self, forKey: "root")
      trail.steps.append(step)
      return try ObjectGraph(KeyedArchiver.archive(trail))
    }
  }

  private enum One: Migration {
    static let version = 1
    static func changes(in graph: ObjectGraph) -> [String] { ["step \(version)"] }
    static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
      try Trail.adding(version, to: graph)
    }
  }

  private enum Two: Migration {
    static let version = 2
    static func changes(in graph: ObjectGraph) -> [String] { ["step \(version)"] }
    static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
      try Trail.adding(version, to: graph)
    }
  }

  @Test("An archive goes through the steps from its version on, in order", arguments: 1...3)
  func order(version: Int) throws {
    let graph = try ObjectGraph(KeyedArchiver.archive(Trail(steps: [])))
    let (lifted, steps) = try Migrations.lift(graph, from: version, by: [One.self, Two.self])
    #expect(steps.map(\.changes) == (version..<3).map { ["step \($0)"] })
    let trail = try KeyedUnarchiver(graph: lifted).decodeObject(Trail.self, forKey: "root")
    #expect(trail.steps == [1, 2].filter { $0 >= version })
  }

  @Test("The steps lead from version 1 to the present one without a gap")
  func gaps() {
    #expect(Migrations.all.map { $0.version } == Array(1..<Document.formatVersion))
  }

  @Test(
    "A coordinate system is split where it has an authority",
    arguments: [
      ("OGC:CRS84", "OGC", "CRS84"), ("EPSG:4326", "EPSG", "4326"),
      ("local grid", "", "local grid"),
      ("urn:ogc:def:crs:OGC::CRS84", "", "urn:ogc:def:crs:OGC::CRS84"), (":x", "", ":x"),
      ("x:", "", "x:"), ("", "", ""),
    ])
  func split(name: String, authority: String, code: String) {
    let parts = Migration1.split(name)
    #expect(parts.authority == authority && parts.code == code)
    #expect(CoordinateSystem(authority: authority, code: code).name == name)
  }

  @Test("A document of a newer version opens for looking and cannot be archived")
  func newer() throws {
    var rewriter = GraphRewriter(
      try ObjectGraph(DocumentArchive.bytes(of: FixtureDocument.makeThird())))
    let root = try rewriter.root()
    var document = try rewriter.node(root)
    document["formatVersion"] = .integer(4)
    document["glyphPalettes"] = .bytes([1, 2, 3])
    rewriter.replace(root, with: document)
    let opened = try DocumentArchive.open(rewriter.finish())
    #expect(opened.version == 4 && opened.document.newerVersion == 4)
    #expect(opened.steps.isEmpty)
    #expect(opened.document.layers.count == 6)
    #expect {
      try DocumentArchive.bytes(of: opened.document)
    } throws: {
      ($0 as? DocumentError)?.code == .newerVersion
    }
  }

  @Test("A newer version that cannot be made sense of says so, with both versions")
  func senseless() throws {
    var rewriter = GraphRewriter(
      try ObjectGraph(DocumentArchive.bytes(of: FixtureDocument.makeThird())))
    let root = try rewriter.root()
    var document = try rewriter.node(root)
    document["formatVersion"] = .integer(7)
    document["nextID"] = nil
    rewriter.replace(root, with: document)
    let graph = try rewriter.finish()
    #expect {
      try DocumentArchive.open(graph)
    } throws: { error in
      guard let error = error as? DocumentError else { return false }
      return error.code == .newerVersion && error.message.contains("version 7")
        && error.message.contains("up to 3")
    }
  }
}
