/// A file of GeoJSON as the places of its features: a collection, features a line or a sequence.
///
/// Everything between them is kept, so that a file can be put together again byte for byte.
package struct MapText: Sendable {
  package enum Root: Hashable, Sendable {
    /// Nothing but white space.
    case empty
    case collection
    /// One text after another, each a feature.
    case lines
    /// One feature alone.
    case feature
  }

  let json: JSONSpans
  package let root: Root
  /// The places of the features in their order.
  package let features: [Range<Int>]
  /// The members of the collection's object.
  let members: [JSONSpans.Member]
  /// The place of the array of features, with its brackets; of the whole text otherwise.
  let list: Range<Int>

  /// - Throws: `JSONSpans.Fault` for text that is no JSON, and for JSON without features.
  package init(_ bytes: [UInt8]) throws {
    let json = JSONSpans(bytes)
    var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var texts: [Range<Int>] = []
    while true {
      Self.skipSeparators(json, &place)
      if place >= bytes.count { break }
      texts.append(try json.skipValue(&place))
    }
    self.json = json
    guard texts.count == 1, let text = texts.first else {
      for text in texts { try Self.checkFeature(json, text) }
      (root, features, members) = (texts.isEmpty ? .empty : .lines, texts, [])
      list = 0..<bytes.count
      return
    }
    let members = try json.members(of: text) ?? []
    func value(_ name: String) -> Range<Int>? {
      members.last { $0.name.elementsEqual(name.utf8) }?.value
    }
    switch value("type").map({ json.text($0) }) {
    case Array("FeatureCollection".utf8)?:
      guard let list = value("features"), let features = try json.elements(of: list) else {
        throw JSONSpans.Fault(
          offset: text.lowerBound, what: "the collection has no list of features")
      }
      for feature in features { try Self.checkFeature(json, feature) }
      (self.root, self.features, self.members, self.list) = (.collection, features, members, list)
    default:
      try Self.checkFeature(json, text)
      (self.root, self.features, self.members) = (.feature, [text], [])
      list = 0..<bytes.count
    }
  }

  /// White space, and the record separators of sequences.
  private static func skipSeparators(_ json: JSONSpans, _ place: inout Int) {
    while place < json.bytes.count, [0x20, 0x0A, 0x0D, 0x09, 0x1E].contains(json.bytes[place]) {
      place += 1
    }
  }

  private static func checkFeature(_ json: JSONSpans, _ range: Range<Int>) throws {
    let type = try json.members(of: range)?.last { $0.name.elementsEqual("type".utf8) }
    guard let type, json.byte(type.value.lowerBound) == UInt8(ascii: "\""),
      json.text(type.value) == Array("Feature".utf8)
    else { throw JSONSpans.Fault(offset: range.lowerBound, what: "this is no feature") }
  }

  /// The bytes of a feature.
  func bytes(of feature: Int) -> [UInt8] { Array(json.bytes[features[feature]]) }

  /// The line and the column of an offset, from 1.
  package static func line(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A } + 1, before.count - start + 1)
  }
}
