package import Archiving

extension CollectionSource: Coding {
  package static var archivedClass: ArchivedClass { "PortolanSourceFile" }

  /// The valid range of an archived number of decimals.
  static let decimalsRange = 0...30

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(root.rawValue, forKey: "root")
    var texts = AttributeColumnBuilder(name: "members")
    for member in members {
      texts.append(member.json.isEmpty ? .missing : .json(member.json))
    }
    try coder.encodeObject(texts.column(), forKey: "members")
    try coder.encodeStrings(members.map(\.name), forKey: "memberNames")
    try coder.encodeString(whitespace, forKey: "whitespace")
    let range = Self.decimalsRange
    try coder.encodeInt(
      min(max(decimals, range.lowerBound), range.upperBound), forKey: "decimals")
  }

  package init(coder: any DecodingCoder) throws {
    let root = try coder.decodeWord(Root.self, default: .featureCollection, forKey: "root")
    let texts = try coder.decodeObject(AttributeColumn.self, forKey: "members")
    let names = try coder.decodeStrings(forKey: "memberNames")
    guard names.count == texts.rowCount else {
      throw coder.invalidValue("one name a row is needed", forKey: "memberNames")
    }
    let members = names.enumerated().map { row, name in
      Member(name: name, json: texts.value(row).text)
    }
    self.init(
      root: root, members: members,
      whitespace: try coder.decodeStringIfPresent(forKey: "whitespace") ?? "",
      decimals: try coder.decodeIntIfPresent(forKey: "decimals") ?? 6)
    guard Self.decimalsRange.contains(decimals) else {
      throw coder.invalidValue("\(decimals) decimals", forKey: "decimals")
    }
  }
}
