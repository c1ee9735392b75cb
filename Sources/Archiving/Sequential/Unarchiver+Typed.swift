import PortolanMemory
import PropertyLists

extension Unarchiver {
  public func decodeValues(
    ofTypes types: String, in classes: ClassList<any Coding>?
  ) throws -> [TypedValue] {
    let start = cursor.offset
    do {
      if let code = Self.simpleCode(types) {
        guard try beginGroup(code, "") else { throw valueNotFound() }
        return [try located { try single(code, classes) }]
      }
      if !TypeSpelling.isPlain(types.utf8), let asked = try askedValues(types, classes) {
        return asked
      }
      guard try beginGroup(types: types) else { throw valueNotFound() }
      let words = try program(types)
      var word = 0
      var values: [TypedValue] = []
      while word < words.count {
        if let value = try value(words, &word, classes) { values.append(value) }
      }
      if outerFrames.isEmpty { try settle() }
      return values
    } catch {
      // A group that was not read whole was not read at all.
      cursor.offset = start
      throw error
    }
  }

  /// The values of the next group, where the types that are asked for have pointers or qualifiers;
  /// `nil` when the group has other types.
  private func askedValues(
    _ types: String, _ classes: ClassList<any Coding>?
  ) throws -> [TypedValue]? {
    let text = Array(types.utf8)
    // A name of a structure may have the letters of qualifiers.
    guard text.contains(UInt8(ascii: "^")) || TypeSpelling.strip(text) != text else { return nil }
    guard !isAtEndOfValues else { throw valueNotFound() }
    let place = cursor.offset
    let number = try located { try cursor.numberedString() }
    cursor.offset = place
    guard let number else { return nil }
    let stored = cursor.bytes(ofString: number)
    let plain = String(decoding: stored, as: UTF8.self)
    guard plain != types else { return nil }
    let mark = frame
    let values = try decodeValues(ofTypes: plain, in: classes)
    do throws(TypeFault) {
      if let asked = try TypeSpelling.asked(types, values, storedAs: stored) { return asked }
    } catch {
      throw fault(.misuse, "\(error.reason): \(types)")
    }
    (cursor.offset, frame) = (place, mark)
    return nil
  }

  /// The code of types that are those of one number or C string, which need no words.
  private static func simpleCode(_ types: String) -> UInt8? {
    guard types.utf8.count == 1, let code = types.utf8.first, "cCsSiIlLqQBfd*".utf8.contains(code)
    else { return nil }
    return code
  }

  /// The words of types, which are those of a group of the stream.
  private func program(_ types: String) throws -> [UInt32] {
    do throws(TypeFault) {
      return try TypeCompiler.compile(Array(types.utf8))
    } catch {
      throw fault(.misuse, "\(error.reason): \(types)")
    }
  }

  /// Reads a value of the type at `word`, which is moved behind it; `nil` for a type without size.
  ///
  /// Brackets nest as deep as a compiled type string may at most.
  private func value(
    _ words: [UInt32], _ word: inout Int, _ classes: ClassList<any Coding>?
  ) throws -> TypedValue? {
    let code = words[word]
    word += 1
    switch code {
    case TypeWord.rawBytes:
      let count = Int(words[word])
      word += 1
      let range = try located { try cursor.take(count) }
      try charge(count)
      return .byteArray(cursor.reader.withBytes(in: range) { [UInt8]($0) } ?? [])
    case TypeWord.beginArray:
      return .array(try elements(words, &word, classes))
    case TypeWord.beginStructure:
      var fields: [TypedValue] = []
      while words[word] != TypeWord.endStructure {
        if let field = try value(words, &word, classes) { fields.append(field) }
      }
      word += 1
      return .structure(fields)
    case UInt32(UInt8(ascii: "!")): return nil
    default: return try located { try single(UInt8(truncatingIfNeeded: code), classes) }
    }
  }

  private func elements(
    _ words: [UInt32], _ word: inout Int, _ classes: ClassList<any Coding>?
  ) throws -> [TypedValue] {
    let count = Int(words[word])
    let first = word + 3
    let end = first + Int(words[word + 1])
    let minimum = UInt64(words[word + 2])
    word = end + 1
    // Elements that take no room are left out.
    guard minimum > 0 else { return [] }
    guard UInt64(count) * minimum <= UInt64(cursor.reader.count - cursor.offset) else {
      throw fault(.corrupt, "an array of \(counted(count, "element")): there are fewer")
    }
    try charge(count * MemoryLayout<TypedValue>.stride)
    var elements: [TypedValue] = []
    elements.reserveCapacity(count)
    for place in 0..<count {
      frame.element = place
      var inner = first
      if let element = try value(words, &inner, classes) { elements.append(element) }
    }
    frame.element = -1
    return elements
  }

  func single(_ code: UInt8, _ classes: ClassList<any Coding>?) throws -> TypedValue {
    switch code {
    case UInt8(ascii: "f"): return .float(try cursor.float().value)
    case UInt8(ascii: "d"): return .double(try cursor.double().value)
    case UInt8(ascii: "@"):
      guard let classes else {
        throw fault(.misuse, "decode objects with the classes that they may have")
      }
      return .object(try unlessNothing { try objectInPlace(in: classes) })
    case UInt8(ascii: "+"):
      return .bytes(try cursor.unnumberedString().map { try copy($0) })
    case UInt8(ascii: "%"):
      return .atom(try cursor.numberedString().map { try copy(cursor.range(ofString: $0)) })
    case UInt8(ascii: ":"):
      return .selector(try cursor.numberedString().map { stream.text(ofString: $0) })
    case UInt8(ascii: "*"):
      let (slot, string) = try cursor.cString()
      guard slot != .none else { return .cString(nil) }
      return .cString(try copy(cursor.range(ofString: string)))
    case UInt8(ascii: "#"):
      guard let index = try cursor.classChain() else { return .archivedClass(nil) }
      let names = stream.classIndexes(from: index).map { stream.classes[$0].name }
      try charge(names.reduce(0) { $0 + stream.range(ofString: $1).count })
      return .archivedClass(stream.archivedClass(index))
    default:
      let value = try integer(code)
      let isLarge = code == UInt8(ascii: "Q") && value < 0
      return isLarge ? .unsigned(UInt64(bitPattern: value)) : .integer(value)
    }
  }

  /// A copy of bytes of the stream; shared ones are copied at every place.
  private func copy(_ range: Range<Int>) throws -> [UInt8] {
    // One of many is kept with the others; a single one is gone as soon as it was looked at.
    let weight = frame.element >= 0 && !range.isEmpty ? Self.arrayWeight : 0
    try charge(weight + range.count)
    return cursor.reader.withBytes(in: range) { [UInt8]($0) } ?? []
  }

  /// The memory of an array of bytes besides its bytes.
  private static let arrayWeight = 40
}
