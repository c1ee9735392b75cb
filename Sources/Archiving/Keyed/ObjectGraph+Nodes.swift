import PortolanMemory
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
    let entries = try classEntries(record)
    let name = try className(record, entries)
    var chain: [String] = []
    if let names = entries.names {
      chain.reserveCapacity(names.count)
      for place in 0..<names.count {
        guard let text = try className(list.row(names, at: place)) else { break }
        chain.append(text)
      }
    }
    // The name is the class in the archive; the chain only tells its superclasses.
    return chain.first == name ? chain : [name] + chain
  }

  /// The name in a class record, whose other entries are checked as well.
  func className(_ record: NodeID) throws -> String {
    try className(record, classEntries(record))
  }

  private struct ClassEntries {
    var name: PropertyListReference?
    var names: PropertyListReferences?
  }

  /// What a class record says of its class; other keys, such as `$classhints`, are of no interest.
  private func classEntries(_ record: NodeID) throws -> ClassEntries {
    let reference = try list.row(objects, at: Int(record.rawValue))
    guard let (keys, values) = try list.dictionary(reference) else {
      throw classFault(record, "", "expected the record of a class")
    }
    var entries = ClassEntries()
    for index in 0..<keys.count {
      let key = try list.shortKey(list.row(keys, at: index))
      if key == ShortText(constant: "$classname") {
        guard entries.name == nil else {
          throw classFault(record, ".$classname", "the key is there twice")
        }
        entries.name = try list.row(values, at: index)
      } else if key == ShortText(constant: "$classes") {
        guard entries.names == nil, let names = try list.array(list.row(values, at: index)) else {
          throw classFault(record, ".$classes", "expected one array of names")
        }
        for place in 0..<names.count {
          let name = try list.row(names, at: place)
          // The first is most often that of `$classname`, which is checked when it is read.
          guard try name == entries.name || isClassName(name) else {
            throw classFault(record, ".$classes", Self.noName)
          }
        }
        entries.names = names
      }
    }
    return entries
  }

  private func className(_ record: NodeID, _ entries: ClassEntries) throws -> String {
    guard let reference = entries.name else {
      throw classFault(record, "", "the record of a class without $classname")
    }
    guard let name = try className(reference) else {
      throw classFault(record, ".$classname", Self.noName)
    }
    return name
  }

  private func classFault(_ record: NodeID, _ key: String, _ reason: String) -> ArchiveError {
    corrupt("$objects[\(record.rawValue)]" + key, reason)
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
    if let text = list.shortText(of: reference) { return text.count > 0 ? text.string : nil }
    guard let text = try list.text(reference), !text.isEmpty else { return nil }
    return text
  }

  /// Whether an object is the name of a class.
  private func isClassName(_ reference: PropertyListReference) throws -> Bool {
    if let text = list.shortText(of: reference) { return text.count > 0 }
    return try className(reference) != nil
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
