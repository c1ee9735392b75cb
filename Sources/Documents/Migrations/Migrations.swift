package import Archiving

/// A step that lifts an archive from one version of the format to the next.
///
/// To add one: `Migration<N>.swift` with the step from version N, a line in `Migrations.all`, a
/// frozen fixture of version N and a test. It works on the graph and names no type of the model,
/// for the model goes on while a shipped step never changes.
package protocol Migration: Sendable {
  /// The version that it lifts from.
  static var version: Int { get }

  /// The same archive in the next version.
  static func lift(_ graph: ObjectGraph) throws -> ObjectGraph
}

package enum Migrations {
  /// The steps, one a version, the oldest first.
  package static let all: [any Migration.Type] = []

  /// Lifts an archive to the present version.
  package static func lift(
    _ graph: ObjectGraph, from version: Int, by steps: [any Migration.Type] = all
  ) throws -> ObjectGraph {
    try steps.filter { $0.version >= version }.reduce(graph) { try $1.lift($0) }
  }
}
