package import Archiving

/// Classes of every make, for decoding what was not made for them.
package enum ProbeClasses {
  static let all: [any Coding.Type] = [
    MapDocument.self, MapNode.self, MapEdge.self, EveryField.self, AnyArray.self, Gadget.self,
  ]

  static let list = ClassList<any Coding>(all, unknown: { $0 })
}

/// A document of nodes and edges, as the hostile files describe it.
package final class MapDocument: Coding {
  package let title: String
  package let nodes: [MapNode]
  package let edges: [MapEdge]
  package let size: [Int]
  package let meta: [String: String]
  private let unread: UnreadFields

  package static var archivedClass: ArchivedClass { "MapDocument" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeObjects(nodes, forKey: "nodes")
    try coder.encodeObjects(edges, forKey: "edges")
    try coder.encodeStringDictionary(meta, forKey: "meta")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    nodes = try coder.decodeObjects(MapNode.self, forKey: "nodes")
    edges = try coder.decodeObjectsIfPresent(MapEdge.self, forKey: "edges") ?? []
    size = try ["width", "height"].map { try coder.decodeIntIfPresent(forKey: $0) ?? 0 }
    meta = try coder.decodeStringDictionaryIfPresent(forKey: "meta") ?? [:]
    unread = try coder.unreadFields()
  }
}

/// A node with its children and a way back to its parent.
package final class MapNode: Coding {
  package let name: String
  package let number: Int
  package let position: [Double]
  package var children: [MapNode]
  package weak var parent: MapNode?

  package static var archivedClass: ArchivedClass { "MapNode" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeInt(number, forKey: "ident")
    try coder.encodeObjects(children, forKey: "children")
    try coder.encodeConditionalObject(parent, forKey: "parent")
  }

  package init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    number = try coder.decodeIntIfPresent(forKey: "ident") ?? 0
    position = try ["x", "y"].map { try coder.decodeDoubleIfPresent(forKey: $0) ?? 0 }
    children = try coder.decodeObjectsIfPresent(MapNode.self, forKey: "children") ?? []
    try coder.decodeReference(MapNode.self, forKey: "parent") { [weak self] in
      self?.parent = $0
    }
  }
}

/// An edge between two nodes, which are read while the document is still being made.
package final class MapEdge: Coding {
  package var ends: [MapNode] = []

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

/// A value that asks for every kind of field under the keys that archives use most.
struct EveryField: Coding {
  var unread: UnreadFields
  var parts: [UnknownObject] = []

  static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSObject",
      formerNames: ["NSMutableDictionary", "NSDictionary", "NSSet", "NSNumber", "View", "Place"])
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(parts, forKey: "parts")
    try coder.encodeUnreadFields(unread)
  }

  init(coder: any DecodingCoder) throws {
    for key in ["name", "NS.objects", "NS.keys", "NS.string", "a", "$x"] {
      _ = try? coder.containsValue(forKey: key)
      _ = try? coder.decodeBoolIfPresent(forKey: key)
      _ = try? coder.decodeIntIfPresent(forKey: key)
      _ = try? coder.decodeInt32IfPresent(forKey: key)
      _ = try? coder.decodeInt64IfPresent(forKey: key)
      _ = try? coder.decodeFloatIfPresent(forKey: key)
      _ = try? coder.decodeDoubleIfPresent(forKey: key)
      _ = try? coder.decodeStringIfPresent(forKey: key)
      _ = try? coder.decodeDataIfPresent(forKey: key)
      _ = try? coder.decodePackedIfPresent(Int32.self, forKey: key)
      _ = try? coder.decodeDateIfPresent(forKey: key)
      _ = try? coder.decodeStringsIfPresent(forKey: key)
      _ = try? coder.decodeIntsIfPresent(forKey: key)
      _ = try? coder.decodeDoublesIfPresent(forKey: key)
      _ = try? coder.decodeStringDictionaryIfPresent(forKey: key)
      _ = try? coder.decodeStringPairsIfPresent(forKey: key)
      _ = try? coder.decodeDictionaryIfPresent(of: MapNode.self, forKey: key)
      _ = try? coder.decodeObjectIfPresent(MapNode.self, forKey: key)
      try? coder.decodeReference(MapNode.self, forKey: key) { _ = $0.children }
      if let part = try? coder.decodeObjectIfPresent(UnknownObject.self, forKey: key) {
        parts.append(part)
      }
    }
    unread = try coder.unreadFields()
  }
}

/// An array that holds whatever there is.
struct AnyArray: Coding {
  var elements: [any Coding]

  static var archivedClass: ArchivedClass {
    ArchivedClass("NSMutableArray", formerNames: ["NSArray"])
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(elements, forKey: "NS.objects")
  }

  init(coder: any DecodingCoder) throws {
    elements = try coder.decodeObjects(in: ProbeClasses.list, forKey: "NS.objects")
  }
}

/// A class that no slot admits but one.
final class Gadget: Coding {
  static var archivedClass: ArchivedClass { "Gadget" }

  func encode(with coder: any EncodingCoder) throws {}

  init(coder: any DecodingCoder) throws {}
}
