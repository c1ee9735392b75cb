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
      copier(of: archive)
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
    copier(of: archive)
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

  private func copyValue(
    _ value: PropertyListReference, of archive: KeptArchive, _ work: inout [NodeID]
  ) throws -> PropertyListReference {
    var target = KeptTarget(archiver: self, archive: archive)
    swap(&target.work, &work)
    defer { swap(&target.work, &work) }
    do {
      return try copier(of: archive).copy(value, to: &target)
    } catch let error as PropertyListError {
      throw failed(ArchiveError(error, path: "kept value"))
    }
  }

  /// The place of copied values; nodes that they refer to are put on the work list.
  private struct KeptTarget: CopyTarget {
    unowned let archiver: KeyedArchiver
    let archive: KeptArchive
    var work: [NodeID] = []

    var writer: BinaryPropertyListWriter {
      _read { yield archiver.writer }
      nonmutating _modify { yield &archiver.writer }
    }

    mutating func reference(toNode number: UInt32) -> PropertyListReference {
      let node = archiver.keptNode(NodeID(rawValue: number), of: archive, &work)
      return archiver.nodes[Int(node)].uid
    }
  }

  /// The copier of an archive, which holds it, so that no other takes its address.
  @discardableResult
  private func copier(of archive: KeptArchive) -> ValueCopier {
    let identity = ObjectIdentifier(archive.graph)
    if let known = keptArchives[identity] { return known }
    let copier = ValueCopier(archive.graph)
    keptArchives[identity] = copier
    return copier
  }

  private func key(_ number: UInt32, _ archive: KeptArchive) -> KeptNode {
    KeptNode(graph: ObjectIdentifier(archive.graph), node: NodeID(rawValue: number))
  }
}
