extension CollectionParts {
  /// The class of Foundation's for the form.
  var archivedClass: ArchivedClass {
    switch form {
    case .array: Cocoa.Array([], isMutable: isMutable).archivedClass(isKeyed: true)
    case .set: Cocoa.Set([], isMutable: isMutable).archivedClass(isKeyed: true)
    case .orderedSet: Cocoa.OrderedSet([], isMutable: isMutable).archivedClass(isKeyed: true)
    case .countedSet: Cocoa.CountedSet.archivedClass
    case .dictionary: Cocoa.Dictionary([], isMutable: isMutable).archivedClass(isKeyed: true)
    }
  }

  /// Writes the parts inside their collection; those that are replaced by nothing are left out.
  func encode(with coder: any EncodingCoder) throws {
    if let keyed = coder as? KeyedArchiver {
      try encode(with: keyed)
    } else if coder.allowsKeyedCoding {
      try encodeFields(with: coder)
    } else if let archiver = coder as? Archiver {
      try encode(with: archiver)
    } else {
      try encodeGroups(with: coder)
    }
  }

  private func encode(with archiver: KeyedArchiver) throws {
    switch form {
    case .array, .set:
      let nodes = try elements.map { try archiver.node(of: $0) }
      try archiver.encodeRow(ofNodes: nodes, isSet: form == .set)
    case .dictionary:
      let keys = try keys.map { try archiver.node(of: $0) }
      try archiver.encodeRows(ofNodes: keys, elements.map { try archiver.node(of: $0) })
    case .orderedSet:
      try archiver.encodeNumbered(nodes: elements.map { try archiver.node(of: $0) })
    case .countedSet:
      try archiver.encodeMembers(nodes: elements.map { try archiver.node(of: $0) }, counts)
    }
  }

  private func encodeFields(with coder: any EncodingCoder) throws {
    switch form {
    case .array, .set: try coder.encodeObjects(elements, forKey: "NS.objects")
    case .dictionary:
      try coder.encodeObjects(keys, forKey: "NS.keys")
      try coder.encodeObjects(elements, forKey: "NS.objects")
    case .orderedSet:
      for (place, element) in elements.enumerated() {
        try coder.encodeObject(element, forKey: "NS.object.\(place)")
      }
    case .countedSet:
      try coder.encodeInt(elements.count, forKey: "NS.count")
      for (place, member) in zip(elements, counts).enumerated() {
        try coder.encodeObject(member.0, forKey: "NS.object\(place)")
        try coder.encodeInt(member.1, forKey: "NS.count\(place)")
      }
    }
  }

  private func encode(with archiver: Archiver) throws {
    let substitutes = try elements.map { try archiver.standing(for: $0) }
    let keys = try keys.map { try archiver.standing(for: $0) }
    let places = elements.indices.filter {
      substitutes[$0] != nil && (form != .dictionary || keys[$0] != nil)
    }
    try archiver.encodeCount(places.count, ofType: countType)
    for place in places {
      if form == .dictionary, let key = keys[place] { try archiver.encode(key) }
      if let element = substitutes[place] { try archiver.encode(element) }
      if form == .countedSet { try archiver.encodeCount(counts[place], ofType: "I") }
    }
  }

  private func encodeGroups(with coder: any EncodingCoder) throws {
    try coder.encodeCount(elements.count, ofType: countType)
    for place in elements.indices {
      if form == .dictionary { try coder.encodeObject(keys[place]) }
      try coder.encodeObject(elements[place])
      if form == .countedSet { try coder.encodeCount(counts[place], ofType: "I") }
    }
  }

  private var countType: String { form.countType }
}

extension CollectionForm {
  /// The type of the number of elements in sequential archives.
  var countType: String {
    switch self {
    case .set, .countedSet: "I"
    case .array, .orderedSet, .dictionary: "i"
    }
  }
}
