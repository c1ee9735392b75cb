import PortolanTexts

/// Turns the text notation of property lists into the objects of a binary one.
///
/// Containers that are open stand on a stack of its own; their keys and values so far are the ends
/// of two rows. So nothing recurses, and each byte is looked at a bounded number of times.
struct TextPropertyListParser: ~Copyable {
  var scanner: XMLScanner
  var writer = BinaryPropertyListWriter()
  /// What could not be read, and where.
  var faults = PropertyListFaults()
  /// Where something begins behind the end of the list; `nil` for nothing.
  private(set) var rest: Int?

  private let limits: PropertyListLimits
  private var levels: [Level] = []
  private var keys: [PropertyListReference] = []
  /// Where each of the keys stands.
  private var keyPlaces: [Int] = []
  private var values: [PropertyListReference] = []
  private var top: PropertyListReference?
  /// By a key's number: the last dictionary that was found to have it.
  private var owners: [PropertyListReference] = []

  /// What a container waits for.
  private enum Due {
    /// A key, an element, or the end.
    case part
    case value
    /// A separator, or the end.
    case separator
  }

  private struct Level {
    var isDictionary: Bool
    /// Whether it is the whole file, without braces.
    var isBare = false
    var reference: PropertyListReference
    var firstKey: Int
    var firstValue: Int
    var offset: Int
    var due = Due.part
  }

  init(_ scanner: XMLScanner, limits: PropertyListLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  /// Reads the list and gives the bytes of the binary one.
  mutating func parse() throws(PropertyListError) -> [UInt8] {
    if scanner.has("\u{FEFF}", at: 0) { _ = scanner.skip("\u{FEFF}") }
    try skipFiller()
    if try isFileOfEntries() { try open(isDictionary: true, isBare: true) }
    while top == nil {
      try skipFiller()
      guard let last = levels.indices.last else {
        try readValue()
        continue
      }
      if levels[last].isDictionary {
        try readEntry(last)
      } else {
        try readElement(last)
      }
    }
    let end = scanner.place
    do throws(PropertyListError) { try skipFiller() } catch { scanner.place = end }
    if scanner.place < scanner.count { rest = scanner.place }
    return try writer.finish(top: top ?? 0)
  }

  /// Whether the file has entries without braces around them, as files of localised strings have.
  private mutating func isFileOfEntries() throws(PropertyListError) -> Bool {
    let start = scanner.place
    defer { scanner.place = start }
    guard let first = scanner.byte(at: start) else { return true }
    guard isQuote(first) || isUnquoted(first) else { return false }
    _ = try string()
    try skipFiller()
    let next = scanner.byte(at: scanner.place)
    return next == UInt8(ascii: "=") || next == UInt8(ascii: ";")
  }

  // MARK: Containers

  private mutating func open(isDictionary: Bool, isBare: Bool = false) throws(PropertyListError) {
    guard levels.count < limits.depthMax else {
      throw scanner.error(
        .tooDeep, at: scanner.place, "containers nested deeper than \(limits.depthMax)")
    }
    levels.append(
      Level(
        isDictionary: isDictionary, isBare: isBare, reference: writer.reserve(),
        firstKey: keys.count, firstValue: values.count, offset: scanner.place))
    if !isBare { scanner.place += 1 }
  }

  private mutating func readElement(_ last: Int) throws(PropertyListError) {
    switch scanner.byte(at: scanner.place) {
    case UInt8(ascii: ")"): close(last)
    case UInt8(ascii: ",") where levels[last].due == .separator:
      levels[last].due = .part
      scanner.place += 1
    case nil: throw unended(levels[last])
    case _ where levels[last].due == .part: try readValue()
    default:
      throw scanner.error(.badMarker, at: scanner.place, "a comma or a parenthesis is due here")
    }
  }

  private mutating func readEntry(_ last: Int) throws(PropertyListError) {
    let byte = scanner.byte(at: scanner.place)
    switch levels[last].due {
    case .value: return try readValue()
    case .part where byte == UInt8(ascii: "}") && !levels[last].isBare: return close(last)
    case .part where byte == nil && levels[last].isBare: return close(last)
    case .part:
      guard byte != nil else { throw unended(levels[last]) }
      return try readKey(last)
    case .separator: break
    }
    switch byte {
    case UInt8(ascii: ";"):
      levels[last].due = .part
      scanner.place += 1
    case UInt8(ascii: "}") where !levels[last].isBare: close(last)
    case nil where levels[last].isBare: close(last)
    case nil: throw unended(levels[last])
    default: throw scanner.error(.badMarker, at: scanner.place, "a semicolon is due here")
    }
  }

  private mutating func readKey(_ last: Int) throws(PropertyListError) {
    let start = scanner.place
    guard let first = scanner.byte(at: start), isQuote(first) || isUnquoted(first) else {
      throw scanner.error(.badKey, at: start, "a key is due here")
    }
    let key = try string()
    keys.append(key)
    keyPlaces.append(start)
    try skipFiller()
    switch scanner.byte(at: scanner.place) {
    case UInt8(ascii: "="):
      scanner.place += 1
      levels[last].due = .value
    case UInt8(ascii: ";"): add(key)
    case UInt8(ascii: ":"):
      throw scanner.error(
        .notAPropertyList, at: scanner.place, "= is due behind the key; this looks like JSON")
    default: throw scanner.error(.badMarker, at: scanner.place, "= is due behind the key")
    }
  }

  private mutating func close(_ last: Int) {
    let level = levels[last]
    if !level.isBare { scanner.place += 1 }
    if level.isDictionary {
      noteDuplicates(in: level)
      writer.setDictionary(
        level.reference, keys: keys[level.firstKey...], values: values[level.firstValue...])
    } else {
      writer.setArray(level.reference, values[level.firstValue...])
    }
    keys.removeLast(keys.count - level.firstKey)
    keyPlaces.removeLast(keyPlaces.count - level.firstKey)
    values.removeLast(values.count - level.firstValue)
    levels.removeLast()
    add(level.reference)
  }

  private mutating func add(_ value: PropertyListReference) {
    guard let last = levels.indices.last else {
      top = value
      return
    }
    levels[last].due = .separator
    values.append(value)
  }

  private func unended(_ level: Level) -> PropertyListError {
    scanner.error(
      .badLength, at: level.offset,
      "the file ends before the \(level.isDictionary ? "brace" : "parenthesis") that closes this")
  }

  // MARK: Values

  private mutating func readValue() throws(PropertyListError) {
    let start = scanner.place
    switch scanner.byte(at: start) {
    case UInt8(ascii: "{"): try open(isDictionary: true)
    case UInt8(ascii: "("): try open(isDictionary: false)
    case UInt8(ascii: "<"): add(try readData())
    case let byte? where isQuote(byte) || isUnquoted(byte): add(try string())
    case nil: throw scanner.error(.badLength, at: start, "the file ends where a value is due")
    default: throw scanner.error(.badMarker, at: start, "no value begins with this character")
    }
  }

  /// A leaf that is not what its signs say; the others are read.
  private mutating func broken(
    _ code: PropertyListError.Code, at offset: Int, _ reason: String
  ) -> PropertyListReference {
    faults.add(to: &writer) { [scanner] in scanner.error(code, at: offset, reason) }
  }

  /// When the dictionary is closed: one inside it may have the same keys.
  private mutating func noteDuplicates(in level: Level) {
    for index in level.firstKey..<keys.count {
      let key = Int(keys[index])
      if owners.count <= key {
        owners.append(contentsOf: repeatElement(.max, count: key + 1 - owners.count))
      }
      if owners[key] == level.reference { noteDuplicate(at: keyPlaces[index]) }
      owners[key] = level.reference
    }
  }

  private mutating func noteDuplicate(at offset: Int) {
    faults.note { [scanner] in
      scanner.error(.duplicateKey, at: offset, "a key that the dictionary has already")
    }
  }

  /// Data in hexadecimal digits or, behind a bracket, in base64; behind an asterisk a typed value.
  private mutating func readData() throws(PropertyListError) -> PropertyListReference {
    let start = scanner.place
    scanner.place += 1
    let first = scanner.place
    try scanner.skip(through: ">", "data")
    let text = scanner.bytes(first..<scanner.place - 1)
    switch text.first {
    case UInt8(ascii: "*"): return typed(UnsafeRawBufferPointer(rebasing: text[1...]), at: start)
    case UInt8(ascii: "[") where text.last == UInt8(ascii: "]"):
      guard let data = Base64.decode(UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1]))
      else { return broken(.badText, at: start, "this is no data in base 64") }
      return writer.addData(data)
    default: break
    }
    var data: [UInt8] = []
    data.reserveCapacity(text.count / 2)
    var high: UInt8?
    for byte in text where !isSpace(byte) {
      guard let digit = hexadecimal(byte) else {
        return broken(.badText, at: start, "data with other characters than hexadecimal digits")
      }
      if let first = high { data.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    guard high == nil else { return broken(.badText, at: start, "data that end with half a byte") }
    return writer.addData(data)
  }

  /// GNUstep's values of a kind: `*I5`, `*R2.5`, `*BY`, `*D2001-01-01 00:00:00 +0000`.
  private mutating func typed(
    _ text: UnsafeRawBufferPointer, at start: Int
  ) -> PropertyListReference {
    let value = UnsafeRawBufferPointer(rebasing: text.dropFirst())
    switch text.first {
    case UInt8(ascii: "I"):
      switch XMLNumber.integer(value) {
      case .signed(let value): return writer.addInteger(value)
      case .unsigned(let value): return writer.addUnsigned(value)
      case .none: return broken(.badNumber, at: start, "this is no whole number of 64 bits")
      }
    case UInt8(ascii: "R"):
      guard let value = XMLNumber.real(value) else { break }
      return writer.addDouble(value)
    case UInt8(ascii: "B") where value.elementsEqual("Y".utf8): return writer.addBool(true)
    case UInt8(ascii: "B") where value.elementsEqual("N".utf8): return writer.addBool(false)
    case UInt8(ascii: "D"):
      guard let seconds = TextDate.seconds(value) else { break }
      return writer.addDate(seconds)
    default: break
    }
    return broken(
      .badText, at: start, "this is no value such as <*I5>, <*R2.5>, <*BY> or <*D…> with a date")
  }
}
