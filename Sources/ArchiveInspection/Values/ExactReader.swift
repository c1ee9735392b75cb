import PortolanTexts
import PropertyLists

/// Makes the keyed archive or property list again that `ExactWriter` wrote as JSON.
///
/// Without recursion: containers are filled one after the other, in the order in which they are
/// met, and the number of an object may be used before the object itself comes.
struct ExactReader: ~Copyable {
  private let tape: JSONTape
  private var writer = BinaryPropertyListWriter()
  /// The new number of each object, by the one that it has in the text.
  private var numbers: [Int: UInt32] = [:]
  private var isDefined: Set<Int> = []
  /// The containers that several places share, by their words, and whether they came already.
  private var shared: [String: (reference: PropertyListReference, isDefined: Bool)] = [:]
  /// What stands in `$objects`.
  private var bodies: [PropertyListReference] = []
  /// The descriptions of classes, by their chains and hints.
  private var records: [[[String]]: UInt32] = [:]
  private var work: [(entry: Int, reference: PropertyListReference)] = []
  private var isKeyed = true

  /// Whether bytes may be such a text: they begin with a brace, and a colon is behind the first
  /// string. A property list in text has `=` or `;` there.
  static func recognises(_ bytes: [UInt8]) -> Bool {
    func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
    var rest = bytes[...].drop(while: isSpace)
    guard rest.popFirst() == UInt8(ascii: "{") else { return false }
    rest = rest.drop(while: isSpace)
    let first = rest.popFirst()
    guard first == UInt8(ascii: "\"") else { return first == nil || first == UInt8(ascii: "}") }
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
    }
    let next = rest.drop(while: isSpace).first
    return next != UInt8(ascii: "=") && next != UInt8(ascii: ";")
  }

  /// The archive for a text: a binary property list, or a typedstream.
  ///
  /// - Throws: `InspectionError` that names what cannot be taken back.
  static func archive(_ bytes: [UInt8]) throws -> [UInt8] {
    var reader = ExactReader(try JSONTape(bytes))
    do {
      return try reader.compose()
    } catch let error as PropertyListError {
      throw InspectionError(.unsupported, error.description)
    }
  }

  private init(_ tape: JSONTape) { self.tape = tape }

  private mutating func compose() throws -> [UInt8] {
    var members: [String: Int] = [:]
    for member in try tape.members(0) { members[member.key] = member.value }
    guard let schema = members["schema"], try tape.text(schema) == InspectedArchive.valuesSchema,
      let exact = members["exact"], tape.entries[exact].kind == .yes, let roots = members["roots"]
    else {
      throw InspectionError(
        .unsupported,
        "this JSON does not tell enough to make an archive of it: inspect --exact writes such that "
          + "does")
    }
    let format = try members["format"].map { try tape.text($0) }
    if format == "typedstream" { return try ExactStreamReader.stream(tape, members) }
    if let reason = members["$broken"] {
      throw InspectionError(.unsupported, "it is not whole: \(try tape.text(reason))")
    }
    guard tape.entries[roots].kind == .object else {
      throw InspectionError(.unsupported, "the roots are no object of JSON")
    }
    isKeyed = format == "keyed"
    guard isKeyed else {
      guard let root = try tape.members(roots).first else {
        throw InspectionError(.unsupported, "there is no root")
      }
      let top = try reference(to: root.value)
      try fill()
      return try writer.finish(top: top)
    }
    return try composeArchive(members, roots)
  }

  private mutating func composeArchive(
    _ members: [String: Int], _ roots: Int
  ) throws -> [UInt8] {
    bodies.append(writer.addString("$null"))
    let (outer, top) = (writer.reserve(), writer.reserve())
    work.append((roots, top))
    var keys: [PropertyListReference] = []
    var values: [PropertyListReference] = []
    if let version = members["version"] {
      keys.append(writer.addString("$version"))
      values.append(try reference(to: version))
    }
    if let archiver = members["archiver"] {
      keys.append(writer.addString("$archiver"))
      values.append(try reference(to: archiver))
    }
    keys.append(writer.addString("$top"))
    values.append(top)
    if let entries = members["entries"] {
      for entry in try tape.members(entries) {
        keys.append(writer.addString(try key(entry.key)))
        values.append(try reference(to: entry.value))
      }
    }
    if let orphans = members["orphans"] {
      for orphan in tape.elements(orphans) { _ = try reference(to: orphan) }
    }
    try fill()
    let objects = writer.reserve()
    writer.setArray(objects, bodies)
    keys.append(writer.addString("$objects"))
    values.append(objects)
    writer.setDictionary(outer, keys: keys, values: values)
    if let number = numbers.keys.filter({ !isDefined.contains($0) }).min() {
      throw InspectionError(.unsupported, "{\"$ref\":\(number)} leads to no {\"$id\":\(number)}")
    }
    return try writer.finish(top: outer)
  }

  // MARK: Values

  /// The object of the list for a value; what is inside a container comes later.
  private mutating func reference(to entry: Int) throws -> PropertyListReference {
    switch tape.entries[entry].kind {
    case .null: return isKeyed ? writer.addUID(0) : addNull()
    case .yes: return writer.addBool(true)
    case .no: return writer.addBool(false)
    case .number: return try number(try tape.text(entry))
    case .string: return writer.addString(try tape.text(entry))
    case .array: return later(entry)
    case .object: return try object(entry)
    }
  }

  private mutating func later(_ entry: Int) -> PropertyListReference {
    let reference = writer.reserve()
    work.append((entry, reference))
    return reference
  }

  private mutating func addNull() -> PropertyListReference {
    [UInt8(0)].withUnsafeBytes { writer.addEncodedLeaf($0) }
  }

  private mutating func number(_ text: String) throws -> PropertyListReference {
    if let whole = Int64(text) { return writer.addInteger(whole) }
    guard text.contains(where: { ".eE".contains($0) }), let real = Double(text), real.isFinite
    else { throw InspectionError(.unsupported, "no number: \(text.prefix(40))") }
    return writer.addDouble(real)
  }

  /// An object of JSON: a tagged value, an object of the archive, or a dictionary.
  private mutating func object(_ entry: Int) throws -> PropertyListReference {
    guard tape.entries[entry].next > entry + 1 else { return later(entry) }
    let value = entry + 2
    let key = try tape.text(entry + 1)
    switch key {
    case "$ref":
      guard tape.entries[value].kind == .string else {
        return writer.addUID(try number(of: try whole(value)))
      }
      return sharedContainer(try tape.text(value))
    case "$id":
      guard tape.entries[value].kind == .string else {
        let number = try whole(value)
        guard isDefined.insert(number).inserted else {
          throw InspectionError(.unsupported, "two objects have the number \(number)")
        }
        let place = try self.number(of: number)
        bodies[Int(place)] = try body(entry)
        return writer.addUID(place)
      }
      let word = try tape.text(value)
      let container = sharedContainer(word)
      guard shared[word]?.isDefined == false else {
        throw InspectionError(.unsupported, "two containers are called \(word)")
      }
      shared[word]?.isDefined = true
      work.append((entry, container))
      return container
    default: return try tagged(key, value) ?? later(entry)
    }
  }

  /// The new number of an object; its body may come later.
  ///
  /// - Throws: `InspectionError` in a property list, which has no objects.
  private mutating func number(of old: Int) throws -> UInt32 {
    guard isKeyed else {
      throw InspectionError(.unsupported, "a property list has no object \(old): give its format")
    }
    if let known = numbers[old] { return known }
    let number = UInt32(truncatingIfNeeded: bodies.count)
    numbers[old] = number
    bodies.append(bodies[0])
    return number
  }

  private mutating func sharedContainer(_ word: String) -> PropertyListReference {
    if let known = shared[word] { return known.reference }
    let reference = writer.reserve()
    shared[word] = (reference, false)
    return reference
  }

  /// What an object is, without its number.
  private mutating func body(_ entry: Int) throws -> PropertyListReference {
    let second = Int(tape.entries[entry + 2].next)
    guard second < tape.entries[entry].next else { return later(entry) }
    switch try tape.text(second) {
    case "$null": return writer.addString("$null")
    case "$value": return try leaf(second + 1)
    default: return later(entry)
    }
  }

  /// A value without parts.
  private mutating func leaf(_ entry: Int) throws -> PropertyListReference {
    switch tape.entries[entry].kind {
    case .array: break
    case .object:
      guard tape.entries[entry].next > entry + 1,
        let leaf = try tagged(tape.text(entry + 1), entry + 2)
      else { break }
      return leaf
    default: return try reference(to: entry)
    }
    throw InspectionError(.unsupported, "{\"$value\":…} is for values without parts")
  }

  /// A value that has a tag of its own; `nil` for other keys.
  private mutating func tagged(_ key: String, _ value: Int) throws -> PropertyListReference? {
    switch key {
    case "$null": return addNull()
    case "$uid": return writer.addUID(UInt32(truncatingIfNeeded: try whole(value)))
    case "$int":
      let text = try tape.text(value)
      if let whole = Int64(text) { return writer.addInteger(whole) }
      guard let whole = UInt64(text) else {
        throw InspectionError(.unsupported, "no whole number: \(text.prefix(40))")
      }
      return writer.addUnsigned(whole)
    case "$real": return writer.addDouble(try real(value))
    case "$date": return writer.addDate(try real(value))
    case "$float":
      let text = try tape.text(value)
      if let bits = Self.bits(text) {
        return writer.addFloat(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      }
      guard let float = Float(text) else {
        throw InspectionError(.unsupported, "no real number: \(text.prefix(40))")
      }
      return writer.addFloat(float)
    case "$data": return writer.addData(try bytes(value))
    case "$utf16": return try utf16(try bytes(value))
    case "$broken":
      throw InspectionError(.unsupported, "a broken part cannot go back into an archive")
    default: return nil
    }
  }

  private func whole(_ entry: Int) throws -> Int {
    let text = try tape.text(entry)
    guard let whole = Int(text), whole >= 0, whole <= UInt32.max else {
      throw InspectionError(.unsupported, "no number of an object: \(text.prefix(40))")
    }
    return whole
  }

  private func real(_ entry: Int) throws -> Double {
    let text = try tape.text(entry)
    if let bits = Self.bits(text) { return Double(bitPattern: bits) }
    guard let real = Double(text) else {
      throw InspectionError(.unsupported, "no real number: \(text.prefix(40))")
    }
    return real
  }

  /// The bits behind `nan:`.
  static func bits(_ text: String) -> UInt64? {
    text.hasPrefix("nan:") ? UInt64(text.dropFirst(4), radix: 16) : nil
  }

  private func bytes(_ entry: Int) throws -> [UInt8] {
    let text = Array(try tape.text(entry).utf8)
    guard let bytes = text.withUnsafeBytes({ Base64.decode($0) }) else {
      throw InspectionError(.unsupported, "no base64 digits: \(try tape.text(entry).prefix(40))")
    }
    return bytes
  }

  /// A text that is not valid, in its own bytes.
  private mutating func utf16(_ bytes: [UInt8]) throws -> PropertyListReference {
    guard bytes.count.isMultiple(of: 2), bytes.count <= Int(UInt32.max) else {
      throw InspectionError(.unsupported, "half a unit of UTF-16")
    }
    let count = UInt32(bytes.count / 2)
    var head: [UInt8] = [0x6F, 0x12]
    for shift: UInt32 in [24, 16, 8, 0] { head.append(UInt8(truncatingIfNeeded: count >> shift)) }
    return (head + bytes).withUnsafeBytes { writer.addEncodedLeaf($0) }
  }

  // MARK: Containers

  private mutating func fill() throws {
    while let next = work.popLast() { try fill(next.entry, next.reference) }
    if let word = shared.first(where: { !$0.value.isDefined })?.key {
      throw InspectionError(.unsupported, "{\"$ref\":\"\(word)\"} leads to no container")
    }
  }

  private mutating func fill(_ entry: Int, _ reference: PropertyListReference) throws {
    if tape.entries[entry].kind == .array {
      return writer.setArray(reference, try references(tape.elements(entry)))
    }
    var keys: [PropertyListReference] = []
    var values: [PropertyListReference] = []
    var described: Int?
    var hints: [String] = []
    for member in try tape.members(entry) {
      switch member.key {
      case "$id": continue
      case "$class": described = member.value
      case "$hints": hints = try names(member.value)
      case "$array": return writer.setArray(reference, try references(tape.elements(member.value)))
      case "$set": return writer.setSet(reference, try references(tape.elements(member.value)))
      case "$fields":
        for pair in tape.elements(member.value) {
          let parts = tape.elements(pair)
          guard parts.count == 2 else {
            throw InspectionError(.unsupported, "a field that is no pair of a name and a value")
          }
          keys.append(writer.addString(try tape.text(parts[0])))
          values.append(try self.reference(to: parts[1]))
        }
      default:
        keys.append(writer.addString(try key(member.key)))
        values.append(try self.reference(to: member.value))
      }
    }
    if let described {
      keys.append(writer.addString("$class"))
      values.append(writer.addUID(try record(names(described), hints)))
    }
    writer.setDictionary(reference, keys: keys, values: values)
  }

  private mutating func references(_ entries: [Int]) throws -> [PropertyListReference] {
    var references: [PropertyListReference] = []
    references.reserveCapacity(entries.count)
    for entry in entries { references.append(try reference(to: entry)) }
    return references
  }

  /// A key without the `$` that was put before another one.
  private func key(_ key: String) throws -> String {
    guard key.utf8.first == UInt8(ascii: "$") else { return key }
    guard key.hasPrefix("$$") else {
      throw InspectionError(.unsupported, "nothing is known of the member \(key.prefix(40))")
    }
    return String(key.dropFirst())
  }

  private func names(_ entry: Int) throws -> [String] {
    try tape.elements(entry).map { try tape.text($0) }
  }

  /// The number of the description of a class.
  private mutating func record(_ chain: [String], _ hints: [String]) throws -> UInt32 {
    guard isKeyed else {
      throw InspectionError(.unsupported, "a property list has no classes: give its format")
    }
    if let known = records[[chain, hints]] { return known }
    guard let name = chain.first else {
      throw InspectionError(.unsupported, "an object whose class has no name")
    }
    let (classes, body) = (writer.reserve(), writer.reserve())
    writer.setArray(classes, chain.map { writer.addString($0) })
    var keys = [writer.addString("$classname"), writer.addString("$classes")]
    var values = [writer.addString(name), classes]
    if !hints.isEmpty {
      let others = writer.reserve()
      writer.setArray(others, hints.map { writer.addString($0) })
      keys.append(writer.addString("$classhints"))
      values.append(others)
    }
    writer.setDictionary(body, keys: keys, values: values)
    let number = UInt32(truncatingIfNeeded: bodies.count)
    bodies.append(body)
    records[[chain, hints]] = number
    return number
  }
}
