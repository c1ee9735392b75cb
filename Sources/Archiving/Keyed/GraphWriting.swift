import PropertyLists

/// Writes a rewritten graph: untouched nodes as copies, changed ones anew, each under its number.
struct GraphWriting: ~Copyable, CopyTarget {
  private let rewriter: GraphRewriter
  private let copier: ValueCopier
  var writer = BinaryPropertyListWriter()
  private let top: PropertyListReference
  private let null: PropertyListReference
  private var uids: [PropertyListReference] = []
  private var bodies: [PropertyListReference] = []
  /// The record of each chain of classes.
  private var records: [[String]: UInt32] = [:]

  init(_ rewriter: GraphRewriter) throws {
    self.rewriter = rewriter
    copier = ValueCopier(rewriter.graph)
    top = writer.reserve()
    null = writer.addString("$null")
    for number in 0..<rewriter.nodeCount { uids.append(writer.addUID(UInt32(number))) }
  }

  mutating func bytes() throws -> [UInt8] {
    try noteRecords()
    bodies = Array(repeating: null, count: rewriter.nodeCount)
    for number in 0..<rewriter.graph.nodeCount {
      bodies[number] = try originalBody(NodeID(rawValue: UInt32(number)))
    }
    for (place, addition) in rewriter.additions.enumerated() {
      bodies[rewriter.graph.nodeCount + place] = try addedBody(addition)
    }
    for number in 0..<rewriter.nodeCount {
      let id = NodeID(rawValue: UInt32(number))
      if let node = rewriter.replaced[id] { bodies[number] = try body(node) }
    }
    let roots = writer.reserve()
    let fields = try rewriter.top
    writer.setDictionary(
      roots, keys: fields.map { writer.addString($0.key) },
      values: try fields.map { try value($0.value) })
    let objects = writer.reserve()
    writer.setArray(objects, bodies)
    writer.setDictionary(
      top,
      keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, objects,
      ])
    return try writer.finish(top: top)
  }

  // MARK: Nodes

  /// Notes the records that the graph has already, by their chains after renaming.
  private mutating func noteRecords() throws {
    for number in 0..<rewriter.graph.nodeCount {
      let id = NodeID(rawValue: UInt32(number))
      guard case .classRecord = try rewriter.graph.node(id).kind else { continue }
      let chain = try rewriter.graph.classChain(id).map { rewriter.newNames[$0] ?? $0 }
      if records[chain] == nil { records[chain] = UInt32(number) }
    }
  }

  private mutating func originalBody(_ id: NodeID) throws -> PropertyListReference {
    if rewriter.replaced[id] != nil { return null }
    let node = try rewriter.graph.node(id)
    guard case .classRecord = node.kind, !rewriter.newNames.isEmpty else {
      return try copyBody(id)
    }
    let chain = try rewriter.graph.classChain(id)
    guard chain.contains(where: { rewriter.newNames[$0] != nil }) else {
      return try copyBody(id)
    }
    return recordBody(chain.map { rewriter.newNames[$0] ?? $0 })
  }

  private mutating func copyBody(_ id: NodeID) throws -> PropertyListReference {
    let graph = rewriter.graph
    return try copy(graph.list.reference(Int(id.rawValue), of: graph.objects))
  }

  private mutating func addedBody(
    _ addition: GraphRewriter.Addition
  ) throws -> PropertyListReference {
    switch addition {
    case .node: return null
    case .string(let text):
      guard text == "$null" else { return writer.addString(text) }
      // The text itself would be read as "none", so it is boxed as Apple does.
      return try body(
        GraphRewriter.Node(
          classChain: ["NSString", "NSObject"], fields: [("NS.string", .inlineString(text))]))
    case .data(let bytes): return writer.addData(bytes)
    }
  }

  private mutating func body(_ node: GraphRewriter.Node) throws -> PropertyListReference {
    var keys: [PropertyListReference] = []
    var values: [PropertyListReference] = []
    for field in node.fields where field.key != "$class" {
      let key = writer.addString(field.key)
      guard !keys.contains(key) else {
        throw ArchiveError(.duplicateKey, "the key \(field.key) is there twice in a node")
      }
      keys.append(key)
      values.append(try value(field.value))
    }
    keys.append(writer.addString("$class"))
    values.append(uids[Int(try record(node.classChain))])
    let body = writer.reserve()
    writer.setDictionary(body, keys: keys, values: values)
    return body
  }

  /// The number of the record of a chain, which is added when it is not there.
  private mutating func record(_ chain: [String]) throws -> UInt32 {
    if let number = records[chain] { return number }
    guard !chain.isEmpty else { throw ArchiveError(.misuse, "a node without a class") }
    let number = UInt32(truncatingIfNeeded: bodies.count)
    bodies.append(recordBody(chain))
    uids.append(writer.addUID(number))
    records[chain] = number
    return number
  }

  private mutating func recordBody(_ chain: [String]) -> PropertyListReference {
    let names = chain.map { writer.addString($0) }
    let array = writer.reserve()
    writer.setArray(array, names)
    let body = writer.reserve()
    writer.setDictionary(
      body, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [names[0], array])
    return body
  }

  // MARK: Values

  private mutating func value(
    _ value: GraphRewriter.Value
  ) throws -> PropertyListReference {
    switch value {
    case .original(let original): return try copy(original.reference)
    case .none: return uids[0]
    case .reference(let id): return try reference(toNode: id.rawValue)
    case .bool(let value): return writer.addBool(value)
    case .integer(let value): return writer.addInteger(value)
    case .double(let value): return writer.addDouble(value)
    case .inlineString(let text): return writer.addString(text)
    case .bytes(let bytes): return writer.addData(bytes)
    case .references(let ids):
      let elements = try ids.map { try reference(toNode: $0.rawValue) }
      let array = writer.reserve()
      writer.setArray(array, elements)
      return array
    }
  }

  func reference(toNode number: UInt32) throws -> PropertyListReference {
    guard Int(number) < rewriter.nodeCount else {
      throw ArchiveError(.corrupt, "reference to object \(number) of \(rewriter.nodeCount)")
    }
    return uids[Int(number)]
  }

  /// Copies a value of the old graph.
  private mutating func copy(_ source: PropertyListReference) throws -> PropertyListReference {
    let copier = copier
    return try copier.copy(source, to: &self)
  }
}
