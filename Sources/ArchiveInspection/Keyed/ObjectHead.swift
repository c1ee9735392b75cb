import PropertyLists

/// What an object of a keyed archive is, by itself and its keys alone.
struct ObjectHead {
  var kind: InspectedNode.Kind
  /// The index of its class among its keys, and the value there; `nil` without a class.
  var archivedClass: (place: Int, reference: PropertyListReference)?

  /// - Throws: the fault of the object or of one of its keys.
  init(_ start: PropertyListReference, in list: BinaryPropertyList) throws(PropertyListError) {
    let object = try list.object(start)
    guard case .dictionary(let keys, let values) = object else {
      kind =
        switch object {
        // No archiver writes these among its objects.
        case .array: .array
        case .set: .set
        default: list.isText(start, "$null") ? .null : .bare
        }
      return
    }
    kind = .dictionary
    for place in 0..<keys.count {
      let key = try list.reference(place, of: keys)
      if list.isText(key, "$class") {
        kind = .object
        archivedClass = (place, try list.reference(place, of: values))
        return
      }
      if list.isText(key, "$classname") { kind = .classRecord }
    }
  }

  /// The remark on a dictionary without a class.
  static func withoutClass(_ number: Int) -> String {
    "$objects[\(number)]: an object without $class"
  }
}

/// The entries of a keyed archive's outermost dictionary.
struct KeyedEntries {
  var top: PropertyListReference?
  var objects: PropertyListReferences?
  var version: Int64?
  var archiver: String?
  var others: [(key: String, value: PropertyListReference)] = []

  /// `nil` where the list cannot be an archive.
  init?(_ list: BinaryPropertyList) {
    guard case .dictionary(let keys, let values)? = try? list.object(list.top), keys.count < 64
    else { return nil }
    for place in 0..<keys.count {
      guard let key = try? list.reference(place, of: keys),
        let value = try? list.reference(place, of: values)
      else { continue }
      let object = try? list.object(value)
      if list.isText(key, "$top") {
        if case .dictionary? = object { top = value }
      } else if list.isText(key, "$objects") {
        if case .array(let row)? = object { objects = row }
      } else if list.isText(key, "$version") {
        version = nil
        if case .integer(let number)? = object { version = number }
      } else if list.isText(key, "$archiver") {
        archiver = object.flatMap { (try? list.string($0)) ?? nil }
      } else if let object = try? list.object(key) {
        others.append(((try? list.string(object)).flatMap { $0 } ?? "?", value))
      }
    }
  }
}

extension InspectionHeader {
  /// Notes what the entries of a keyed archive tell.
  mutating func note(_ entries: KeyedEntries) {
    format = .keyed
    (version, archiver) = (entries.version, entries.archiver)
    otherEntries = entries.others.map(\.key)
    if version != 100_000 {
      notes.append("$version is not 100000: no reader of Apple accepts this archive")
    }
    if archiver != "NSKeyedArchiver" {
      notes.append("$archiver is not NSKeyedArchiver: many readers refuse this archive")
    }
  }
}
