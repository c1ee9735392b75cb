/// An object of a class that the program does not know, kept whole with all it refers to.
///
/// It holds the archive it came from and the object's number there; nothing is copied, decoded or
/// made. Encoded again, it is written back unchanged. Objects that two kept objects share stay
/// shared.
public struct UnknownObject: SpecialCoding, Sendable {
  /// The archive it came from.
  public let graph: ObjectGraph

  /// Its number there.
  public let node: NodeID

  /// What was made of the nodes that it refers to.
  let links: DecodedLinks?

  /// Keeps an object of an archive.
  public init(graph: ObjectGraph, node: NodeID) {
    self.init(graph: graph, node: node, links: nil)
  }

  init(graph: ObjectGraph, node: NodeID, links: DecodedLinks?) {
    self.graph = graph
    self.node = node
    self.links = links
  }

  /// The name of its class, for showing it; `nil` when it is a bare value.
  public var className: String? {
    try? graph.node(node).classChain.first
  }

  /// Never written: the object's own class is.
  public static var archivedClass: ArchivedClass { "UnknownObject" }

  /// Writes the object's fields into the object that is being encoded.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeUnreadFields(
      UnreadFields(graph: graph, fields: graph.node(node).fields, links: links))
  }

  /// Keeps the object that is being decoded, whatever its class.
  public init(coder: any DecodingCoder) throws {
    guard let keeper = coder as? KeyedUnarchiver, let kept = keeper.currentObject else {
      throw ArchiveError(.misuse, "only an object of a keyed archive can be kept")
    }
    self = kept
  }
}

/// Fields of an object that its type did not read, kept to be written back.
///
/// A value keeps them in a stored property and gives them to `encodeUnreadFields` when it is
/// encoded.
public struct UnreadFields: Sendable {
  let graph: ObjectGraph?
  let fields: [ObjectGraph.Field]
  let links: DecodedLinks?

  /// No fields: what a value has that was not decoded.
  public init() {
    graph = nil
    fields = []
    links = nil
  }

  init(graph: ObjectGraph, fields: [ObjectGraph.Field], links: DecodedLinks?) {
    self.graph = graph
    self.fields = fields
    self.links = links
  }

  /// Whether there are none.
  public var isEmpty: Bool { fields.isEmpty }

  /// The keys of the fields, in the order of the archive.
  public var keys: [String] { fields.map(\.key) }
}

extension UnknownObject: Hashable {
  /// Whether both are the same object of the same archive.
  public static func == (first: UnknownObject, second: UnknownObject) -> Bool {
    first.graph === second.graph && first.node == second.node
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(graph))
    hasher.combine(node)
  }
}

extension UnreadFields: Hashable {
  /// Whether both are the same fields of the same object.
  public static func == (first: UnreadFields, second: UnreadFields) -> Bool {
    first.graph === second.graph && first.fields == second.fields
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(graph.map { ObjectIdentifier($0) })
    hasher.combine(fields)
  }
}
