import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    let beginning = try begin(type, forKey: key)
    guard beginning == .plain else { return try decodeOther(type, forKey: key, beginning) }
    // Never an optional object by itself: of a generic type it is looked up at run time.
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

  @inline(never)
  private func begin<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Beginning {
    let node = try objectNode(key)
    if node == 0 { return .none }
    placeNode = node
    if node == Self.inline || isMade(type, node) { return .made }
    return try begin(type, Int(node), ())
  }

  @inline(never)
  private func decodeRequired<Object: Coding>(
    _ type: Object.Type, forKey key: String, _ beginning: Beginning
  ) throws -> Object {
    try present(decodeOther(type, forKey: key, beginning), key)
  }

  /// The object under a key that its type does not make alone; `nil` when there is none.
  @inline(never)
  private func decodeOther<Object: Coding>(
    _ type: Object.Type, forKey key: String, _ beginning: Beginning
  ) throws -> Object? {
    let node = placeNode
    if beginning == .none { return nil }
    if node == Self.inline { return try inlineObject(type, key) }
    do {
      let made = try beginning == .made ? known(type, node) : makeOther(type, Int(node), ())
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
    guard let node = try foundNode(key) else { return nil }
    do {
      let made = try object(in: classes, node)
      try settle()
      return made
    } catch {
      try passNothing(error)
      try settle()
      return nil
    }
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, forKey key: String, then assign: @escaping (Object) -> Void
  ) throws {
    guard let node = try foundNode(key) else { return }
    try wait(for: Int(node), type, then: assign)
  }

  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping (Slot) -> Void
  ) throws {
    guard let node = try foundNode(key) else { return }
    try wait(for: Int(node), in: classes, then: assign)
  }

  public func decodeReferences<Slot>(
    in classes: ClassList<Slot>, forKey key: String, then assign: @escaping ([Slot]) -> Void
  ) throws {
    guard let node = try foundNode(key) else { return }
    try wait(forElementsOf: Int(node), in: classes, then: assign)
  }

  public func decodeIdentityIfPresent<Object: IdentifiedCoding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object.Identity? {
    guard let node = try foundNode(key) else { return nil }
    return try within(node) { record in
      try identity(resolve(record, type, node), Object.Identity.self, Int(node))
    }
  }

  public func decodeIdentityIfPresent<Identity: ArchiveIdentity, Slot>(
    _ type: Identity.Type, in classes: ClassList<Slot>, forKey key: String
  ) throws -> Identity? {
    guard let node = try foundNode(key) else { return nil }
    return try within(node) { record in
      guard let actual = try resolve(record, classes, node) else { return nil }
      return try identity(actual, Identity.self, Int(node))
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

  /// In place of a node: a value inside the object itself.
  private static var inline: UInt32 { .max }

  /// The node behind a key; 0 when there is none.
  @inline(never)
  private func objectNode(_ key: String) throws -> UInt32 {
    guard let field = try findField(key) else { return 0 }
    let node = plainNode(ofUID: field.node)
    if node != 0 { return node }
    do {
      return try nodeNumber(field.value) ?? 0
    } catch {
      return Self.inline
    }
  }

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
  /// It is on the stack once for every level of the graph.
  func object<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    if isMade(type, node) { return try known(type, node) }
    return try makeObject(type, Int(node), ())
  }

  /// Whether an object is there already, or is not made in the usual way.
  @inline(__always)
  func isMade<Object: Coding>(_ type: Object.Type, _ node: UInt32) -> Bool {
    !made.isUnmade(Int(node)) || type == UnknownObject.self || type == Cocoa.Object.self
  }

  /// The object decoded from a node before, or the node kept whole.
  @inline(never)
  func known<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    if let instance = made.instance(Int(node), of: type) {
      // Of this very class, so that this is a cast which cannot fail.
      return unsafeBitCast(instance, to: type)
    }
    return try otherKnown(type, node)
  }

  @inline(never)
  private func otherKnown<Object: Coding>(_ type: Object.Type, _ node: UInt32) throws -> Object {
    if type == UnknownObject.self, let kept = keep(node) as? Object { return kept }
    if type == Cocoa.Object.self, let value = try anyValue(node) as? Object {
      return try shown(value, node)
    }
    return try knownObject(type, Int(node)) { try makeObject(type, Int(node), ()) }
  }

  /// The object of a node in a place that admits the classes of a list.
  func object<Slot>(in classes: ClassList<Slot>, _ node: UInt32) throws -> Slot {
    if isMade(node) { return try known(in: classes, node) }
    return try makeObject(in: classes, Int(node), ())
  }

  @inline(__always)
  private func isMade(_ node: UInt32) -> Bool { !made.isUnmade(Int(node)) }

  @inline(never)
  private func known<Slot>(in classes: ClassList<Slot>, _ node: UInt32) throws -> Slot {
    try knownObject(in: classes, Int(node)) { try makeObject(in: classes, Int(node), ()) }
  }
}

// MARK: Making

extension KeyedUnarchiver: ObjectMaking {
  var isOutsideObjects: Bool { outerFrames.isEmpty }

  @inline(never)
  func begin(_ number: Int, _ head: Void) throws -> Int {
    let node = UInt32(truncatingIfNeeded: number)
    let isFurther = try checkRoom(node)
    let depth = try enter(node)
    making.former = made[number]
    making.isFurther = isFurther
    made[number] = Memo.underConstruction.word
    return depth
  }

  @inline(never)
  func begin<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Void
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

  @inline(__always)
  var making: Making {
    get { frame.making }
    set { frame.making = newValue }
  }

  @inline(__always)
  func end(_ depth: Int) { leave(depth) }

  var currentNumber: Int { Int(frame.node) }

  var depth: Int { outerFrames.count }

  func leave(_ number: Int, _ depth: Int) -> UInt32 {
    let frame = outerFrames.count > depth &+ 1 ? outerFrames[depth &+ 1] : frame
    leave(depth)
    return frame.making.former
  }

  @inline(__always)
  func currentType<Object: Coding>(
    for type: Object.Type, _ number: Int
  ) throws -> any Coding.Type {
    try resolve(frame.record, type, UInt32(truncatingIfNeeded: number))
  }

  func currentType<Slot>(
    in classes: ClassList<Slot>, _ number: Int
  ) throws -> (any Coding.Type)? {
    try resolve(frame.record, classes, UInt32(truncatingIfNeeded: number))
  }

  var currentTraits: TypeTraits { records[frame.record].traits }

  func bareObject<Slot>(
    in classes: ClassList<Slot>, _ number: Int, otherwise error: any Error
  ) throws -> Slot {
    let node = UInt32(truncatingIfNeeded: number)
    guard let bare = try bareValue(node), let value = classes.table.value(of: bare),
      let slot = try shown(value, node, in: classes)
    else { throw error }
    return slot
  }

  func localObject(_ made: Any, for type: Any.Type) throws -> (any Coding)? {
    guard let reference = made as? PortReference, let port = self as? PortUnarchiver else {
      return nil
    }
    return try port.object(of: reference, for: type)
  }

  func tellAwoken(_ object: any Coding, as final: (any Coding)?) {
    guard let delegate, isOther(final, than: object) else { return }
    delegate.unarchiver(self, willReplace: object, with: final)
  }

  func handedOut(for object: any Coding) throws -> (any Coding)? {
    guard let delegate else { return object }
    let other = try delegate.unarchiver(self, didDecode: object)
    if isOther(other, than: object) {
      delegate.unarchiver(self, willReplace: object, with: other)
    }
    return other
  }

  func kept(_ number: Int) -> UnknownObject { keep(UInt32(truncatingIfNeeded: number)) }

  func linkKept() throws {
    if let failure = list.reader.failure {
      throw ArchiveError(PropertyListError(unreadable: failure), path: path())
    }
    guard var parts = keptParts.take() else { return }
    link(&parts)
    keptParts = parts
  }

  func object<Object: Coding>(_ type: Object.Type, numbered number: Int) throws -> Object {
    try object(type, UInt32(truncatingIfNeeded: number))
  }

  func object<Slot>(in classes: ClassList<Slot>, numbered number: Int) throws -> Slot {
    try object(in: classes, UInt32(truncatingIfNeeded: number))
  }

  func classFault(_ number: Int, _ expected: String) -> ArchiveError {
    classFault(UInt32(truncatingIfNeeded: number), expected)
  }

  @inline(never)
  func cycleFault(_ number: Int) -> ArchiveError {
    let isInCollection =
      frame.element >= 0
      || (currentClassName.flatMap { CollectionForm(className: $0) }) != nil
    return fault(
      .cycle, try? body(of: UInt32(truncatingIfNeeded: number)),
      ArchiveError.cycleReason(inCollection: isInCollection))
  }
}
