import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func decodeBoolIfPresent(forKey key: String) throws -> Bool? {
    try number(key) { $0.truthValue }
  }

  public func decodeIntIfPresent(forKey key: String) throws -> Int? {
    try number(key) { Int(exactly: $0) }
  }

  public func decodeInt32IfPresent(forKey key: String) throws -> Int32? {
    try number(key) { Int32(exactly: $0) }
  }

  public func decodeInt64IfPresent(forKey key: String) throws -> Int64? {
    try number(key) { Int64(exactly: $0) }
  }

  public func decodeFloatIfPresent(forKey key: String) throws -> Float? {
    try number(key) { $0.realValue.flatMap { Float(fitting: $0) } }
  }

  public func decodeDoubleIfPresent(forKey key: String) throws -> Double? {
    try number(key) { $0.realValue }
  }

  public func decodeStringIfPresent(forKey key: String) throws -> String? {
    guard let field = try findField(key) else { return nil }
    do {
      let node = field.node
      if !showsValues, UInt(node) < UInt(bitPattern: made.count) {
        if case .string(let index) = Memo(made[Int(node)]) { return made.strings[index] }
        if let short = shortText(node), short != ShortText(constant: "$null") {
          let string = short.string
          noteRead(string, node)
          return string
        }
      }
      return try unlessNothing { try shown(string(field.value), at: field.value) }
    } catch {
      throw locatedError(error)
    }
  }

  /// The text of a node that is a short string of ASCII, as most are.
  @inline(__always)
  private func shortText(_ node: UInt32) -> ShortText? {
    guard let body = list.entry(Int(node), of: objects) else { return nil }
    return list.shortText(of: body)
  }

  public func archivedDataIfPresent(forKey key: String) throws -> ArchivedData? {
    guard let reference = try find(key) else { return nil }
    do {
      guard let range = try data(reference) else { return nil }
      try charge(range.count)
      return try shown(ArchivedData(reader: list.reader, range: range), at: reference)
    } catch {
      throw locatedError(error)
    }
  }

  public func decodeDateIfPresent(forKey key: String) throws -> Double? {
    try located {
      guard let reference = try find(key) else { return nil }
      return try shownDate(reference)
    }
  }

  // MARK: Steps

  /// A date, as a delegate that sees values hands it out.
  func shownDate(_ reference: PropertyListReference) throws -> Double? {
    let seconds = try date(reference)
    guard showsValues, let seconds else { return seconds }
    return try shown(Cocoa.Date(secondsSinceReferenceDate: seconds), at: reference)?
      .secondsSinceReferenceDate
  }

  /// A date inside the object or an object of its own; `nil` for "none".
  func date(_ reference: PropertyListReference) throws -> Double? {
    if case .date(let seconds) = try list.object(reference) { return seconds }
    guard let node = try nodeNumber(reference) else { return nil }
    if case .date(let seconds) = try list.object(body(of: node)) { return seconds }
    return try foundationObject(node, of: .date) { try decodeDouble(forKey: "NS.time") }
  }

  /// A number under a key, inside the object or a number object of its own.
  private func number<Number: Coding>(
    _ key: String, _ convert: (PropertyListObject) -> Number?
  ) throws -> Number? {
    try unlessNothing {
      try located {
        guard let reference = try find(key) else { return nil }
        if let place = list.place(of: reference), let object = list.shortNumber(at: place),
          let number = convert(object)
        {
          return number
        }
        return try number(reference, convert)
      }
    }
  }

  func number<Number: Coding>(
    _ reference: PropertyListReference, _ convert: (PropertyListObject) -> Number?
  ) throws -> Number {
    var object = try list.resolved(reference)
    if case .uid = object, let node = try nodeNumber(reference) {
      object = try list.object(body(of: node))
      if showsValues, let number = convert(object) { return try shown(number, node) }
    }
    guard let number = convert(object) else {
      throw fault(
        .typeMismatch, reference, "expected \(Number.self), found \(object.valueDescription)")
    }
    return number
  }

  /// A string inside the object or an object of its own; `nil` for "none".
  func string(_ reference: PropertyListReference) throws -> String? {
    let object = try list.object(reference)
    if object.isText { return try text(object, reference) }
    guard let node = try nodeNumber(reference) else { return nil }
    return try string(ofNode: node)
  }

  /// A string, as a delegate that sees values hands it out.
  @inline(__always)
  func shownString(ofNode node: UInt32) throws -> String { try shown(string(ofNode: node), node) }

  func string(ofNode node: UInt32) throws -> String {
    if case .string(let index) = Memo(made[Int(node)]) { return made.strings[index] }
    if let short = shortText(node)?.string {
      noteRead(short, node)
      return short
    }
    let reference = try body(of: node)
    let object = try list.object(reference)
    var string: String
    if object.isText {
      string = try text(object, reference)
    } else if case .dictionary = object {
      do {
        string = try foundationObject(node, of: .string) { try boxedString() }
      } catch let error as ArchiveError where error.code == .classNotAllowed && isListed(node) {
        // An object of a listed class may be handed out as a string.
        let final = try self.object(String.self, node)
        noteShown(final, node)
        return final
      }
    } else {
      throw fault(.typeMismatch, reference, "expected a string, found \(object.kindName)")
    }
    if string.utf8.count > 15, made[Int(node)] == 0 {
      string.makeContiguousUTF8()
      made.remember(string: string, Int(node))
    }
    return string
  }

  /// Keeps a short string when it is read for the second time; a long one, which has storage of its
  /// own, shared by all references to it, is kept at once.
  @inline(__always)
  private func noteRead(_ string: String, _ node: UInt32) {
    switch Memo(made[Int(node)]) {
    case .none: made[Int(node)] = Memo.readOnce.word
    case .readOnce:
      made.remember(string: string, Int(node))
    default: break
    }
  }

  private func text(
    _ object: PropertyListObject, _ reference: PropertyListReference
  ) throws -> String {
    guard let text = try list.string(object) else {
      throw fault(.typeMismatch, reference, "a string that is not valid Unicode")
    }
    if text.utf8.count > 15 { try charge(text.utf8.count) }
    return text
  }

  /// The text of a string object that has fields, as mutable strings and `$null` have.
  func boxedString() throws -> String {
    if let reference = try find("NS.string") {
      let object = try list.object(reference)
      guard object.isText else {
        throw fault(.typeMismatch, reference, "expected a string, found \(object.kindName)")
      }
      return try text(object, reference)
    }
    let bytes = try decodeData(forKey: "NS.bytes")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault(.typeMismatch, nil, "a string that is not valid Unicode")
    }
    return text
  }

  /// Where data lies, inside the object or an object of its own; `nil` for "none".
  func data(_ reference: PropertyListReference) throws -> Range<Int>? {
    if let node = list.shortUID(reference), let body = list.entry(Int(node), of: objects),
      let place = list.place(of: body), case .data(let range) = try list.object(at: place)
    {
      return range
    }
    if case .data(let range) = try list.object(reference) { return range }
    // Cocoa's `encodeBytes:length:` of no bytes at all.
    if try list.isNullString(reference) { return nil }
    guard let node = try nodeNumber(reference) else { return nil }
    let body = try body(of: node)
    switch try list.object(body) {
    case .data(let range): return range
    case .dictionary:
      return try foundationObject(node, of: .data) {
        let key = try containsValue(forKey: "NS.data") ? "NS.data" : "NS.bytes"
        guard let value = try find(key) else { throw valueNotFound(forKey: key) }
        var object = try list.resolved(value)
        if case .uid = object, let inner = try nodeNumber(value) {
          object = try list.object(self.body(of: inner))
        }
        guard case .data(let range) = object else {
          throw fault(.typeMismatch, value, "expected data, found \(object.kindName)")
        }
        return range
      }
    case let object:
      throw fault(.typeMismatch, body, "expected data, found \(object.kindName)")
    }
  }

  /// Reads an object of a Foundation class, whose record must name that class.
  func foundationObject<Result>(
    _ node: UInt32, of expected: FoundationClass, _ read: () throws -> Result
  ) throws -> Result {
    try within(node) { record in
      guard records[record].foundation == expected else {
        throw fault(
          .classNotAllowed, try body(of: node),
          "expected \(expected.phrase), found an object of class \(records[record].name)")
      }
      return try read()
    }
  }
}

extension PropertyListObject {
  /// Whether a number of any kind is one; `nil` when it is not zero either.
  var truthValue: Bool? {
    if case .bool(let value) = self { return value }
    return Cocoa.Number(object: self).flatMap { Bool($0) }
  }

  /// The value of a number of any kind, as a real one.
  var realValue: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .float(let value): Double(value)
    default: nil
    }
  }

  /// The kind, with the value where it is a number.
  var valueDescription: String {
    switch self {
    case .integer(let value): "\(kindName), \(value)"
    case .unsigned(let value): "\(kindName), \(value)"
    case .double(let value): "\(kindName), \(value)"
    case .float(let value): "\(kindName), \(value)"
    default: kindName
    }
  }
}

extension FixedWidthInteger {
  /// The whole number that an object holds, if it fits.
  init?(exactly object: PropertyListObject) {
    switch object {
    case .bool(let value): self = value ? 1 : 0
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .double(let value): self.init(exactly: value)
    case .float(let value): self.init(exactly: value)
    default: return nil
    }
  }
}
