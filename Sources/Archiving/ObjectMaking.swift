import PortolanMemory

/// An unarchiver that makes the objects of its archive on demand, each once.
///
/// The order of the steps, the substitution by other objects and the checks of places stand here,
/// alike for keyed archives and typedstreams. The requirements are what an archive has of its own:
/// how an object begins and ends, and which class it is of.
///
/// The steps on the stack at every level of a graph are inlined into each unarchiver. Whatever else
/// is done stands in functions of its own, so that its variables are not on the stack with them.
protocol ObjectMaking: DecodingCoder, ReadingNest {
  /// What is read of an object before it begins.
  associatedtype Head

  /// The listed classes.
  var table: ClassTable { get }
  /// The other names of classes.
  var classNames: ArchivedClassNames { get }

  /// The objects and values that were made, by number.
  var made: MadeObjects { get set }
  /// Handed over once no object is being made.
  var pendingReferences: [() throws -> Void] { get set }
  /// Whether no object is being made.
  var isOutsideObjects: Bool { get }
  /// Whether there is a delegate, which has to see every object.
  var asksDelegate: Bool { get }

  /// Objects that are elements of open rows and not in their arrays yet, each counted once.
  var waiting: GrowingRow<Unmanaged<AnyObject>> { get set }

  /// What is noted of the object that is being made.
  ///
  /// It lies with the fields of the object, not on the stack, where it would be at every level.
  var making: Making { get set }

  /// The number of the object that is being made.
  var currentNumber: Int { get }
  /// Enters an object, which is being made from now on; throws when it is nested too deep.
  ///
  /// - Returns: how many objects are being made around it.
  func begin(_ number: Int, _ head: Head) throws -> Int
  /// Leaves an object whose values were read.
  func end(_ depth: Int) throws

  // Steps that every object takes. Each unarchiver compiles them for itself, of `beginStep` and
  // `endStep`: in an extension of the protocol they would ask for every part of it at run time.

  /// Begins the object of a number in a place of a type.
  func begin<Object: Coding>(_ type: Object.Type, _ number: Int, _ head: Head) throws -> Beginning
  /// Ends the object that is being made, an instance of just the type of its place.
  func end<Object: Coding>(_ object: Object) throws
  /// Makes the element of the innermost row that began and that its type does not make alone.
  func addOther<Element: Coding>(_ elements: inout [Element]) throws
  /// Ends the object that is being made as an element of the innermost row.
  func endElement<Element: Coding>(
    _ element: consuming Element, in elements: inout [Element]
  ) throws

  /// Leaves an object, and those within it, whatever was read of them.
  ///
  /// - Returns: what was noted for its number before.
  @discardableResult
  func leave(_ number: Int, _ depth: Int) -> UInt32
  /// Counts the memory of an instance of the type that is being made.
  func chargeInstance() throws

  /// The type of the object that is being made, for a place of a type.
  func currentType<Object: Coding>(for type: Object.Type, _ number: Int) throws -> any Coding.Type
  /// The type of the object that is being made, for a place of a list; `nil` when it is not listed.
  func currentType<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> (any Coding.Type)?
  /// The traits of the type that the object being made has in its place.
  var currentTraits: TypeTraits { get }

  /// Goes to the next element of the innermost row, and begins it.
  ///
  /// Those that are not made now are added. Behind the last one, the row ends.
  func beginElement<Element: Coding>(_ elements: inout [Element]) throws -> Beginning
  /// Notes that an element of the innermost row is replaced by nothing.
  func leaveGap()
  /// Ends the innermost row, which could not be read.
  func abandonRow(_ error: any Error) -> any Error

  /// The object of a number that could not be entered, where a value without a class stands for it.
  func bareObject<Object: Coding>(
    _ type: Object.Type, _ number: Int, otherwise error: any Error
  ) throws -> Object
  func bareObject<Slot>(
    in classes: ClassList<Slot>, _ number: Int, otherwise error: any Error
  ) throws -> Slot
  /// The value of an object of any class, the object kept whole where it has none.
  func anyValue(numbered number: Int) throws -> Cocoa.Object
  /// Reads the parts of the collection object that is being made.
  func parts(
    _ form: CollectionForm, in classes: ClassList<any Coding>
  ) throws -> CollectionParts
  /// The next object without a key; `nil` when it is replaced by nothing.
  func listedElement(in classes: ClassList<any Coding>) throws -> (any Coding)?
  /// The object of this program that a reference in a message stands for; `nil` for anything else.
  func localObject(_ made: Any, for type: Any.Type) throws -> (any Coding)?
  /// Tells the delegate what an object awoke as.
  func tellAwoken(_ object: any Coding, as final: (any Coding)?)
  /// What the delegate hands out for an object; `nil` for nothing.
  func handedOut(for object: any Coding) throws -> (any Coding)?

  /// The object of a number, kept whole.
  func kept(_ number: Int) throws -> UnknownObject
  /// Links the kept parts with the objects that were made.
  func linkKept() throws
  /// The object of a number, made now unless it was before.
  func object<Object: Coding>(_ type: Object.Type, numbered number: Int) throws -> Object
  /// The same in a place that admits the classes of a list.
  func object<Slot>(in classes: ClassList<Slot>, numbered number: Int) throws -> Slot

  /// The place of the value that is being decoded.
  func path() -> String
  /// An error with the place at which it showed.
  func locatedError(_ error: any Error) -> any Error
  /// An error at the place of the value that is being decoded.
  func placedError(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError
  func classFault(_ number: Int, _ expected: String) -> ArchiveError
  func cycleFault(_ number: Int) -> ArchiveError
}

// Without messages and delegates.
extension ObjectMaking {
  var asksDelegate: Bool { false }
  func chargeInstance() throws {}
  func localObject(_ made: Any, for type: Any.Type) throws -> (any Coding)? { nil }
  func tellAwoken(_ object: any Coding, as final: (any Coding)?) {}
  func handedOut(for object: any Coding) throws -> (any Coding)? { object }
}

/// How the object in a place begins.
enum Beginning: UInt8 {
  /// Its type makes it, and it is handed out as it is.
  case plain
  /// Another type makes it, or another object may stand for it.
  case other
  /// It could not be entered: a value without a class may stand for it.
  case bare
  /// It was made before, or is made in another way.
  case made
  /// There is none.
  case none
}

/// What is noted of an object while it is being made.
struct Making: BitwiseCopyable {
  /// What was noted for its number before.
  var former: UInt32 = 0
  /// Read before its values: the class may stand for another type in a place further in.
  var traits = TypeTraits()
  /// Whether it must be made on the further stack.
  var isFurther = false
}

// MARK: Making

extension ObjectMaking {
  /// Makes the object of a number in a place of a type.
  @inline(__always)
  func makeObject<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Head
  ) throws -> Object {
    guard try begin(type, number, head) == .plain else {
      return try makeOther(type, number, head)
    }
    do {
      let object = try Object(coder: self)
      try end(object)
      return object
    } catch {
      throw abandon(error)
    }
  }

  /// What `begin` of a type does.
  @inline(__always)
  func beginStep<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Head
  ) throws -> Beginning {
    guard let depth = try? begin(number, head) else { return .bare }
    do {
      return try isPlain(type, number) ? .plain : .other
    } catch {
      throw abandon(number, depth, error)
    }
  }

  /// What `end` of an object does.
  @inline(__always)
  func endStep<Object: Coding>(_ object: Object) throws {
    try end(object, currentNumber, depth &- 1)
  }

  /// Puts everything back as it was before the object that is being made, which could not be.
  @inline(never)
  func abandon(_ error: any Error) -> any Error { abandon(currentNumber, depth &- 1, error) }

  /// Makes the object of a number in a place that admits the classes of a list.
  @inline(__always)
  func makeObject<Slot>(
    in classes: ClassList<Slot>, _ number: Int, _ head: Head
  ) throws -> Slot {
    let depth: Int
    do {
      depth = try begin(number, head)
    } catch {
      return try bareObject(in: classes, number, otherwise: error)
    }
    do {
      guard let type = try noteType(in: classes, number) else {
        return try handOutUnlisted(in: classes, number, depth)
      }
      let instance =
        try making.isFurther
        ? furtherInstance(type, in: classes)
        : making.traits.isChosen ? listedInstance(type, in: classes) : type.init(coder: self)
      return try handOut(instance, in: classes, number, depth)
    } catch {
      throw abandon(number, depth, error)
    }
  }

  /// Whether the object being made is an instance of just the type of its place, and is handed out
  /// as it is.
  @inline(__always)
  private func isPlain<Object: Coding>(_ type: Object.Type, _ number: Int) throws -> Bool {
    let actual = try currentType(for: type, number)
    making.traits = currentTraits
    try chargeInstance()
    return !making.traits.isAwaking && !asksDelegate && !making.isFurther
      && ObjectIdentifier(actual) == ObjectIdentifier(type)
  }

  /// The type of the object being made; `nil` when it is not listed.
  @inline(never)
  private func noteType<Slot>(
    in classes: ClassList<Slot>, _ number: Int
  ) throws -> (any Coding.Type)? {
    let actual = try currentType(in: classes, number)
    making.traits = currentTraits
    try chargeInstance()
    return actual
  }

  /// Ends an object that made itself, and notes it.
  @inline(__always)
  private func end<Object: Coding>(_ object: Object, _ number: Int, _ depth: Int) throws {
    let making = making
    try end(depth)
    if making.traits.isObject {
      // A class's instance is one word, the reference itself.
      made.remember(object: unsafeBitCast(object, to: Unmanaged<AnyObject>.self), number)
    } else {
      made.remember(
        value: object, number, former: making.former, isIdentified: making.traits.isIdentified)
    }
  }

  /// What stands for an object of a class that is not listed.
  @inline(never)
  private func unlisted<Slot>(in classes: ClassList<Slot>, _ number: Int) throws -> Slot {
    if classes.table.takesAnyValue, let value = try anyValue(numbered: number) as? Slot {
      return value
    }
    guard let keep = classes.keep else { throw classFault(number, classes.expected) }
    return try keep(kept(number))
  }

  @inline(never)
  private func furtherInstance<Slot>(
    _ type: any Coding.Type, in classes: ClassList<Slot>
  ) throws -> any Coding {
    try onFurtherStack {
      try making.traits.isChosen ? listedInstance(type, in: classes) : type.init(coder: self)
    }
  }

  /// An instance where a list may have several types for it.
  @inline(never)
  private func listedInstance<Slot>(
    _ actual: any Coding.Type, in classes: ClassList<Slot>
  ) throws -> any Coding {
    if let collection = actual as? any ListedCollection.Type {
      return try listedCollection(collection, in: classes)
    }
    guard actual is any ListedNumber.Type else { return try actual.init(coder: self) }
    let number = try Cocoa.Number(coder: self)
    guard let value = classes.table.value(of: .number(number)) else {
      throw placedError(.typeMismatch, "no listed type holds \(number.value) exactly")
    }
    return value
  }

  private func listedCollection<Slot>(
    _ actual: any ListedCollection.Type, in classes: ClassList<Slot>
  ) throws -> any Coding {
    guard let form = actual.form ?? currentClassName.flatMap({ CollectionForm(className: $0) })
    else { throw placedError(.classNotAllowed, "a collection of an unknown form") }
    let candidates = classes.table.collections(form)
    if candidates.count == 1, actual.isPlain { return try actual.init(coder: self) }
    let parts = try decodeHashed { try self.parts(form, in: classes.ofParts) }
    for candidate in candidates {
      if let made = candidate.init(parts, in: classes.table.parts) { return made }
    }
    let names = candidates.map { "\($0)" }.joined(separator: ", ")
    throw placedError(
      .classNotAllowed, "expected \(names), found one of \(parts.typeNames); see `MixedArray`")
  }

  /// The object made of a number before, else what `make` makes of it.
  @inline(__always)
  func knownObject<Object: Coding>(
    _ type: Object.Type, _ number: Int, else make: () throws -> Object
  ) throws -> Object {
    switch Memo(made[number]) {
    case .none, .madeOnce: return try make()
    // A node read as a string can be an object of a class that stands for strings, too.
    case .string, .readOnce: return try make()
    case .underConstruction: throw cycleFault(number)
    case .object(let place):
      let object = made.objects[place]
      if ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) {
        // The instance is of this very class, so that this is a cast which cannot fail.
        return unsafeBitCast(object, to: type)
      }
      guard let object = object as? Object else { throw classFault(number, "\(type)") }
      return object
    case .value(let place):
      let value = made.values[place]
      if let value = value as? Object { return value }
      if value is ReplacedByNothing { throw ReplacedByNothing() }
      if let local = try localObject(value, for: type) as? Object { return local }
      // Another place may take the same collection as another type.
      guard value is any ListedCollection else { throw classFault(number, "\(type)") }
      return try make()
    case .record: throw classFault(number, "\(type)")
    }
  }

  /// The same in a place that admits the classes of a list.
  @inline(__always)
  func knownObject<Slot>(
    in classes: ClassList<Slot>, _ number: Int, else make: () throws -> Slot
  ) throws -> Slot {
    let found: Any
    switch Memo(made[number]) {
    case .none, .madeOnce, .string, .readOnce, .record: return try make()
    case .underConstruction: throw cycleFault(number)
    case .object(let place): found = made.objects[place]
    case .value(let place):
      let value = made.values[place]
      if value is ReplacedByNothing { throw ReplacedByNothing() }
      found = try localObject(value, for: Slot.self) ?? value
    }
    guard classes.table.admits(Swift.type(of: found)), let slot = found as? Slot else {
      if found is any ListedCollection || found is any ListedNumber { return try make() }
      return try unlisted(in: classes, number)
    }
    return slot
  }

  /// What is handed out for an object that began, or could not, and that its type does not make
  /// alone.
  @inline(never)
  func makeOther<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Head
  ) throws -> Object {
    guard made[number] == Memo.underConstruction.word, number == currentNumber else {
      return try makeBare(type, number, head)
    }
    return try makeOther(type)
  }

  /// What is handed out for an instance of another type than that of its place, or for one that
  /// others may stand for.
  func makeOther<Object: Coding>(_ type: Object.Type) throws -> Object {
    let (number, depth) = (currentNumber, depth &- 1)
    do {
      let actual = try currentType(for: type, number)
      let instance =
        try making.isFurther
        ? onFurtherStack { try actual.init(coder: self) } : actual.init(coder: self)
      return try handOut(instance, type, number, depth)
    } catch {
      throw abandon(number, depth, error)
    }
  }

  @inline(never)
  private func makeBare<Object: Coding>(
    _ type: Object.Type, _ number: Int, _ head: Head
  ) throws -> Object {
    let depth: Int
    do {
      // Once more, for the error.
      depth = try begin(number, head)
    } catch {
      return try bareObject(type, number, otherwise: error)
    }
    do {
      _ = try isPlain(type, number)
    } catch {
      throw abandon(number, depth, error)
    }
    return try makeOther(type)
  }

  @inline(never)
  private func handOut<Object: Coding>(
    _ instance: any Coding, _ type: Object.Type, _ number: Int, _ depth: Int
  ) throws -> Object {
    let instance = try localObject(instance, for: type) ?? instance
    if making.traits.isAwaking || asksDelegate {
      return try handOut(final: finalObject(instance), type, number, depth)
    }
    guard let object = instance as? Object else { throw classFault(number, "\(type)") }
    try end(object, number, depth)
    return object
  }

  @inline(never)
  private func handOut<Slot>(
    _ instance: any Coding, in classes: ClassList<Slot>, _ number: Int, _ depth: Int
  ) throws -> Slot {
    let instance = try localObject(instance, for: Slot.self) ?? instance
    if making.traits.isAwaking || asksDelegate {
      let final = try finalObject(instance)
      let slot = try handOut(final: final, Slot.self, number, depth)
      if let final, !classes.table.admits(Swift.type(of: final)) {
        throw misfit(final, classes.expected, number)
      }
      return slot
    }
    guard classes.table.admits(Swift.type(of: instance)), let slot = instance as? Slot else {
      throw classFault(number, classes.expected)
    }
    try end(instance, number, depth)
    return slot
  }

  /// Hands out what stands for the object that made itself, if the place admits it.
  ///
  /// It is kept even if not, so that nothing awakes twice.
  private func handOut<Object>(
    final: (any Coding)?, _ type: Object.Type, _ number: Int, _ depth: Int
  ) throws -> Object {
    try end(depth)
    made.remember(final: final, number)
    guard let final else { throw ReplacedByNothing() }
    guard let object = final as? Object else { throw misfit(final, "\(type)", number) }
    return object
  }

  /// Hands out what stands for an object of a class that is not listed.
  @inline(never)
  private func handOutUnlisted<Slot>(
    in classes: ClassList<Slot>, _ number: Int, _ depth: Int
  ) throws -> Slot {
    made[number] = making.former
    leave(number, depth)
    return try unlisted(in: classes, number)
  }

  /// The error for what was handed out in the place of another type.
  @inline(never)
  private func misfit(
    _ final: any Coding, _ expected: String, _ number: Int
  ) -> ArchiveError {
    var error = classFault(number, expected)
    error.reason += ", handed out as \(Swift.type(of: final))"
    return error
  }

  /// Puts everything back as it was before an object that could not be made, or not handed out.
  @inline(never)
  func abandon(_ number: Int, _ depth: Int, _ error: any Error) -> any Error {
    let located = locatedError(error)
    // What was handed out stays; only its place refused it.
    let isOpen = made[number] == Memo.underConstruction.word
    let former = leave(number, depth)
    if isOpen { made[number] = former }
    return located
  }

  /// What stands for an instance, by its class's wish and then the delegate's; `nil` for nothing.
  private func finalObject(_ object: any Coding) throws -> (any Coding)? {
    guard let awaking = object as? any AwakingCoding else { return try handedOut(for: object) }
    let final = try awake(awaking)
    tellAwoken(object, as: final)
    return try final.flatMap { try handedOut(for: $0) }
  }

  private func awake<Object: AwakingCoding>(_ object: Object) throws -> (any Coding)? {
    try Object.awake(object, after: self)
  }
}
