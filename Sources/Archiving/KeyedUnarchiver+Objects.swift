import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    let made = try located { () throws -> Object? in
      guard let reference = find(key), let node = try nodeNumber(reference) else { return nil }
      return try object(type, node)
    }
    try settleReferences()
    return made
  }

  public func decodeObjectIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> Slot? {
    let made = try located { () throws -> Slot? in
      guard let reference = find(key), let node = try nodeNumber(reference) else { return nil }
      return try object(in: classes, node)
    }
    try settleReferences()
    return made
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws {
    try located {
      guard let reference = find(key), let node = try nodeNumber(reference) else { return }
      let place = path()
      pendingReferences.append { [unowned self] in
        do {
          assign(try object(type, node))
        } catch var error as ArchiveError {
          error.path = place
          throw error
        }
      }
    }
    try settleReferences()
  }

  public func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? {
    try located {
      guard let reference = find(key), let node = try nodeNumber(reference) else { return nil }
      return try within(node) { record in
        let actual = try resolve(record, type, node)
        return try identity(actual, Object.Identity.self, node)
      }
    }
  }

  public func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity? {
    try located {
      guard let reference = find(key), let node = try nodeNumber(reference) else { return nil }
      return try within(node) { record in
        guard let actual = try resolve(record, classes, node) else { return nil }
        return try identity(actual, Identity.self, node)
      }
    }
  }

  public func unreadFields() throws -> UnreadFields {
    guard let frame = frames.last else { return UnreadFields() }
    let range = frame.firstField..<frame.firstField + frame.fieldCount
    guard fields[range].contains(where: { !$0.isRead && $0.key != KeyTable.classKey }) else {
      return UnreadFields()
    }
    let unread = fields[range].filter { !$0.isRead && $0.key != KeyTable.classKey }
    return UnreadFields(
      graph: graph,
      fields: unread.map {
        ObjectGraph.Field(
          key: keys.names[Int($0.key)], value: ObjectGraph.Value(reference: $0.value))
      })
  }

  /// The object that is being made, for keeping it whole.
  var currentObject: UnknownObject? {
    guard let frame = frames.last, frame.node != 0 else { return nil }
    return UnknownObject(graph: graph, node: NodeID(rawValue: frame.node))
  }

  // MARK: Objects

  /// The object of a node, made now unless it was before.
  func object<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    if type is UnknownObject.Type,
      let kept = UnknownObject(graph: graph, node: NodeID(rawValue: node)) as? Object
    {
      return kept
    }
    if let made = try made(node) {
      guard try isAdmitted(made.type, type, node), let object = made.value as? Object else {
        throw classFault(node, "\(type)")
      }
      return object
    }
    return try make(node) { record in
      let actual = try resolve(record, type, node)
      if actual == type, !records[record].traits.isAwaking { return try Object(coder: self) }
      guard let object = try instance(actual) as? Object else { throw classFault(node, "\(type)") }
      return object
    }
  }

  /// The object of a node in a place that admits the classes of a list.
  func object<Slot>(in classes: ClassList<Slot>, _ node: UInt32) throws -> Slot {
    if let made = try made(node) {
      guard let slot = made.value as? Slot else { throw classFault(node, "\(Slot.self)") }
      return slot
    }
    let record = try recordIndex(of: node)
    guard try resolve(record, classes, node) != nil else {
      guard let keep = classes.keep else { throw classFault(node, "a class of this place") }
      return keep(UnknownObject(graph: graph, node: NodeID(rawValue: node)))
    }
    return try make(node) { record in
      guard let actual = try resolve(record, classes, node),
        let slot = try instance(actual) as? Slot
      else { throw classFault(node, "\(Slot.self)") }
      return slot
    }
  }

  /// What was made of a node before; throws when it is still being made.
  private func made(_ node: UInt32) throws -> (value: Any, type: any Any.Type)? {
    switch Memo(memos[Int(node)]) {
    case .object(let place):
      let object = madeObjects[place]
      return (object, Swift.type(of: object))
    case .value(let place):
      let value = madeValues[place]
      return (value, Swift.type(of: value))
    case .underConstruction:
      throw fault(
        .cycle, try? body(of: node),
        "an object is needed to make itself; decode it with decodeReference(_:forKey:then:)")
    default:
      return nil
    }
  }

  /// Enters a node, makes its object with `body` and remembers it.
  private func make<Object>(_ node: UInt32, _ body: (Int) throws -> Object) throws -> Object {
    guard frames.count <= limits.depthMax, stackRoom() > limits.stackReserve else {
      throw fault(.tooDeep, try? self.body(of: node), "objects are nested \(frames.count) deep")
    }
    let former = memos[Int(node)]
    memos[Int(node)] = Memo.underConstruction.word
    do {
      let object = try within(node, body)
      remember(object, node, former: Memo(former))
      return object
    } catch {
      memos[Int(node)] = former
      throw error
    }
  }

  private func remember<Object>(_ object: Object, _ node: UInt32, former: Memo) {
    if type(of: object as Any) is AnyObject.Type {
      madeObjects.append(object as AnyObject)
      memos[Int(node)] = Memo.object(madeObjects.count - 1).word
    } else if case .madeOnce = former {
      madeValues.append(object)
      memos[Int(node)] = Memo.value(madeValues.count - 1).word
    } else {
      memos[Int(node)] = Memo.madeOnce.word
    }
  }

  private func instance(_ type: any Coding.Type) throws -> any Coding {
    let object = try type.init(coder: self)
    guard let awaking = object as? any AwakingCoding else { return object }
    return try awake(awaking)
  }

  private func awake<Object: AwakingCoding>(_ object: Object) throws -> any Coding {
    try Object.awake(object, after: self)
  }

  private func identity<Identity: ArchiveIdentity>(
    _ type: any Coding.Type, _: Identity.Type, _ node: UInt32
  ) throws -> Identity {
    guard let identified = type as? any IdentifiedCoding.Type,
      let identity = try identified.decodeArchiveIdentity(with: self) as? Identity
    else { throw classFault(node, "an object with \(Identity.self)") }
    return identity
  }

  /// Hands over the back references once no object is being made.
  func settleReferences() throws {
    guard frames.count == 1, !pendingReferences.isEmpty else { return }
    // Making a referred object may ask for more.
    while let next = pendingReferences.popLast() { try next() }
  }

  // MARK: Nodes

  /// Puts a node's fields on the stack while `body` reads them.
  func within<Result>(_ node: UInt32, _ body: (Int) throws -> Result) throws -> Result {
    let (frameCount, fieldCount) = (frames.count, fields.count)
    defer {
      frames.removeLast(frames.count - frameCount)
      fields.removeLast(fields.count - fieldCount)
    }
    return try located {
      let reference = try self.body(of: node)
      guard case .dictionary(let fieldKeys, let values) = try list.object(reference) else {
        throw fault(
          .typeMismatch, reference,
          "expected an object, found \(try list.object(reference).kindName)")
      }
      try pushFields(fieldKeys, values)
      let record = try recordIndex(fieldsFrom: fieldCount, reference)
      frames.append(
        Frame(
          node: node, firstField: fieldCount, fieldCount: fields.count - fieldCount,
          record: record))
      return try body(record)
    }
  }
}
