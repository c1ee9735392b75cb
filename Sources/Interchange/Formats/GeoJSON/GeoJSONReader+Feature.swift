import PortolanDocuments
import PortolanGraphics

/// The state of the feature in progress.
struct ItemState {
  var start = 0
  var kind = GeometryKind.none
  var traits = NumberTraits()
  /// The geometry's text, if the values do not reproduce it.
  var geometryText: Range<Int>?
  var hasExtraOrdinates = false
  /// Whether it has a `crs` member.
  var hasSystem = false
  var hasType = false
  var hasID = false
  var hasGeometry = false
  var hasProperties = false
}

extension GeoJSONReader {
  static let systemName = Array("crs".utf8)

  /// The most members of an object that is parsed.
  static let membersMax = 16_384

  /// Reads a feature or a bare geometry into the next row.
  mutating func readItem() throws(ScanFault) {
    guard scanner.current == UInt8(ascii: "{") else {
      if scanner.isAtEnd { throw ScanFault(.cut, at: scanner.count) }
      try scanner.skipValue()
      throw ScanFault(.wrongType, at: scanner.position - 1, "a feature must be an object")
    }
    item = ItemState()
    item.start = scanner.position
    key.reset()
    let mismatches = learner.mismatches
    let paths = builder.geometry.firstPath
    if try isFeature() {
      try readFeature()
    } else {
      try readGeometryObject()
    }
    let feature = featureNumber
    key.numberStyle = numberStyle()
    if key.numberStyle == .source, item.geometryText == nil { key.numberStyle = .shortest }
    let isOdd = learner.mismatches != mismatches
    if isOdd { notes.add(.textKept, at: item.start, feature: feature) }
    inspect(paths, feature)
    systems.finishItem(
      at: item.start, isLocated: item.kind != .none, hasMember: item.hasSystem)
    let row = builder.row
    if let range = item.geometryText {
      builder.sourceGeometries.set(row, .json, utf8: scanner.bytes(range))
    }
    if isOdd {
      builder.sourceFeatures.set(row, .json, utf8: scanner.bytes(item.start..<scanner.position))
    }
    builder.endRow(item.kind, shapeNumber: shapes.number(of: key, in: &builder))
  }

  /// Whether the object here is a feature rather than a geometry; the position is unchanged.
  func isFeature() throws(ScanFault) -> Bool {
    var probe = scanner
    probe.position += 1
    probe.skipWhitespace()
    while probe.current != UInt8(ascii: "}") {
      let name = try probe.scanString()
      probe.skipWhitespace()
      try probe.expect(UInt8(ascii: ":"))
      probe.skipWhitespace()
      if name.count == 4, isText(name, "type"), probe.current == UInt8(ascii: "\"") {
        let value = try probe.scanString()
        if value.hasEscapes { return string(value) == "Feature" }
        if isText(value, "Feature") { return true }
        if isText(value, "FeatureCollection") {
          throw ScanFault(
            .wrongType, at: value.start, "a FeatureCollection stands where a feature belongs")
        }
        if geometryKind(value) == nil {
          throw ScanFault(.unknownType, at: value.start, ScanFault.excerpt(string(value)))
        }
        return false
      }
      try probe.skipValue()
      probe.skipWhitespace()
      guard probe.current == UInt8(ascii: ",") else { break }
      probe.position += 1
      probe.skipWhitespace()
    }
    if probe.current != UInt8(ascii: "}") { throw probe.unexpected("comma or } expected") }
    throw ScanFault(.missingType, at: scanner.position)
  }

  @inline(__always)
  func isText(_ token: JSONScanner.Token, _ word: StaticString) -> Bool {
    guard token.count == word.utf8CodeUnitCount, !token.hasEscapes else { return false }
    let bytes = scanner.base + token.start
    for index in 0..<word.utf8CodeUnitCount where bytes[index] != word.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func readFeature() throws(ScanFault) {
    let container = GeoJSONLayout.Container.feature
    scanner.position += 1
    guard !learner.stepIn(&scanner, container, close: UInt8(ascii: "}")) else {
      throw ScanFault(.missingType, at: scanner.position)
    }
    repeat {
      let name = try readName(container)
      if isText(name, "type") {
        if item.hasType { noteDuplicate(name) }
        if !item.hasType { key.members.append(ShapeKey.Member.type) }
        item.hasType = true
        try readFeatureType()
      } else if isText(name, "geometry") {
        if item.hasGeometry { noteDuplicate(name) }
        if !item.hasGeometry { key.members.append(ShapeKey.Member.geometry) }
        item.hasGeometry = true
        try readGeometry()
      } else if isText(name, "properties") {
        if item.hasProperties { noteDuplicate(name) }
        if !item.hasProperties { key.members.append(ShapeKey.Member.properties) }
        item.hasProperties = true
        try readProperties()
      } else if isText(name, "id") {
        if item.hasID { noteDuplicate(name) }
        if !item.hasID { key.members.append(ShapeKey.Member.id) }
        item.hasID = true
        try readIdentifier()
      } else {
        try readForeign(name)
      }
    } while try learner.stepOn(&scanner, container, close: UInt8(ascii: "}"))
    if item.kind == .none { dropGeometry() }
  }

  /// Reads a member's name and the white space around its colon.
  @inline(__always)
  mutating func readName(
    _ container: GeoJSONLayout.Container
  ) throws(ScanFault) -> JSONScanner.Token {
    guard scanner.current == UInt8(ascii: "\"") else {
      throw scanner.unexpected("a name in quotes expected")
    }
    let name = try scanner.scanString()
    learner.step(&scanner, container, .beforeColon)
    try scanner.expect(UInt8(ascii: ":"))
    learner.step(&scanner, container, .afterColon)
    return name
  }

  mutating func noteDuplicate(_ name: JSONScanner.Token) {
    notes.add(.duplicateMembers, at: name.start - 1, feature: featureNumber)
    learner.mismatches += 1
  }

  private mutating func readFeatureType() throws(ScanFault) {
    guard scanner.current == UInt8(ascii: "\"") else {
      throw scanner.wrongType("type must be a string")
    }
    let value = try scanner.scanString()
    if isText(value, "Feature") { return }
    guard string(value) == "Feature" else { throw ScanFault(.unknownType, at: value.start) }
    learner.mismatches += 1
  }

  // MARK: Values

  private mutating func readIdentifier() throws(ScanFault) {
    let start = scanner.position
    let first = scanner.current
    _ = try readValue(into: nil)
    if first != UInt8(ascii: "\""), first != UInt8(ascii: "-"), first &- 0x30 > 9 {
      notes.add(.oddIdentifiers, at: start, feature: featureNumber)
    }
  }

  private mutating func readProperties() throws(ScanFault) {
    let container = GeoJSONLayout.Container.properties
    // A second `properties` object replaces the first.
    if !key.order.isEmpty {
      builder.attributes.clear(row: builder.row)
      key.order.removeAll()
      key.isOrdered = true
    }
    if scanner.current == UInt8(ascii: "n") {
      try scanner.skipLiteral()
      key.properties = .null
      return
    }
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.wrongType("properties must be an object or null")
    }
    key.properties = .object
    scanner.position += 1
    if learner.stepIn(&scanner, container, close: UInt8(ascii: "}")) {
      scanner.position += 1
      return
    }
    var expected = 0
    repeat {
      let name = try readName(container)
      let column = try columnOfProperty(name, expected: expected)
      if column < expected { key.isOrdered = false }
      expected = column + 1
      key.order.append(UInt16(truncatingIfNeeded: column))
      if key.order.count > Self.membersMax {
        throw ScanFault(.tooManyMembers, at: name.start, "more than \(Self.membersMax)")
      }
      if try !readValue(into: column) {
        noteDuplicate(name)
        key.order.removeLast()
      }
    } while try learner.stepOn(&scanner, container, close: UInt8(ascii: "}"))
  }

  @inline(__always)
  private mutating func columnOfProperty(
    _ name: JSONScanner.Token, expected: Int
  ) throws(ScanFault) -> Int {
    let bytes = scanner.bytes(name.start..<name.end)
    if let column = builder.attributes.place(ofKey: bytes, expected: expected) {
      if name.hasEscapes || escapes.isOdd(name, scanner) { checkName(name) }
      return column
    }
    return builder.attributes.place(ofName: checkName(name), key: bytes)
  }

  /// The value of a name; notes if the layout does not reproduce its text.
  @discardableResult
  private mutating func checkName(_ name: JSONScanner.Token) -> [UInt8] {
    let bytes = scanner.bytes(name.start..<name.end)
    guard name.hasEscapes else {
      if escapes.isOdd(name, scanner) { learner.mismatches += 1 }
      return Array(bytes)
    }
    text.removeAll(keepingCapacity: true)
    if !JSONText.unescape(bytes, into: &text) {
      // Such a name is no string: its JSON text is used instead.
      notes.add(.loneSurrogates, at: name.start - 1, feature: featureNumber)
      learner.mismatches += 1
      return Array(bytes)
    }
    if !escapes.accepts(name, value: text, scanner) { learner.mismatches += 1 }
    return text
  }

  /// Reads any value into a column of the attributes, or as the identifier.
  ///
  /// - Returns: whether the row had no value there before.
  @inline(__always)
  private mutating func readValue(into column: Int?) throws(ScanFault) -> Bool {
    switch scanner.current {
    case UInt8(ascii: "\""):
      let token = try scanner.scanString()
      if token.hasEscapes || escapes.isOdd(token, scanner) {
        return storeOddString(token, into: column)
      }
      return store(.string, scanner.bytes(token.start..<token.end), into: column)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let range = try scanner.skipNumber()
      if range.count > 16 { noteBigNumber(range) }
      return store(.number, scanner.bytes(range), into: column)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return store(.json, scanner.bytes(try scanner.skipValue()), into: column)
    case let first:
      try scanner.skipLiteral()
      let kind: AttributeKind =
        switch first {
        case UInt8(ascii: "t"): .yes
        case UInt8(ascii: "f"): .no
        default: .null
        }
      return store(kind, UnsafeBufferPointer(start: nil, count: 0), into: column)
    }
  }

  @inline(__always)
  private mutating func store(
    _ kind: AttributeKind, _ bytes: UnsafeBufferPointer<UInt8>, into column: Int?
  ) -> Bool {
    if let column { return builder.attributes.fill(column, row: builder.row, kind, bytes) }
    return builder.identifiers.set(builder.row, kind, utf8: bytes)
  }

  @inline(never)
  private mutating func storeOddString(_ token: JSONScanner.Token, into column: Int?) -> Bool {
    let bytes = scanner.bytes(token.start..<token.end)
    guard token.hasEscapes else {
      learner.mismatches += 1
      return store(.string, bytes, into: column)
    }
    text.removeAll(keepingCapacity: true)
    guard JSONText.unescape(bytes, into: &text) else {
      notes.add(.loneSurrogates, at: token.start - 1, feature: featureNumber)
      return store(.json, scanner.bytes((token.start - 1)..<(token.end + 1)), into: column)
    }
    if !escapes.accepts(token, value: text, scanner) { learner.mismatches += 1 }
    let value = text
    return value.withUnsafeBufferPointer { store(.string, $0, into: column) }
  }

  private mutating func noteBigNumber(_ range: Range<Int>) {
    let parts = DecimalParts(scanner.bytes(range))
    if parts.significantDigits > 17 || parts.decimals == 0 && parts.mantissa > 1 << 53 {
      notes.add(.bigNumbers, at: range.lowerBound, feature: featureNumber)
    }
  }

  private mutating func readForeign(_ name: JSONScanner.Token) throws(ScanFault) {
    let value = checkName(name)
    let column = builder.members.place(
      ofName: value, key: scanner.bytes(name.start..<name.end))
    let member = ShapeKey.Member.foreign + UInt16(truncatingIfNeeded: column)
    if key.members.count > 64 || !key.members.contains(member) { key.members.append(member) }
    if key.members.count > Self.membersMax {
      throw ScanFault(.tooManyMembers, at: name.start, "more than \(Self.membersMax)")
    }
    let range = try scanner.skipValue()
    if value == Self.systemName { noteItemSystem(range) }
    if !builder.members.set(column, row: builder.row, .json, utf8: scanner.bytes(range)) {
      noteDuplicate(name)
    }
  }
}
