package import Archiving

/// A document of nodes and edges with the checks that a careful program makes of one.
///
/// It is what the hostile files of the layers `keyed` and `semantic` describe.
package final class MapDocument: Coding {
  package let title: String
  package let nodes: [MapNode]
  package let edges: [MapEdge]
  package let meta: [String: String]
  private let unread: UnreadFields

  package static var archivedClass: ArchivedClass { "MapDocument" }

  /// The most cells of a map.
  static let cellMax = 16 << 20

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeObjects(nodes, forKey: "nodes")
    try coder.encodeObjects(edges, forKey: "edges")
    try coder.encodeStringDictionary(meta, forKey: "meta")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    let schema = try coder.decodeIntIfPresent(forKey: "schema") ?? 1
    guard (1...3).contains(schema) else {
      throw coder.invalidValue("this program reads the versions 1 to 3", forKey: "schema")
    }
    let width = try coder.decodeIntIfPresent(forKey: "width") ?? 0
    let height = try coder.decodeIntIfPresent(forKey: "height") ?? 0
    let (cells, overflow) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !overflow, cells <= Self.cellMax else {
      throw coder.invalidValue("a map has at most \(Self.cellMax) cells", forKey: "width")
    }
    nodes = try coder.decodeObjects(MapNode.self, forKey: "nodes")
    edges = try coder.decodeObjectsIfPresent(MapEdge.self, forKey: "edges") ?? []
    meta = try coder.decodeStringDictionaryIfPresent(forKey: "meta") ?? [:]
    unread = try coder.unreadFields()
    try checkTree(coder)
  }

  /// Each node has one place in the tree, and a number of its own.
  private func checkTree(_ coder: any DecodingCoder) throws {
    var seen: Set<ObjectIdentifier> = []
    var numbers: Set<Int> = []
    var work = nodes
    while let node = work.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else {
        throw coder.invalidValue("a node has two places in the tree", forKey: "nodes")
      }
      guard numbers.insert(node.number).inserted else {
        throw coder.invalidValue("two nodes have the number \(node.number)", forKey: "nodes")
      }
      work += node.children
    }
  }

  /// What can be checked only when the whole graph stands.
  package func validate() throws {
    for edge in edges where edge.ends.count != 2 {
      throw ArchiveError(.invalidValue, path: "$top.root.edges", "an edge has two ends")
    }
  }
}

/// A node with its children and a way back to its parent.
package final class MapNode: Coding {
  package let name: String
  package let number: Int
  package let x: Double
  package let y: Double
  package let glyph: Unicode.Scalar?
  package let children: [MapNode]
  package weak var parent: MapNode?

  package static var archivedClass: ArchivedClass { "MapNode" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeInt(number, forKey: "ident")
    try coder.encodeDouble(x, forKey: "x")
    try coder.encodeDouble(y, forKey: "y")
    if let glyph { try coder.encodeInt(Int(glyph.value), forKey: "glyph") }
    try coder.encodeObjects(children, forKey: "children")
    try coder.encodeConditionalObject(parent, forKey: "parent")
  }

  package init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    number = try coder.decodeIntIfPresent(forKey: "ident") ?? 0
    x = try Self.coordinate("x", coder)
    y = try Self.coordinate("y", coder)
    if let value = try coder.decodeIntIfPresent(forKey: "glyph") {
      guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else {
        throw coder.invalidValue("\(value) is no character", forKey: "glyph")
      }
      glyph = scalar
    } else {
      glyph = nil
    }
    children = try coder.decodeObjectsIfPresent(MapNode.self, forKey: "children") ?? []
    try coder.decodeReference(MapNode.self, forKey: "parent") { [weak self] in
      self?.parent = $0
    }
  }

  private static func coordinate(_ key: String, _ coder: any DecodingCoder) throws -> Double {
    let value = try coder.decodeDoubleIfPresent(forKey: key) ?? 0
    guard value.magnitude <= 1e9 else {
      throw coder.invalidValue("\(value) is outside every map", forKey: key)
    }
    return value
  }
}

/// An edge between two nodes, which may be made before or after it.
package final class MapEdge: Coding {
  package private(set) var ends: [MapNode] = []

  package static var archivedClass: ArchivedClass { "MapEdge" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeConditionalObject(ends.first, forKey: "from")
    try coder.encodeConditionalObject(ends.last, forKey: "to")
  }

  package init(coder: any DecodingCoder) throws {
    for key in ["from", "to"] {
      try coder.decodeReference(MapNode.self, forKey: key) { [weak self] in
        self?.ends.append($0)
      }
    }
  }
}
