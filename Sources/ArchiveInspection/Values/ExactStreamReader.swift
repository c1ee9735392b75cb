import Archiving
import PortolanTexts
import PropertyLists

/// Makes the typedstream again that `ExactStreamWriter` wrote as JSON.
///
/// The values of a group are taken in the order of its types; what does not fit is refused. Without
/// recursion: the way down is kept in an array.
struct ExactStreamReader {
  private let tape: JSONTape
  private var writer: TypedstreamWriter
  private var levels: [Level] = []
  /// The new number of each object and C string, by the one that it has in the text.
  private var numbers: [Int: Int] = [:]
  private var types: [String: [UInt32]] = [:]

  private struct Level {
    enum Kind {
      /// Groups of an object, or at the top.
      case groups(isObject: Bool)
      case group
      case structure
      /// Elements whose type begins at a word.
      case array(word: Int)
    }

    var kind: Kind
    /// The next value, and the place behind the last one.
    var place: Int
    var end: Int
    var words: [UInt32] = []
    var word = 0
  }

  /// The typedstream of a text.
  ///
  /// - Parameter members: the members of its outermost object.
  /// - Throws: `InspectionError` that names what cannot be taken back.
  static func stream(_ tape: JSONTape, _ members: [String: Int]) throws -> [UInt8] {
    if let broken = members["$broken"] {
      throw InspectionError(
        .unsupported, "a broken part cannot go back into an archive: \(try tape.text(broken))")
    }
    guard let roots = members["roots"], tape.entries[roots].kind == .array else {
      throw Self.error("the roots of a typedstream are a list of groups")
    }
    let order = try members["byteOrder"].map { try tape.text($0) } ?? "little"
    guard order == "little" || order == "big" else { throw Self.error("no byte order: \(order)") }
    let version = try members["systemVersion"].map { try Self.integer($0, tape) } ?? 1_000
    var reader = ExactStreamReader(
      tape: tape,
      writer: TypedstreamWriter(
        byteOrder: order == "big" ? .bigEndian : .littleEndian, systemVersion: Int(version)))
    reader.open(.groups(isObject: false), roots)
    try reader.run()
    return reader.writer.bytes
  }

  private init(tape: JSONTape, writer: TypedstreamWriter) {
    (self.tape, self.writer) = (tape, writer)
  }

  private static func error(_ reason: String) -> InspectionError {
    InspectionError(.unsupported, reason)
  }

  private mutating func open(
    _ kind: Level.Kind, _ entry: Int, words: [UInt32] = [], word: Int = 0
  ) {
    let end = Int(tape.entries[entry].next)
    levels.append(Level(kind: kind, place: entry + 1, end: end, words: words, word: word))
  }

  private mutating func run() throws {
    while let last = levels.indices.last {
      let level = levels[last]
      let isDone = level.place >= level.end
      switch level.kind {
      case .groups(let isObject):
        guard isDone else {
          try openGroup(last)
          continue
        }
        if isObject { writer.endObject() }
        levels.removeLast()
      case .array(let word):
        levels[last].word = word
        if isDone { levels.removeLast() } else { try take(last) }
      case .group, .structure:
        let isFull =
          level.word >= level.words.count || level.words[level.word] == TypeWord.endStructure
        guard isDone == isFull else { throw Self.error("a group with more or less than its types") }
        if isDone { levels.removeLast() } else { try take(last) }
      }
    }
  }

  private mutating func openGroup(_ last: Int) throws {
    let entry = levels[last].place
    levels[last].place = Int(tape.entries[entry].next)
    guard tape.entries[entry].kind == .array, levels[last].place > entry + 1,
      tape.entries[entry + 1].kind == .string
    else { throw Self.error("a group is a list of its types and their values") }
    let text = try tape.text(entry + 1)
    let words: [UInt32]
    if let known = types[text] {
      words = known
    } else {
      do {
        words = try TypeCompiler.compile(Array(text.utf8))
      } catch {
        throw Self.error("no types: \(text.prefix(40)): \(error.reason)")
      }
      types[text] = words
    }
    writer.beginGroup(text)
    open(.group, entry, words: words)
    levels[last + 1].place += 1
  }

  // MARK: Values

  /// Takes the next value, of the type that comes next.
  private mutating func take(_ last: Int) throws {
    let (entry, words) = (levels[last].place, levels[last].words)
    levels[last].place = Int(tape.entries[entry].next)
    let word = levels[last].word
    let code = words[word]
    levels[last].word += 1
    switch code {
    case TypeWord.rawBytes:
      levels[last].word += 1
      let bytes = try self.bytes(entry)
      guard bytes.count == Int(words[word + 1]) else {
        throw Self.error("\(bytes.count) bytes for a type of \(words[word + 1])")
      }
      writer.writeByteArray(bytes)
    case TypeWord.beginArray:
      let (count, least) = (Int(words[word + 1]), words[word + 3])
      // Elements that take no room are left out.
      guard tape.entries[entry].kind == .array,
        tape.elements(entry).count == (least == 0 ? 0 : count)
      else { throw Self.error("an array of \(count) elements has more or fewer here") }
      levels[last].word = word + 5 + Int(words[word + 2])
      open(.array(word: word + 4), entry, words: words)
    case TypeWord.beginStructure:
      guard tape.entries[entry].kind == .array else { throw Self.error("a structure is a list") }
      levels[last].word = Self.end(ofStructure: word, words) + 1
      open(.structure, entry, words: words, word: word + 1)
    default: try take(entry, type: UInt8(truncatingIfNeeded: code))
    }
  }

  /// The word that ends a structure.
  private static func end(ofStructure start: Int, _ words: [UInt32]) -> Int {
    var (depth, word) = (0, start)
    while word < words.count {
      switch words[word] {
      case TypeWord.beginStructure: depth += 1
      case TypeWord.endStructure: depth -= 1
      case TypeWord.rawBytes: word += 1
      case TypeWord.beginArray: word += 3
      default: break
      }
      if depth == 0 { return word }
      word += 1
    }
    return word
  }

  private mutating func take(_ entry: Int, type: UInt8) throws {
    let isNull = tape.entries[entry].kind == .null
    switch type {
    case UInt8(ascii: "!"):
      guard isNull else { throw Self.error("null stands for a type that takes no room") }
    case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "*"):
      if isNull { writer.writeNone() } else { try takeObject(entry, type) }
    case UInt8(ascii: ":"), UInt8(ascii: "%"): writer.writeString(isNull ? nil : try bytes(entry))
    case UInt8(ascii: "+"): writer.writeBytes(isNull ? nil : try bytes(entry))
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"):
      let value = try Self.integer(entry, tape)
      let range: ClosedRange<Int64> = type == UInt8(ascii: "c") ? -128...127 : 0...255
      guard range.contains(value) else { throw Self.misfit(value, type) }
      writer.writeByte(UInt8(truncatingIfNeeded: value))
    default: try takeNumber(entry, type)
    }
  }

  private static func misfit(_ value: Int64, _ type: UInt8) -> InspectionError {
    error("\(value) is no value of the type \(Unicode.Scalar(type))")
  }

  private mutating func takeNumber(_ entry: Int, _ type: UInt8) throws {
    var (entry, form) = (entry, NumberForm?.none)
    if tape.entries[entry].kind == .object {
      let members = try self.members(entry)
      if let value = members["$value"], let name = members["$form"] {
        entry = value
        form = try Self.form(tape.text(name))
      }
    }
    switch type {
    case UInt8(ascii: "f"): writer.writeFloat(try float(entry), form: form)
    case UInt8(ascii: "d"): writer.writeDouble(try double(entry), form: form)
    default:
      let value = try Self.integer(entry, tape)
      let range: ClosedRange<Int64> =
        switch type {
        case UInt8(ascii: "s"): Int64(Int16.min)...Int64(Int16.max)
        case UInt8(ascii: "S"): 0...Int64(UInt16.max)
        case UInt8(ascii: "i"): Int64(Int32.min)...Int64(Int32.max)
        case UInt8(ascii: "I"): 0...Int64(UInt32.max)
        default: Int64.min...Int64.max
        }
      guard range.contains(value) else { throw Self.misfit(value, type) }
      writer.writeInteger(value, type: type, form: form)
    }
  }

  private static func form(_ name: String) throws -> NumberForm {
    guard let form = name == "real" ? .real : UInt8(name).flatMap(NumberForm.init(rawValue:)) else {
      throw error("no form of a number: \(name.prefix(40))")
    }
    return form
  }

  /// An object, a class or a C string, or a reference to one.
  private mutating func takeObject(_ entry: Int, _ type: UInt8) throws {
    guard tape.entries[entry].kind == .object else { throw Self.error("an object is in braces") }
    let members = try members(entry)
    if let mark = members["$ref"] {
      let old = Int(try Self.integer(mark, tape))
      guard let number = numbers[old] else {
        throw Self.error("{\"$ref\":\(old)} leads to no {\"$id\":\(old)} before it")
      }
      return writer.writeReference(number)
    }
    if type == UInt8(ascii: "#"), let names = members["$isClass"] {
      writer.writeClass(try chain(names, members))
      return
    }
    guard let mark = members["$id"] else { throw Self.error("an object without a number") }
    let old = Int(try Self.integer(mark, tape))
    guard numbers[old] == nil else { throw Self.error("two objects have the number \(old)") }
    if type == UInt8(ascii: "*"), let string = members["$string"] {
      numbers[old] = writer.writeNewCString(try bytes(string))
    } else if type == UInt8(ascii: "@"), let names = members["$class"],
      let fields = members["$fields"], tape.entries[fields].kind == .array
    {
      numbers[old] = writer.beginObject(try chain(names, members))
      open(.groups(isObject: true), fields)
    } else {
      throw Self.error("no value of the type \(Unicode.Scalar(type))")
    }
  }

  private func chain(
    _ names: Int, _ members: [String: Int]
  ) throws -> [(name: String, version: Int)] {
    let names = try tape.elements(names).map { try tape.text($0) }
    let versions = members["$versions"].map { tape.elements($0) } ?? []
    guard names.count == versions.count, !names.isEmpty else {
      throw Self.error("a class has a name and a version, and so have its superclasses")
    }
    var chain: [(name: String, version: Int)] = []
    for (name, version) in zip(names, versions) {
      chain.append((name, Int(try Self.integer(version, tape))))
    }
    return chain
  }

  // MARK: Leaves

  private func members(_ entry: Int) throws -> [String: Int] {
    var members: [String: Int] = [:]
    for member in try tape.members(entry) { members[member.key] = member.value }
    return members
  }

  private static func integer(_ entry: Int, _ tape: JSONTape) throws -> Int64 {
    var text = ""
    switch tape.entries[entry].kind {
    case .number: text = try tape.text(entry)
    case .object:
      for member in try tape.members(entry) where member.key == "$int" {
        text = try tape.text(member.value)
      }
    default: break
    }
    guard let value = Int64(text) ?? UInt64(text).map({ Int64(bitPattern: $0) }) else {
      throw error("no whole number: \(text.prefix(40))")
    }
    return value
  }

  private func double(_ entry: Int) throws -> Double {
    let text = try real(entry)
    let bits = ExactReader.bits(text)
    guard let value = bits.map({ Double(bitPattern: $0) }) ?? Double(text) else {
      throw Self.error("no real number: \(text.prefix(40))")
    }
    return value
  }

  private func float(_ entry: Int) throws -> Float {
    let text = try real(entry)
    let bits = ExactReader.bits(text)
    guard
      let value = bits.map({ Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }) ?? Float(text)
    else { throw Self.error("no real number: \(text.prefix(40))") }
    return value
  }

  /// The text of a real number.
  private func real(_ entry: Int) throws -> String {
    switch tape.entries[entry].kind {
    case .number: return try tape.text(entry)
    case .object:
      if let value = try members(entry)["$real"] { return try tape.text(value) }
    default: break
    }
    throw Self.error("a real number is expected")
  }

  /// The bytes of a text, or of `$data`.
  private func bytes(_ entry: Int) throws -> [UInt8] {
    if tape.entries[entry].kind == .string { return Array(try tape.text(entry).utf8) }
    guard tape.entries[entry].kind == .object, let data = try members(entry)["$data"] else {
      throw Self.error("a text or data are expected")
    }
    guard let bytes = Array(try tape.text(data).utf8).withUnsafeBytes({ Base64.decode($0) }) else {
      throw Self.error("no base64 digits: \(try tape.text(data).prefix(40))")
    }
    return bytes
  }
}
