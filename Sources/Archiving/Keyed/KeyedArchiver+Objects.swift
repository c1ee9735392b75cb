import PortolanMemory
import PropertyLists

extension KeyedArchiver {
  public func encodeObject<Object: Coding>(_ object: Object, forKey key: String) throws {
    try addReference(node(of: object), key)
  }

  public func encodeConditionalObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  {
    guard let object else { return try addReference(0, key) }
    try addReference(node(ofConditional: object, key), key)
  }

  /// The node of an object that something else encodes; reserved if nothing has so far.
  func node<Object: Coding>(ofConditional object: Object, _ key: String) throws -> UInt32 {
    let index = classIndex(of: type(of: object))
    guard classes[index].isSubstituting || asksFirst else {
      return try node(ofConditional: object, index, key)
    }
    let substitute = try substitute(for: object, index)
    guard let final = substitute.final else { return 0 }
    guard let token = substitute.token else { return try node(ofFinalConditional: final, key) }
    let candidate = UInt32(truncatingIfNeeded: nodes.count)
    if let known = identities.find(token, orInsert: candidate) { return known }
    reserveNode()
    return candidate
  }

  private func node<Object: Coding>(
    ofFinalConditional object: Object, _ key: String
  ) throws -> UInt32 {
    try node(ofConditional: object, classIndex(of: type(of: object)), key)
  }

  private func node<Object: Coding>(
    ofConditional object: Object, _ index: Int, _ key: String
  ) throws -> UInt32 {
    let candidate = UInt32(truncatingIfNeeded: nodes.count)
    if let known = knownNode(of: object, classIndex: index, orInsert: candidate) { return known }
    guard hasIdentity(object, classIndex: index) else {
      throw ArchiveError(
        .misuse, path: path(key),
        "a value without identity cannot be encoded conditionally; adopt IdentifiedCoding")
    }
    reserveNode()
    return candidate
  }

  public func encodeReference<Identity: ArchiveIdentity>(
    _ identity: Identity?, forKey key: String
  ) throws {
    guard let identity else { return try addReference(0, key) }
    if let known = identifiedValues[AnyHashable(identity)] { return try addReference(known, key) }
    let number = UInt32(truncatingIfNeeded: nodes.count)
    identifiedValues[AnyHashable(identity)] = number
    reserveNode()
    try addReference(number, key)
  }

  /// The node of an object, which is encoded now if it was not before.
  func node<Object: Coding>(of object: Object) throws -> UInt32 {
    let index = classIndex(of: type(of: object))
    if classes[index].isSpecial || asksFirst { return try node(ofSpecial: object, index) }
    return try node(ofPlain: object, index, as: index)
  }

  private func node<Object: Coding>(ofSpecial object: Object, _ index: Int) throws -> UInt32 {
    guard classes[index].isSubstituting || asksFirst else {
      return try node(ofFinal: object, index)
    }
    let substitute = try substitute(for: object, index)
    guard let final = substitute.final else { return 0 }
    guard let token = substitute.token else { return try node(ofReplacement: final) }
    return try node(ofValue: final, for: token)
  }

  /// The node of a value that stands for an instance of a class, and is written once like that.
  private func node<Value: Coding>(
    ofValue value: Value, for token: Replacement.Token
  ) throws -> UInt32 {
    if let known = identities.node(of: token), !isReserved(known) { return known }
    let index = classIndex(of: type(of: value))
    guard classes[index].isFoundation || classes[index].isUnknown else {
      nextToken = token
      defer { nextToken = nil }
      return try node(ofFinal: value, index)
    }
    let number = try node(ofFinal: value, index)
    // What a conditional reference came to first gets the same body.
    if let reserved = identities.find(token, orInsert: number) {
      nodes[Int(reserved)].body = nodes[Int(number)].body
    }
    return number
  }

  private func node<Object: Coding>(ofReplacement object: Object) throws -> UInt32 {
    try node(ofFinal: object, classIndex(of: type(of: object)))
  }

  private func node<Object: Coding>(ofFinal object: Object, _ index: Int) throws -> UInt32 {
    if classes[index].isUnknown, let unknown = object as? UnknownObject {
      return try node(ofKept: unknown)
    }
    if classes[index].isFoundation, let number = try node(ofValue: object) {
      if showsValues { tellEncoded(object) }
      return number
    }
    guard let record = try recordIndex(of: object, index) else { return 0 }
    return try node(ofPlain: object, index, as: record)
  }

  /// The node of a value of Foundation's; `nil` for anything else.
  private func node<Object: Coding>(ofValue object: Object) throws -> UInt32? {
    if let object = object as? Cocoa.Object { return try node(ofAny: object) }
    return try (object as? any FoundationValue).map { try node(ofFoundation: $0) }
  }

  /// The node of an object that stands for itself.
  ///
  /// One function, because its frame is on the stack once for every level of the graph.
  private func node<Object: Coding>(
    ofPlain object: Object, _ index: Int, as recordIndex: Int
  ) throws -> UInt32 {
    let candidate = UInt32(truncatingIfNeeded: nodes.count)
    let number: UInt32
    if let known = knownNode(of: object, classIndex: index, orInsert: candidate) {
      guard isReserved(known) else { return known }
      nodes[Int(known)].body = writer.reserve()
      number = known
    } else {
      number = addNode(body: writer.reserve())
    }
    try checkRoom(number)
    beginFields(recordIndex)
    do {
      try object.encode(with: self)
    } catch {
      throw failed(error)
    }
    endFields(of: number)
    if asksFirst { tellEncoded(object) }
    return number
  }

  /// Throws before the stack ends, or when objects are nested deeper than allowed.
  @inline(__always)
  func checkRoom(_ number: UInt32) throws {
    let room = stackRoom()
    if outerFrames.isEmpty { floor = stackFloor(room, limits) }
    guard outerFrames.count < limits.depthMax, room > floor else { throw tooDeep(number) }
  }

  private func tooDeep(_ number: UInt32) -> any Error {
    failed(
      ArchiveError(
        .tooDeep, path: "$objects[\(number)]", limits.depthReason(outerFrames.count, "writes")))
  }

  /// The node of an object that was met before, or `nil` after noting the next number for it.
  private func knownNode<Object: Coding>(
    of object: Object, classIndex: Int, orInsert candidate: UInt32
  ) -> UInt32? {
    if classes[classIndex].isIdentified, let value = object as? any IdentifiedCoding {
      let identity = AnyHashable(value.archiveIdentity)
      if let known = identifiedValues[identity] { return known }
      identifiedValues[identity] = candidate
      return nil
    }
    guard classes[classIndex].isObject else {
      guard let token = nextToken.take() else { return nil }
      return identities.find(token, orInsert: candidate)
    }
    // The type is a class, whose instance is one word, the reference itself.
    return identities.find(
      unsafeBitCast(object, to: Unmanaged<AnyObject>.self), orInsert: candidate)
  }

  private func hasIdentity<Object: Coding>(_ object: Object, classIndex: Int) -> Bool {
    classes[classIndex].isObject || classes[classIndex].isIdentified
  }

  /// Takes the next number for an object that something refers to and nothing has encoded so far.
  ///
  /// It remains "none" if nothing does.
  func reserveNode() { _ = addNode(body: nullBody) }

  /// Whether a node waits for its object.
  func isReserved(_ node: UInt32) -> Bool { nodes[Int(node)].body == nullBody && node != 0 }
}

extension KeyedArchiver {
  public func encodeUnreadFields(_ fields: UnreadFields) throws {
    guard let graph = fields.graph else { return }
    for field in fields.fields {
      try addKeptField(field, of: KeptArchive(graph: graph, links: fields.links))
    }
  }
}
