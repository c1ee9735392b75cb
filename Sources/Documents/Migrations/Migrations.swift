package import Archiving

/// A migration of an archive from one version of the format to the next.
///
/// To add one: `Migration<N>.swift` with the step from version N, a line in `Migrations.all`, a
/// frozen fixture of version N and a test. It works on the graph and names no type of the model,
/// since the model changes while a shipped step never does.
package protocol Migration: Sendable {
  /// The version that it migrates from.
  static var version: Int { get }

  /// The changes that it would make to an archive, for people: a line each.
  static func changes(in graph: ObjectGraph) throws -> [String]

  /// The same archive in the next version.
  static func lift(_ graph: ObjectGraph) throws -> ObjectGraph
}

package enum Migrations {
  /// The steps, one a version, the oldest first.
  package static let all: [any Migration.Type] = [Migration1.self, Migration2.self]

  /// A migration that was done.
  package struct Step: Hashable, Sendable {
    /// The version before; it was migrated to the next.
    package var version: Int
    /// The changes, a line each.
    package var changes: [String]
  }

  /// Migrates an archive to the present version, and returns the steps.
  package static func lift(
    _ graph: ObjectGraph, from version: Int, by steps: [any Migration.Type] = all
  ) throws -> (graph: ObjectGraph, steps: [Step]) {
    var graph = graph
    var done: [Step] = []
    for step in steps where step.version >= version {
      done.append(Step(version: step.version, changes: try step.changes(in: graph)))
      graph = try step.lift(graph)
    }
    return (graph, done)
  }
}

extension GraphRewriter {
  /// The node under the top-level key `root`.
  func root() throws -> NodeID {
    guard let top = try graph.top.first(where: { $0.key == "root" }),
      case .reference(let id) = try graph.content(of: top.value)
    else { throw ArchiveError(.corrupt, path: "$top.root", "there is no root object") }
    return id
  }
}
