import PropertyLists

extension Unarchiver {
  public func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    let made = try unlessNothing { try objectInPlace(type) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeObjectIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> Slot? {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    let made = try unlessNothing { try objectInPlace(in: classes) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeObjectIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
    try decodeObjectIfPresent(type, forKey: "")
  }

  public func decodeObjectIfPresent<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    try decodeObjectIfPresent(in: classes, forKey: "")
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws {
    try decodeReference(type, forKey: "", then: assign)
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return
    }
    let place = path()
    pendingReferences.append { [unowned self] in
      do {
        if let made = try unlessNothing({ try object(type, number) }) { assign(made) }
      } catch var error as ArchiveError {
        error.path = place
        throw error
      }
    }
    if outerFrames.isEmpty { try settle() }
  }

  public func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return nil
    }
    return try within(number) { index in
      try identity(resolve(index, type), Object.Identity.self)
    }
  }

  public func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity? {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return nil
    }
    return try within(number) { index in
      guard let actual = try resolve(index, classes) else { return nil }
      return try identity(actual, Identity.self)
    }
  }

  /// Nothing: unread fields have no keys under which they could be given back.
  public func unreadFields() throws -> UnreadFields { UnreadFields() }

  // MARK: In the place of an object

  /// The number of the object in a place; one that appears there is passed over.
  private func objectNumberInPlace() throws -> Int? {
    switch try objectSlot() {
    case .none: return nil
    case .known(let number): return number
    case .new(let number):
      skip(number)
      return number
    }
  }

  /// The object in a place, which is made when it appears there.
  ///
  /// It and `make` are on the stack once for every level of the graph, so that all else stands in
  /// functions of its own.
  func objectInPlace<Object: Coding>(_ type: Object.Type) throws -> Object? {
    switch try objectSlot() {
    case .none: return nil
    case .known(let number): return try object(type, number)
    case .new(let number):
      guard memos[number] == 0, type != UnknownObject.self, type != Cocoa.Object.self else {
        skip(number)
        return try object(type, number)
      }
      return try make(type, number, classIndex())
    }
  }

  /// The next object, an element of a collection; `nil` when it is replaced by nothing.
  func elementInPlace<Object: Coding>(_ type: Object.Type) throws -> Object? {
    guard try beginGroup(UInt8(ascii: "@"), "") else { throw valueNotFound() }
    return try unlessNothing {
      guard let object = try objectInPlace(type) else { throw valueNotFound() }
      return object
    }
  }

  /// The object of a number, made now unless it was before.
  func object<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Object {
    if type == UnknownObject.self, let kept = try keep(number) as? Object { return kept }
    if type == Cocoa.Object.self, let value = try anyValue(number) as? Object { return value }
    if let known = try known(type, number) { return known }
    let (index, back) = try goTo(number)
    defer { goBack(back) }
    return try make(type, number, index)
  }

  /// The object decoded from a number before.
  @inline(never)
  private func known<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Object? {
    switch Memo(memos[number]) {
    case .none, .madeOnce, .string, .readOnce, .record: return nil
    case .underConstruction: throw cycleFault()
    case .object(let place):
      let object = madeObjects[place]
      if ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) {
        // The instance is of this very class, so that this is a cast which cannot fail.
        return unsafeBitCast(object, to: type)
      }
      guard let object = object as? Object else { throw classFault(number, "\(type)") }
      return object
    case .value(let place):
      if let value = madeValues[place] as? Object { return value }
      if madeValues[place] is ReplacedByNothing { throw ReplacedByNothing() }
      throw classFault(number, "\(type)")
    }
  }

  private func make<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ index: Int
  ) throws -> Object {
    let former = memos[number]
    let depth = outerFrames.count
    do {
      try begin(number, index)
      let actual = try resolve(index, type)
      // Read now: the class may stand for another type in a place further in.
      let traits = records[index].traits
      if traits.isObject { try charge(Self.instanceWeight) }
      let object: Object
      if traits.isAwaking {
        return try handOut(awoken(actual), type, number)
      } else if ObjectIdentifier(actual) == ObjectIdentifier(type) {
        object = try Object(coder: self)
      } else {
        guard let made = try plainInstance(actual) as? Object else {
          throw classFault(number, "\(type)")
        }
        object = made
      }
      try endObject()
      if traits.isObject {
        // A class's instance is one word, the reference itself.
        remember(object: unsafeBitCast(object, to: AnyObject.self), number)
      } else {
        remember(value: object, number, former: former, traits)
      }
      return object
    } catch {
      throw abandoned(depth, number, former, error)
    }
  }

  /// Hands out what stands for the object that made itself, if the place admits it.
  ///
  /// It is kept even if not, so that nothing awakes twice.
  @inline(never)
  private func handOut<Object>(
    _ final: (any Coding)?, _ type: Object.Type, _ number: Int
  ) throws -> Object {
    try endObject()
    remember(final: final, number)
    guard let final else { throw ReplacedByNothing() }
    guard let object = final as? Object else { throw classFault(number, "\(type)") }
    return object
  }

  /// Puts everything back as it was before an object that failed, or was not handed out.
  @inline(never)
  private func abandoned(
    _ depth: Int, _ number: Int, _ former: UInt32, _ error: any Error
  ) -> any Error {
    // What was handed out stays; only its place refused it.
    if memos[number] == Memo.underConstruction.word { memos[number] = former }
    abandon(depth, number)
    return error
  }

  /// The object in a place that admits the classes of a list.
  func objectInPlace<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    switch try objectSlot() {
    case .none: return nil
    case .known(let number): return try object(in: classes, number)
    case .new(let number):
      guard memos[number] == 0 else {
        skip(number)
        return try object(in: classes, number)
      }
      return try make(in: classes, number, classIndex())
    }
  }

  func object<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> Slot {
    let made: Any
    switch Memo(memos[number]) {
    case .none, .madeOnce, .string, .readOnce, .record:
      let (index, back) = try goTo(number)
      defer { goBack(back) }
      return try make(in: classes, number, index)
    case .object(let place): made = madeObjects[place]
    case .value(let place):
      made = madeValues[place]
      if made is ReplacedByNothing { throw ReplacedByNothing() }
    case .underConstruction: throw cycleFault()
    }
    guard classes.table.holds(Swift.type(of: made)), let slot = made as? Slot else {
      throw classFault(number, "\(Slot.self)")
    }
    return slot
  }

  private func make<Slot>(
    in classes: ClassList<Slot>, _ number: Int, _ index: Int
  ) throws -> Slot {
    let former = memos[number]
    let depth = outerFrames.count
    do {
      guard let actual = try resolve(index, classes) else {
        guard let keep = classes.keep else { throw classFault(number, "\(Slot.self)") }
        let kept = keep(try self.keep(number))
        skip(number)
        return kept
      }
      try begin(number, index)
      let traits = records[index].traits
      if traits.isObject { try charge(Self.instanceWeight) }
      if traits.isAwaking {
        let final = try awoken(actual)
        let made = try handOut(final, Slot.self, number)
        guard let final, classes.table.holds(Swift.type(of: final)) else {
          throw classFault(number, "\(Slot.self)")
        }
        return made
      }
      let made = try plainInstance(actual)
      guard classes.table.holds(Swift.type(of: made)), let slot = made as? Slot else {
        throw classFault(number, "\(Slot.self)")
      }
      try endObject()
      if traits.isObject {
        remember(object: made as AnyObject, number)
      } else {
        remember(value: made, number, former: former, traits)
      }
      return slot
    } catch {
      throw abandoned(depth, number, former, error)
    }
  }

  // MARK: Steps

  /// The memory of the smallest instance of a class and of the reference to it, in bytes.
  private static let instanceWeight = 40

  /// Enters an object that will be made.
  @inline(never)
  func begin(_ number: Int, _ index: Int) throws {
    guard outerFrames.count < limits.depthMax, stackRoom() > limits.stackReserve else {
      throw fault(.tooDeep, limits.depthReason(outerFrames.count, "reads"))
    }
    enter(number, index)
    memos[number] = Memo.underConstruction.word
  }

  @inline(__always)
  private func remember(object: AnyObject, _ number: Int) {
    madeObjects.append(object)
    memos[number] = Memo.object(madeObjects.count &- 1).word
    if let keptParts, keptParts.isSeen[number] {
      keptParts.links.note(
        UInt32(truncatingIfNeeded: number), .object(WeakObject(object: object)))
    }
  }

  /// Notes that a value was made; the second time it is kept, so that no graph is expanded.
  @inline(never)
  private func remember<Value>(
    value: Value, _ number: Int, former: UInt32, _ traits: KeyedUnarchiver.TypeTraits
  ) {
    if traits.isIdentified, let identified = value as? any IdentifiedCoding {
      identities[number] = identified.archiveIdentity
      if let keptParts, keptParts.isSeen[number] {
        keptParts.links.note(
          UInt32(truncatingIfNeeded: number), .identity(identified.archiveIdentity))
      }
    }
    if case .madeOnce = Memo(former) {
      madeValues.append(value)
      memos[number] = Memo.value(madeValues.count - 1).word
    } else {
      memos[number] = Memo.madeOnce.word
    }
  }

  /// Notes what stands for an object.
  private func remember(final: (any Coding)?, _ number: Int) {
    if let final, Swift.type(of: final) is AnyObject.Type {
      return remember(object: final as AnyObject, number)
    }
    if let identified = final as? any IdentifiedCoding {
      identities[number] = identified.archiveIdentity
      if let keptParts, keptParts.isSeen[number] {
        keptParts.links.note(
          UInt32(truncatingIfNeeded: number), .identity(identified.archiveIdentity))
      }
    }
    madeValues.append(final ?? ReplacedByNothing())
    memos[number] = Memo.value(madeValues.count - 1).word
  }

  @inline(never)
  private func plainInstance(_ type: any Coding.Type) throws -> any Coding {
    try type.init(coder: self)
  }

  /// What an instance awakes as; `nil` for nothing.
  @inline(never)
  private func awoken(_ type: any Coding.Type) throws -> (any Coding)? {
    let object = try type.init(coder: self)
    guard let awaking = object as? any AwakingCoding else { return object }
    return try awake(awaking)
  }

  private func awake<Object: AwakingCoding>(_ object: Object) throws -> (any Coding)? {
    try Object.awake(object, after: self)
  }

  /// Reads some values of an object, which is not made.
  private func within<Result>(_ number: Int, _ read: (Int) throws -> Result) throws -> Result {
    guard outerFrames.count < limits.depthMax, stackRoom() > limits.stackReserve else {
      throw fault(.tooDeep, limits.depthReason(outerFrames.count, "reads"))
    }
    let (index, back) = try goTo(number)
    let depth = outerFrames.count
    enter(number, index)
    defer {
      abandon(depth, number)
      goBack(back)
    }
    return try read(index)
  }

  private func identity<Identity: ArchiveIdentity>(
    _ type: any Coding.Type, _: Identity.Type
  ) throws -> Identity {
    guard let identified = type as? any IdentifiedCoding.Type,
      let identity = try identified.decodeArchiveIdentity(with: self) as? Identity
    else { throw classFault(frame.number, "an object with \(Identity.self)") }
    return identity
  }

  /// Hands over the back references once no object is being made.
  func settle() throws {
    guard outerFrames.isEmpty else { return }
    // Making a referred object may ask for more.
    while let next = pendingReferences.popLast() { try next() }
    if keptParts != nil { try linkKept() }
  }

  @inline(never)
  func cycleFault() -> ArchiveError {
    fault(
      .cycle, "an object is needed to make itself; decode it with decodeReference(_:forKey:then:)")
  }
}
