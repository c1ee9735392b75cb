import PortolanDocuments

/// The encoded members of a collection's root object.
///
/// They are written as they were read. Faults in a document from elsewhere are mended: the features
/// come once, the type is the root's, and every other value is JSON.
struct RootMembers {
  struct Member {
    var name: String
    /// The encoded name, with its quotes.
    var key: [UInt8]
    /// The value; `nil` for the array of features.
    var json: [UInt8]?
  }

  private(set) var members: [Member] = []

  /// - Parameters:
  ///   - itemsName: `features` or `geometries`.
  ///   - isTyped: whether a collection gets a type even if it was read without one.
  ///   - report: counts values that are not JSON.
  init(
    _ source: CollectionSource, itemsName: String, _ layout: GeoJSONLayout, isTyped: Bool,
    _ report: inout ExportReport
  ) {
    let formerName = source.root == .geometryCollection ? "geometries" : "features"
    var hasItems = false
    for (index, member) in source.members.enumerated() {
      if member.json.isEmpty {
        guard !hasItems, member.name == formerName else {
          report.brokenValues += 1
          continue
        }
        hasItems = true
        // An earlier member of that name would be read as the features.
        members.removeAll { $0.name == itemsName }
        members.append(Member(name: itemsName, key: Self.key(itemsName, index, layout)))
      } else {
        members.append(
          Member(
            name: member.name, key: Self.key(member.name, index, layout),
            json: Self.value(member.json, layout, &report)))
      }
    }
    if !hasItems {
      members.removeAll { $0.name == itemsName }
      members.append(Member(name: itemsName, key: JSONText.quoted(itemsName.utf8)))
    }
    let isCollection = itemsName == "features"
    settleType(
      isCollection ? "FeatureCollection" : "GeometryCollection",
      mayLack: hasItems && isCollection && !isTyped)
  }

  /// The spelling of the name as it was read, if it still is that name.
  private static func key(_ name: String, _ index: Int, _ layout: GeoJSONLayout) -> [UInt8] {
    if let text = layout.nameTexts[index], let value = JSONText.value(between: text),
      value.elementsEqual(name.utf8)
    {
      return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    }
    return JSONText.quoted(name.utf8, style: layout.escapes)
  }

  private static func value(
    _ json: String, _ layout: GeoJSONLayout, _ report: inout ExportReport
  ) -> [UInt8] {
    let bytes = Array(json.utf8)
    if bytes.withUnsafeBufferPointer({ JSONText.isValue($0) }) { return bytes }
    report.brokenValues += 1
    return JSONText.quoted(bytes, style: layout.escapes)
  }

  /// Sets the first `type` with a string value to the root's own.
  ///
  /// - Parameter mayLack: whether a root that was read without a type stays so.
  private mutating func settleType(_ type: String, mayLack: Bool) {
    let text = JSONText.quoted(type.utf8)
    let place = members.firstIndex { member in
      member.name == "type" && member.json?.first == UInt8(ascii: "\"")
    }
    if let place, let json = members[place].json {
      let value = JSONText.value(between: Array(json.dropFirst().dropLast()))
      if value.map({ $0.elementsEqual(type.utf8) }) != true { members[place].json = text }
    } else if !mayLack {
      members.insert(
        Member(name: "type", key: JSONText.quoted("type".utf8), json: text), at: 0)
    }
  }
}
