// References that are handed over once the whole graph stands.

extension ObjectMaking {
  /// Hands over the object of a number once the whole graph stands.
  func wait<Object: Coding>(
    for number: Int, _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws {
    try wait { [unowned self] in
      if let made = try unlessNothing({ try object(type, numbered: number) }) { assign(made) }
    }
  }

  /// The same for an object of a list.
  func wait<Slot>(
    for number: Int, in classes: ClassList<Slot>, then assign: @escaping (Slot) throws -> Void
  ) throws {
    try wait { [unowned self] in
      if let made = try unlessNothing({ try object(in: classes, numbered: number) }) {
        try assign(made)
      }
    }
  }

  /// The same for an array or a set of objects of a list.
  func wait<Slot>(
    forElementsOf number: Int, in classes: ClassList<Slot>,
    then assign: @escaping ([Slot]) -> Void
  ) throws {
    try wait(for: number, in: classes.asElements) { [unowned self] collection in
      guard let elements = (collection as? any MixedElements)?.elements else {
        throw classFault(number, "an array or a set")
      }
      assign(
        try elements.map { element in
          guard let slot = classes.slot(element) else { throw classFault(number, classes.expected) }
          return slot
        })
    }
  }

  private func wait(_ deliver: @escaping () throws -> Void) throws {
    let place = path()
    pendingReferences.append { [unowned self] in
      // Where the decoding is, which is within no object.
      let start = path()
      do {
        try deliver()
      } catch var error as ArchiveError {
        error.path = place + (error.path.hasPrefix(start) ? error.path.dropFirst(start.count) : "")
        throw error
      }
    }
    try settle()
  }

  /// Hands over the back references, and links the kept parts, once no object is being made.
  @inline(__always)
  func settle() throws {
    if isOutsideObjects { try settleAll() }
  }

  @inline(never)
  private func settleAll() throws {
    // Making a referred object may ask for more.
    while let next = pendingReferences.popLast() { try next() }
    try linkKept()
  }

  /// The identity in an object of a type; no object is made.
  func identity<Identity: ArchiveIdentity>(
    _ type: any Coding.Type, _: Identity.Type, _ number: Int
  ) throws -> Identity {
    guard let identified = type as? any IdentifiedCoding.Type,
      let identity = try identified.decodeArchiveIdentity(with: self) as? Identity
    else { throw classFault(number, "an object with \(Identity.self)") }
    return identity
  }
}

extension ObjectMaking {
  /// Whether a class is listed, at the unarchiver or under another name.
  func isListed(_ name: String) -> Bool {
    classNames.type(forName: name) != nil || table.type(named: name) != nil
  }
}

extension ArchiveError {
  /// Why an object cannot be handed over yet, which is in a collection or stands alone.
  static func cycleReason(inCollection: Bool) -> String {
    let call = "decodeReference(_:forKey:then:)"
    return inCollection
      ? "an object is needed to make itself; decode the collection it is in with \(call), such as"
        + " decodeReference([Node].self, forKey: \"nodes\") { … }"
      : "an object is needed to make itself; decode it with \(call)"
  }
}
