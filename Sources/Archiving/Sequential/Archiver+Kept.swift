import PropertyLists

// Writing back objects that were kept of another stream: event by event, without recursion.
extension Archiver {
  /// Writes a kept object, with all it refers to, in the place of an object.
  func writeKept(_ object: UnknownObject) throws {
    guard let kept = object.sequential else {
      throw fault(.misuse, "an object kept from a keyed archive cannot be written to a typedstream")
    }
    var copy = KeptCopy(stream: kept.stream, links: object.links)
    try writeReference(to: kept.number, &copy)
    try drain(&copy)
  }

  /// Writes the groups of a kept object into the object that is being encoded.
  func writeGroups(ofKept object: UnknownObject) throws {
    guard let kept = object.sequential else {
      throw fault(.misuse, "an object kept from a keyed archive cannot be written to a typedstream")
    }
    var copy = KeptCopy(stream: kept.stream, links: object.links)
    copy.scanners = [try kept.stream.events(ofObject: kept.number)]
    // Its beginning and end are those of the object that is being encoded.
    _ = try copy.scanners[0].next()
    copy.omitsEnd = true
    try drain(&copy)
  }

  /// The copies under way: a scanner for each object that another one waits for.
  private struct KeptCopy {
    let stream: Typedstream
    let links: DecodedLinks?
    var scanners: [TypedstreamScanner] = []
    /// Whether the end of the outermost object is left out.
    var omitsEnd = false
  }

  private func drain(_ copy: inout KeptCopy) throws {
    while let last = copy.scanners.indices.last {
      guard let event = try copy.scanners[last].next() else {
        copy.scanners.removeLast()
        continue
      }
      if event == .endObject, copy.omitsEnd, last == 0, copy.scanners[0].openObjects == 0 {
        continue
      }
      try write(event, type: copy.scanners[last].typeCode, &copy)
    }
  }

  private func write(_ event: TypedstreamEvent, type: UInt8, _ copy: inout KeptCopy) throws {
    switch event {
    case .beginObject(let number):
      guard try writeKnown(number, copy) else { return begin(number, copy) }
      copy.scanners[copy.scanners.count - 1].skipObject()
    case .reference(let number): try writeReference(to: number, &copy)
    case .archivedClass(let index): write(classIndex: index, of: copy.stream)
    case .newCString(let number, _): write(cString: number, of: copy.stream)
    default: writer.write(event, type: type, of: copy.stream, .kept)
    }
  }

  /// Writes a reference of the stream; an object that is not written yet is copied here.
  private func writeReference(to number: Int, _ copy: inout KeptCopy) throws {
    switch copy.stream.entry(number) {
    case .archivedClass:
      throw fault(.invalidValue, "a class stands in the place of object \(number)")
    case .cString: write(cString: number, of: copy.stream)
    case .object:
      if try writeKnown(number, copy) { return }
      var scanner = try copy.stream.events(ofObject: number)
      _ = try scanner.next()
      copy.scanners.append(scanner)
      begin(number, copy)
    case nil: throw fault(.corrupt, "reference to object \(number), which is not there")
    }
  }

  private func begin(_ number: Int, _ copy: KeptCopy) {
    keptObjects[key(number, copy.stream)] = writer.beginObject()
    if case .object(let index)? = copy.stream.entry(number) {
      write(classIndex: index, of: copy.stream)
    }
  }

  private func key(_ number: Int, _ stream: Typedstream) -> KeptObject {
    keptStreams[ObjectIdentifier(stream)] = stream
    return KeptObject(stream: ObjectIdentifier(stream), number: number)
  }

  private func write(classIndex: Int, of stream: Typedstream) {
    writer.writeClass(stream.chainWithVersions(ofClass: classIndex))
  }

  private func write(cString number: Int, of stream: Typedstream) {
    let key = key(number, stream)
    if let known = keptObjects[key] { return writer.writeReference(known) }
    guard case .cString(let string)? = stream.entry(number) else { return writer.writeNone() }
    keptObjects[key] = writer.writeNewCString(stream.string(string))
  }

  /// Writes a reference, or an object in memory that the graph writes; false for an
  /// object that must be copied.
  private func writeKnown(_ number: Int, _ copy: KeptCopy) throws -> Bool {
    if let known = keptObjects[key(number, copy.stream)] {
      writer.writeReference(known)
      return true
    }
    guard let link = copy.links?[NodeID(rawValue: UInt32(truncatingIfNeeded: number))] else {
      return false
    }
    switch link {
    case .identity(let identity): return try writeLinked(AnyHashable(identity))
    case .object(let weak):
      guard let object = weak.object else { return false }
      return try writeLinked(object)
    }
  }

  private func writeLinked(_ identity: AnyHashable) throws -> Bool {
    guard identifiedValues[identity] != nil || root?.reached?.values[identity] != nil else {
      if root?.reached == nil { root?.undecidedIdentities.append(identity) }
      return false
    }
    try writeReference(to: identity)
    return true
  }

  private func writeLinked(_ object: AnyObject) throws -> Bool {
    if let known = identities.node(of: object) {
      writer.writeReference(Int(known))
      return true
    }
    guard let reached = root?.reached else {
      root?.undecided.append(object)
      return false
    }
    guard reached.objects.node(of: object) != nil, let coding = object as? any Coding else {
      return false
    }
    try write(coding, isFinal: true)
    return true
  }
}
