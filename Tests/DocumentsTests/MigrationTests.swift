import Archiving
import Testing

@testable import Documents

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
    static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
      try Trail.adding(version, to: graph)
    }
  }

  private enum Two: Migration {
    static let version = 2
    static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
      try Trail.adding(version, to: graph)
    }
  }

  @Test("An archive goes through the steps from its version on, in order", arguments: 1...3)
  func order(version: Int) throws {
    let graph = try ObjectGraph(KeyedArchiver.archive(Trail(steps: [])))
    let lifted = try Migrations.lift(graph, from: version, by: [One.self, Two.self])
    let trail = try KeyedUnarchiver(graph: lifted).decodeObject(Trail.self, forKey: "root")
    #expect(trail.steps == [1, 2].filter { $0 >= version })
  }

  @Test("The steps lead from version 1 to the present one without a gap")
  func gaps() {
    #expect(Migrations.all.map { $0.version } == Array(1..<Document.formatVersion))
  }
}
