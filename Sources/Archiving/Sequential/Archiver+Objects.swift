extension Archiver {
  public func encodeObject<Object: Coding>(_ object: Object, forKey key: String) throws {
    if isOutsideGraphs { return try encodeOutside(object) }
    beginObjectGroup()
    switch try start(object) {
    case .written: return
    case .replaced: try writeReplaced(object)
    case .further: try writeFurther(object)
    case .new:
      do {
        try object.encode(with: self)
      } catch {
        throw failed(error)
      }
      end()
    }
  }

  public func encodeConditionalObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  {
    try encodeConditionalObject(object)
  }

  /// Encodes an object or value, or none; outside of all others it is the root of a graph.
  public func encodeObject<Object: Coding>(_ object: Object?) throws {
    guard let object else { return try encodeNil(forKey: "") }
    try encodeElement(object)
  }

  /// Encodes an object or value that is there.
  func encodeElement<Object: Coding>(_ object: Object) throws {
    try encodeObject(object, forKey: "")
  }

  @inline(never)
  private func encodeOutside<Object: Coding>(_ object: Object) throws {
    try encodeRoot { try encodeElement(object) }
  }

  var isOutsideGraphs: Bool { root == nil }

  func beginObjectGroup() { writer.beginGroup(code: UInt8(ascii: "@")) }

  /// Encodes the root of a graph; within another one it is an error.
  public func encodeRootObject<Object: Coding>(_ object: Object?) throws {
    guard root == nil else {
      throw fault(.misuse, "a root object is encoded within another; use encodeObject")
    }
    try encodeObject(object)
  }

  /// Refers to an object if its graph encodes it, before or after; else none.
  public func encodeConditionalObject<Object: Coding>(_ object: Object?) throws {
    guard root != nil else {
      throw fault(
        .misuse, "a conditional object outside of a graph; encode it within a root object")
    }
    writer.beginGroup(code: UInt8(ascii: "@"))
    guard let object else { return writer.writeNone() }
    try writeConditional(object)
  }

  public func encodeReference<Identity: ArchiveIdentity>(
    _ identity: Identity?, forKey key: String
  ) throws {
    guard root != nil else {
      throw fault(
        .misuse, key: key, "a reference outside of a graph; encode it within a root object")
    }
    writer.beginGroup(code: UInt8(ascii: "@"))
    guard let identity else { return writer.writeNone() }
    try writeReference(to: AnyHashable(identity))
  }

  public func encodeNil(forKey key: String) throws {
    guard root != nil else { return try encodeRoot { try encodeNil(forKey: key) } }
    writer.beginGroup(code: UInt8(ascii: "@"))
    writer.writeNone()
  }

  // MARK: Writing in the place of an object

  /// What there is to do for an object.
  enum Start: UInt8 {
    /// Nothing: it is written, or referred to, or left out.
    case written
    /// Its values are encoded now.
    case new
    /// They are encoded now, on the further stack.
    case further
    /// Another object may stand for it.
    case replaced
  }

  /// Writes an object, or refers to it.
  ///
  /// The methods that nest most often have these steps in themselves: in a debug build each call
  /// takes stack at every level of a graph.
  ///
  /// - Parameter isFinal: whether no other object stands for it any more.
  func write<Object: Coding>(_ object: Object, isFinal: Bool = false) throws {
    switch try start(object, isFinal: isFinal) {
    case .written: return
    case .replaced: try writeReplaced(object)
    case .further: try writeFurther(object)
    case .new:
      do {
        try object.encode(with: self)
      } catch {
        throw failed(error)
      }
      end()
    }
  }

  @inline(never)
  func writeReplaced<Object: Coding>(_ object: Object) throws {
    try write(try substitute(for: object, classIndex(of: type(of: object))))
  }

  @inline(never)
  func writeFurther<Object: Coding>(_ object: Object) throws {
    do {
      try onFurtherStack { try object.encode(with: self) }
    } catch {
      throw failed(error)
    }
    end()
  }

  /// The object encoded in place of another, and the identity that it has then.
  typealias Substitute = KeyedArchiver.Substitute

  /// Encodes what stands for an object, within another one.
  func encode(_ substitute: Substitute) throws {
    writer.beginGroup(code: UInt8(ascii: "@"))
    try write(substitute)
  }

  /// Writes what stands for an object; nothing, as none.
  func write(_ substitute: Substitute) throws {
    guard let final = substitute.final else { return writer.writeNone() }
    guard let token = substitute.token else { return try write(final, isFinal: true) }
    try write(value: final, for: token)
  }

  /// Writes a value that stands for an instance of a class, and is written once like that.
  private func write<Value: Coding>(value: Value, for token: Replacement.Token) throws {
    if let known = identities.node(of: token) { return writer.writeReference(Int(known)) }
    let index = classIndex(of: type(of: value))
    guard classes[index].isFoundation || classes[index].isUnknown else {
      nextToken = token
      defer { nextToken = nil }
      return try write(value, isFinal: true)
    }
    let number = writer.objectCount
    try write(value, isFinal: true)
    // A text or kept object may have been written before.
    if writer.objectCount > number {
      _ = identities.find(token, orInsert: UInt32(truncatingIfNeeded: number))
    }
  }

  /// The object encoded in place of another; `nil` when that is nothing.
  func standing<Object: Coding>(for object: Object) throws -> Substitute? {
    let substitute = try substitute(for: object, classIndex(of: type(of: object)))
    guard let final = substitute.final, try isWritten(final) else { return nil }
    return substitute
  }

  private func isWritten<Object: Coding>(_ object: Object) throws -> Bool {
    let index = classIndex(of: type(of: object))
    return try !classes[index].isClassSubstituting || recordIndex(of: object, index) != nil
  }

  /// The object encoded in place of another.
  private func substitute<Object: Coding>(
    for object: Object, _ index: Int
  ) throws -> Substitute {
    let identity = classes[index].isObject ? object as AnyObject : nil
    if let identity, let known = replacements[ObjectIdentifier(identity)] {
      return (known.final, known.token)
    }
    guard classes[index].isSubstituting, let substituting = object as? any SubstitutingCoding else {
      return (object, nil)
    }
    let final = try substituting.replacementObject(for: self)
    guard let identity else { return (final, nil) }
    let replacement = Replacement(original: identity, final: final)
    replacements[ObjectIdentifier(identity)] = replacement
    return (final, replacement.token)
  }

  @inline(never)
  func start<Object: Coding>(_ object: Object, isFinal: Bool = false) throws -> Start {
    let index = classIndex(of: type(of: object))
    if !isFinal, classes[index].isSubstituting || !replacements.isEmpty,
      try !standsForItself(object, index)
    {
      return .replaced
    }
    if classes[index].isSpecial { return try startSpecial(object, index) }
    return try start(object, index, as: index)
  }

  /// Whether nothing takes the place of an object that another could stand for.
  private func standsForItself<Object: Coding>(_ object: Object, _ index: Int) throws -> Bool {
    guard classes[index].isObject else { return !classes[index].isSubstituting }
    let substitute = try substitute(for: object, index)
    guard let final = substitute.final, type(of: final) == type(of: object) else { return false }
    return final as AnyObject === object as AnyObject
  }

  private func startSpecial<Object: Coding>(_ object: Object, _ index: Int) throws -> Start {
    if classes[index].isUnknown, let unknown = object as? UnknownObject {
      try writeKept(unknown)
      return .written
    }
    if classes[index].isFoundation, try writeValue(object) { return .written }
    guard let record = try recordIndex(of: object, index) else {
      writer.writeNone()
      return .written
    }
    return try start(object, index, as: record)
  }

  /// Writes a value of Foundation's; false for anything else.
  private func writeValue<Object: Coding>(_ object: Object) throws -> Bool {
    if let object = object as? Cocoa.Object {
      try write(any: object)
    } else if let value = object as? any FoundationValue {
      try write(foundation: value)
    } else {
      return false
    }
    return true
  }

  /// The class under which an object that is no plain one is archived; `nil` when it is not
  /// archived at all; throws when it refuses.
  private func recordIndex<Object: Coding>(of object: Object, _ index: Int) throws -> Int? {
    if classes[index].isRestricted,
      let error = ArchiveError.refusal(of: type(of: object), by: self, .sequential)
    {
      throw fault(error.code, error.reason)
    }
    if let reason = classes[index].nameFault { throw fault(.misuse, reason) }
    guard classes[index].isClassSubstituting, let member = object as? any ClassSubstitutingCoding
    else { return index }
    return member.classForCoder(of: .sequential).map { classIndex(of: $0) }
  }

  /// Begins an object that stands for itself, unless it was met before.
  private func start<Object: Coding>(
    _ object: Object, _ index: Int, as record: Int
  ) throws -> Start {
    if let known = knownNumber(of: object, index) {
      writer.writeReference(known)
      return .written
    }
    let isFurther = try checkRoom()
    _ = writer.beginObject()
    writeClass(record)
    frames.append(Int32(truncatingIfNeeded: record))
    return isFurther ? .further : .new
  }

  func end() {
    frames.removeLast()
    writer.endObject()
  }

  /// Throws before the stacks end, or when objects are nested deeper than allowed.
  ///
  /// - Returns: whether the object must be encoded on the further stack.
  @inline(__always)
  func checkRoom() throws -> Bool {
    switch roomForObject() {
    case .enough: return false
    case .further: return true
    case .ended: throw tooDeep()
    }
  }

  @inline(never)
  private func tooDeep() -> any Error {
    fault(.tooDeep, limits.depthReason(frames.count, "writes"))
  }

  /// The number of an object that was met before, or `nil` after noting the next one for it.
  @inline(__always)
  private func knownNumber<Object: Coding>(of object: Object, _ index: Int) -> Int? {
    if classes[index].isIdentified { return knownIdentity(of: object) }
    let candidate = UInt32(truncatingIfNeeded: writer.objectCount)
    guard classes[index].isObject else {
      guard let token = nextToken.take() else { return nil }
      return identities.find(token, orInsert: candidate).map { Int($0) }
    }
    // The type is a class, whose instance is one word, the reference itself.
    return identities.find(unsafeBitCast(object, to: AnyObject.self), orInsert: candidate)
      .map { Int($0) }
  }

  @inline(never)
  private func knownIdentity<Object: Coding>(of object: Object) -> Int? {
    guard let value = object as? any IdentifiedCoding else { return nil }
    let identity = AnyHashable(value.archiveIdentity)
    if let known = identifiedValues[identity] { return known.number }
    identifiedValues[identity] = IdentifiedEntry(number: writer.objectCount, value: object)
    return nil
  }

  // MARK: Conditional references

  func writeConditional<Object: Coding>(_ object: Object) throws {
    let index = classIndex(of: type(of: object))
    guard classes[index].isSubstituting || !replacements.isEmpty else {
      return try writeConditionalStanding(object)
    }
    let substitute = try substitute(for: object, index)
    guard let final = substitute.final else { return writer.writeNone() }
    guard let token = substitute.token else { return try writeConditionalStanding(final) }
    if let known = identities.node(of: token) { return writer.writeReference(Int(known)) }
    guard let reached = root?.reached else {
      root?.undecided.append(token)
      return writer.writeNone()
    }
    guard reached.objects.node(of: token) != nil else { return writer.writeNone() }
    try write(value: final, for: token)
  }

  private func writeConditionalStanding<Object: Coding>(_ object: Object) throws {
    let index = classIndex(of: type(of: object))
    if classes[index].isIdentified, let value = object as? any IdentifiedCoding {
      return try writeReference(to: AnyHashable(value.archiveIdentity))
    }
    guard classes[index].isObject else {
      throw fault(
        .misuse, "a value without identity cannot be encoded conditionally; adopt IdentifiedCoding")
    }
    let instance = unsafeBitCast(object, to: AnyObject.self)
    if let known = identities.node(of: instance) { return writer.writeReference(Int(known)) }
    if let reached = root?.reached {
      guard reached.objects.node(of: instance) != nil else { return writer.writeNone() }
      return try write(object, isFinal: true)
    }
    root?.undecided.append(instance)
    writer.writeNone()
  }

  /// Refers to a value by its identity, or writes it if it is known that the graph has it.
  func writeReference(to identity: AnyHashable) throws {
    if let known = identifiedValues[identity] { return writer.writeReference(known.number) }
    guard let reached = root?.reached else {
      root?.undecidedIdentities.append(identity)
      return writer.writeNone()
    }
    guard let entry = reached.values[identity] else { return writer.writeNone() }
    try write(entry.value, isFinal: true)
  }
}

extension Archiver: WritingNest {
  var depth: Int { frames.count }
}

extension Archiver {
  public func encodeUnreadFields(_ fields: UnreadFields) throws {
    guard fields.isEmpty else {
      throw fault(
        .misuse, key: fields.keys.first ?? "",
        "fields kept from a keyed archive cannot be written to one without keys")
    }
  }
}
