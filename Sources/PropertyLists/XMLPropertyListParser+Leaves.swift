import PortolanTexts

/// The elements that hold text: strings, numbers, dates and data.
extension XMLPropertyListParser {
  /// The text of an element: a part of the input, or `scratch` where it had to be put together.
  enum Text {
    case input(Range<Int>)
    case scratch
  }

  /// Reads an element that is no container, up to its closing tag.
  mutating func leaf(_ tag: XMLTag) throws(PropertyListError) -> PropertyListReference {
    switch tag.element {
    case .yes, .no:
      try expectNothing(tag)
      return writer.addBool(tag.element == .yes)
    case .string:
      let text = try text(tag)
      return brokenText() ?? addString(text)
    case .integer:
      return try integer(tag)
    case .real:
      let text = try text(tag)
      if let broken = brokenText() { return broken }
      guard let value = withText(text, { XMLNumber.real($0) }) else {
        return try broken(.badNumber, tag, "this is no real number")
      }
      noteNumber(nil)
      return writer.addDouble(value)
    case .date:
      let text = try text(tag)
      if let broken = brokenText() { return broken }
      guard let seconds = withText(text, { XMLDate.seconds($0) }) else {
        return try broken(.badNumber, tag, "this is no date such as 2001-03-24T00:00:00Z")
      }
      return writer.addDate(seconds)
    case .data:
      let text = try text(tag)
      if let broken = brokenText() { return broken }
      guard let bytes = withText(text, { Base64.decode($0) }) else {
        return try broken(.badText, tag, "this is no data in base 64")
      }
      return writer.addData(bytes)
    case .plist, .dict, .array, .key:
      throw scanner.error(.wrongKind, at: tag.offset, "<\(tag.element.name)> at a wrong place")
    }
  }

  private mutating func integer(_ tag: XMLTag) throws(PropertyListError) -> PropertyListReference {
    let text = try text(tag)
    if let broken = brokenText() { return broken }
    switch withText(text, { XMLNumber.integer($0) }) {
    case .none:
      return try broken(.badNumber, tag, "this is no whole number of 64 bits")
    case .signed(let value):
      noteNumber(UInt32(exactly: value))
      return writer.addInteger(value)
    case .unsigned(let value):
      noteNumber(nil)
      return writer.addUnsigned(value)
    }
  }

  /// A leaf that is not what its element says; whoever forgives that reads the others.
  private mutating func broken(
    _ code: PropertyListError.Code, _ tag: XMLTag, _ reason: String
  ) throws(PropertyListError) -> PropertyListReference {
    let error = { [scanner] in scanner.error(code, at: tag.offset, reason) }
    guard isForgiving else { throw error() }
    return faults.add(to: &writer, error)
  }

  /// Adds a broken leaf if the text read last has a fault.
  private mutating func brokenText() -> PropertyListReference? {
    guard let fault = takeTextFault() else { return nil }
    return faults.add(to: &writer, fault)
  }

  // MARK: Text

  /// Adds text as a string.
  mutating func addString(_ text: Text) -> PropertyListReference {
    switch text {
    case .input(let range): writer.addString(utf8: scanner.bytes(range))
    case .scratch: scratch.withUnsafeBytes { writer.addString(utf8: $0) }
    }
  }

  /// Whether a key is the one of a reference.
  func isUIDKey(_ text: Text) -> Bool {
    withText(text) { $0.count == 6 && $0.elementsEqual("CF$UID".utf8) }
  }

  private func withText<Result>(
    _ text: Text, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    switch text {
    case .input(let range): body(scanner.bytes(range))
    case .scratch: scratch.withUnsafeBytes { body($0) }
    }
  }

  /// Reads the text between a tag and its closing tag.
  @inline(__always)
  mutating func text(_ tag: XMLTag) throws(PropertyListError) -> Text {
    guard tag.kind != .empty else { return .input(scanner.place..<scanner.place) }
    let start = scanner.place
    let end = scanner.endOfPlainText()
    guard scanner.byte(at: end) == UInt8(ascii: "<"),
      scanner.byte(at: end + 1) == UInt8(ascii: "/")
    else { return try longText(tag) }
    scanner.place = end
    try closeLeaf(tag)
    return .input(start..<end)
  }

  /// Text with references, sections of character data or comments in it.
  private mutating func longText(_ tag: XMLTag) throws(PropertyListError) -> Text {
    scratch.removeAll(keepingCapacity: true)
    while true {
      let end = scanner.endOfPlainText()
      scratch.append(contentsOf: scanner.bytes(scanner.place..<end))
      scanner.place = end
      switch scanner.byte(at: end) {
      case UInt8(ascii: "&"):
        try appendReference()
      case UInt8(ascii: "<") where scanner.skip("<![CDATA["):
        let first = scanner.place
        try scanner.skip(through: "]]>", "a section of character data")
        scratch.append(contentsOf: scanner.bytes(first..<scanner.place - 3))
      case UInt8(ascii: "<") where scanner.has("<!--", at: end) || scanner.has("<?", at: end):
        try scanner.skipMarkup()
      case UInt8(ascii: "<"):
        try closeLeaf(tag)
        return .scratch
      default:
        throw scanner.error(
          .badLength, at: tag.offset, "the file ends before </\(tag.element.name)>")
      }
    }
  }

  /// Adds the character of a reference; a forgiving parser adds the bytes of a broken one.
  private mutating func appendReference() throws(PropertyListError) {
    let start = scanner.place
    switch scanner.reference() {
    case .character(let scalar):
      scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    case .fault(let code, let reason):
      guard isForgiving else { throw scanner.error(code, at: start, reason) }
      if textFault == nil { textFault = TextFault(code: code, offset: start, reason: reason) }
      scratch.append(UInt8(ascii: "&"))
      scanner.place = start + 1
    }
  }

  /// Returns the fault of the text read last, and forgets it.
  mutating func takeTextFault() -> (() -> PropertyListError)? {
    guard let fault = textFault else { return nil }
    textFault = nil
    return { [scanner] in scanner.error(fault.code, at: fault.offset, fault.reason) }
  }

  private mutating func expectNothing(_ tag: XMLTag) throws(PropertyListError) {
    guard tag.kind == .open else { return }
    try scanner.skipFiller()
    try closeLeaf(tag)
  }

  @inline(__always)
  private mutating func closeLeaf(_ tag: XMLTag) throws(PropertyListError) {
    let start = scanner.place
    let end = try scanner.tag()
    guard end.kind == .close, end.element == tag.element else {
      throw scanner.error(
        .badMarker, at: start,
        "<\(end.kind == .close ? "/" : "")\(end.element.name)> where </\(tag.element.name)> is due")
    }
  }
}
