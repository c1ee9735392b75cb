import PortolanMemory
import PropertyLists

extension KeyedArchiver {
  public func encodeObject<Object: Coding>(_ object: Object, forKey key: String) throws {
    switch try start(object) {
    case .known: break
    case .replaced: try writeReplaced(object)
    case .further: try writeFurther(object)
    case .new:
      do {
        try object.encode(with: self)
      } catch {
        throw failed(error)
      }
      end(object)
    }
    try addReference(placeNode, key)
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

  /// What there is to do for an object.
  enum Start: UInt8 {
    /// Nothing: it has the node `placeNode`, or none for what is left out (0).
    case known
    /// Its fields are encoded now.
    case new
    /// They are encoded now, on the further stack.
    case further
    /// Another object may stand for it.
    case replaced
  }

  /// The node of an object, which is encoded now if it was not before.
  ///
  /// The methods that nest most often have these steps in themselves: in a debug build each call
  /// takes stack at every level of a graph.
  ///
  /// - Parameter isFinal: whether no other object stands for it any more.
  func node<Object: Coding>(of object: Object, isFinal: Bool = false) throws -> UInt32 {
    switch try start(object, isFinal: isFinal) {
    case .known: break
    case .replaced: try writeReplaced(object)
    case .further: try writeFurther(object)
    case .new:
      do {
        try object.encode(with: self)
      } catch {
        throw failed(error)
      }
      end(object)
    }
    return placeNode
  }

  @inline(never)
  func writeReplaced<Object: Coding>(_ object: Object) throws {
    placeNode = try node(ofReplaced: object)
  }

  @inline(never)
  func writeFurther<Object: Coding>(_ object: Object) throws {
    do {
      try onFurtherStack { try object.encode(with: self) }
    } catch {
      throw failed(error)
    }
    end(object)
  }

  @inline(never)
  func end<Object: Coding>(_ object: Object) {
    let number = frame.number
    endFields(of: number)
    if asksFirst { tellEncoded(object) }
    placeNode = number
  }

  private func known(_ number: UInt32) -> Start {
    placeNode = number
    return .known
  }

  @inline(never)
  func start<Object: Coding>(_ object: Object, isFinal: Bool = false) throws -> Start {
    let index = classIndex(of: type(of: object))
    if !isFinal, asksFirst || classes[index].isSubstituting,
      try !standsForItself(object, index)
    {
      return .replaced
    }
    if classes[index].isSpecial || asksFirst { return try startSpecial(object, index) }
    return try start(object, index, as: index)
  }

  /// Whether nothing takes the place of an object that another could stand for.
  private func standsForItself<Object: Coding>(_ object: Object, _ index: Int) throws -> Bool {
    try checkOpen()
    // A delegate is asked for each object of a message, and for each value.
    if kind == .port, delegate != nil { return false }
    guard classes[index].isObject else {
      return kind == .port && !classes[index].isSubstituting && !(object is any PortCoding)
    }
    let substitute = try substitute(for: object, index)
    guard let final = substitute.final, type(of: final) == type(of: object) else { return false }
    return final as AnyObject === object as AnyObject
  }

  private func startSpecial<Object: Coding>(_ object: Object, _ index: Int) throws -> Start {
    if classes[index].isUnknown, let unknown = object as? UnknownObject {
      return known(try node(ofKept: unknown))
    }
    if classes[index].isFoundation, let number = try node(ofValue: object) {
      if showsValues { tellEncoded(object) }
      return known(number)
    }
    guard let record = try recordIndex(of: object, index) else { return known(0) }
    return try start(object, index, as: record)
  }

  /// Begins an object that stands for itself, unless it was met before.
  private func start<Object: Coding>(
    _ object: Object, _ index: Int, as recordIndex: Int
  ) throws -> Start {
    let candidate = UInt32(truncatingIfNeeded: nodes.count)
    let number: UInt32
    if let known = knownNode(of: object, classIndex: index, orInsert: candidate) {
      guard isReserved(known) else { return self.known(known) }
      nodes[Int(known)].body = writer.reserve()
      number = known
    } else {
      number = addNode(body: writer.reserve())
    }
    let isFurther = try checkRoom(number)
    beginFields(recordIndex)
    frame.number = number
    return isFurther ? .further : .new
  }

  private func node<Object: Coding>(ofReplaced object: Object) throws -> UInt32 {
    let substitute = try substitute(for: object, classIndex(of: type(of: object)))
    guard let final = substitute.final else { return 0 }
    guard let token = substitute.token else { return try node(of: final, isFinal: true) }
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
      return try node(of: value, isFinal: true)
    }
    let number = try node(of: value, isFinal: true)
    // What a conditional reference came to first gets the same body.
    if let reserved = identities.find(token, orInsert: number) {
      nodes[Int(reserved)].body = nodes[Int(number)].body
    }
    return number
  }

  /// The node of a value of Foundation's; `nil` for anything else.
  private func node<Object: Coding>(ofValue object: Object) throws -> UInt32? {
    if let object = object as? Cocoa.Object { return try node(ofAny: object) }
    return try (object as? any FoundationValue).map { try node(ofFoundation: $0) }
  }

  /// Throws before the stacks end, or when objects are nested deeper than allowed.
  ///
  /// - Returns: whether the object must be encoded on the further stack.
  @inline(__always)
  func checkRoom(_ number: UInt32) throws -> Bool {
    switch roomForObject() {
    case .enough: return false
    case .further: return true
    case .ended: throw tooDeep(number)
    }
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

extension KeyedArchiver: WritingNest {
  var depth: Int { outerFrames.count }
}

extension KeyedArchiver {
  public func encodeUnreadFields(_ fields: UnreadFields) throws {
    guard let graph = fields.graph else { return }
    for field in fields.fields {
      try addKeptField(field, of: KeptArchive(graph: graph, links: fields.links))
    }
  }
}
