// The parts of collections, read with a list of classes.
extension KeyedUnarchiver {
  func parts(
    _ form: CollectionForm, in classes: ClassList<any Coding>
  ) throws -> CollectionParts {
    let isMutable = currentClassName?.hasPrefix("NSMutable") ?? false
    switch form {
    case .dictionary:
      let pairs = Array(try self.pairs(row("NS.keys", classes), row("NS.objects", classes)))
      return CollectionParts(form, pairs.map(\.1), keys: pairs.map(\.0), isMutable: isMutable)
    case .countedSet:
      // GNUstep writes the groups of a sequential archive.
      guard try containsValue(forKey: "NS.count") else { return try groups(form, in: classes) }
      return try members(in: classes)
    case .orderedSet where try !containsValue(forKey: "NS.objects"):
      return CollectionParts(form, try numberedElements(in: classes), isMutable: isMutable)
    case .array, .set, .orderedSet:
      return CollectionParts(form, try row("NS.objects", classes).values, isMutable: isMutable)
    }
  }

  private func row(
    _ key: String, _ classes: ClassList<any Coding>
  ) throws -> Elements<any Coding> {
    let elements = try elements(
      key, of: (any Coding).self,
      inline: { try inlineValue($0).flatMap { classes.table.value(of: $0) } },
      { try object(in: classes, $0) })
    guard let elements else { throw valueNotFound(forKey: key) }
    return elements
  }

  private func numberedElements(in classes: ClassList<any Coding>) throws -> [any Coding] {
    var elements: [any Coding] = []
    var place = 0
    while try containsValue(forKey: "NS.object.\(place)") {
      if let element = try element(in: classes, "NS.object.\(place)") { elements.append(element) }
      place += 1
    }
    return elements
  }

  private func members(in classes: ClassList<any Coding>) throws -> CollectionParts {
    var parts = CollectionParts(.countedSet, [])
    // The count is not believed: the first member that is not there ends the reading.
    for place in 0..<max(0, try decodeInt(forKey: "NS.count")) {
      let element = try element(in: classes, "NS.object\(place)")
      let count = try decodeInt(forKey: "NS.count\(place)")
      guard count > 0 else { throw invalidValue("a count of \(count)", forKey: "NS.count") }
      guard let element else { continue }
      parts.elements.append(element)
      parts.counts.append(count)
    }
    return parts
  }

  /// The object under a key; `nil` when it is replaced by nothing.
  private func element(
    in classes: ClassList<any Coding>, _ key: String
  ) throws -> (any Coding)? {
    if let object = try decodeObjectIfPresent(in: classes, forKey: key) { return object }
    guard try holdsObject(key) else { throw valueNotFound(forKey: key) }
    return nil
  }

  func listedElement(in classes: ClassList<any Coding>) throws -> (any Coding)? {
    try decodeObject(in: classes)
  }
}
