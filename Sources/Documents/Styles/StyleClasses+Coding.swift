package import Archiving
import PortolanGraphics

/// The keys of classes in an archived style: `Docs/formats/document.md`, "Styles".
extension StyleClasses {
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(field, forKey: "field")
    switch scheme {
    case .breaks(let bounds): try coder.encodePacked(bounds, forKey: "breaks")
    case .values(let values):
      var column = AttributeColumnBuilder(name: field)
      for value in values { column.append(value) }
      try coder.encodeObject(column.column(rows: values.count), forKey: "values")
    }
    try coder.encodeObjects(looks, forKey: "classes")
    try coder.encodeObject(noValue, forKey: "noValue")
    try coder.encodeObject(other, forKey: "other")
  }

  /// - Parameter isCategories: whether each class has a value instead of bounds.
  static func decode(
    with coder: any DecodingCoder, isCategories: Bool
  ) throws -> StyleClasses {
    let scheme: Scheme
    if isCategories {
      let column = try coder.decodeObject(AttributeColumn.self, forKey: "values")
      scheme = .values((0..<min(column.rowCount, limit + 1)).map { column.value($0) })
    } else {
      scheme = .breaks(try coder.decodePacked(Double.self, forKey: "breaks"))
    }
    let classes = StyleClasses(
      field: try coder.decodeString(forKey: "field"), scheme: scheme,
      looks: try coder.decodeObjects(ClassLook.self, forKey: "classes"),
      noValue: try coder.decodeObjectIfPresent(ClassLook.self, forKey: "noValue") ?? ClassLook(),
      other: try coder.decodeObjectIfPresent(ClassLook.self, forKey: "other") ?? ClassLook())
    guard let classes else {
      throw coder.invalidValue(
        "1 to \(limit) classes are needed, each with rising bounds or a value of its own",
        forKey: "classes")
    }
    return classes
  }
}

extension ClassLook: Coding {
  package static let archivedClass: ArchivedClass = "PortolanStyleClass"

  package func encode(with coder: any EncodingCoder) throws {
    if !title.isEmpty { try coder.encodeString(title, forKey: "title") }
    try coder.encodeString(colour?.hex, forKey: "colour")
    try coder.encodeString(symbol, forKey: "symbol")
    try coder.encodeString(dash?.rawValue, forKey: "dash")
    try coder.encodeString(pattern?.rawValue, forKey: "pattern")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    self.init()
    title = try coder.decodeStringIfPresent(forKey: "title") ?? ""
    colour = try Style.colour(coder, "colour")
    symbol = try coder.decodeStringIfPresent(forKey: "symbol")
    dash = try coder.decodeOptionalWord(MarkStyle.Dash.self, forKey: "dash")
    pattern = try coder.decodeOptionalWord(MarkStyle.Pattern.self, forKey: "pattern")
    unread = try coder.unreadFields()
  }
}
