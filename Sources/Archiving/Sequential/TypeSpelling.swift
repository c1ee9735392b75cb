/// Type strings as callers write them, and as they stand in a stream.
///
/// Qualifiers (`r n N o O R V`) say nothing about a value and are left out. A pointer `^T` is an
/// array of one value, `[1T]`, or of none, `[0T]`: the stream then has the value pointed to, and
/// every reader of typedstreams reads it.
struct TypeSpelling {
  private let text: [UInt8]
  private var place = 0
  /// The type string for the stream.
  private(set) var stored: [UInt8] = []

  private static let pointer = UInt8(ascii: "^")

  /// Whether a type string stands in a stream as it is.
  static func isPlain(_ types: some Sequence<UInt8>) -> Bool {
    !types.contains { $0 == pointer || isQualifier($0) }
  }

  /// Whether a type code says how a value is passed, and not what it is.
  static func isQualifier(_ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "r"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "o"),
      UInt8(ascii: "O"), UInt8(ascii: "R"), UInt8(ascii: "V"):
      true
    default: false
    }
  }

  /// The type string and the values in the form of the stream.
  static func stored(
    _ types: String, _ values: [TypedValue]
  ) throws(TypeFault) -> (types: String, values: [TypedValue]) {
    var spelling = TypeSpelling(text: Array(types.utf8))
    var rest = values[...]
    var result: [TypedValue] = []
    while spelling.place < spelling.text.count {
      let takesRoom = spelling.nextTakesRoom
      let value = takesRoom ? rest.popFirst() : nil
      let stored = try spelling.write(value, depth: 0)
      if takesRoom, value != nil { result.append(stored) }
    }
    return (String(decoding: spelling.stored, as: UTF8.self), result + rest)
  }

  /// The values of a group in the form that a caller's type string asks for; `nil` when the group
  /// has other types.
  static func asked(
    _ types: String, _ values: [TypedValue], storedAs stored: [UInt8]
  ) throws(TypeFault) -> [TypedValue]? {
    var spelling = TypeSpelling(text: Array(types.utf8))
    var rest = values[...]
    var result: [TypedValue] = []
    while spelling.place < spelling.text.count {
      guard spelling.nextTakesRoom else {
        _ = try spelling.write(nil, depth: 0)
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      result.append(try spelling.read(value, depth: 0))
    }
    return rest.isEmpty && spelling.stored == strip(stored) ? result : nil
  }

  /// A type string without its qualifiers.
  static func strip(_ types: [UInt8]) -> [UInt8] {
    if isPlain(types) { return types }
    var result: [UInt8] = []
    var place = 0
    while place < types.count {
      if types[place] == UInt8(ascii: "{") {
        let end = nameEnd(types, place)
        result += types[place..<end]
        place = end
      } else {
        if !isQualifier(types[place]) { result.append(types[place]) }
        place += 1
      }
    }
    return result
  }

  /// Behind the `{` of a structure at a place, and behind its name if it has one.
  private static func nameEnd(_ types: [UInt8], _ place: Int) -> Int {
    let brackets: [UInt8] = [0x7B, 0x7D, 0x5B, 0x5D, 0x28, 0x29]
    let ahead = types[(place + 1)...].firstIndex { $0 == 0x3D || brackets.contains($0) }
    if let ahead, types[ahead] == 0x3D { return ahead + 1 }
    return place + 1
  }

  private init(text: [UInt8]) { self.text = text }

  private mutating func skipQualifiers() {
    while place < text.count, Self.isQualifier(text[place]) { place += 1 }
  }

  private var nextTakesRoom: Bool {
    mutating get {
      skipQualifiers()
      return place < text.count && text[place] != UInt8(ascii: "!")
    }
  }

  private func next() throws(TypeFault) -> UInt8 {
    guard place < text.count else { throw TypeFault(reason: "a type string that ends too early") }
    return text[place]
  }

  /// Writes the type at the place, and gives the value in the form of the stream; without a value,
  /// pointers are to nothing.
  private mutating func write(_ value: TypedValue?, depth: Int) throws(TypeFault) -> TypedValue {
    guard depth < TypeCompiler.depthMax else { throw TypeFault(reason: "types nested too deep") }
    skipQualifiers()
    let code = try next()
    place += 1
    switch code {
    case Self.pointer:
      var target: TypedValue?
      if case .pointer(let pointed)? = value {
        target = pointed
      } else if value != nil {
        throw TypeFault(reason: "no pointer where the type is one")
      }
      stored += Array((target == nil ? "[0" : "[1").utf8)
      let element = try write(target, depth: depth + 1)
      stored.append(UInt8(ascii: "]"))
      return .array(target == nil ? [] : [element])
    case UInt8(ascii: "["):
      return try writeArray(value, depth: depth)
    case UInt8(ascii: "{"):
      let end = Self.nameEnd(text, place - 1)
      stored += text[(place - 1)..<end]
      place = end
      var fields: ArraySlice<TypedValue> = []
      if case .structure(let all)? = value { fields = all[...] }
      var written: [TypedValue] = []
      while try next() != UInt8(ascii: "}") {
        let takesRoom = nextTakesRoom
        let field = takesRoom ? fields.popFirst() : nil
        let stored = try write(field, depth: depth + 1)
        if takesRoom, field != nil { written.append(stored) }
      }
      place += 1
      stored.append(UInt8(ascii: "}"))
      guard case .structure? = value else { return value ?? .structure([]) }
      return .structure(written + fields)
    default:
      stored.append(code)
      return value ?? .integer(0)
    }
  }

  private mutating func writeArray(
    _ value: TypedValue?, depth: Int
  ) throws(TypeFault) -> TypedValue {
    stored.append(UInt8(ascii: "["))
    while try next() >= 0x30, try next() <= 0x39 {
      stored.append(try next())
      place += 1
    }
    let (first, before) = (place, stored.count)
    guard case .array(let elements)? = value, !elements.isEmpty else {
      _ = try write(nil, depth: depth + 1)
      try endArray()
      return value ?? .array([])
    }
    var written: [TypedValue] = []
    var spelled: [UInt8]?
    for element in elements {
      place = first
      stored.removeLast(stored.count - before)
      written.append(try write(element, depth: depth + 1))
      let own = Array(stored[before...])
      guard spelled == nil || spelled == own else {
        throw TypeFault(reason: "an array of pointers, some of which are to nothing")
      }
      spelled = own
    }
    try endArray()
    return .array(written)
  }

  private mutating func endArray() throws(TypeFault) {
    guard try next() == UInt8(ascii: "]") else {
      throw TypeFault(reason: "an array type needs one element type")
    }
    place += 1
    stored.append(UInt8(ascii: "]"))
  }

  /// Gives a value of the stream in the form that is asked for, and notes the type that it has.
  private mutating func read(_ value: TypedValue, depth: Int) throws(TypeFault) -> TypedValue {
    guard depth < TypeCompiler.depthMax else { throw TypeFault(reason: "types nested too deep") }
    skipQualifiers()
    let code = try next()
    switch (code, value) {
    case (Self.pointer, .array(let target)):
      return try readPointer(target.first, depth: depth)
    case (Self.pointer, .byteArray(let bytes)):
      let isSigned = text.dropFirst(place + 1).first { !Self.isQualifier($0) } == 0x63
      let target = bytes.first.map { byte in
        TypedValue.integer(isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte))
      }
      return try readPointer(target, depth: depth)
    case (UInt8(ascii: "["), .array(let elements)) where !elements.isEmpty:
      place += 1
      stored.append(code)
      while try next() >= 0x30, try next() <= 0x39 {
        stored.append(try next())
        place += 1
      }
      let (first, before) = (place, stored.count)
      var result: [TypedValue] = []
      for element in elements {
        place = first
        stored.removeLast(stored.count - before)
        result.append(try read(element, depth: depth + 1))
      }
      try endArray()
      return .array(result)
    case (UInt8(ascii: "{"), .structure(let all)):
      let end = Self.nameEnd(text, place)
      stored += text[place..<end]
      place = end
      var fields = all[...]
      var result: [TypedValue] = []
      while try next() != UInt8(ascii: "}") {
        if nextTakesRoom, let field = fields.popFirst() {
          result.append(try read(field, depth: depth + 1))
        } else {
          _ = try write(nil, depth: depth + 1)
        }
      }
      place += 1
      stored.append(UInt8(ascii: "}"))
      return .structure(result)
    default:
      _ = try write(nil, depth: depth)
      return value
    }
  }

  private mutating func readPointer(
    _ target: TypedValue?, depth: Int
  ) throws(TypeFault) -> TypedValue {
    place += 1
    stored += Array((target == nil ? "[0" : "[1").utf8)
    let pointed: TypedValue?
    if let target {
      pointed = try read(target, depth: depth + 1)
    } else {
      pointed = nil
      _ = try write(nil, depth: depth + 1)
    }
    stored.append(UInt8(ascii: "]"))
    return .pointer(pointed)
  }
}
