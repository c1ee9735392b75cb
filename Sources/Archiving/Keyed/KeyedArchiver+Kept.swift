import PortolanMemory
import PropertyLists

/// An archive of which parts were kept.
struct KeptArchive {
  var graph: ObjectGraph
  var links: DecodedLinks?
}

// Writing back the kept parts of another archive: nodes and fields are copied without recursion.
extension KeyedArchiver {
  /// The node of a kept object, copied with all it refers to unless it was before.
  func node(ofKept object: UnknownObject) throws -> UInt32 {
    guard let keyed = object.keyed else {
      throw failed(
        ArchiveError(
          .misuse, path: path(""),
          "an object kept from a typedstream cannot be written to a keyed archive"))
    }
    let archive = KeptArchive(graph: keyed.graph, links: object.links)
    var work: [NodeID] = []
    let number = copiedNode(keyed.node, of: archive, &work)
    if !object.numbers.isEmpty {
      keptNumbers[number] = object.numbers
      // Another kept object may have brought it along without them.
      if work.isEmpty { work.append(keyed.node) }
    }
    try copyKept(&work, of: archive)
    return number
  }

  /// Adds a field of another archive, unless its key was encoded meanwhile.
  func addKeptField(_ field: ObjectGraph.Field, of archive: KeptArchive) throws {
    let key = writer.addString(field.key)
    if isEncoded(key) { return }
    var work: [NodeID] = []
    let value = try copyValue(field.value.reference, of: archive, &work)
    addPending(key, value)
    try copyKept(&work, of: archive)
  }

  /// Writes the kept form of known objects that kept parts refer to and that nothing has encoded.
  func writeFallbacks() throws {
    while let fallback = fallbacks.popLast() {
      guard isReserved(fallback.number) else { continue }
      let archive = fallback.archive
      keptGraphs[ObjectIdentifier(archive.graph)] = archive.graph
      keptNodes[key(fallback.node.rawValue, archive)] = fallback.number
      var work = [fallback.node]
      try copyKept(&work, of: archive)
    }
  }

  /// The number of a node that a kept part refers to: a known object's own, or that of a copy.
  private func keptNode(
    _ id: NodeID, of archive: KeptArchive, _ work: inout [NodeID]
  ) -> UInt32 {
    if id.rawValue == 0 { return 0 }
    if let known = keptNodes[key(id.rawValue, archive)] { return known }
    guard let link = archive.links?[id], let number = linkedNode(link) else {
      return copiedNode(id, of: archive, &work)
    }
    if number.isNew {
      reserveNode()
      fallbacks.append((number.number, id, archive))
    }
    return number.number
  }

  /// The number of a known object; it is new when the next number was noted for it.
  private func linkedNode(_ link: DecodedLinks.Link) -> (number: UInt32, isNew: Bool)? {
    let candidate = UInt32(truncatingIfNeeded: nodes.count)
    switch link {
    case .identity(let identity):
      let identity = AnyHashable(identity)
      if let known = identifiedValues[identity] { return (known, false) }
      identifiedValues[identity] = candidate
      return (candidate, true)
    case .object(let weak):
      guard let object = weak.object else { return nil }
      if let known = identities.find(object, orInsert: candidate) { return (known, false) }
      return (candidate, true)
    }
  }

  /// The number under which a kept node is copied; new ones are put on the work list.
  private func copiedNode(
    _ id: NodeID, of archive: KeptArchive, _ work: inout [NodeID]
  ) -> UInt32 {
    if let known = keptNodes[key(id.rawValue, archive)] { return known }
    let number = addNode(body: nullBody)
    keptNodes[key(id.rawValue, archive)] = number
    keptGraphs[ObjectIdentifier(archive.graph)] = archive.graph
    work.append(id)
    return number
  }

  private func copyKept(_ work: inout [NodeID], of archive: KeptArchive) throws {
    while let id = work.popLast() {
      guard let number = keptNodes[key(id.rawValue, archive)] else { continue }
      let node = try archive.graph.node(id)
      switch node.kind {
      case .none: break
      case .bare(let value):
        nodes[Int(number)].body = try copyValue(value.reference, of: archive, &work)
      case .object:
        let record = classRecord(
          classIndex(named: node.classChain[0], ancestors: Array(node.classChain.dropFirst())))
        var keys: [PropertyListReference] = []
        var values: [PropertyListReference] = []
        let numbers = keptNumbers[number] ?? [:]
        for field in node.fields where numbers[field.key] == nil {
          keys.append(writer.addString(field.key))
          values.append(try copyValue(field.value.reference, of: archive, &work))
        }
        for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
          keys.append(writer.addString(key))
          values.append(writer.addInteger(Int64(number)))
        }
        keys.append(classKey)
        values.append(nodes[Int(record)].uid)
        let body = writer.reserve()
        writer.setDictionary(body, keys: keys, values: values)
        nodes[Int(number)].body = body
      case .classRecord:
        throw failed(
          ArchiveError(
            .corrupt, path: "$objects[\(id.rawValue)]",
            "the record of a class in an object's place"))
      }
    }
  }

  private typealias Copy = (source: PropertyListReference, target: PropertyListReference)

  /// Copies a value; containers within it by a work list, each once.
  private func copyValue(
    _ value: PropertyListReference, of archive: KeptArchive, _ work: inout [NodeID]
  ) throws -> PropertyListReference {
    let list = archive.graph.list
    var copies: [Copy] = []
    let result = try copyShallow(value, of: archive, &work, &copies)
    do {
      // Containers that hold themselves or are nested without end are refused before copying.
      if !copies.isEmpty { try list.validate(value) }
      while let next = copies.popLast() {
        switch try list.object(next.source) {
        case .array(let row):
          writer.setArray(next.target, try copyRow(row, of: archive, &work, &copies))
        case .set(let row):
          writer.setSet(next.target, try copyRow(row, of: archive, &work, &copies))
        case .dictionary(let keys, let values):
          writer.setDictionary(
            next.target, keys: try copyRow(keys, of: archive, &work, &copies),
            values: try copyRow(values, of: archive, &work, &copies))
        default: break
        }
      }
    } catch let error as PropertyListError {
      throw failed(ArchiveError(error, path: "kept value"))
    }
    return result
  }

  private func copyRow(
    _ row: PropertyListReferences, of archive: KeptArchive, _ work: inout [NodeID],
    _ copies: inout [Copy]
  ) throws -> [PropertyListReference] {
    var copied: [PropertyListReference] = []
    copied.reserveCapacity(row.count)
    for index in 0..<row.count {
      let source = try archive.graph.list.reference(index, of: row)
      copied.append(try copyShallow(source, of: archive, &work, &copies))
    }
    return copied
  }

  private func copyShallow(
    _ source: PropertyListReference, of archive: KeptArchive, _ work: inout [NodeID],
    _ copies: inout [Copy]
  ) throws -> PropertyListReference {
    let list = archive.graph.list
    do {
      switch try list.resolved(source) {
      case .uid(let uid):
        return nodes[Int(keptNode(NodeID(rawValue: uid), of: archive, &work))].uid
      case .array, .set, .dictionary:
        if let known = keptContainers[key(source, archive)] { return known }
        let target = writer.reserve()
        keptContainers[key(source, archive)] = target
        copies.append((source, target))
        return target
      case .ascii(let range):
        return writer.addString(try list.ascii(range))
      default:
        guard let range = try list.encodedLeaf(source),
          let copy = list.reader.withBytes(in: range, { writer.addEncodedLeaf($0) })
        else { throw ArchiveError(.corrupt, "a value that runs out of its archive") }
        return copy
      }
    } catch let error as PropertyListError {
      throw failed(ArchiveError(error, path: "kept value"))
    }
  }

  private func key(_ number: UInt32, _ archive: KeptArchive) -> KeptNode {
    KeptNode(graph: ObjectIdentifier(archive.graph), node: NodeID(rawValue: number))
  }
}
