/// The members of an object as far as they were read.
struct ObjectMembers {
  fileprivate let mark: KeyTable.Mark
  fileprivate(set) var count = 0
  /// The number of the present name.
  fileprivate var number = 0
  fileprivate(set) var key = 0..<0
  /// Where the present value begins.
  fileprivate(set) var valueStart = 0
  /// The end of the last value.
  fileprivate(set) var lastValueEnd = 0

  fileprivate init(_ mark: KeyTable.Mark) { self.mark = mark }
}

/// A member whose name the object had before.
struct SecondMember {
  /// The quote before its name.
  var offset: Int
  /// The name as it is written at its first place, and here if that differs.
  var name: String
  /// The edit that removes the member, if it has the value of the one before: that loses nothing.
  var edit: TextEdit?
}

/// Values of any kind, and the names in objects.
extension JSONWalker {
  // MARK: Members

  mutating func beginObject() -> ObjectMembers { ObjectMembers(keys.begin()) }

  mutating func endObject(_ members: ObjectMembers) { keys.end(members.mark) }

  /// Begins a member; the position is at its value.
  mutating func beginMember(_ key: Range<Int>, _ members: inout ObjectMembers) {
    let all = bytes(0..<count)
    let hash = withName(key) { KeyTable.hash($0) }
    members.number = keys.number(of: key, hash) { Self.areSameNames(all, $0, $1) }
    members.key = key
    members.valueStart = position
    members.count += 1
  }

  /// Ends a member; the position is after its value.
  ///
  /// - Returns: the member, if the object had its name before.
  mutating func endMember(_ members: inout ObjectMembers) -> SecondMember? {
    let value = members.valueStart..<position
    let last = members.lastValueEnd
    members.lastValueEnd = position
    guard let former = keys.setValue(value, of: members.number) else { return nil }
    let key = members.key
    var name = String(text(former.name).prefix(80))
    if !bytes(former.name).elementsEqual(bytes(key)) {
      name += ", here as \(text(key).prefix(80)),"
    }
    let isEqual = bytes(former.value).elementsEqual(bytes(value))
    // The second one goes with the comma before it.
    return SecondMember(
      offset: key.lowerBound - 1, name: name,
      edit: isEqual ? TextEdit(last..<value.upperBound, []) : nil)
  }

  // MARK: Names

  /// Calls a body with the bytes of a name, its escapes replaced by their characters.
  @inline(__always)
  func withName<Result>(
    _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    Self.withName(bytes(range), body)
  }

  @inline(__always)
  private static func withName<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.contains(UInt8(ascii: "\\"))
      ? unescaped(bytes).withUnsafeBufferPointer(body) : body(bytes)
  }

  /// Whether two names in a text are the same but for their escapes.
  static func areSameNames(
    _ text: UnsafeBufferPointer<UInt8>, _ first: Range<Int>, _ second: Range<Int>
  ) -> Bool {
    withName(UnsafeBufferPointer(rebasing: text[first])) { first in
      withName(UnsafeBufferPointer(rebasing: text[second])) { first.elementsEqual($0) }
    }
  }

  /// Replaces escapes; those that are none stay, and half of a surrogate pair becomes the three
  /// bytes of its number.
  private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let walker = JSONWalker(bytes) else { return [] }
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        at += 1
        continue
      }
      at += 2
      switch walker.byte(at: at - 1) {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case let plain
      where [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(plain):
        result.append(plain)
      case UInt8(ascii: "u"):
        guard var code = walker.codeUnit(at) else { fallthrough }
        at += 4
        if code & 0xFC00 == 0xD800, walker.byte(at: at) == UInt8(ascii: "\\"),
          walker.byte(at: at + 1) == UInt8(ascii: "u"), let low = walker.codeUnit(at + 2),
          low & 0xFC00 == 0xDC00
        {
          code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
          at += 6
        }
        append(code, to: &result)
      default: result += bytes[(at - 2)..<min(at, bytes.count)]
      }
    }
    return result
  }

  /// Adds a character in UTF-8.
  private static func append(_ code: UInt32, to bytes: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(code >> shift & 0x3F) }
    switch code {
    case 0..<0x80: bytes.append(UInt8(code))
    case 0..<0x800: bytes += [0xC0 | UInt8(code >> 6), tail(0)]
    case 0..<0x10000: bytes += [0xE0 | UInt8(code >> 12), tail(6), tail(0)]
    default: bytes += [0xF0 | UInt8(code >> 18 & 7), tail(12), tail(6), tail(0)]
    }
  }

  // MARK: Any value

  /// A container around the position.
  private struct Level {
    /// The members of an object; `nil` for an array.
    var members: ObjectMembers?
    /// How many elements of an array have begun.
    var count = 0
  }

  /// Skips a value of any kind and notes its faults.
  @discardableResult
  mutating func skipValue() throws(ScanStop) -> Range<Int> {
    let start = position
    guard let kind = kindHere else { throw unexpected("a value") }
    if kind != .array, kind != .object {
      try skipScalar(kind)
      return start..<position
    }
    var open: [Level] = []
    while true {
      // Here is an opening bracket.
      guard open.count < Self.depthMax else {
        throw ScanStop(
          code: .tooDeep, offset: position,
          message: "values are nested more than \(Self.depthMax) levels deep")
      }
      open.append(Level(members: current == UInt8(ascii: "{") ? beginObject() : nil))
      position += 1
      skipWhitespace()
      elements: while let level = open.last {
        let isObject = level.members != nil
        let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        switch try separate(close: close, isFirst: (level.members?.count ?? level.count) == 0) {
        case .end:
          if let members = open.removeLast().members { endObject(members) }
          if open.isEmpty { return start..<position }
          endElement(&open)
        case .next:
          try beginElement(&open)
          guard let kind = kindHere else { throw unexpected("a value") }
          if kind == .array || kind == .object { break elements }
          try skipScalar(kind)
          endElement(&open)
        }
      }
    }
  }

  private mutating func beginElement(_ open: inout [Level]) throws(ScanStop) {
    let last = open.count - 1
    guard var members = open[last].members else {
      open[last].count += 1
      return
    }
    beginMember(try skipKey(), &members)
    open[last].members = members
  }

  private mutating func endElement(_ open: inout [Level]) {
    let last = open.count - 1
    guard var members = open[last].members else { return }
    let second = endMember(&members)
    open[last].members = members
    guard let second else { return }
    note(
      .duplicateMember, at: second.offset, "the member \(second.name) is given twice", second.edit)
    guard faults.last?.offset == second.offset else { return }
    faults[faults.count - 1].path = open.dropLast().reduce(into: "") { path, level in
      path +=
        level.members.map { GeoJSONCheck.keyText(text($0.key)) } ?? "[\(level.count - 1)]"
    }
  }
}
