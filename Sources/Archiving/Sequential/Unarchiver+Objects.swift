import PortolanMemory
import PropertyLists

extension Unarchiver {
  public func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    let beginning = try begin(type, forKey: key)
    guard beginning == .plain else { return try decodeOther(type, beginning) }
    let object: Object
    do {
      object = try Object(coder: self)
      try end(object)
    } catch {
      throw abandon(error)
    }
    try settle()
    return object
  }

  public func decodeObject<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object {
    let beginning = try begin(type, forKey: key)
    guard beginning == .plain else { return try decodeRequired(type, forKey: key, beginning) }
    let object: Object
    do {
      object = try Object(coder: self)
      try end(object)
    } catch {
      throw abandon(error)
    }
    try settle()
    return object
  }

  /// Begins the object in the place of the next value, whose class is read with it.
  @inline(never)
  private func begin<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Beginning {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return .none }
    placeSlot = try makingSlot(for: type)
    if placeSlot.number < 0 { return .none }
    if placeSlot.classIndex < 0 { return .made }
    return try begin(type, placeSlot.number, placeSlot.classIndex)
  }

  @inline(never)
  private func decodeRequired<Object: Coding>(
    _ type: Object.Type, forKey key: String, _ beginning: Beginning
  ) throws -> Object {
    guard let made = try decodeOther(type, beginning) else { throw valueNotFound(forKey: key) }
    return made
  }

  /// The object that its type does not make alone; `nil` when there is none.
  @inline(never)
  private func decodeOther<Object: Coding>(
    _ type: Object.Type, _ beginning: Beginning
  ) throws -> Object? {
    let slot = placeSlot
    if beginning == .none { return nil }
    do {
      let made =
        try beginning == .made
        ? object(type, slot.number) : makeOther(type, slot.number, slot.classIndex)
      try settle()
      return made
    } catch {
      try passNothing(error)
      try settle()
      return nil
    }
  }

  public func decodeObjectIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> Slot? {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    do {
      let made = try objectInPlace(in: classes)
      try settle()
      return made
    } catch {
      try passNothing(error)
      try settle()
      return nil
    }
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
  /// It is on the stack once for every level of the graph.
  func object<Object: Coding>(_ type: Object.Type, in slot: MakingSlot) throws -> Object {
    guard slot.classIndex >= 0 else { return try object(type, slot.number) }
    return try makeObject(type, slot.number, slot.classIndex)
  }

  /// The number of the object in a place, and its class, if it is made now; both else -1.
  typealias MakingSlot = (number: Int, classIndex: Int)

  @inline(__always)
  func makingSlot<Object: Coding>(for type: Object.Type) throws -> MakingSlot {
    try makingSlot(type == UnknownObject.self || type == Cocoa.Object.self)
  }

  @inline(never)
  private func makingSlot(_ isMadeOtherwise: Bool) throws -> MakingSlot {
    switch try objectSlot() {
    case .none: return (-1, -1)
    case .known(let number): return (number, -1)
    case .new(let number):
      guard made[number] == 0, !isMadeOtherwise else {
        skip(number)
        return (number, -1)
      }
      return (number, try classIndex())
    }
  }

  /// The next object, an element of a collection; `nil` when it is replaced by nothing.
  func elementInPlace<Object: Coding>(_ type: Object.Type) throws -> Object? {
    do {
      return try nextObject(type)
    } catch {
      try passNothing(error)
      return nil
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

  /// The next object, which must be there.
  func nextObject<Object: Coding>(_ type: Object.Type) throws -> Object {
    try object(type, in: nextSlot(for: type))
  }

  @inline(never)
  func nextSlot<Object: Coding>(for type: Object.Type) throws -> MakingSlot {
    guard try beginGroup(UInt8(ascii: "@"), "") else { throw valueNotFound() }
    let slot = try makingSlot(for: type)
    guard slot.number >= 0 else { throw valueNotFound() }
    return slot
  }

  /// The object of a number, made now unless it was before.
  func object<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Object {
    if made.isUnmade(number), type != UnknownObject.self, type != Cocoa.Object.self {
      return try makeElsewhere(type, number)
    }
    if let instance = made.instance(number, of: type) {
      // Of this very class, so that this is a cast which cannot fail.
      return unsafeBitCast(instance, to: type)
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
    return try makeObject(type, number, index)
  }

  /// The object in a place that admits the classes of a list.
  func objectInPlace<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    let slot = try makingSlot(false)
    guard slot.number >= 0 else { return nil }
    guard slot.classIndex >= 0 else { return try object(in: classes, slot.number) }
    return try makeObject(in: classes, slot.number, slot.classIndex)
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
    return try makeObject(in: classes, number, index)
  }

  /// Reads some values of an object, which is not made.
  private func within<Result>(_ number: Int, _ read: (Int) throws -> Result) throws -> Result {
    let isFurther = try checkRoom()
    let (index, back) = try goTo(number)
    let depth = outerFrames.count
    enter(number, index)
    defer {
      leave(number, depth)
      goBack(back)
    }
    return try isFurther ? onFurtherStack { try read(index) } : read(index)
  }
}

// MARK: Making

extension Unarchiver: ObjectMaking {
  /// The memory of the smallest instance of a class and of the reference to it, in bytes.
  private static let instanceWeight = 40

  var isOutsideObjects: Bool { outerFrames.isEmpty }

  /// - Parameter index: the class, which stands before the values.
  @inline(never)
  func begin(_ number: Int, _ index: Int) throws -> Int {
    let depth = outerFrames.count
    let isFurther = try checkRoom()
    enter(number, index)
    making.former = made[number]
    making.isFurther = isFurther
    made[number] = Memo.underConstruction.word
    return depth
  }

  @inline(never)
  func begin<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Int
  ) throws -> Beginning {
    try beginStep(type, number, head)
  }

  @inline(never)
  func end<Object: Coding>(_ object: Object) throws { try endStep(object) }

  @inline(never)
  func endElement<Element: Coding>(
    _ element: consuming Element, in elements: inout [Element]
  ) throws {
    try endStep(element, in: &elements)
  }

  /// Throws before the stacks end, or when objects are nested deeper than allowed.
  ///
  /// - Returns: whether the object must be made on the further stack.
  @inline(__always)
  private func checkRoom() throws -> Bool {
    switch roomForObject() {
    case .enough: return false
    case .further: return true
    case .ended: throw tooDeep()
    }
  }

  @inline(never)
  private func tooDeep() -> ArchiveError {
    fault(.tooDeep, limits.depthReason(outerFrames.count, "reads"))
  }

  @inline(__always)
  var making: Making {
    get { frame.making }
    set { frame.making = newValue }
  }

  @inline(__always)
  func end(_ depth: Int) throws { try endObject() }

  var currentNumber: Int { frame.number }

  var depth: Int { outerFrames.count }

  func chargeInstance() throws {
    if currentTraits.isObject { try charge(Self.instanceWeight) }
  }

  @inline(__always)
  func currentType<Object: Coding>(
    for type: Object.Type, _ number: Int
  ) throws -> any Coding.Type {
    try resolve(frame.classIndex, type)
  }

  func currentType<Slot>(
    in classes: ClassList<Slot>, _ number: Int
  ) throws -> (any Coding.Type)? {
    try resolve(frame.classIndex, classes)
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
