public import PropertyLists

// Plain values: one group for each call; keys are not written.
extension Archiver {
  public func encodeBool(_ value: Bool, forKey key: String) throws { try encodeBool(value) }

  public func encodeInt(_ value: Int, forKey key: String) throws { try encodeInt64(Int64(value)) }

  public func encodeInt32(_ value: Int32, forKey key: String) throws { try encodeInt32(value) }

  public func encodeInt64(_ value: Int64, forKey key: String) throws { try encodeInt64(value) }

  public func encodeFloat(_ value: Float, forKey key: String) throws { try encodeFloat(value) }

  public func encodeDouble(_ value: Double, forKey key: String) throws { try encodeDouble(value) }

  public func encodeString(_ value: String?, forKey key: String) throws { try encodeString(value) }

  public func encodeBytes(_ value: [UInt8]?, forKey key: String) throws { try encodeBytes(value) }

  public func encodeData(_ value: [UInt8]?, forKey key: String) throws { try encodeData(value) }

  public func encodeDate(_ secondsSinceReferenceDate: Double?, forKey key: String) throws {
    try encodeDate(secondsSinceReferenceDate)
  }

  /// Encodes a truth value: a group `c`.
  public func encodeBool(_ value: Bool) throws {
    try beginGroup(UInt8(ascii: "c"))
    writer.writeByte(value ? 1 : 0)
  }

  /// Encodes a whole number: a group `q`.
  public func encodeInt(_ value: Int) throws { try encodeInt64(Int64(value)) }

  /// Encodes a whole number of 32 bits: a group `i`.
  public func encodeInt32(_ value: Int32) throws {
    try beginGroup(UInt8(ascii: "i"))
    writer.writeInteger(Int64(value))
  }

  /// Encodes a whole number of 64 bits: a group `q`.
  public func encodeInt64(_ value: Int64) throws {
    try beginGroup(UInt8(ascii: "q"))
    writer.writeInteger(value)
  }

  /// Encodes a real number of 32 bits: a group `f`.
  public func encodeFloat(_ value: Float) throws {
    try beginGroup(UInt8(ascii: "f"))
    writer.writeFloat(value)
  }

  /// Encodes a real number of 64 bits: a group `d`.
  public func encodeDouble(_ value: Double) throws {
    try beginGroup(UInt8(ascii: "d"))
    writer.writeDouble(value)
  }

  /// Encodes a string object, or none: a group `@`.
  public func encodeString(_ value: String?) throws {
    try beginGroup(UInt8(ascii: "@"))
    guard let value else { return writer.writeNone() }
    write(string: value)
  }

  /// Encodes bytes inside the object itself, or none: a group `+`.
  public func encodeBytes(_ value: [UInt8]?) throws {
    try beginGroup(UInt8(ascii: "+"))
    writer.writeBytes(value)
  }

  /// Encodes bytes as a data object of their own, or none: a group `@`.
  public func encodeData(_ value: [UInt8]?) throws {
    guard let value else { return try encodeNil(forKey: "") }
    try encodePacked(value, forKey: "")
  }

  public func encodePacked<Element: PackedElement>(_ elements: [Element], forKey key: String) throws
  {
    try beginGroup(UInt8(ascii: "@"))
    begin(.data)
    writeData(elements)
    writer.endObject()
  }

  /// Encodes bytes without an object: a group `i`, their number, and a group of bytes.
  ///
  /// The counterpart of Cocoa's `encodeDataObject:`.
  public func encodeDataObject(_ value: [UInt8]) throws {
    if root == nil { try beginTopGroup() }
    writeData(value)
  }

  /// Encodes a date as seconds since 2001-01-01 00:00:00 UTC, or none: a group `@`.
  public func encodeDate(_ secondsSinceReferenceDate: Double?) throws {
    try beginGroup(UInt8(ascii: "@"))
    guard let seconds = secondsSinceReferenceDate else { return writer.writeNone() }
    begin(.date)
    writer.beginGroup(code: UInt8(ascii: "d"))
    writer.writeDouble(seconds)
    writer.endObject()
  }

  // MARK: Arrays and dictionaries

  public func encodeObjects<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    try encodeElements(objects, as: .array)
  }

  public func encodeObjects(_ objects: [any Coding], forKey key: String) throws {
    if isOutsideGraphs { return try encodeRoot { try encodeObjects(objects, forKey: key) } }
    if mayReplace(objects) { return try encodeSubstitutes(for: objects, as: .array) }
    beginCollection(objects.count)
    for place in objects.indices {
      beginObjectGroup()
      try write(objects[place])
    }
    writer.endObject()
  }

  public func encodeObjectSet<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    try encodeElements(objects, as: .set)
  }

  private func encodeElements<Object: Coding>(
    _ objects: [Object], as collection: FoundationObject
  ) throws {
    guard try beginElements(objects, as: collection) else { return }
    var place = 0
    while place < objects.count {
      beginObjectGroup()
      let element = objects[place]
      switch try start(element) {
      case .written: break
      case .replaced: try writeReplaced(element)
      case .further: try writeFurther(element)
      case .new:
        do {
          try element.encode(with: self)
        } catch {
          throw failed(error)
        }
        end()
      }
      place &+= 1
    }
    writer.endObject()
  }

  /// Begins a collection of objects; false when they had to be written otherwise.
  @inline(never)
  private func beginElements<Object: Coding>(
    _ objects: [Object], as collection: FoundationObject
  ) throws -> Bool {
    if isOutsideGraphs {
      try encodeRoot { try encodeElements(objects, as: collection) }
    } else if mayReplace(objects) {
      try encodeSubstitutes(for: objects, as: collection)
    } else {
      beginCollection(objects.count, as: collection)
      return true
    }
    return false
  }

  /// Whether another object, or nothing, may be written in the place of one of some objects.
  func mayReplace<Object: Coding>(_ objects: [Object]) -> Bool {
    objects.contains { mayReplace(type(of: $0)) }
  }

  /// The same for strings, whichever they are.
  var mayReplaceStrings: Bool { mayReplace(String.self) }

  private func mayReplace(_ objects: [any Coding]) -> Bool {
    objects.contains { mayReplace(type(of: $0)) }
  }

  private func mayReplace(_ type: any Coding.Type) -> Bool {
    let index = classIndex(of: type)
    return classes[index].isReplaced || !replacements.isEmpty
  }

  /// Encodes what stands for each object, without those that are replaced by nothing: how many
  /// there are is written before the first.
  private func encodeSubstitutes(
    for objects: [any Coding], as collection: FoundationObject
  ) throws {
    let substitutes = try objects.compactMap { try standing(for: $0) }
    try encodeArray(substitutes.count, as: collection) { try write(substitutes[$0]) }
  }

  public func encodeStringSet(_ strings: Set<String>, forKey key: String) throws {
    let strings = strings.sorted()
    try encodeArray(strings.count, as: .set) { write(string: strings[$0]) }
  }

  public func encodeDictionary(_ dictionary: [String: any Coding], forKey key: String) throws {
    guard root != nil else {
      return try encodeRoot { try encodeDictionary(dictionary, forKey: key) }
    }
    let pairs = dictionary.sorted { $0.key < $1.key }
    guard pairs.contains(where: { mayReplace(type(of: $0.value)) }) else {
      return try encodeDictionary(pairs.map(\.key)) { try write(pairs[$0].value) }
    }
    var keys: [String] = []
    var substitutes: [Substitute] = []
    for (key, value) in pairs {
      guard let substitute = try standing(for: value) else { continue }
      keys.append(key)
      substitutes.append(substitute)
    }
    try encodeDictionary(keys) { try write(substitutes[$0]) }
  }

  public func encodeStrings(_ strings: [String], forKey key: String) throws {
    try encodeArray(strings.count) { write(string: strings[$0]) }
  }

  public func encodeInts(_ numbers: [Int], forKey key: String) throws {
    try encodeArray(numbers.count) { place in
      writeNumber(UInt8(ascii: "q")) { writer.writeInteger(Int64(numbers[place])) }
    }
  }

  public func encodeDoubles(_ numbers: [Double], forKey key: String) throws {
    try encodeArray(numbers.count) { place in
      writeNumber(UInt8(ascii: "d")) { writer.writeDouble(numbers[place]) }
    }
  }

  public func encodeDictionary<Object: Coding>(
    _ dictionary: [String: Object], forKey key: String
  ) throws {
    guard root != nil else {
      return try encodeRoot { try encodeDictionary(dictionary, forKey: key) }
    }
    if dictionary.values.contains(where: { mayReplace(type(of: $0)) }) {
      let mixed: [String: any Coding] = dictionary.mapValues { $0 }
      return try encodeDictionary(mixed, forKey: key)
    }
    let pairs = dictionary.inKeyOrder
    try encodeDictionary(pairs.map(\.key)) { try write(pairs[$0].value) }
  }

  public func encodeStringDictionary(_ dictionary: [String: String], forKey key: String) throws {
    let pairs = dictionary.sorted { $0.key < $1.key }
    try encodeDictionary(pairs.map(\.key)) { write(string: pairs[$0].value) }
  }

  public func encodeStringPairs(
    _ pairs: [(key: String, value: String)], forKey key: String
  ) throws {
    if let twice = firstDuplicate(pairs) {
      throw fault(.duplicateKey, key: key, "the key \(twice) is there twice")
    }
    try encodeDictionary(pairs.map(\.key)) { write(string: pairs[$0].value) }
  }

  // MARK: Steps

  /// Begins a group of one value; one outside of all objects is counted.
  @inline(__always)
  func beginGroup(_ code: UInt8) throws {
    if root == nil { try beginTopGroup() }
    writer.beginGroup(code: code)
  }

  /// Begins an object of a class of Foundation.
  func begin(_ foundation: FoundationObject) {
    _ = writer.beginObject()
    writeClass(classIndex(of: foundation))
  }

  /// Writes a string object; equal ones are written once.
  func write(string: String) {
    var string = string
    string.withUTF8 { utf8 in
      let text = UnsafeRawBufferPointer(utf8)
      if let known = texts.number(of: text, in: writer.bytes) {
        return writer.writeReference(known)
      }
      let number = writer.objectCount
      begin(.string)
      writer.beginGroup(code: UInt8(ascii: "+"))
      writer.writeBytes(text)
      texts.add(number, text, at: writer.bytes.count - text.count)
      writer.endObject()
    }
  }

  /// Writes the number of bytes and the bytes: two groups.
  private func writeData<Element: PackedElement>(_ elements: [Element]) {
    let count = elements.byteCount
    writer.beginGroup(code: UInt8(ascii: "i"))
    writer.writeInteger(Int64(count))
    writer.beginGroup("[\(count)c]")
    writer.writePacked(elements)
  }

  private func writeNumber(_ code: UInt8, _ write: () -> Void) {
    begin(.number)
    writer.beginGroup(code: UInt8(ascii: "*"))
    writeCString([code])
    writer.beginGroup(code: code)
    write()
    writer.endObject()
  }

  /// Writes a C string; equal ones are written once.
  func writeCString(_ text: [UInt8]) {
    if let known = cStrings[text] { return writer.writeReference(known) }
    cStrings[text] = writer.writeNewCString(text)
  }

  private func encodeArray(
    _ count: Int, as foundation: FoundationObject = .array, _ element: (Int) throws -> Void
  ) throws {
    guard root != nil else {
      return try encodeRoot { try encodeArray(count, as: foundation, element) }
    }
    beginCollection(count, as: foundation)
    for place in 0..<count {
      writer.beginGroup(code: UInt8(ascii: "@"))
      try element(place)
    }
    writer.endObject()
  }

  /// Begins an array or a set, whose elements follow.
  private func beginCollection(_ count: Int, as foundation: FoundationObject = .array) {
    beginObjectGroup()
    begin(foundation)
    writeCount(count, foundation == .set ? UInt8(ascii: "I") : UInt8(ascii: "i"))
  }

  private func encodeDictionary(
    _ keys: [String], _ value: (Int) throws -> Void
  ) throws {
    guard root != nil else { return try encodeRoot { try encodeDictionary(keys, value) } }
    writer.beginGroup(code: UInt8(ascii: "@"))
    begin(.dictionary)
    writeCount(keys.count)
    for place in keys.indices {
      writer.beginGroup(code: UInt8(ascii: "@"))
      write(string: keys[place])
      writer.beginGroup(code: UInt8(ascii: "@"))
      try value(place)
    }
    writer.endObject()
  }

  private func writeCount(_ count: Int, _ type: UInt8 = UInt8(ascii: "i")) {
    writer.beginGroup(code: type)
    writer.writeInteger(Int64(count))
  }
}
