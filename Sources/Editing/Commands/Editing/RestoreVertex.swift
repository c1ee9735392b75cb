package import ArgumentParser

/// Brings back a vertex that a simplification left out.
package struct RestoreVertex: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring back the vertex nearest to the cursor that simplify left out.",
    discussion: """
      After :simplify the former lines are drawn faintly, until Esc or another edit. restore puts \
      the nearest of their vertices back, in all areas that share it, where the file had it.
      """)

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.restoreVertex() }
}
