/// Turns the elements of an XML property list into the objects of a binary one.
///
/// Containers that are open stand on a stack of its own; their keys and values so far are the ends
/// of two rows. So nothing recurses and nothing is allocated for each element.
struct XMLPropertyListParser: ~Copyable {
  var scanner: XMLScanner
  var writer = BinaryPropertyListWriter()

  /// Text that had to be put together, because it holds references to characters or the like.
  var scratch: [UInt8] = []

  /// A fault in a text, noted by a forgiving parser; others throw it.
  struct TextFault {
    var code: PropertyListError.Code
    var offset: Int
    var reason: String
  }

  /// The first fault of the text read last.
  var textFault: TextFault?

  /// Whether something may follow the list that is no part of it, leaves may be broken, and
  /// elements of other names may stand for values; else all are refused.
  let isForgiving: Bool
  /// Where the rest begins; `nil` for nothing.
  private(set) var rest: Int?
  /// What could not be read.
  var faults = PropertyListFaults()

  private let limits: PropertyListLimits
  private var levels: [Level] = []
  private var keys: [PropertyListReference] = []
  private var keyPlaces: [Int] = []
  private var values: [PropertyListReference] = []
  private var top: PropertyListReference?

  /// By a key's number: the last dictionary that was found to have it.
  private var owners: [PropertyListReference] = []

  /// The UID of a dictionary with the one key `CF$UID`.
  private enum UID {
    case no, keyOnly
    case value(UInt32)
    case wrong
  }

  private struct Level {
    var isDictionary: Bool
    var reference: PropertyListReference
    var firstKey: Int
    var firstValue: Int
    var offset: Int
    var awaitsValue = false
    var uid = UID.no
  }

  init(_ scanner: XMLScanner, limits: PropertyListLimits, isForgiving: Bool = false) {
    self.scanner = scanner
    self.isForgiving = isForgiving
    self.limits = limits
  }

  /// Reads the whole input and gives the bytes of the binary list.
  mutating func parse(declared: [String]) throws(PropertyListError) -> [UInt8] {
    try prologue(declared)
    try scanner.skipFiller()
    let wrapper = scanner.place
    var isWrapped = false
    while true {
      try scanner.skipFiller()
      if top != nil, levels.isEmpty, !isWrapped { break }
      if isForgiving, !levels.isEmpty, try addUnknown() { continue }
      let tag = try tag()
      if tag.element == .plist {
        if try wrap(tag, &isWrapped) { break }
      } else if tag.kind == .close {
        try close(tag)
      } else {
        try open(tag)
      }
    }
    try findRest()
    guard let top, top == 0 else {
      throw scanner.error(.wrongKind, at: wrapper, "a property list without a value")
    }
    return try writer.finish(top: top)
  }

  /// Finds the bytes behind the end of the list, other than white space and comments.
  private mutating func findRest() throws(PropertyListError) {
    let end = scanner.place
    do throws(PropertyListError) {
      try scanner.skipFiller()
    } catch {
      // A comment that never ends.
      guard isForgiving else { throw error }
      scanner.place = scanner.afterSpace(end)
    }
    guard scanner.place < scanner.count else { return }
    guard isForgiving else {
      throw scanner.error(.badLength, at: scanner.place, "something follows the end of the list")
    }
    rest = scanner.place
  }

  private mutating func tag() throws(PropertyListError) -> XMLTag {
    do throws(PropertyListError) {
      return try scanner.tag()
    } catch {
      if let level = levels.last, error.code == .badLength {
        throw scanner.error(
          .badLength, at: level.offset,
          "the file ends before </\(level.isDictionary ? "dict" : "array")>")
      }
      guard error.code == .badMarker, top == nil, levels.isEmpty else { throw error }
      throw PropertyListError(.notAPropertyList, at: error.offset, error.reason)
    }
  }

  /// Handles `<plist>`; says whether it was its end.
  private func wrap(_ tag: XMLTag, _ isWrapped: inout Bool) throws(PropertyListError) -> Bool {
    switch tag.kind {
    case .open where !isWrapped && top == nil && levels.isEmpty:
      isWrapped = true
      return false
    case .close where isWrapped && levels.isEmpty:
      return true
    case .close: throw mismatch(tag)
    default: throw scanner.error(.wrongKind, at: tag.offset, "<plist> at a wrong place")
    }
  }

  // MARK: Prologue

  private mutating func prologue(_ declared: [String]) throws(PropertyListError) {
    if scanner.has("\u{FEFF}", at: 0) { _ = scanner.skip("\u{FEFF}") }
    scanner.place = scanner.afterSpace(scanner.place)
    let start = scanner.place
    if scanner.skip("<?xml") {
      try scanner.skip(through: "?>", "the XML declaration")
      let text = String(decoding: scanner.bytes(start..<scanner.place), as: UTF8.self)
      if let name = encoding(in: text), !declared.contains(name.lowercased()) {
        throw scanner.error(
          .badText, at: start,
          "the encoding \(name) is declared; only UTF-8 and UTF-16 are read, and as declared")
      }
    }
    try scanner.skipFiller()
    let type = scanner.place
    guard scanner.skip("<!DOCTYPE") else { return }
    try skipDocumentType(from: type)
  }

  /// The value of `encoding` in a declaration, at most forty characters of it.
  private func encoding(in declaration: String) -> String? {
    var words = declaration.split { " =\t\r\n?".contains($0) }.makeIterator()
    while let word = words.next() {
      guard word == "encoding", let value = words.next() else { continue }
      return String(value.filter { $0 != "\"" && $0 != "'" }.prefix(40))
    }
    return nil
  }

  /// Moves behind the document type and the declarations in it, of which nothing is taken.
  private mutating func skipDocumentType(from start: Int) throws(PropertyListError) {
    var quote: UInt8?
    var isInside = false
    while let byte = scanner.byte(at: scanner.place) {
      if quote == nil, byte == UInt8(ascii: "<"), isInside, try skipComment() { continue }
      scanner.place += 1
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside: return
      default: break
      }
    }
    throw scanner.error(.badLength, at: start, "the document type does not end")
  }

  /// Moves behind a comment or a processing instruction, in which quotes mean nothing.
  private mutating func skipComment() throws(PropertyListError) -> Bool {
    guard scanner.has("<!--", at: scanner.place) || scanner.has("<?", at: scanner.place) else {
      return false
    }
    try scanner.skipMarkup()
    return true
  }

  // MARK: Containers

  private mutating func open(_ tag: XMLTag) throws(PropertyListError) {
    if tag.element == .key { return try addKey(tag) }
    try expectValue(tag)
    guard tag.element == .dict || tag.element == .array else {
      return add(try leaf(tag))
    }
    if tag.kind == .open, tag.element == .dict, let uid = shortUID() {
      return add(writer.addUID(uid))
    }
    guard levels.count < limits.depthMax else {
      throw scanner.error(
        .tooDeep, at: tag.offset, "containers nested deeper than \(limits.depthMax)")
    }
    let level = Level(
      isDictionary: tag.element == .dict, reference: writer.reserve(), firstKey: keys.count,
      firstValue: values.count, offset: tag.offset)
    levels.append(level)
    if tag.kind == .empty { try finish(level) }
  }

  /// Adds an element of another name, with its content, as one broken leaf.
  ///
  /// - Returns: whether one begins here.
  private mutating func addUnknown() throws(PropertyListError) -> Bool {
    guard let name = scanner.unknownName() else { return false }
    let start = scanner.place
    try expectValue(XMLTag(element: .string, kind: .open, offset: start))
    try scanner.skipElement(name)
    let error = { [scanner] in
      let text = String(decoding: scanner.bytes(name.prefix(40)), as: UTF8.self)
      return scanner.error(.badMarker, at: start, "<\(text)> is no element of a property list")
    }
    add(faults.add(to: &writer, error))
    return true
  }

  /// Checks that a value may stand here.
  @inline(__always)
  private func expectValue(_ tag: XMLTag) throws(PropertyListError) {
    guard let level = levels.last else {
      guard top == nil else {
        throw scanner.error(.wrongKind, at: tag.offset, "a second value at the top")
      }
      return
    }
    guard level.isDictionary, !level.awaitsValue else { return }
    throw scanner.error(.badKey, at: tag.offset, "a value in a dictionary without a key before it")
  }

  @inline(__always)
  private mutating func add(_ value: PropertyListReference) {
    guard let last = levels.indices.last else {
      top = value
      return
    }
    levels[last].awaitsValue = false
    values.append(value)
  }

  private mutating func addKey(_ tag: XMLTag) throws(PropertyListError) {
    guard let last = levels.indices.last, levels[last].isDictionary else {
      throw scanner.error(.badKey, at: tag.offset, "a key outside of a dictionary")
    }
    guard !levels[last].awaitsValue else {
      throw scanner.error(.badKey, at: tag.offset, "a key where the value of another is missing")
    }
    let text = try text(tag)
    if let fault = takeTextFault() { faults.note(fault) }
    if keys.count == levels[last].firstKey, isUIDKey(text) { levels[last].uid = .keyOnly }
    keys.append(addString(text))
    keyPlaces.append(tag.offset)
    levels[last].awaitsValue = true
  }

  private mutating func close(_ tag: XMLTag) throws(PropertyListError) {
    guard let level = levels.last, tag.element == (level.isDictionary ? .dict : .array) else {
      throw mismatch(tag)
    }
    guard !level.awaitsValue else {
      throw scanner.error(.badKey, at: tag.offset, "a dictionary ends where a value is missing")
    }
    try finish(level)
  }

  private mutating func finish(_ level: Level) throws(PropertyListError) {
    if level.isDictionary {
      try finishDictionary(level)
    } else {
      writer.setArray(level.reference, values[level.firstValue...])
    }
    values.removeLast(values.count - level.firstValue)
    levels.removeLast()
    add(level.reference)
  }

  private mutating func finishDictionary(_ level: Level) throws(PropertyListError) {
    let count = keys.count - level.firstKey
    switch level.uid {
    case .value(let uid) where count == 1: writer.setUID(level.reference, uid)
    case .wrong where count == 1:
      throw scanner.error(
        .badNumber, at: level.offset, "a reference that is no whole number of 32 bits")
    default:
      try checkKeys(level)
      writer.setDictionary(
        level.reference, keys: keys[level.firstKey...], values: values[level.firstValue...])
    }
    keys.removeLast(count)
    keyPlaces.removeLast(count)
  }

  /// Refuses a key that is there twice: equal strings have one number.
  @inline(__always)
  private mutating func checkKeys(_ level: Level) throws(PropertyListError) {
    if owners.count < writer.count {
      // Number 0 is the top, which owns nothing until it is closed; and then all is over.
      owners.append(contentsOf: repeatElement(.max, count: writer.count - owners.count))
    }
    for index in level.firstKey..<keys.count {
      let key = Int(keys[index])
      if owners[key] == level.reference { try refuseDuplicate(at: keyPlaces[index]) }
      owners[key] = level.reference
    }
  }

  private mutating func refuseDuplicate(at offset: Int) throws(PropertyListError) {
    let error = { [scanner] in
      scanner.error(.duplicateKey, at: offset, "a key that the dictionary has already")
    }
    guard isForgiving else { throw error() }
    faults.note(error)
  }

  private func mismatch(_ tag: XMLTag) -> PropertyListError {
    guard let level = levels.last else {
      return scanner.error(
        .badMarker, at: tag.offset, "</\(tag.element.name)> ends what was not begun")
    }
    let expected = level.isDictionary ? "dict" : "array"
    return scanner.error(
      .badMarker, at: tag.offset,
      "</\(tag.element.name)> where </\(expected)> is due for byte \(level.offset)")
  }

  // MARK: References of keyed archives

  /// The number in `<key>CF$UID</key><integer>…</integer></dict>`, if that and no more is next.
  ///
  /// Nearly every reference is written so. Everything else, such as a comment in between, goes the
  /// long way and means the same.
  @inline(__always)
  private mutating func shortUID() -> UInt32? {
    var place = scanner.afterSpace(scanner.place)
    guard scanner.has("<key>CF$UID</key>", at: place) else { return nil }
    place = scanner.afterSpace(place + 17)
    guard scanner.has("<integer>", at: place) else { return nil }
    place += 9
    let first = place
    var value: UInt64 = 0
    while place - first < 10, let byte = scanner.byte(at: place), byte &- 0x30 < 10 {
      value = value * 10 + UInt64(byte &- 0x30)
      place += 1
    }
    guard place > first, scanner.has("</integer>", at: place) else { return nil }
    place = scanner.afterSpace(place + 10)
    guard scanner.has("</dict>", at: place), let uid = UInt32(exactly: value) else { return nil }
    scanner.place = place + 7
    return uid
  }

  /// Notes a number that may be the value of `CF$UID`.
  mutating func noteNumber(_ value: UInt32?) {
    guard let last = levels.indices.last, case .keyOnly = levels[last].uid else { return }
    levels[last].uid = value.map { .value($0) } ?? .wrong
  }
}
