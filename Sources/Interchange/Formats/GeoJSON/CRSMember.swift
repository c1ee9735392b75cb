package import PortolanDocuments

/// The meaning of a `crs` member (GeoJSON of 2008, section 3).
enum CRSMember: Equatable {
  /// It names a system.
  case named(CoordinateSystem)
  /// `null`, or a value without a name.
  case unnamed

  /// Reads the member's value, JSON text that was scanned before.
  init(_ json: String) {
    let name = Array(json.utf8).withUnsafeBufferPointer { bytes in
      DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        JSONScanner(bytes, powers: powers).flatMap { Self.name($0) }
      }
    }
    self = name.map { .named(CoordinateSystem(named: $0)) } ?? .unnamed
  }

  /// The system's name: the value itself if it is a registered name, else the one among the
  /// `properties` of an object.
  private static func name(_ scanner: JSONScanner) -> String? {
    var scanner = scanner
    scanner.skipWhitespace()
    if scanner.current == UInt8(ascii: "\"") {
      // No object, as the format wants it: an unknown name is no system.
      return plainName(&scanner).flatMap { name in
        CoordinateSystem(named: name).authority.isEmpty ? nil : name
      }
    }
    guard scanner.current == UInt8(ascii: "{") else { return nil }
    var found: [String: String] = [:]
    members(&scanner) { name, scanner in
      if name == "properties", scanner.current == UInt8(ascii: "{") {
        members(&scanner) { name, scanner in
          if let text = plainName(&scanner) { found[name] = text }
        }
      } else {
        _ = try? scanner.skipValue()
      }
    }
    if let name = found["name"] ?? found["urn"] ?? found["href"] { return name }
    // `{"type":"EPSG","properties":{"code":3857}}`, from before 2008.
    return found["code"].map { $0.contains(":") ? $0 : "EPSG:" + $0 }
  }

  /// A text, or the digits of a number; skips the value.
  private static func plainName(_ scanner: inout JSONScanner) -> String? {
    if scanner.current == UInt8(ascii: "\"") {
      guard let token = try? scanner.scanString() else { return nil }
      var value: [UInt8] = []
      _ = JSONText.unescape(scanner.bytes(token.start..<token.end), into: &value)
      let text = String(decoding: value, as: UTF8.self)
      return text.allSatisfy(\.isWhitespace) ? nil : text
    }
    guard let range = try? scanner.skipValue() else { return nil }
    let text = String(decoding: scanner.bytes(range), as: UTF8.self)
    return text.allSatisfy(\.isNumber) ? text : nil
  }

  /// Walks through the members of an object; `read` skips each value.
  private static func members(
    _ scanner: inout JSONScanner, _ read: (String, inout JSONScanner) -> Void
  ) {
    scanner.position += 1
    while true {
      scanner.skipWhitespace()
      guard scanner.current == UInt8(ascii: "\""), let token = try? scanner.scanString() else {
        return
      }
      var value: [UInt8] = []
      _ = JSONText.unescape(scanner.bytes(token.start..<token.end), into: &value)
      scanner.skipWhitespace()
      guard (try? scanner.expect(UInt8(ascii: ":"))) != nil else { return }
      scanner.skipWhitespace()
      let start = scanner.position
      read(String(decoding: value, as: UTF8.self), &scanner)
      scanner.skipWhitespace()
      guard scanner.position > start, scanner.current == UInt8(ascii: ",") else {
        if scanner.current == UInt8(ascii: "}") { scanner.position += 1 }
        return
      }
      scanner.position += 1
    }
  }

  /// The JSON text that names a system.
  static func json(_ system: CoordinateSystem) -> String {
    var text: [UInt8] = []
    JSONText.escape(system.publicName.utf8, style: EscapeStyle(), into: &text)
    return #"{"type":"name","properties":{"name":""# + String(decoding: text, as: UTF8.self)
      + #""}}"#
  }
}

extension AttributeColumn {
  /// Whether it is a `crs` member that names a system in this row.
  func namesSystem(_ row: Int) -> Bool {
    guard name == "crs", case .json(let json) = value(row) else { return false }
    return CRSMember(json) != .unnamed
  }
}

extension CollectionSource {
  /// The system that the file's own `crs` member names; the last one counts.
  package var namedSystem: CoordinateSystem? {
    guard let json = members.last(where: { $0.name == "crs" })?.json,
      case .named(let system) = CRSMember(json)
    else { return nil }
    return system
  }
}
