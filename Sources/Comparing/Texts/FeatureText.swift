import PortolanDocuments

/// One feature of a file of GeoJSON: its members by name.
struct FeatureText {
  let json: JSONSpans
  let range: Range<Int>
  let members: [JSONSpans.Member]

  /// The name of the member that holds what two merged sides disagree about.
  static let conflictName = Conflict.member

  init(_ map: MapText, _ feature: Int) throws {
    try self.init(map.json, map.features[feature])
  }

  init(_ json: JSONSpans, _ range: Range<Int>) throws {
    (self.json, self.range) = (json, range)
    members = try json.members(of: range) ?? []
  }

  /// The value of a member; of a name given twice, the last one.
  subscript(name: String) -> Range<Int>? {
    members.last { $0.name.elementsEqual(name.utf8) }?.value
  }

  var bytes: [UInt8] { Array(json.bytes[range]) }

  /// The attributes; `nil` without an object of them.
  func attributes() throws -> [JSONSpans.Member]? {
    try self["properties"].flatMap { try json.members(of: $0) }
  }

  /// The identity of the feature: the member `id`, or an attribute; `nil` for null and lists.
  func identity(key: String?) throws -> [UInt8]? {
    let value =
      if let key {
        try attributes()?.last { $0.name.elementsEqual(key.utf8) }?.value
      } else {
        self["id"]
      }
    guard let value else { return nil }
    switch json.byte(value.lowerBound) {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), 0x30...0x39: return json.canonical(value)
    default: return nil
    }
  }

  /// The feature in its one spelling: members and attributes by their names.
  ///
  /// - Parameter names: the members that count; `nil` for all.
  func canonical(_ names: Set<String>? = nil) throws -> [UInt8] {
    var parts: [(name: [UInt8], value: [UInt8])] = []
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      if name == Self.conflictName || names.map({ !$0.contains(name) }) ?? false { continue }
      parts.append((member.name, try canonicalMember(member)))
    }
    return Self.joined(parts)
  }

  private func canonicalMember(_ member: JSONSpans.Member) throws -> [UInt8] {
    guard
      member.name.elementsEqual("properties".utf8) || member.name.elementsEqual("geometry".utf8),
      let inner = try json.members(of: member.value)
    else { return json.canonical(member.value) }
    return Self.joined(inner.map { ($0.name, json.canonical($0.value)) })
  }

  private static func joined(_ parts: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    let sorted = parts.enumerated().sorted { first, second in
      first.element.name == second.element.name
        ? first.offset < second.offset
        : first.element.name.lexicographicallyPrecedes(second.element.name)
    }
    var result: [UInt8] = [UInt8(ascii: "{")]
    for (_, part) in sorted {
      result += "\(part.name.count):".utf8
      result += part.name
      result.append(0x3A)
      result += part.value
      result.append(0x2C)
    }
    return result + [UInt8(ascii: "}")]
  }
}
