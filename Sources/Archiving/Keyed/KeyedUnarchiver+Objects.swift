import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    let found: UInt32?
    do {
      found = try foundNode(key)
    } catch {
      return try inlineObject(type, key, otherwise: error)
    }
    guard let node = found else { return nil }
    do {
      // Never an optional object by itself: of a generic type it is looked up at run time.
      let made = try object(type, node)
      if outerFrames.isEmpty { try settle() }
      return made
    } catch is ReplacedByNothing {
      if outerFrames.isEmpty { try settle() }
      return nil
    }
  }

  public func decodeObjectIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> Slot? {
    guard let node = try foundNode(key) else { return nil }
    let made = try unlessNothing { try object(in: classes, node) }
    try settle()
    return made
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws {
    guard let node = try foundNode(key) else { return }
    try wait(for: node, type, then: assign)
  }

  /// Hands over the object of a node once the whole graph stands.
  func wait<Object: Coding>(
    for node: UInt32, _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws {
    let place = path()
    pendingReferences.append { [unowned self] in
      do {
        if let made = try unlessNothing({ try object(type, node) }) { assign(made) }
      } catch var error as ArchiveError {
        error.path = place
        throw error
      }
    }
    try settle()
  }

  public func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? {
    guard let node = try foundNode(key) else { return nil }
    return try within(node) { record in
      try identity(resolve(record, type, node), Object.Identity.self, node)
    }
  }

  public func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity? {
    guard let node = try foundNode(key) else { return nil }
    return try within(node) { record in
      guard let actual = try resolve(record, classes, node) else { return nil }
      return try identity(actual, Identity.self, node)
    }
  }

  public func unreadFields() throws -> UnreadFields {
    let range = frame.firstField..<frame.firstField + frame.fieldCount
    let unread = range.filter { !fields[$0].isRead && fields[$0].key != KeyTable.classKey }
    if unread.isEmpty { return UnreadFields() }
    return keep(
      unread.map {
        ObjectGraph.Field(
          key: keys.text(fields[$0].key), value: ObjectGraph.Value(reference: fields[$0].value))
      })
  }

  /// The object that is being made, for keeping it whole.
  var currentObject: UnknownObject? {
    frame.node == 0 ? nil : keep(frame.node)
  }

  // MARK: Objects

  /// Whether there is an object under a key, be it replaced by nothing.
  func holdsObject(_ key: String) throws -> Bool { try foundNode(key) != nil }

  /// The node behind a key; `nil` when there is none.
  @inline(__always)
  private func foundNode(_ key: String) throws -> UInt32? {
    guard let reference = try find(key) else { return nil }
    do {
      return try nodeNumber(reference)
    } catch {
      throw locatedError(error)
    }
  }

  /// The object of a node, made now unless it was before.
  ///
  /// It and `make` are on the stack once for every level of the graph, so that all else stands in
  /// functions of its own.
  func object<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    let memo = memos[Int(node)]
    if memo == Memo.none.word || memo == Memo.madeOnce.word, type != UnknownObject.self,
      type != Cocoa.Object.self
    {
      return try make(type, node)
    }
    return try known(type, node)
  }

  /// The object decoded from a node before, or the node kept whole.
  @inline(never)
  private func known<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    if type == UnknownObject.self, let kept = keep(node) as? Object { return kept }
    if type == Cocoa.Object.self, let value = try anyValue(node) as? Object {
      return try shown(value, node)
    }
    switch Memo(memos[Int(node)]) {
    case .object(let place):
      let object = madeObjects[place]
      if ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) {
        // The instance is of this very class, so that this is a cast which cannot fail.
        return unsafeBitCast(object, to: type)
      }
      guard let object = object as? Object else { throw classFault(node, "\(type)") }
      return object
    case .value(let place):
      if let value = madeValues[place] as? Object { return value }
      if madeValues[place] is ReplacedByNothing { throw ReplacedByNothing() }
      guard let value = try localObject(madeValues[place]) as? Object else {
        throw classFault(node, "\(type)")
      }
      return value
    case .underConstruction: throw cycleFault(node)
    // A node read as a string can be an object of a class that stands for strings, too.
    case .string, .readOnce: return try make(type, node)
    case .none, .madeOnce, .record: throw classFault(node, "\(type)")
    }
  }

  private func make<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    let former = memos[Int(node)]
    let mark: Mark
    do {
      mark = try begin(node)
    } catch {
      return try bareObject(type, node, otherwise: error)
    }
    do {
      let actual = try resolve(frame.record, type, node)
      // Read now: the record may stand for another type in a place further in.
      let traits = records[frame.record].traits
      let object: Object
      if traits.isAwaking || asksDelegate {
        object = try handOut(instance(actual), type, node, mark)
        return object
      } else if ObjectIdentifier(actual) == ObjectIdentifier(type) {
        object = try Object(coder: self)
      } else {
        object = try otherInstance(actual, type, node)
      }
      leave(mark)
      if traits.isObject {
        // A class's instance is one word, the reference itself.
        remember(object: unsafeBitCast(object, to: AnyObject.self), node)
      } else {
        remember(value: object, node, former: former, traits)
      }
      return object
    } catch {
      throw abandon(node, former, mark, error)
    }
  }

  /// An instance of another type than that of its place.
  @inline(never)
  private func otherInstance<Object: Coding>(
    _ actual: any Coding.Type, _ type: Object.Type, _ node: UInt32
  ) throws -> Object {
    guard let made = try plainInstance(actual) as? Object else {
      throw classFault(node, "\(type)")
    }
    return made
  }

  /// Hands out what stands for the object that made itself in a node, if the place admits it.
  ///
  /// It is kept even if not, so that nothing awakes twice.
  @inline(never)
  private func handOut<Object>(
    _ final: (any Coding)?, _ type: Object.Type, _ node: UInt32, _ mark: Mark
  ) throws -> Object {
    leave(mark)
    remember(final: final, node)
    guard let final else { throw ReplacedByNothing() }
    guard let object = final as? Object else { throw classFault(node, "\(type)") }
    return object
  }

  /// The object of a node in a place that admits the classes of a list.
  func object<Slot>(in classes: ClassList<Slot>, _ node: UInt32) throws -> Slot {
    switch Memo(memos[Int(node)]) {
    case .none, .madeOnce, .string, .readOnce, .record: break
    case .object(let place):
      let object = madeObjects[place]
      guard classes.table.holds(Swift.type(of: object)), let slot = object as? Slot else {
        throw classFault(node, "\(Slot.self)")
      }
      return slot
    case .value(let place):
      if madeValues[place] is ReplacedByNothing { throw ReplacedByNothing() }
      let value = try localObject(madeValues[place]) ?? madeValues[place]
      guard classes.table.holds(Swift.type(of: value)), let slot = value as? Slot else {
        throw classFault(node, "\(Slot.self)")
      }
      return slot
    case .underConstruction: throw cycleFault(node)
    }
    let former = memos[Int(node)]
    let mark: Mark
    do {
      mark = try begin(node)
    } catch {
      guard let bare = try bareValue(node), let value = classes.table.value(of: bare),
        let slot = try shown(value, node, in: classes)
      else { throw error }
      return slot
    }
    do {
      guard let actual = try resolve(frame.record, classes, node) else {
        guard let keep = classes.keep else { throw classFault(node, "\(Slot.self)") }
        memos[Int(node)] = former
        leave(mark)
        return keep(self.keep(node))
      }
      let traits = records[frame.record].traits
      if traits.isAwaking || asksDelegate {
        let final = try instance(actual)
        let made = try handOut(final, Slot.self, node, mark)
        guard let final, classes.table.holds(Swift.type(of: final)) else {
          throw classFault(node, "\(Slot.self)")
        }
        return made
      }
      let made = try plainInstance(actual)
      guard classes.table.holds(Swift.type(of: made)), let slot = made as? Slot else {
        throw classFault(node, "\(Slot.self)")
      }
      leave(mark)
      if traits.isObject {
        remember(object: made as AnyObject, node)
      } else {
        remember(value: made, node, former: former, traits)
      }
      return slot
    } catch {
      throw abandon(node, former, mark, error)
    }
  }

  /// Enters a node whose object will be made.
  @inline(never)
  func begin(_ node: UInt32) throws -> Mark {
    try checkRoom(node)
    let mark = try enter(node)
    memos[Int(node)] = Memo.underConstruction.word
    return mark
  }

  /// Puts everything back as it was before a node whose object could not be made.
  @inline(never)
  func abandon(
    _ node: UInt32, _ former: UInt32, _ mark: Mark, _ error: any Error
  ) -> any Error {
    let located = locatedError(error)
    // What was handed out stays; only its place refused it.
    if memos[Int(node)] == Memo.underConstruction.word { memos[Int(node)] = former }
    leave(mark)
    return located
  }

  @inline(__always)
  private func remember(object: AnyObject, _ node: UInt32) {
    madeObjects.append(object)
    memos[Int(node)] = Memo.object(madeObjects.count &- 1).word
    if let keptParts, keptParts.seenNodes.contains(node) {
      keptParts.links.note(node, .object(WeakObject(object: object)))
    }
  }

  /// Notes that a value was made; the second time it is kept, so that no graph is expanded.
  @inline(never)
  private func remember<Value>(
    value: Value, _ node: UInt32, former: UInt32, _ traits: TypeTraits
  ) {
    if traits.isIdentified, let identified = value as? any IdentifiedCoding {
      identities[node] = identified.archiveIdentity
      if let keptParts, keptParts.seenNodes.contains(node) {
        keptParts.links.note(node, .identity(identified.archiveIdentity))
      }
    }
    if case .madeOnce = Memo(former) {
      madeValues.append(value)
      memos[Int(node)] = Memo.value(madeValues.count - 1).word
    } else {
      memos[Int(node)] = Memo.madeOnce.word
    }
  }

  /// Notes what stands for the object of a node.
  private func remember(final: (any Coding)?, _ node: UInt32) {
    if let final, Swift.type(of: final) is AnyObject.Type {
      return remember(object: final as AnyObject, node)
    }
    if let identified = final as? any IdentifiedCoding {
      identities[node] = identified.archiveIdentity
      if let keptParts, keptParts.seenNodes.contains(node) {
        keptParts.links.note(node, .identity(identified.archiveIdentity))
      }
    }
    madeValues.append(final ?? ReplacedByNothing())
    memos[Int(node)] = Memo.value(madeValues.count &- 1).word
  }

  /// An instance whose class and place are as they were; a reference gives the object it means.
  @inline(never)
  private func plainInstance(_ type: any Coding.Type) throws -> any Coding {
    let object = try type.init(coder: self)
    return try localObject(object) ?? object
  }

  /// What stands for an instance, by its class's wish or the delegate's; `nil` for nothing.
  @inline(never)
  private func instance(_ type: any Coding.Type) throws -> (any Coding)? {
    try finished(plainInstance(type))
  }

  /// The object of this program that a reference in a message stands for; `nil` for anything else.
  private func localObject(_ made: Any) throws -> (any Coding)? {
    guard let reference = made as? PortReference, let port = self as? PortUnarchiver else {
      return nil
    }
    return try port.localObject(reference)
  }

  /// What is handed out for an object that made itself: by its class, then by the delegate.
  private func finished<Object: Coding>(_ object: Object) throws -> (any Coding)? {
    var final: (any Coding)? = object
    if let awaking = object as? any AwakingCoding {
      final = try awake(awaking)
      if isOther(final, than: object) {
        delegate?.unarchiver(self, willReplace: object, with: final)
      }
    }
    guard let delegate, let decoded = final else { return final }
    let other = try delegate.unarchiver(self, didDecode: decoded)
    if isAnother(other, than: decoded) {
      delegate.unarchiver(self, willReplace: decoded, with: other)
    }
    return other
  }

  private func isAnother<Object: Coding>(_ new: (any Coding)?, than old: Object) -> Bool {
    isOther(new, than: old)
  }

  private func awake<Object: AwakingCoding>(_ object: Object) throws -> (any Coding)? {
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

  /// Hands over the back references, and links the kept parts, once no object is being made.
  func settle() throws {
    guard outerFrames.isEmpty else { return }
    // Making a referred object may ask for more.
    while let next = pendingReferences.popLast() { try next() }
    if var parts = keptParts {
      keptParts = nil
      link(&parts)
      keptParts = parts
    }
  }

  @inline(never)
  private func cycleFault(_ node: UInt32) -> ArchiveError {
    fault(
      .cycle, try? body(of: node),
      "an object is needed to make itself; decode it with decodeReference(_:forKey:then:)")
  }
}
