package import Archiving

/// From version 1 to 2: the source of a layer's features has another class name, and the coordinate
/// system is two fields.
///
/// Layers may now belong to groups, which version 1 does not have: no step is needed for that.
package enum Migration1: Migration {
  package static let version = 1

  private static let formerSource = "PortolanCollectionSource"
  private static let source = "PortolanSourceFile"

  package static func changes(in graph: ObjectGraph) throws -> [String] {
    let sources = try GraphRewriter(graph).nodes(ofClass: formerSource).count
    let counted = CountText.text(sources, "object", "objects")
    return [
      "the class \(formerSource) becomes \(source) (\(counted))",
      "coordinateSystem becomes coordinateAuthority and coordinateCode",
      "layers may belong to groups",
    ]
  }

  package static func lift(_ graph: ObjectGraph) throws -> ObjectGraph {
    var rewriter = GraphRewriter(graph)
    rewriter.renameClass(formerSource, to: source)
    let id = try rewriter.root()
    var document = try rewriter.node(id)
    document["formatVersion"] = .integer(2)
    if let name = try rewriter.string(document["coordinateSystem"]) {
      let (authority, code) = split(name)
      document["coordinateAuthority"] = .reference(rewriter.addString(authority))
      document["coordinateCode"] = .reference(rewriter.addString(code))
    }
    document["coordinateSystem"] = nil
    rewriter.replace(id, with: document)
    return try rewriter.finish()
  }

  /// `OGC:CRS84` is a code of an authority; a text with no colon, or more than one, is a name.
  static func split(_ name: String) -> (authority: String, code: String) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return ("", name) }
    return (String(parts[0]), String(parts[1]))
  }
}
