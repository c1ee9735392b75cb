import PropertyLists

/// An object of a typedstream, seen without its class.
///
///     let object = SequentialObject(stream: try Typedstream(bytes), number: 0)
///     for group in try object.groups() { print(group.types, group.values) }
///
/// It holds the stream and a number; nothing is copied or made before `groups()` is called, which
/// reads this one object. An archiver writes it back with all it refers to.
public struct SequentialObject: Sendable {
  /// The stream it came from.
  public let stream: Typedstream

  /// Its number there.
  public let number: Int

  /// Names an object of a stream.
  public init(stream: Typedstream, number: Int) {
    self.stream = stream
    self.number = number
  }

  /// A group of values, as one call encoded it.
  public struct Group: Sendable {
    /// The type string.
    public var types: String
    /// The values, one for each type that takes room.
    public var values: [Value]
  }

  /// A value of a group.
  public enum Value: Sendable {
    /// A whole number of any type, `Q` as its bits.
    case integer(Int64)
    /// A type `f`.
    case float(Float)
    /// A type `d`.
    case double(Double)
    /// Bytes of a type `+` or `[nc]`.
    case bytes([UInt8])
    /// A C string, unique string or selector.
    case text([UInt8])
    /// A class.
    case archivedClass(ArchivedClass)
    /// An object.
    case object(SequentialObject)
    /// The elements of an array.
    case array([Value])
    /// The fields of a structure.
    case structure([Value])
    /// No object, class, string or bytes.
    case absent
  }

  /// The class with its superclasses, each with the version that wrote the object.
  public var classChain: [(name: String, version: Int)] {
    guard case .object(let index)? = stream.entry(number) else { return [] }
    return stream.chainWithVersions(ofClass: index)
  }

  /// The name of its class.
  public var className: String? { classChain.first?.name }

  /// Its groups of values; objects within are named, not read.
  ///
  /// Throws `.valueNotFound` when the stream has no object of this number.
  public func groups() throws -> [Group] {
    var reader = try SequentialReader(self)
    return try reader.groups()
  }
}

extension SequentialObject: Hashable {
  /// Whether both are the same object of the same stream.
  public static func == (first: SequentialObject, second: SequentialObject) -> Bool {
    first.stream === second.stream && first.number == second.number
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(stream))
    hasher.combine(number)
  }
}

extension Typedstream {
  /// The objects that stand outside of all others in groups of one object, in their order.
  public func roots() throws -> [SequentialObject] {
    var roots: [SequentialObject] = []
    var scanner = events()
    var depth = 0
    while let event = try scanner.next() {
      switch event {
      case .beginObject(let number):
        if depth == 0 { roots.append(SequentialObject(stream: self, number: number)) }
        depth += 1
      case .endObject: depth -= 1
      case .reference(let number) where depth == 0:
        if case .object? = entry(number) {
          roots.append(SequentialObject(stream: self, number: number))
        }
      default: break
      }
    }
    return roots
  }

  /// A class and its superclasses with their versions.
  func chainWithVersions(ofClass index: Int) -> [(name: String, version: Int)] {
    classIndexes(from: index).map { (text(ofString: classes[$0].name), classes[$0].version) }
  }

  /// A class as others can name it, without former names.
  func archivedClass(_ index: Int) -> ArchivedClass {
    var archived: ArchivedClass?
    let chain = chainWithVersions(ofClass: index)
    for (name, version) in chain.reversed() {
      // A class without superclasses inherits from the root class by itself.
      if archived == nil, chain.count > 1, name == "NSObject" { continue }
      archived = ArchivedClass(name, version: version, superclass: archived)
    }
    return archived ?? ArchivedClass(chain.first?.name ?? "NSObject")
  }
}

/// Reads the groups of one object; brackets nest as deep as a type string may at most.
private struct SequentialReader {
  private let stream: Typedstream
  private var cursor: TypedstreamCursor
  /// The memory left for values, so that no type makes more of the bytes than they justify.
  private var budget: Int

  init(_ object: SequentialObject) throws {
    stream = object.stream
    cursor = stream.cursor
    budget = 64 * stream.bytes.count + 4_096
    guard let range = stream.range(ofObject: object.number) else {
      throw ArchiveError(.valueNotFound, "there is no object \(object.number)")
    }
    cursor.offset = range.lowerBound + 1
    cursor.lastNumber = object.number
    _ = try cursor.classChain()
  }

  mutating func groups() throws -> [SequentialObject.Group] {
    var groups: [SequentialObject.Group] = []
    while cursor.reader.byte(at: cursor.offset) != TypedstreamHead.end {
      guard let types = try cursor.numberedString() else {
        throw cursor.fault("a group without types")
      }
      var word = Int(cursor.tables.programs[types])
      var values: [SequentialObject.Value] = []
      while cursor.tables.words[word] != TypeWord.end {
        if let value = try value(&word) { values.append(value) }
      }
      groups.append(SequentialObject.Group(types: stream.text(ofString: types), values: values))
    }
    return groups
  }

  private mutating func value(_ word: inout Int) throws -> SequentialObject.Value? {
    budget -= 1
    guard budget > 0 else { throw ArchiveError(.tooLarge, "far more values than bytes") }
    let code = cursor.tables.words[word]
    word += 1
    switch code {
    case TypeWord.rawBytes:
      word += 1
      return .bytes(bytes(try cursor.take(Int(cursor.tables.words[word - 1]))))
    case TypeWord.beginArray: return .array(try elements(&word))
    case TypeWord.beginStructure:
      var fields: [SequentialObject.Value] = []
      while cursor.tables.words[word] != TypeWord.endStructure {
        if let field = try value(&word) { fields.append(field) }
      }
      word += 1
      return .structure(fields)
    case UInt32(UInt8(ascii: "!")): return nil
    default: return try single(UInt8(truncatingIfNeeded: code))
    }
  }

  private mutating func elements(_ word: inout Int) throws -> [SequentialObject.Value] {
    let count = Int(cursor.tables.words[word])
    let first = word + 3
    let minimum = cursor.tables.words[word + 2]
    word = first + Int(cursor.tables.words[word + 1]) + 1
    // Elements that take no room are left out.
    guard minimum > 0 else { return [] }
    var elements: [SequentialObject.Value] = []
    for _ in 0..<count {
      var inner = first
      if let element = try value(&inner) { elements.append(element) }
    }
    return elements
  }

  private mutating func single(_ code: UInt8) throws -> SequentialObject.Value {
    switch code {
    case UInt8(ascii: "c"): return .integer(Int64(Int8(bitPattern: try cursor.head())))
    case UInt8(ascii: "C"), UInt8(ascii: "B"): return .integer(Int64(try cursor.head()))
    case UInt8(ascii: "f"): return .float(try cursor.float().value)
    case UInt8(ascii: "d"): return .double(try cursor.double().value)
    case UInt8(ascii: "+"):
      return try cursor.unnumberedString().map { .bytes(bytes($0)) } ?? .absent
    case UInt8(ascii: ":"), UInt8(ascii: "%"):
      return try cursor.numberedString().map { .text(stream.string($0)) } ?? .absent
    case UInt8(ascii: "*"):
      let (slot, string) = try cursor.cString()
      return slot == .none ? .absent : .text(stream.string(string))
    case UInt8(ascii: "#"):
      return try cursor.classChain().map { .archivedClass(stream.archivedClass($0)) } ?? .absent
    case UInt8(ascii: "@"): return try object()
    default: return .integer(TypedstreamCursor.cut(try cursor.integer(), to: code))
    }
  }

  private mutating func object() throws -> SequentialObject.Value {
    switch try cursor.slot(.object(classIndex: 0)) {
    case .none: return .absent
    case .new(let number):
      guard let range = stream.range(ofObject: number) else {
        throw cursor.fault("an object without an end")
      }
      cursor.offset = range.upperBound
      return .object(SequentialObject(stream: stream, number: number))
    case .known(let number):
      if case .archivedClass(let index)? = stream.entry(number) {
        return .archivedClass(stream.archivedClass(index))
      }
      return .object(SequentialObject(stream: stream, number: number))
    }
  }

  private func bytes(_ range: Range<Int>) -> [UInt8] {
    cursor.reader.withBytes(in: range) { [UInt8]($0) } ?? []
  }
}
