import PortolanMemory
import PropertyLists

// Values without keys: each object counts its own, and they stand under `$0`, `$1` and so on.
extension KeyedArchiver {
  public func encodeBool(_ value: Bool) throws { try addNext(writer.addBool(value)) }

  public func encodeInt(_ value: Int) throws { try addNext(writer.addInteger(Int64(value))) }

  public func encodeInt32(_ value: Int32) throws { try addNext(writer.addInteger(Int64(value))) }

  public func encodeInt64(_ value: Int64) throws { try addNext(writer.addInteger(value)) }

  public func encodeFloat(_ value: Float) throws { try addNext(writer.addFloat(value)) }

  public func encodeDouble(_ value: Double) throws { try addNext(writer.addDouble(value)) }

  public func encodeString(_ value: String?) throws {
    if showsValues { return try encodeObject(value) }
    try addNext(node: node(ofText: value))
  }

  public func encodeBytes(_ value: [UInt8]?) throws { try addNext(inlineBytes(value)) }

  public func encodeData(_ value: [UInt8]?) throws {
    if showsValues { return try encodeObject(value.map { Cocoa.Object.data($0) }) }
    try addNext(node: value.map { addNode(body: writer.addData($0)) } ?? 0)
  }

  public func encodeDate(_ secondsSinceReferenceDate: Double?) throws {
    if showsValues {
      return try encodeObject(
        secondsSinceReferenceDate.map { Cocoa.Date(secondsSinceReferenceDate: $0) })
    }
    try addNext(node: node(ofDate: secondsSinceReferenceDate))
  }

  public func encodeObject<Object: Coding>(_ object: Object?) throws {
    guard let object else { return try addNext(node: 0) }
    try addNext(node: node(of: object))
  }

  public func encodeConditionalObject<Object: Coding>(_ object: Object?) throws {
    guard let object else { return try addNext(node: 0) }
    try addNext(node: node(ofConditional: object, nextKey))
  }

  public func encodeValues(_ values: [TypedValue], ofTypes types: String) throws {
    let list: [KeyedType]
    switch KeyedType.list(types) {
    case .success(let known): list = known
    case .failure(let fault): throw unfit(.misuse, fault.reason)
    }
    guard list.count == values.count else {
      throw unfit(.misuse, "\(counted(values.count, "value")) for the types \(types)")
    }
    for (type, value) in zip(list, values) {
      switch type {
      case .single(let code): try addNext(single(value, code))
      case .array(let count, let element):
        try addNext(node: node(ofArray: value, count: count, element))
      }
    }
  }

  // MARK: Helpers

  /// The key of the next value without one.
  var nextKey: String { "$\(frame.nextPosition)" }

  /// Adds a value without a key.
  func addNext(_ value: PropertyListReference) throws {
    try checkOpen()
    let key = nextKey
    let reference = writer.addString(key)
    guard !isEncoded(reference) else {
      throw failed(
        ArchiveError(.duplicateKey, path: path(key), "a key is encoded twice into one object"))
    }
    frame.nextPosition &+= 1
    addPending(reference, value)
  }

  private func addNext(node: UInt32) throws { try addNext(nodes[Int(node)].uid) }

  /// Bytes inside an object; none are the text `$null`, as Apple writes them.
  func inlineBytes(_ bytes: [UInt8]?) -> PropertyListReference {
    bytes.map { writer.addData($0) } ?? nullBody
  }

  private func node(ofText text: String?) throws -> UInt32 {
    try text.map { try node(ofString: $0) } ?? 0
  }

  private func single(_ value: TypedValue, _ code: UInt8) throws -> PropertyListReference {
    switch (value, code) {
    case (.integer(let number), UInt8(ascii: "B")) where number == 0 || number == 1:
      return writer.addBool(number == 1)
    case (.integer(let number), _):
      guard let holds = KeyedType.holds(number, code) else { break }
      guard holds else {
        throw unfit(.typeMismatch, "\(number) does not fit the type \(typeName(code))")
      }
      return writer.addInteger(number)
    case (.unsigned(let number), _):
      if let signed = Int64(exactly: number) { return try single(.integer(signed), code) }
      guard code == UInt8(ascii: "Q") else {
        throw unfit(.typeMismatch, "\(number) does not fit the type \(typeName(code))")
      }
      return writer.addUnsigned(number)
    case (.float(let number), UInt8(ascii: "f")): return writer.addFloat(number)
    case (.double(let number), UInt8(ascii: "d")): return writer.addDouble(number)
    case (.bytes(let bytes), UInt8(ascii: "+")): return inlineBytes(bytes)
    default: return nodes[Int(try reference(value, code))].uid
    }
    throw unfit(.typeMismatch, "\(value.kindName) where the type is \(typeName(code))")
  }

  /// The node of a value that is an object in a keyed archive.
  private func reference(_ value: TypedValue, _ code: UInt8) throws -> UInt32 {
    switch (value, code) {
    case (.object(let object), UInt8(ascii: "@")):
      guard let object else { return 0 }
      return try node(of: object)
    case (.conditionalObject(let object), UInt8(ascii: "@")):
      guard let object else { return 0 }
      return try node(ofConditional: object, nextKey)
    case (.archivedClass(let archivedClass), UInt8(ascii: "#")):
      return try node(ofText: archivedClass?.name)
    case (.selector(let name), UInt8(ascii: ":")): return try node(ofText: name)
    case (.cString(let bytes), UInt8(ascii: "*")), (.atom(let bytes), UInt8(ascii: "%")):
      guard let bytes else { return 0 }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw unfit(.typeMismatch, "a C string that is not UTF-8")
      }
      return try node(ofString: text)
    default: throw unfit(.typeMismatch, "\(value.kindName) where the type is \(typeName(code))")
    }
  }

  /// The node of an array of simple values, in Apple's form.
  private func node(ofArray value: TypedValue, count: Int, _ code: UInt8) throws -> UInt32 {
    let elements: [TypedValue]
    switch value {
    case .array(let values): elements = values
    case .byteArray(let bytes) where code == UInt8(ascii: "C") || code == UInt8(ascii: "B"):
      elements = bytes.map { .integer(Int64($0)) }
    case .byteArray(let bytes) where code == UInt8(ascii: "c"):
      elements = bytes.map { .integer(Int64(Int8(bitPattern: $0))) }
    default: throw unfit(.typeMismatch, "\(value.kindName) where the type is an array")
    }
    guard elements.count == count else {
      throw unfit(.misuse, "\(counted(elements.count, "element")) for an array of \(count)")
    }
    return try collection("_NSKeyedCoderOldStyleArray") {
      try addField("NS.count", writer.addInteger(Int64(count)))
      try addField("NS.size", writer.addInteger(Int64(KeyedType.size(code))))
      try addField("NS.type", writer.addInteger(Int64(code)))
      for element in elements { try addNext(single(element, code)) }
    }
  }

  private func unfit(_ code: ArchiveError.Code, _ reason: String) -> any Error {
    failed(ArchiveError(code, path: path(nextKey), reason))
  }
}
