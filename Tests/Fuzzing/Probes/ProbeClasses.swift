import Archiving

/// Classes of every make, for decoding what was not made for them.
enum ProbeClasses {
  static let all: [any Coding.Type] = [
    MapDocument.self, MapNode.self, MapEdge.self, EveryField.self, AnyArray.self,
  ]

  static let list = ClassList<any Coding>(all, unknown: { $0 })
}

/// A value that asks for every kind of field under the keys that archives use most.
struct EveryField: Coding {
  var unread: UnreadFields
  var parts: [UnknownObject] = []

  static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSObject",
      formerNames: ["NSMutableDictionary", "NSDictionary", "NSSet", "NSNumber", "View", "Place"])
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(parts, forKey: "parts")
    try coder.encodeUnreadFields(unread)
  }

  init(coder: any DecodingCoder) throws {
    for key in ["name", "NS.objects", "NS.keys", "NS.string", "a", "$x"] {
      _ = try? coder.containsValue(forKey: key)
      _ = try? coder.decodeBoolIfPresent(forKey: key)
      _ = try? coder.decodeIntIfPresent(forKey: key)
      _ = try? coder.decodeInt32IfPresent(forKey: key)
      _ = try? coder.decodeInt64IfPresent(forKey: key)
      _ = try? coder.decodeFloatIfPresent(forKey: key)
      _ = try? coder.decodeDoubleIfPresent(forKey: key)
      _ = try? coder.decodeStringIfPresent(forKey: key)
      _ = try? coder.decodeDataIfPresent(forKey: key)
      _ = try? coder.decodePackedIfPresent(Int32.self, forKey: key)
      _ = try? coder.decodeDateIfPresent(forKey: key)
      _ = try? coder.decodeStringsIfPresent(forKey: key)
      _ = try? coder.decodeIntsIfPresent(forKey: key)
      _ = try? coder.decodeDoublesIfPresent(forKey: key)
      _ = try? coder.decodeStringDictionaryIfPresent(forKey: key)
      _ = try? coder.decodeStringPairsIfPresent(forKey: key)
      _ = try? coder.decodeDictionaryIfPresent(of: MapNode.self, forKey: key)
      _ = try? coder.decodeObjectIfPresent(MapNode.self, forKey: key)
      try? coder.decodeReference(MapNode.self, forKey: key) { _ = $0.children }
      if let part = try? coder.decodeObjectIfPresent(UnknownObject.self, forKey: key) {
        parts.append(part)
      }
    }
    unread = try coder.unreadFields()
  }
}

/// An array that holds whatever there is.
struct AnyArray: Coding {
  var elements: [any Coding]

  static var archivedClass: ArchivedClass {
    ArchivedClass("NSMutableArray", formerNames: ["NSArray"])
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(elements, forKey: "NS.objects")
  }

  init(coder: any DecodingCoder) throws {
    elements = try coder.decodeObjects(in: ProbeClasses.list, forKey: "NS.objects")
  }
}
