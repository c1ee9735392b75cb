package import Archiving

/// From version 2 to 3: a document has a layout, and views shown by a pane alone are held by that
/// pane.
///
/// Without a layout there is one tab for each map view, so that nothing is added.
package enum Migration2: Migration {
  package static let version = 2

  package static func changes(in graph: ObjectGraph) throws -> [String] {
    let maps = try GraphRewriter(graph).nodes(ofClass: "PortolanMapView").count
    let counted = CountText.text(maps, "map view", "map views")
    return ["the document keeps its panes: one tab for each map view (\(counted))"]
  }

  package static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
    var rewriter = GraphRewriter(graph)
    let id = try rewriter.root()
    var document = try rewriter.node(id)
    document["formatVersion"] = .integer(3)
    // Version 2 has no such key.
    document["layout"] = nil
    rewriter.replace(id, with: document)
    return try rewriter.finish()
  }
}
