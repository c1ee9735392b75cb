extension Archiver {
  public func encodeObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    try encodeObject(object)
  }

  public func encodeConditionalObject<Object: Coding>(_ object: Object?, forKey key: String) throws
  {
    try encodeConditionalObject(object)
  }

  /// Encodes an object or value, or none; outside of all others it is the root of a graph.
  public func encodeObject<Object: Coding>(_ object: Object?) throws {
    guard root != nil else { return try encodeRoot { try encodeObject(object) } }
    writer.beginGroup(code: UInt8(ascii: "@"))
    guard let object else { return writer.writeNone() }
    try write(object)
  }

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

  /// Writes an object, or refers to it.
  func write<Object: Coding>(_ object: Object) throws {
    let index = classIndex(of: type(of: object))
    if classes[index].isSpecial || !replacements.isEmpty {
      return try writeSpecial(object, index)
    }
    try writePlain(object, index, as: index)
  }

  private func writeSpecial<Object: Coding>(_ object: Object, _ index: Int) throws {
    guard classes[index].isSubstituting || !replacements.isEmpty else {
      return try writeFinal(object, index)
    }
    guard let final = try substitute(for: object, index) else { return writer.writeNone() }
    try writeStanding(final)
  }

  /// The object encoded in place of another; `nil` for none.
  private func substitute<Object: Coding>(
    for object: Object, _ index: Int
  ) throws -> (any Coding)? {
    let identity = classes[index].isObject ? object as AnyObject : nil
    if let identity, let known = replacements[ObjectIdentifier(identity)] { return known.object }
    guard classes[index].isSubstituting, let substituting = object as? any SubstitutingCoding else {
      return object
    }
    let final = try substituting.replacementObject(for: self)
    if let identity {
      replacements[ObjectIdentifier(identity)] = Replacement(original: identity, object: final)
    }
    return final
  }

  /// Writes the replacement of an object; it is not replaced again.
  func writeStanding<Object: Coding>(_ object: Object) throws {
    try writeFinal(object, classIndex(of: type(of: object)))
  }

  private func writeFinal<Object: Coding>(_ object: Object, _ index: Int) throws {
    if classes[index].isUnknown, let unknown = object as? UnknownObject {
      return try writeKept(unknown)
    }
    if classes[index].isFoundation {
      if let object = object as? Cocoa.Object { return try write(any: object) }
      if let value = object as? any FoundationValue { return try write(foundation: value) }
    }
    try writePlain(object, index, as: recordIndex(of: object, index))
  }

  /// The class under which an object that is no plain one is archived; throws when it refuses.
  private func recordIndex<Object: Coding>(of object: Object, _ index: Int) throws -> Int {
    if classes[index].isRestricted,
      let error = ArchiveError.refusal(of: type(of: object), by: self, .sequential)
    {
      throw fault(error.code, error.reason)
    }
    guard classes[index].isClassSubstituting, let member = object as? any ClassSubstitutingCoding
    else { return index }
    return classIndex(of: member.classForCoder)
  }

  /// Writes an object that stands for itself.
  ///
  /// One function, because its frame is on the stack once for every level of the graph.
  private func writePlain<Object: Coding>(
    _ object: Object, _ index: Int, as record: Int
  ) throws {
    if let known = knownNumber(of: object, index) { return writer.writeReference(known) }
    try checkRoom()
    _ = writer.beginObject()
    writeClass(record)
    frames.append(Int32(truncatingIfNeeded: record))
    do {
      try object.encode(with: self)
    } catch {
      throw failed(error)
    }
    frames.removeLast()
    writer.endObject()
  }

  /// Throws before the stack ends, or when objects are nested deeper than allowed.
  @inline(__always)
  func checkRoom() throws {
    guard frames.count < limits.depthMax, stackRoom() > limits.stackReserve else {
      throw tooDeep()
    }
  }

  @inline(never)
  private func tooDeep() -> any Error {
    fault(.tooDeep, "objects are nested \(frames.count) deep")
  }

  /// The number of an object that was met before, or `nil` after noting the next one for it.
  @inline(__always)
  private func knownNumber<Object: Coding>(of object: Object, _ index: Int) -> Int? {
    if classes[index].isIdentified { return knownIdentity(of: object) }
    guard classes[index].isObject else { return nil }
    let candidate = UInt32(truncatingIfNeeded: writer.objectCount)
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
    guard let final = try substitute(for: object, index) else { return writer.writeNone() }
    try writeConditionalStanding(final)
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
      return try writeFinal(object, index)
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
    try writeStanding(entry.value)
  }
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
