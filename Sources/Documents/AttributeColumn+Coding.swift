package import Archiving

extension AttributeColumn: Coding {
  package static var archivedClass: ArchivedClass { "PortolanColumn" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodePacked(kinds, forKey: "kinds")
    try coder.encodePacked(ends, forKey: "ends")
    try coder.encodePacked(bytes, forKey: "bytes")
  }

  package init(coder: any DecodingCoder) throws {
    let name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
    if DocumentNeeds.current.get().leavesOut(column: name),
      let column = try Self.leftOut(name, coder)
    {
      self = column
      return
    }
    let kinds = try coder.decodePacked(UInt8.self, forKey: "kinds")
    let ends = try coder.decodePacked(UInt32.self, forKey: "ends")
    let bytes = try coder.decodePackedIfPresent(UInt8.self, forKey: "bytes") ?? []
    guard let column = AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes) else {
      throw coder.invalidValue(
        "the column \(name) has kinds, ends and texts that do not fit together", forKey: "ends")
    }
    self = column
  }

  /// The column without its values, which are left in the file; `nil` if a part of it is wrong,
  /// which the whole reading reports.
  private static func leftOut(
    _ name: String, _ coder: any DecodingCoder
  ) throws -> AttributeColumn? {
    let rows = try coder.archivedData(forKey: "kinds").count
    guard try coder.archivedData(forKey: "ends").count == 4 * rows else { return nil }
    _ = try coder.archivedDataIfPresent(forKey: "bytes")
    return .missing(name: name, rows: rows)
  }
}
