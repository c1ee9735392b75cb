import PropertyLists

/// Makes a changed archive out of a graph, for migrations: classes renamed, fields changed, nodes
/// added.
///
/// No type of the program takes part, so that a migration means the same for ever. Nodes keep their
/// numbers; untouched parts are copied as they stand.
///
///     var rewriter = GraphRewriter(graph)
///     rewriter.renameClass("Road", to: "LineLayer")
///     for id in try rewriter.nodes(ofClass: "Person") {
///       var person = try rewriter.node(id)
///       person["fullName"] = .reference(rewriter.addString("…"))
///       person["first"] = nil
///       rewriter.replace(id, with: person)
///     }
///     let newer = try rewriter.finish()
public struct GraphRewriter {
  /// A value of a field: one of the old graph, or a new one.
  public enum Value: Sendable {
    /// A value of the old graph as it stands.
    case original(ObjectGraph.Value)
    /// No object.
    case none
    /// A reference to a node, old or new.
    case reference(NodeID)
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A real number.
    case double(Double)
    /// A string inside the object itself; most strings are nodes of their own.
    case inlineString(String)
    /// Bytes inside the object itself.
    case bytes([UInt8])
    /// References inside the object itself, as collections have them.
    case references([NodeID])
  }

  /// A node with a class.
  public struct Node: Sendable {
    /// The names of the class and its superclasses, the class first.
    public var classChain: [String]
    /// The fields in order; keys as they stand in the archive.
    public var fields: [(key: String, value: Value)]

    /// Describes a node.
    public init(classChain: [String], fields: [(key: String, value: Value)] = []) {
      self.classChain = classChain
      self.fields = fields
    }

    /// The value of a field; a new one goes to the end, `nil` takes the field away.
    public subscript(key: String) -> Value? {
      get { fields.first { ExactKey($0.key) == ExactKey(key) }?.value }
      set {
        let place = fields.firstIndex { ExactKey($0.key) == ExactKey(key) }
        switch (place, newValue) {
        case (let place?, let value?): fields[place].value = value
        case (let place?, nil): fields.remove(at: place)
        case (nil, let value?): fields.append((key, value))
        case (nil, nil): break
        }
      }
    }
  }

  /// A node that the old graph does not have.
  enum Addition {
    case node
    case string(String)
    case data([UInt8])
  }

  /// The graph that is rewritten.
  public let graph: ObjectGraph

  var replaced: [NodeID: Node] = [:]
  var additions: [Addition] = []
  var newNames: [String: String] = [:]
  var newTop: [(key: String, value: Value)]?

  /// Begins with a graph as it stands.
  public init(_ graph: ObjectGraph) { self.graph = graph }

  /// How many nodes there are by now, "none" included.
  public var nodeCount: Int { graph.nodeCount + additions.count }

  /// The top-level keys and values; setting them replaces them all.
  public var top: [(key: String, value: Value)] {
    get throws { try newTop ?? graph.top.map { ($0.key, .original($0.value)) } }
  }

  /// Replaces the top-level keys and values.
  public mutating func replaceTop(with fields: [(key: String, value: Value)]) { newTop = fields }

  /// A node as it stands by now; throws when it is no object with a class.
  public func node(_ id: NodeID) throws -> Node {
    if let node = replaced[id] { return node }
    let node = try graph.node(id)
    guard case .object = node.kind else {
      throw ArchiveError(
        .typeMismatch, path: "$objects[\(id.rawValue)]", "expected an object with a class")
    }
    return Node(
      classChain: node.classChain.map { newNames[$0] ?? $0 },
      fields: node.fields.map { ($0.key, .original($0.value)) })
  }

  /// Puts a node in the place of another.
  public mutating func replace(_ id: NodeID, with node: Node) { replaced[id] = node }

  /// Adds a node.
  public mutating func add(_ node: Node) -> NodeID {
    let id = next(.node)
    replaced[id] = node
    return id
  }

  /// Adds a string object.
  public mutating func addString(_ text: String) -> NodeID { next(.string(text)) }

  /// Adds a data object.
  public mutating func addData(_ bytes: [UInt8]) -> NodeID { next(.data(bytes)) }

  /// Gives a class another name, wherever it stands, as a superclass too.
  public mutating func renameClass(_ name: String, to newName: String) { newNames[name] = newName }

  /// The nodes of a class, by its present name, in the archive's order; subclasses are others.
  public func nodes(ofClass name: String) throws -> [NodeID] {
    var found: [NodeID] = []
    for number in 0..<graph.nodeCount {
      let id = NodeID(rawValue: UInt32(number))
      if let node = replaced[id] {
        if node.classChain.first == name { found.append(id) }
      } else if let first = try graph.className(of: id), (newNames[first] ?? first) == name {
        found.append(id)
      }
    }
    return found
  }

  /// The kind and content of an original value, one level deep.
  public func content(of value: ObjectGraph.Value) throws -> ObjectGraph.Content {
    try graph.content(of: value)
  }

  /// The text behind a field that holds a string or refers to one of the old graph; `nil` for none.
  public func string(_ value: Value?) throws -> String? {
    switch value {
    case .inlineString(let text): return text
    case .original(let original):
      switch try graph.content(of: original) {
      case .string(let text): return text
      case .reference(let id): return try string(of: id)
      default: return nil
      }
    case .reference(let id): return try string(of: id)
    default: return nil
    }
  }

  private func string(of id: NodeID) throws -> String? {
    let place = Int(id.rawValue) - graph.nodeCount
    if place >= 0, place < additions.count, case .string(let text) = additions[place] {
      return text
    }
    guard case .bare(let value) = try graph.node(id).kind,
      case .string(let text) = try graph.content(of: value)
    else { return nil }
    return text
  }

  private mutating func next(_ addition: Addition) -> NodeID {
    additions.append(addition)
    return NodeID(rawValue: UInt32(truncatingIfNeeded: nodeCount - 1))
  }

  /// Writes the changed archive and opens it.
  public func finish() throws -> ObjectGraph { try ObjectGraph(archive()) }

  /// Writes the changed archive.
  public func archive() throws -> [UInt8] {
    do {
      var writing = try GraphWriting(self)
      return try writing.bytes()
    } catch let error as PropertyListError {
      throw ArchiveError(error, path: "")
    }
  }
}

extension ObjectGraph {
  /// The name of a node's class; `nil` when it is no object.
  func className(of id: NodeID) throws -> String? {
    let node = try node(id)
    guard case .object = node.kind else { return nil }
    return node.classChain.first
  }
}
