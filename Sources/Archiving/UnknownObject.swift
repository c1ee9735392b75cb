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

  /// Keeps an object of an archive.
  public init(graph: ObjectGraph, node: NodeID) {
    self.graph = graph
    self.node = node
  }

  /// The name of its class, for showing it; `nil` when it is a bare value.
  public var className: String? {
    try? graph.node(node).classChain.first
  }

  /// Never written: the object's own class is.
  public static var archivedClass: ArchivedClass { "UnknownObject" }

  /// Writes the object's fields into the object that is being encoded.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeUnreadFields(UnreadFields(graph: graph, fields: graph.node(node).fields))
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

  /// No fields: what a value has that was not decoded.
  public init() {
    graph = nil
    fields = []
  }

  init(graph: ObjectGraph, fields: [ObjectGraph.Field]) {
    self.graph = graph
    self.fields = fields
  }

  /// Whether there are none.
  public var isEmpty: Bool { fields.isEmpty }

  /// The keys of the fields, in the order of the archive.
  public var keys: [String] { fields.map(\.key) }
}
