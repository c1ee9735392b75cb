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
    try wait(for: number, type, then: assign)
  }

  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, then assign: @escaping (Slot) -> Void
  ) throws {
    try decodeReference(in: classes, forKey: "", then: assign)
  }

  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping (Slot) -> Void
  ) throws {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return
    }
    try wait(for: number, in: classes, then: assign)
  }

  public func decodeReferences<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping ([Slot]) -> Void
  ) throws {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return
    }
    try wait(forElementsOf: number, in: classes, then: assign)
  }

  public func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? {
    guard try beginGroup(UInt8(ascii: "@"), key), let number = try objectNumberInPlace() else {
      return nil
    }
    return try within(number) { index in
      try identity(resolve(index, type), Object.Identity.self, number)
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
      return try identity(actual, Identity.self, number)
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
      guard made[number] == 0, type != UnknownObject.self, type != Cocoa.Object.self else {
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

  func parts(
    _ form: CollectionForm, in classes: ClassList<any Coding>
  ) throws -> CollectionParts {
    try groups(form, in: classes)
  }

  func listedElement(in classes: ClassList<any Coding>) throws -> (any Coding)? {
    guard try beginGroup(UInt8(ascii: "@"), "") else { throw valueNotFound() }
    return try unlessNothing {
      guard let object = try objectInPlace(in: classes) else { throw valueNotFound() }
      return object
    }
  }

  /// The object of a number, made now unless it was before.
  func object<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Object {
    if made.isUnmade(number), type != UnknownObject.self, type != Cocoa.Object.self {
      return try makeElsewhere(type, number)
    }
    return try known(type, number)
  }

  /// The object decoded from a number before, or kept whole.
  @inline(never)
  private func known<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Object {
    if type == UnknownObject.self, let kept = try keep(number) as? Object { return kept }
    if type == Cocoa.Object.self, let value = try anyValue(number) as? Object { return value }
    return try knownObject(type, number) { try makeElsewhere(type, number) }
  }

  /// Makes an object that does not appear where the stream is being read.
  private func makeElsewhere<Object: Coding>(
    _ type: Object.Type, _ number: Int
  ) throws -> Object {
    let (index, back) = try goTo(number)
    defer { goBack(back) }
    return try make(type, number, index)
  }

  private func make<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ index: Int
  ) throws -> Object {
    try makeObject(type, number, index)
  }

  /// The object in a place that admits the classes of a list.
  func objectInPlace<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    switch try objectSlot() {
    case .none: return nil
    case .known(let number): return try object(in: classes, number)
    case .new(let number):
      guard made[number] == 0 else {
        skip(number)
        return try object(in: classes, number)
      }
      return try make(in: classes, number, classIndex())
    }
  }

  func object<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> Slot {
    made.isUnmade(number)
      ? try makeElsewhere(in: classes, number) : try known(in: classes, number)
  }

  @inline(never)
  private func known<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> Slot {
    try knownObject(in: classes, number) { try makeElsewhere(in: classes, number) }
  }

  private func makeElsewhere<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> Slot {
    let (index, back) = try goTo(number)
    defer { goBack(back) }
    return try make(in: classes, number, index)
  }

  private func make<Slot>(
    in classes: ClassList<Slot>, _ number: Int, _ index: Int
  ) throws -> Slot {
    try makeObject(in: classes, number, index)
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
      leave(number, depth)
      goBack(back)
    }
    return try read(index)
  }
}

// MARK: Making

extension Unarchiver: ObjectMaking {
  /// The memory of the smallest instance of a class and of the reference to it, in bytes.
  private static let instanceWeight = 40

  var isOutsideObjects: Bool { outerFrames.isEmpty }

  /// - Parameter index: the class, which stands before the values.
  /// - Returns: how many objects are being made around it.
  @inline(never)
  func begin(_ number: Int, _ index: Int) throws -> Int {
    let depth = outerFrames.count
    guard depth < limits.depthMax, stackRoom() > limits.stackReserve else {
      throw fault(.tooDeep, limits.depthReason(depth, "reads"))
    }
    enter(number, index)
    made[number] = Memo.underConstruction.word
    return depth
  }

  @inline(__always)
  func end(_ depth: Int) throws { try endObject() }

  @inline(__always)
  func currentType<Object: Coding>(
    for type: Object.Type, _ number: Int
  ) throws -> any Coding.Type {
    let actual = try resolve(frame.classIndex, type)
    if currentTraits.isObject { try charge(Self.instanceWeight) }
    return actual
  }

  func currentType<Slot>(
    in classes: ClassList<Slot>, _ number: Int
  ) throws -> (any Coding.Type)? {
    let actual = try resolve(frame.classIndex, classes)
    if currentTraits.isObject { try charge(Self.instanceWeight) }
    return actual
  }

  var currentTraits: TypeTraits { records[frame.classIndex].traits }

  /// None: all objects of a typedstream have a class.
  func bareObject<Object: Coding>(
    _ type: Object.Type, _ number: Int, otherwise error: any Error
  ) throws -> Object {
    skip(number)
    throw error
  }

  func bareObject<Slot>(
    in classes: ClassList<Slot>, _ number: Int, otherwise error: any Error
  ) throws -> Slot {
    skip(number)
    throw error
  }

  func kept(_ number: Int) throws -> UnknownObject { try keep(number) }

  func object<Object: Coding>(_ type: Object.Type, numbered number: Int) throws -> Object {
    try object(type, number)
  }

  func object<Slot>(in classes: ClassList<Slot>, numbered number: Int) throws -> Slot {
    try object(in: classes, number)
  }

  func locatedError(_ error: any Error) -> any Error { error }

  @inline(never)
  func cycleFault(_ number: Int) -> ArchiveError {
    let isInCollection =
      frame.element >= 0
      || (currentClassName.flatMap { CollectionForm(className: $0) }) != nil
    return fault(.cycle, ArchiveError.cycleReason(inCollection: isInCollection))
  }
}
