import PropertyLists

// Writing back what was kept of another archive: nodes and fields are copied without recursion.
extension KeyedArchiver {
  /// The node of a kept object, copied with all it refers to unless it was before.
  func node(ofKept object: UnknownObject) throws -> UInt32 {
    var work: [NodeID] = []
    let number = try keptNode(object.node, of: object.graph, &work)
    try copyKept(&work, of: object.graph)
    return number
  }

  /// Adds a field of another archive, unless its key was encoded meanwhile.
  func addKeptField(_ field: ObjectGraph.Field, of graph: ObjectGraph) throws {
    let key = writer.addString(field.key)
    if isEncoded(key) { return }
    var work: [NodeID] = []
    let value = try copyValue(field.value, of: graph, &work)
    pendingKeys.append(key)
    pendingValues.append(value)
    try copyKept(&work, of: graph)
  }

  /// The number under which a kept node is written; new ones are put on the work list.
  private func keptNode(
    _ id: NodeID, of graph: ObjectGraph, _ work: inout [NodeID]
  ) throws
    -> UInt32
  {
    if id.rawValue == 0 { return 0 }
    let kept = KeptNode(graph: ObjectIdentifier(graph), node: id)
    if let known = keptNodes[kept] { return known }
    let number = addNode(body: nullBody)
    keptNodes[kept] = number
    keptGraphs[ObjectIdentifier(graph)] = graph
    work.append(id)
    return number
  }

  private func copyKept(_ work: inout [NodeID], of graph: ObjectGraph) throws {
    while let id = work.popLast() {
      guard let number = keptNodes[KeptNode(graph: ObjectIdentifier(graph), node: id)] else {
        continue
      }
      let node = try graph.node(id)
      switch node.kind {
      case .none: break
      case .bare(let value):
        nodes[Int(number)].body = try copyValue(value, of: graph, &work)
      case .object:
        let record = classRecord(
          classIndex(named: node.classChain[0], ancestors: Array(node.classChain.dropFirst())))
        var keys: [PropertyListReference] = []
        var values: [PropertyListReference] = []
        for field in node.fields {
          keys.append(writer.addString(field.key))
          values.append(try copyValue(field.value, of: graph, &work))
        }
        keys.append(classKey)
        values.append(nodes[Int(record)].uid)
        let body = writer.reserve()
        writer.setDictionary(body, keys: keys, values: values)
        nodes[Int(number)].body = body
      case .classRecord:
        throw ArchiveError(
          .corrupt, path: "$objects[\(id.rawValue)]", "the record of a class in an object's place")
      }
    }
  }

  /// Copies a value; containers within it by a work list of their own.
  private func copyValue(
    _ value: ObjectGraph.Value, of graph: ObjectGraph, _ work: inout [NodeID]
  ) throws -> PropertyListReference {
    try graph.list.validate(value.reference)
    var targets: [(source: PropertyListReference, target: PropertyListReference)] = []
    let result = try copyShallow(value.reference, of: graph, &work, &targets)
    while let next = targets.popLast() {
      let object = try graph.list.object(next.source)
      func copies(_ row: PropertyListReferences) throws -> [PropertyListReference] {
        try (0..<row.count).map { index in
          try copyShallow(
            graph.list.reference(index, of: row), of: graph, &work, &targets)
        }
      }
      switch object {
      case .array(let row): writer.setArray(next.target, try copies(row))
      case .set(let row): writer.setSet(next.target, try copies(row))
      case .dictionary(let keys, let values):
        writer.setDictionary(next.target, keys: try copies(keys), values: try copies(values))
      default: break
      }
    }
    return result
  }

  private func copyShallow(
    _ source: PropertyListReference, of graph: ObjectGraph, _ work: inout [NodeID],
    _ targets: inout [(source: PropertyListReference, target: PropertyListReference)]
  ) throws -> PropertyListReference {
    switch try graph.list.object(source) {
    case .uid(let uid):
      return nodes[Int(try keptNode(NodeID(rawValue: uid), of: graph, &work))].uid
    case .array, .set, .dictionary:
      let target = writer.reserve()
      targets.append((source, target))
      return target
    default:
      guard let range = try graph.list.encodedLeaf(source),
        let copy = graph.list.reader.withBytes(in: range, { writer.addEncodedLeaf($0) })
      else { throw ArchiveError(.corrupt, "a value that runs out of its archive") }
      return copy
    }
  }
}
