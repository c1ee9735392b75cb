import PropertyLists

extension Archiver {
  public func encodeValues(_ values: [TypedValue], ofTypes types: String) throws {
    if !TypeSpelling.isPlain(types.utf8) {
      let plain: (types: String, values: [TypedValue])
      do throws(TypeFault) {
        plain = try TypeSpelling.stored(types, values)
      } catch {
        throw fault(.misuse, "\(error.reason): \(types)")
      }
      // A name of a structure may have the letters of qualifiers.
      if plain.types != types { return try encodeValues(plain.values, ofTypes: plain.types) }
    }
    let words = try program(types)
    guard root != nil else { return try encodeRoot { try writeGroup(values, types, words) } }
    try writeGroup(values, types, words)
  }

  private func writeGroup(_ values: [TypedValue], _ types: String, _ words: [UInt32]) throws {
    writer.beginGroup(types)
    var word = 0
    var place = 0
    while word < words.count {
      // A type that takes no room needs no value.
      if words[word] == UInt32(UInt8(ascii: "!")) {
        word += 1
        continue
      }
      guard place < values.count else { throw wrongCount(values.count, types) }
      try write(values[place], words, &word)
      place += 1
    }
    guard place == values.count else { throw wrongCount(values.count, types) }
  }

  /// The words of a type string, which is taken apart once.
  private func program(_ types: String) throws -> [UInt32] {
    if let known = programs[types] { return known }
    do throws(TypeFault) {
      let words = try TypeCompiler.compile(Array(types.utf8))
      programs[types] = words
      return words
    } catch {
      throw fault(.misuse, "\(error.reason): \(types)")
    }
  }

  private func wrongCount(_ count: Int, _ types: String) -> any Error {
    fault(.misuse, "\(counted(count, "value")) for the types \(types)")
  }

  /// Writes a value in the form of the type at `word`, which is moved behind the type.
  ///
  /// Brackets nest as deep as a compiled type string may at most.
  private func write(_ value: TypedValue, _ words: [UInt32], _ word: inout Int) throws {
    let code = words[word]
    word += 1
    switch (code, value) {
    case (TypeWord.rawBytes, .byteArray(let bytes)):
      guard bytes.count == Int(words[word]) else {
        throw fault(.misuse, "\(counted(bytes.count, "byte")) for an array of \(words[word])")
      }
      word += 1
      writer.writeByteArray(bytes)
    case (TypeWord.rawBytes, .array(let elements)):
      let bytes = elements.compactMap { element -> UInt8? in
        guard case .integer(let number) = element, number >= -128, number <= 255 else { return nil }
        return UInt8(truncatingIfNeeded: number)
      }
      guard bytes.count == elements.count else { throw unfit(value, UInt8(ascii: "c")) }
      word -= 1
      try write(.byteArray(bytes), words, &word)
    case (TypeWord.beginArray, .array(let elements)):
      try write(elements, words, &word)
    case (TypeWord.beginStructure, .structure(let fields)):
      try write(fields: fields, words, &word)
    default:
      try writeSingle(value, UInt8(truncatingIfNeeded: code))
    }
  }

  /// Writes the fields of a structure, and passes over its end.
  private func write(fields: [TypedValue], _ words: [UInt32], _ word: inout Int) throws {
    var place = 0
    while words[word] != TypeWord.endStructure {
      if words[word] == UInt32(UInt8(ascii: "!")) {
        word += 1
        continue
      }
      guard place < fields.count else {
        throw fault(.misuse, "a structure with too few fields: \(fields.count)")
      }
      try write(fields[place], words, &word)
      place += 1
    }
    guard place == fields.count else {
      throw fault(.misuse, "a structure with too many fields: \(fields.count)")
    }
    word += 1
  }

  /// Writes the elements of an array, each with the same words.
  private func write(_ elements: [TypedValue], _ words: [UInt32], _ word: inout Int) throws {
    guard elements.count == Int(words[word]) else {
      throw fault(.misuse, "\(counted(elements.count, "element")) for an array of \(words[word])")
    }
    let first = word + 3
    let end = first + Int(words[word + 1])
    for element in elements {
      word = first
      try write(element, words, &word)
    }
    // Behind the bracket that ends the array.
    word = end + 1
  }

  func writeSingle(_ value: TypedValue, _ code: UInt8) throws {
    switch (code, value) {
    case (UInt8(ascii: "@"), .object(let object)):
      guard let object else { return writer.writeNone() }
      try write(object)
    case (UInt8(ascii: "@"), .conditionalObject(let object)):
      guard let object else { return writer.writeNone() }
      try writeConditional(object)
    case (UInt8(ascii: "f"), .float(let number)): writer.writeFloat(number)
    case (UInt8(ascii: "d"), .double(let number)): writer.writeDouble(number)
    case (UInt8(ascii: "+"), .bytes(let bytes)): writer.writeBytes(bytes)
    case (UInt8(ascii: "%"), .atom(let text)): writer.writeString(text)
    case (UInt8(ascii: ":"), .selector(let name)): writer.writeString(name.map { Array($0.utf8) })
    case (UInt8(ascii: "*"), .cString(let text)):
      guard let text else { return writer.writeNone() }
      writeCString(text)
    case (UInt8(ascii: "#"), .archivedClass(let archived)):
      guard let archived else { return writer.writeNone() }
      writer.writeClass(renamed(Self.chain(of: archived)))
    case (_, .integer(let number)): try write(number, code)
    case (UInt8(ascii: "Q"), .unsigned(let number)), (UInt8(ascii: "L"), .unsigned(let number)):
      // Of type L, a number of this size would be read as one of 32 bits.
      guard code == UInt8(ascii: "Q") || number < UInt64.max - UInt64(UInt32.max) else {
        throw unfit(value, code)
      }
      writer.writeInteger(Int64(bitPattern: number), type: code)
    default: throw unfit(value, code)
    }
  }

  private func write(_ number: Int64, _ code: UInt8) throws {
    guard Self.holds(number, code) else { throw unfit(.integer(number), code) }
    switch code {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"):
      writer.writeByte(UInt8(truncatingIfNeeded: number))
    default: writer.writeInteger(number, type: code)
    }
  }

  /// Whether a whole number fits a type.
  private static func holds(_ number: Int64, _ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "c"): Int8(exactly: number) != nil
    case UInt8(ascii: "C"): UInt8(exactly: number) != nil
    case UInt8(ascii: "B"): number == 0 || number == 1
    case UInt8(ascii: "s"): Int16(exactly: number) != nil
    case UInt8(ascii: "S"): UInt16(exactly: number) != nil
    case UInt8(ascii: "i"): Int32(exactly: number) != nil
    case UInt8(ascii: "I"): UInt32(exactly: number) != nil
    case UInt8(ascii: "l"), UInt8(ascii: "q"): true
    case UInt8(ascii: "L"), UInt8(ascii: "Q"): number >= 0
    default: false
    }
  }

  private func unfit(_ value: TypedValue, _ code: UInt8) -> any Error {
    let what =
      switch value {
      case .integer(let number): "\(number)"
      case .unsigned(let number): "\(number)"
      default: value.kindName
      }
    return fault(.typeMismatch, "\(what) does not fit the type \(typeName(code))")
  }
}

/// A type code as it stands in messages.
func typeName(_ code: UInt8) -> String {
  if code == UInt8(truncatingIfNeeded: TypeWord.rawBytes) { return "[c]" }
  return code > 0x20 && code < 0x7F ? String(Character(Unicode.Scalar(code))) : "\(code)"
}
