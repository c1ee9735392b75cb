public import PropertyLists

extension ObjectGraph {
  /// A value inside a node: a place in the property list, not looked at yet.
  public struct Value: Hashable, Sendable {
    /// The object of the property list that holds it.
    public let reference: PropertyListReference
  }

  /// A named field of a node.
  public struct Field: Hashable, Sendable {
    /// The key as it stands in the archive; a client's key that began with `$` has one more.
    public let key: String
    /// The value of the key.
    public let value: Value
  }

  /// A node of the graph.
  public struct Node: Sendable {
    /// The kind of the node.
    public enum Kind: Sendable {
      /// The string `$null`: no object.
      case none
      /// A string, number, data or date that stands for itself.
      case bare(Value)
      /// An object with a class and fields.
      case object
      /// The description of a class, to which objects refer.
      case classRecord
    }

    /// Its number.
    public let id: NodeID
    /// Its kind.
    public let kind: Kind
    /// The names of its class and superclasses, the class first; empty when it is no object.
    public let classChain: [String]
    /// Its fields in the archive's order, without `$class`.
    public let fields: [Field]
  }

  /// The kind and content of a value, one level deep.
  public enum Content: Sendable {
    /// The null of property lists.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond `Int64`.
    case unsigned(UInt64)
    /// A real number of eight bytes.
    case double(Double)
    /// A real number of four bytes.
    case float(Float)
    /// Seconds since 2001.
    case date(Double)
    /// Bytes, as their place in the archive.
    case data(Range<Int>)
    /// A string.
    case string(String)
    /// A string whose UTF-16 is not valid Unicode, as the place of its units.
    case invalidString(Range<Int>)
    /// A reference to a node.
    case reference(NodeID)
    /// An array of values.
    case array([Value])
    /// A set of values.
    case set([Value])
    /// A dictionary of values, in order.
    case dictionary([Field])
  }

  /// The top-level keys and their values.
  public var top: [Field] {
    get throws { try wrapped("$top") { try fields(topKeys, topValues) } }
  }

  /// A node with its class chain and fields; its values are not looked at.
  public func node(_ id: NodeID) throws -> Node {
    try wrapped("$objects[\(id.rawValue)]") {
      let reference = try list.reference(Int(id.rawValue), of: objects)
      let object = try list.object(reference)
      guard case .dictionary(let keys, let values) = object else {
        let kind: Node.Kind =
          try list.isNullString(reference) ? .none : .bare(Value(reference: reference))
        return Node(id: id, kind: kind, classChain: [], fields: [])
      }
      let all = try fields(keys, values)
      guard let classField = all.first(where: { $0.key == "$class" }) else {
        let isClass = all.contains { $0.key == "$classname" }
        guard isClass else { throw corrupt("$objects[\(id.rawValue)]", "an object without $class") }
        return Node(id: id, kind: .classRecord, classChain: [], fields: all)
      }
      guard case .reference(let record) = try content(of: classField.value) else {
        throw corrupt("$objects[\(id.rawValue)].$class", "expected a reference to a class")
      }
      return Node(
        id: id, kind: .object, classChain: try classChain(record),
        fields: all.filter { $0.key != "$class" })
    }
  }

  /// The kind and content of a value, one level deep.
  public func content(of value: Value) throws -> Content {
    try wrapped("") {
      switch try list.resolved(value.reference) {
      case .null: return .null
      case .bool(let value): return .bool(value)
      case .integer(let value): return .integer(value)
      case .unsigned(let value): return .unsigned(value)
      case .double(let value): return .double(value)
      case .float(let value): return .float(value)
      case .date(let value): return .date(value)
      case .data(let range): return .data(range)
      case .ascii(let range):
        return .string(try list.string(.ascii(range)) ?? "")
      case .utf16(let range):
        return try list.string(.utf16(range)).map { .string($0) } ?? .invalidString(range)
      case .uid(let uid):
        guard Int(uid) < objects.count else {
          throw corrupt("", "reference to object \(uid) of \(objects.count)")
        }
        return .reference(NodeID(rawValue: uid))
      case .array(let row): return .array(try elements(row))
      case .set(let row): return .set(try elements(row))
      case .dictionary(let keys, let values): return .dictionary(try fields(keys, values))
      }
    }
  }

  /// The chain of names in a class record: `$classes`, or `$classname` alone.
  func classChain(_ record: NodeID) throws -> [String] {
    func fault(_ key: String, _ reason: String) -> ArchiveError {
      corrupt("$objects[\(record.rawValue)]" + key, reason)
    }
    let reference = try list.reference(Int(record.rawValue), of: objects)
    guard case .dictionary(let keys, let values) = try list.object(reference) else {
      throw fault("", "expected the record of a class")
    }
    var name: String?
    var chain: [String]?
    for index in 0..<keys.count {
      let value = try list.reference(index, of: values)
      // Other keys, such as $classhints, are of no interest here.
      switch try list.key(list.reference(index, of: keys)) {
      case "$classname":
        guard name == nil else { throw fault(".$classname", "the key is there twice") }
        guard let text = try className(value) else { throw fault(".$classname", Self.noName) }
        name = text
      case "$classes":
        guard chain == nil, case .array(let names) = try list.object(value) else {
          throw fault(".$classes", "expected one array of names")
        }
        var found: [String] = []
        for place in 0..<names.count {
          guard let text = try className(list.reference(place, of: names)) else {
            throw fault(".$classes", Self.noName)
          }
          found.append(text)
        }
        chain = found
      default: break
      }
    }
    guard let name else { throw fault("", "the record of a class without $classname") }
    // The name is the class in the archive; the chain only tells its superclasses.
    guard let chain, chain.first == name else { return [name] + (chain ?? []) }
    return chain
  }

  /// The names in a class record that a reader may take instead: `$classhints`.
  func classHints(_ record: NodeID) throws -> [String] {
    let path = "$objects[\(record.rawValue)].$classhints"
    let reference = try list.reference(Int(record.rawValue), of: objects)
    guard case .dictionary(let keys, let values) = try list.object(reference) else { return [] }
    for index in 0..<keys.count
    where try list.key(list.reference(index, of: keys)) == "$classhints" {
      guard case .array(let names) = try list.object(list.reference(index, of: values)) else {
        throw corrupt(path, "expected an array of names")
      }
      return try (0..<names.count).map {
        guard let text = try className(list.reference($0, of: names)) else {
          throw corrupt(path, Self.noName)
        }
        return text
      }
    }
    return []
  }

  private static let noName = "expected the name of a class"

  /// A name in a class record; `nil` for anything else.
  private func className(_ reference: PropertyListReference) throws -> String? {
    if let place = list.place(of: reference), let range = list.shortASCII(at: place),
      !range.isEmpty
    {
      return try list.ascii(range)
    }
    let object = try list.object(reference)
    guard object.isText, let text = try list.string(object), !text.isEmpty else { return nil }
    return text
  }

  private func fields(
    _ keys: PropertyListReferences, _ values: PropertyListReferences
  ) throws -> [Field] {
    var fields: [Field] = []
    var seen: Set<ExactKey> = []
    fields.reserveCapacity(keys.count)
    for index in 0..<keys.count {
      let key = try list.key(list.reference(index, of: keys))
      guard seen.insert(ExactKey(key)).inserted else {
        throw corrupt("", "the key \(key) is there twice")
      }
      fields.append(
        Field(key: key, value: Value(reference: try list.reference(index, of: values))))
    }
    return fields
  }

  private func elements(_ row: PropertyListReferences) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(row.count)
    for index in 0..<row.count {
      values.append(Value(reference: try list.reference(index, of: row)))
    }
    return values
  }

  private func corrupt(_ path: String, _ reason: String) -> ArchiveError {
    ArchiveError(.corrupt, path: path, reason)
  }

  private func wrapped<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PropertyListError {
      throw ArchiveError(error, path: path)
    }
  }
}

/// A key compared by its code units, as keys of archives are; Swift's own `==` is canonical.
struct ExactKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (first: ExactKey, second: ExactKey) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
