import PortolanMemory
import PropertyLists

// Values without keys: each object has its own count, and they stand under `$0`, `$1` and so on.
extension KeyedUnarchiver {
  public func decodeBool() throws -> Bool {
    try next { try number($0) { $0.truthValue } }
  }

  public func decodeInt() throws -> Int {
    try next { try number($0) { Int(exactly: $0) } }
  }

  public func decodeInt32() throws -> Int32 {
    try next { try number($0) { Int32(exactly: $0) } }
  }

  public func decodeInt64() throws -> Int64 {
    try next { try number($0) { Int64(exactly: $0) } }
  }

  public func decodeFloat() throws -> Float {
    try next { try number($0) { $0.realValue.flatMap { Float(fitting: $0) } } }
  }

  public func decodeDouble() throws -> Double {
    try next { try number($0) { $0.realValue } }
  }

  public func decodeStringIfPresent() throws -> String? {
    try next { try shown(string($0), at: $0) }
  }

  public func decodeBytesIfPresent() throws -> [UInt8]? {
    try next { reference in
      guard let range = try data(reference) else { return nil }
      try charge(range.count)
      return try shown(ArchivedData(reader: list.reader, range: range), at: reference)?.bytes
    }
  }

  public func decodeDataIfPresent() throws -> [UInt8]? { try decodeBytesIfPresent() }

  public func decodeDateIfPresent() throws -> Double? {
    try next { try shownDate($0) }
  }

  public func decodeObjectIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
    guard let node = try next({ try nodeNumber($0) }) else { return nil }
    let made = try unlessNothing { try object(type, node) }
    try settle()
    return made
  }

  public func decodeObjectIfPresent<Slot>(in classes: ClassList<Slot>) throws -> Slot? {
    guard let node = try next({ try nodeNumber($0) }) else { return nil }
    let made = try unlessNothing { try object(in: classes, node) }
    try settle()
    return made
  }

  public func decodeReference<Object: Coding>(
    _ type: Object.Type, then assign: @escaping (Object) -> Void
  ) throws {
    guard let node = try next({ try nodeNumber($0) }) else { return }
    try wait(for: Int(node), type, then: assign)
  }

  public func decodeReference<Slot>(
    in classes: ClassList<Slot>, then assign: @escaping (Slot) -> Void
  ) throws {
    guard let node = try next({ try nodeNumber($0) }) else { return }
    try wait(for: Int(node), in: classes, then: assign)
  }

  public func decodeValues(
    ofTypes types: String, in classes: ClassList<any Coding>?
  ) throws -> [TypedValue] {
    let list: [KeyedType]
    switch KeyedType.list(types) {
    case .success(let known): list = known
    case .failure(let fault): throw ArchiveError(.misuse, path: path(to: nextKey), fault.reason)
    }
    let values = try list.map { type in
      try next { reference in
        switch type {
        case .single(let code): try single(reference, code, classes)
        case .array(let count, let element):
          try array(reference, count: count, element, classes)
        }
      }
    }
    try settle()
    return values
  }

  public func version(forClassName name: String) -> Int? {
    if let type = table.type(named: name) { return type.archivedClass.version }
    for record in records {
      guard let archived = record.type?.archivedClass else { continue }
      if let version = archived.version(ofName: name) { return version }
    }
    return nil
  }

  /// Keyed archives are written by version 2000 of the system.
  public var systemVersion: Int { 2000 }

  public func valueNotFound() -> ArchiveError {
    valueNotFound(forKey: "$\(max(0, frame.nextPosition - 1))")
  }

  // MARK: Steps

  /// Whether a value without a key is left.
  package func hasMoreValues() throws -> Bool {
    try checkOpen()
    return place(of: nextKey) != nil
  }

  /// The key of the next value without one.
  private var nextKey: String { "$\(frame.nextPosition)" }

  /// Reads the next value without a key.
  private func next<Value>(_ read: (PropertyListReference) throws -> Value) throws -> Value {
    try checkOpen()
    let key = nextKey
    guard let position = place(of: key) else { throw valueNotFound(forKey: key) }
    frame.nextPosition += 1
    let reference = take(position)
    do {
      return try read(reference)
    } catch is ReplacedByNothing {
      throw valueNotFound(forKey: key)
    } catch {
      throw locatedError(error)
    }
  }

  private func single(
    _ reference: PropertyListReference, _ code: UInt8, _ classes: ClassList<any Coding>?
  ) throws -> TypedValue {
    switch code {
    case UInt8(ascii: "f"):
      return .float(try number(reference) { $0.realValue.flatMap { Float(fitting: $0) } })
    case UInt8(ascii: "d"): return .double(try number(reference) { $0.realValue })
    case UInt8(ascii: "+"):
      return .bytes(
        try data(reference).map { ArchivedData(reader: list.reader, range: $0).bytes })
    case UInt8(ascii: "*"): return .cString(try string(reference).map { Array($0.utf8) })
    case UInt8(ascii: "%"): return .atom(try string(reference).map { Array($0.utf8) })
    case UInt8(ascii: ":"): return .selector(try string(reference))
    case UInt8(ascii: "#"):
      return .archivedClass(
        try string(reference).map { table.type(named: $0)?.archivedClass ?? ArchivedClass($0) })
    case UInt8(ascii: "@"):
      guard let classes else {
        throw fault(.misuse, reference, "decode objects with the classes that they may have")
      }
      return .object(
        try nodeNumber(reference).flatMap { node in
          try unlessNothing { try object(in: classes, node) }
        })
    default: return try integer(reference, code)
    }
  }

  private func integer(_ reference: PropertyListReference, _ code: UInt8) throws -> TypedValue {
    if code == UInt8(ascii: "B") {
      return .integer(try number(reference) { $0.truthValue } ? 1 : 0)
    }
    if code == UInt8(ascii: "Q") {
      let value = try number(reference) { UInt64(exactly: $0) }
      return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }
    let value = try number(reference) { Int64(exactly: $0) }
    guard KeyedType.holds(value, code) == true else {
      throw fault(
        .typeMismatch, reference,
        "\(value) does not fit the type \(typeName(code))")
    }
    return .integer(value)
  }

  /// An array of simple values, in Apple's form: `NS.count`, `NS.size`, `NS.type`, `$0`, `$1`…
  private func array(
    _ reference: PropertyListReference, count: Int, _ code: UInt8,
    _ classes: ClassList<any Coding>?
  ) throws -> TypedValue {
    guard let node = try nodeNumber(reference) else { throw valueNotFound() }
    if case .underConstruction = Memo(made[Int(node)]) {
      throw fault(.cycle, reference, "an array that holds itself")
    }
    let former = made[Int(node)]
    made[Int(node)] = Memo.underConstruction.word
    defer { made[Int(node)] = former }
    return try foundationObject(node, of: .oldStyleArray) {
      let stored = try decodeInt(forKey: "NS.count")
      let type = try decodeInt(forKey: "NS.type")
      let size = try decodeInt(forKey: "NS.size")
      guard stored == count, type == Int(code) else {
        throw fault(
          .typeMismatch, reference,
          "expected \(counted(count, "element")) of type \(typeName(code)), found \(stored) of type"
            + " \(UInt8(exactly: type).map { typeName($0) } ?? "\(type)")")
      }
      guard count >= 0, count <= frame.fieldCount, KeyedType.admits(size: size, of: code) else {
        throw fault(
          .corrupt, reference, "\(counted(stored, "element")) of \(counted(size, "byte")) cannot be"
        )
      }
      try charge(count * MemoryLayout<TypedValue>.stride)
      let values = try (0..<count).map { _ in try next { try single($0, code, classes) } }
      guard code == UInt8(ascii: "c") || code == UInt8(ascii: "C") else { return .array(values) }
      return .byteArray(
        values.map {
          if case .integer(let value) = $0 { UInt8(truncatingIfNeeded: value) } else { 0 }
        })
    }
  }
}
