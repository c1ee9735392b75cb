import PropertyLists

/// What was decoded without knowing it beforehand, by node, so that no graph is expanded twice.
struct ValueMemos {
  /// The values of nodes that have a class, and what they weigh with all their parts.
  var made: [UInt32: (value: Cocoa.Object, weight: Int)] = [:]
  /// The weight of all values so far, each shared part counted anew.
  var produced = 0
  /// How many values wait for the one that is being made.
  var depth = 0

  /// What an object takes besides its elements, in bytes.
  static let objectWeight = 48
}

// Decoding what an archive holds without knowing it beforehand.
extension KeyedUnarchiver {
  /// Decodes the object of a node, whatever its class; `nil` when it is none.
  ///
  /// For looking at archives; objects within a graph are decoded by their keys.
  public func decodeAnyValue(at node: NodeID) throws -> Cocoa.Object? {
    guard Int(node.rawValue) < memos.count else {
      throw fault(.corrupt, nil, "object \(node.rawValue) of \(memos.count)")
    }
    if node.rawValue == 0 { return nil }
    do {
      let reference = try body(of: node.rawValue)
      if try list.isNullString(reference) { return nil }
      return try anyValue(node.rawValue)
    } catch {
      throw locatedError(error)
    }
  }

  /// The name that the archive has for the class of the object being made.
  var currentClassName: String? { frame.record >= 0 ? records[frame.record].chain.first : nil }

  /// The object of a node, whatever its class.
  func anyValue(_ node: UInt32) throws -> Cocoa.Object {
    if let known = valueMemos.made[node] {
      try produce(known.weight)
      return known.value
    }
    switch Memo(memos[Int(node)]) {
    case .underConstruction:
      throw fault(.cycle, try? body(of: node), "a collection or value that holds itself")
    case .object, .record: return .unknown(keep(node))
    case .none, .madeOnce, .value, .string: break
    }
    if let bare = try located({ try bareValue(node) }) { return bare.asObject }
    return try composite(node)
  }

  /// The object of a node that has no class; `nil` when it has one.
  func bareValue(_ node: UInt32) throws -> BareValue? {
    let reference = try body(of: node)
    switch try list.object(reference) {
    case .dictionary: return nil
    case .bool(let value): return .number(Cocoa.Number(value))
    case .integer(let value): return .number(Cocoa.Number(value))
    case .unsigned(let value): return .number(Cocoa.Number(value))
    case .float(let value): return .number(Cocoa.Number(value))
    case .double(let value): return .number(Cocoa.Number(value))
    case .date(let seconds): return .date(seconds)
    case .ascii, .utf16: return .string(try string(ofNode: node))
    case .data(let range):
      try produce(range.count)
      return .data(ArchivedData(reader: list.reader, range: range).bytes)
    case let other:
      throw fault(.typeMismatch, reference, "expected an object, found \(other.kindName)")
    }
  }

  /// The value of a type that needs no class, when a typed object could not be entered.
  func bareObject<Object: Coding>(
    _ type: Object.Type, _ node: UInt32, otherwise error: any Error
  ) throws -> Object {
    guard let foundation = type as? any FoundationValue.Type, let bare = try bareValue(node)
    else { throw error }
    guard let object = foundation.init(bare: bare) as? Object else {
      throw classFault(node, "\(type.archivedClass.name)")
    }
    return object
  }

  /// The object of a node that has a class: a value of Foundation's, or the node kept whole.
  private func composite(_ node: UInt32) throws -> Cocoa.Object {
    guard valueMemos.depth < limits.valueDepthMax else {
      throw fault(
        .tooDeep, try? body(of: node), "values are nested \(valueMemos.depth) deep")
    }
    let former = memos[Int(node)]
    let start = valueMemos.produced
    let mark = try begin(node)
    valueMemos.depth += 1
    defer { valueMemos.depth -= 1 }
    do {
      let value = try currentValue()
      memos[Int(node)] = former
      leave(mark)
      guard let value else { return .unknown(keep(node)) }
      try produce(ValueMemos.objectWeight)
      valueMemos.made[node] = (value, valueMemos.produced - start)
      return value
    } catch {
      throw abandon(node, former, mark, error)
    }
  }

  /// The value of the object that was entered; `nil` when it is none of Foundation's.
  private func currentValue() throws -> Cocoa.Object? {
    switch records[frame.record].chain[0] {
    case "NSString": return .string(try boxedString())
    case "NSData": return .data(try Cocoa.MutableData(coder: self).bytes)
    case let name: return try FoundationClasses.type(named: name)?.init(coder: self).asObject
    }
  }

  /// Counts a part of a value against what the archive justifies.
  private func produce(_ weight: Int) throws {
    try charge(weight)
    valueMemos.produced += weight
  }
}

extension BareValue {
  /// The value among all others.
  var asObject: Cocoa.Object {
    switch self {
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .data(let bytes): .data(bytes)
    case .date(let seconds): .date(Cocoa.Date(secondsSinceReferenceDate: seconds))
    }
  }
}
