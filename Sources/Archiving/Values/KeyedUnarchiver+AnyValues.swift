import PortolanMemory
import PropertyLists

/// Decoded values of any class by node, so that no graph is expanded twice.
struct ValueMemos {
  /// The values of nodes that have a class, each behind those within it.
  private let made = MadeValues()
  /// Per node, the place of its value among those and 1 more; 0 where none was made.
  private var places: [UInt32] = []
  /// The charge for hashing values, in bytes.
  var hashed = 0
  /// How many values wait for the one that is being made.
  var depth = 0
  /// How deep values may be nested besides what the limits allow.
  var depthMax = 0
  /// How many values the deepest of the ones made so far is within, itself counted.
  var deepest = 0

  /// The memory of an object besides its elements, in bytes.
  static let objectWeight = 48

  /// A decoded value, its memory with all its parts, and their depth.
  struct MadeValue {
    var value: Cocoa.Object
    var weight: UInt32
    var height: UInt32
  }

  /// The value of a node.
  subscript(node: UInt32) -> MadeValue? {
    guard Int(node) < places.count, places[Int(node)] > 0 else { return nil }
    return made.row[Int(places[Int(node)]) - 1]
  }

  /// Released from the outermost inwards, so that none is released within the release of another.
  private final class MadeValues {
    var row: [MadeValue] = []

    deinit { while row.popLast() != nil {} }
  }

  /// Notes the value of a node, one of so many.
  mutating func add(_ value: MadeValue, of node: UInt32, among count: Int) {
    if places.isEmpty {
      places = Array(repeating: 0, count: count)
      // Unused pages take no memory, and a table that never grows is never copied.
      made.row.reserveCapacity(count)
    }
    guard Int(node) < places.count else { return }
    made.row.append(value)
    places[Int(node)] = UInt32(truncatingIfNeeded: made.row.count)
  }
}

extension ValueDecodingCoder {
  /// The value of a node that was made before.
  func knownValue(_ node: UInt32, _ limits: ArchiveLimits) throws -> Cocoa.Object? {
    guard let known = valueMemos[node] else { return nil }
    let depth = valueMemos.depth + Int(known.height)
    guard depth <= max(limits.valueDepthMax, valueMemos.depthMax) else {
      throw valuesTooDeep(depth)
    }
    valueMemos.deepest = max(valueMemos.deepest, depth)
    try charge(Int(known.weight))
    return known.value
  }

  /// Makes the value of a node; `nil` when its class is none of Foundation's.
  func makeValue(
    _ node: UInt32, _ limits: ArchiveLimits, _ make: () throws -> Cocoa.Object?
  ) throws -> Cocoa.Object? {
    let depth = valueMemos.depth
    guard depth < max(limits.valueDepthMax, valueMemos.depthMax) else {
      throw valuesTooDeep(depth)
    }
    let (start, deepest) = (producedWeight, valueMemos.deepest)
    valueMemos.depth = depth + 1
    valueMemos.deepest = depth + 1
    defer {
      valueMemos.depth = depth
      valueMemos.deepest = max(valueMemos.deepest, deepest)
    }
    guard let value = try make() else { return nil }
    try charge(ValueMemos.objectWeight)
    let made = ValueMemos.MadeValue(
      value: value, weight: UInt32(clamping: producedWeight - start),
      height: UInt32(clamping: valueMemos.deepest - depth))
    valueMemos.add(made, of: node, among: objectCount)
    return value
  }

  private func valuesTooDeep(_ depth: Int) -> ArchiveError {
    var error = valueNotFound()
    error.code = .tooDeep
    error.reason = "values are nested \(depth) deep"
    return error
  }
}

// Decoding the values of an archive without knowing their classes.
extension KeyedUnarchiver {
  /// Decodes the object of a node, whatever its class; `nil` when it is none.
  ///
  /// For looking at archives; objects within a graph are decoded by their keys.
  public func decodeAnyValue(at node: NodeID) throws -> Cocoa.Object? {
    guard Int(node.rawValue) < made.count else {
      throw fault(.corrupt, nil, "object \(node.rawValue) of \(made.count)")
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

  public var currentClassName: String? {
    frame.record >= 0 ? records[frame.record].name : nil
  }

  func anyValue(numbered number: Int) throws -> Cocoa.Object {
    try anyValue(UInt32(truncatingIfNeeded: number))
  }

  /// The object of a node, whatever its class.
  func anyValue(_ node: UInt32) throws -> Cocoa.Object {
    if let known = try knownValue(node, limits) { return known }
    switch Memo(made[Int(node)]) {
    case .underConstruction:
      throw fault(.cycle, try? body(of: node), "a collection or value that holds itself")
    case .object, .record: return .unknown(keep(node))
    case .none, .madeOnce, .value, .string, .readOnce: break
    }
    if let bare = try located({ try bareValue(node) }) { return bare.asObject }
    return try composite(node)
  }

  /// The object of a node that has no class; `nil` when it has one.
  func bareValue(_ node: UInt32) throws -> BareValue? {
    let reference = try body(of: node)
    switch try list.object(reference) {
    case .dictionary: return nil
    case .date(let seconds): return .date(seconds)
    case .ascii, .utf16: return .string(try string(ofNode: node))
    case .data(let range):
      try charge(range.count)
      return .data(ArchivedData(reader: list.reader, range: range).bytes)
    case let other:
      if let number = Cocoa.Number(object: other) { return .number(number) }
      throw fault(.typeMismatch, reference, "expected an object, found \(other.kindName)")
    }
  }

  /// The value of a type that needs no class, when a typed object could not be entered.
  func bareObject<Object: Coding>(
    _ type: Object.Type, _ number: Int, otherwise error: any Error
  ) throws -> Object {
    let node = UInt32(truncatingIfNeeded: number)
    guard BareValue.mayBe(type) || showsValues, let bare = try bareValue(node) else { throw error }
    if let object = bare.value(as: type) as? Object { return try shown(object, node) }
    // A delegate may hand out an object of the type for a listed value.
    guard showsValues, let listed = table.value(of: bare) else {
      throw BareValue.mayBe(type) ? classFault(node, "\(type.archivedClass.name)") : error
    }
    return try handedOut(listed, node, as: type)
  }

  /// The value inside the object itself, where an object of such a type is asked for.
  @inline(never)
  func inlineObject<Object: Coding>(
    _ type: Object.Type, _ key: String
  ) throws -> Object? {
    guard let reference = try find(key) else { return nil }
    if let bare = try inlineValue(reference), let object = try inlineObject(type, bare) {
      return object
    }
    return try located { try nodeNumber(reference) }.map { try object(type, $0) }
  }

  /// The value of a type that stands for a bare one; `nil` for other types.
  func inlineObject<Object: Coding>(_ type: Object.Type, _ bare: BareValue) throws -> Object? {
    if type == Cocoa.Object.self { return bare.asObject as? Object }
    return bare.value(as: type) as? Object
  }

  /// A number, string, date or data inside an object; `nil` for anything else.
  func inlineValue(_ reference: PropertyListReference) throws -> BareValue? {
    switch try list.object(reference) {
    case .date(let seconds): return .date(seconds)
    case .ascii, .utf16:
      if try list.isNullString(reference) { return nil }
      return try string(reference).map { .string($0) }
    case .data(let range):
      try charge(range.count)
      return .data(ArchivedData(reader: list.reader, range: range).bytes)
    case let other: return Cocoa.Number(object: other).map { .number($0) }
    }
  }

  /// The object of a node that has a class: a value of Foundation's, or the node kept whole.
  private func composite(_ node: UInt32) throws -> Cocoa.Object {
    do {
      return try readableComposite(node)
    } catch let error as ArchiveError where error.isOfOneValue {
      return keepBroken(node, keep(node), error)
    }
  }

  private func readableComposite(_ node: UInt32) throws -> Cocoa.Object {
    let value = try makeValue(node, limits) {
      let depth = try begin(Int(node), ())
      do {
        let value = try making.isFurther ? onFurtherStack(currentValue) : currentValue()
        made[Int(node)] = making.former
        leave(depth)
        return value
      } catch {
        throw abandon(Int(node), depth, error)
      }
    }
    return value ?? .unknown(keep(node))
  }

  /// The value of the object that was entered; `nil` when it is none of Foundation's.
  private func currentValue() throws -> Cocoa.Object? {
    try Cocoa.Object(className: records[frame.record].name, coder: self)
  }
}

extension ArchiveError {
  /// Whether one value is not as its class writes it, while the rest of the archive can be read.
  var isOfOneValue: Bool {
    switch code {
    case .valueNotFound, .typeMismatch, .invalidValue, .classNotAllowed, .coderNotSupported: true
    default: false
    }
  }
}

extension ValueDecodingCoder {
  /// Stands for a value that is not as its class writes it: the object whole, and what is wrong.
  func keepBroken(
    _ node: UInt32, _ object: UnknownObject, _ error: ArchiveError
  ) -> Cocoa.Object {
    // Noted, so that it is read in vain only once.
    let made = ValueMemos.MadeValue(
      value: .unknown(object.keeping(error)), weight: UInt32(ValueMemos.objectWeight), height: 1)
    valueMemos.add(made, of: node, among: objectCount)
    return made.value
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
