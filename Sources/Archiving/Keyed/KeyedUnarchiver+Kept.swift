import PortolanMemory
import PropertyLists

// Keeping parts of the archive, and noting which of the nodes they refer to were made into objects.
extension KeyedUnarchiver {
  /// Kept parts that are not linked yet.
  struct KeptParts {
    var values: [PropertyListReference] = []
    var nodes: [UInt32] = []
    /// Visited containers, each once.
    var seenValues: Set<PropertyListReference> = []
  }

  /// Whether something was kept: damage in it is found only when it is written back.
  package var hasKeptParts: Bool { keptParts != nil }

  /// Keeps a node.
  func keep(_ node: UInt32) -> UnknownObject {
    var parts = keptParts.take() ?? KeptParts()
    parts.nodes.append(node)
    keptParts = parts
    return UnknownObject(graph: graph, node: NodeID(rawValue: node), links: made.linksOfKeptParts())
  }

  /// Keeps fields of the node that is being decoded.
  func keep(_ fields: [ObjectGraph.Field]) -> UnreadFields {
    var parts = keptParts.take() ?? KeptParts()
    parts.values += fields.map(\.value.reference)
    keptParts = parts
    return UnreadFields(graph: graph, fields: fields, links: made.linksOfKeptParts())
  }

  /// Follows the kept parts up to the nodes that became objects, and notes those.
  ///
  /// Damaged parts are passed over: writing them back will tell.
  func link(_ parts: inout KeptParts) {
    while true {
      if let value = parts.values.popLast() {
        follow(value, &parts)
      } else if let node = parts.nodes.popLast() {
        if made.reach(Int(node)), let body = try? body(of: node) { parts.values.append(body) }
      } else {
        return
      }
    }
  }

  private func follow(_ value: PropertyListReference, _ parts: inout KeptParts) {
    guard let object = try? list.resolved(value) else { return }
    switch object {
    case .uid(let node):
      if !made.link(Int(node)) { parts.nodes.append(node) }
    case .array(let row), .set(let row), .dictionary(_, let row):
      guard parts.seenValues.insert(value).inserted else { return }
      for index in 0..<row.count {
        if let element = list.entry(index, of: row) { parts.values.append(element) }
      }
    default: break
    }
  }
}
