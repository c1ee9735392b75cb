package import Archiving

/// A column of a table as a person arranged it.
package struct TableColumn: Sendable {
  /// What it shows.
  package enum Source: Sendable {
    /// The `id` members of the features.
    case identifier
    case attribute(String)
  }

  package let source: Source
  /// In cells; 0 for that of its values.
  package var width = 0
  package var isHidden = false
  /// Its place among the keys of the order from 1 on, below zero where the greatest values come
  /// first; 0 for none.
  package var sort = 0
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(_ source: Source) { self.source = source }

  /// The valid widths, in cells.
  package static let widths = 0...1000
}

extension TableColumn.Source: Hashable {
  /// Names are equal if they have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.identifier, .identifier): true
    case (.attribute(let left), .attribute(let right)): left.hasSameBytes(as: right)
    case (.identifier, .attribute), (.attribute, .identifier): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    if case .attribute(let name) = self { ExactText(name).hash(into: &hasher) }
  }

  /// The values of a block; `nil` if none of its features has one.
  package func column(of block: FeatureBlock) -> AttributeColumn? {
    switch self {
    case .identifier: block.identifiers
    case .attribute(let name): block.column(name)
    }
  }
}

extension TableColumn: Coding {
  package static let archivedClass: ArchivedClass = "PortolanTableColumn"

  package func encode(with coder: any EncodingCoder) throws {
    if case .attribute(let name) = source { try coder.encodeString(name, forKey: "name") }
    if width != 0 { try coder.encodeInt(width, forKey: "width") }
    if isHidden { try coder.encodeBool(isHidden, forKey: "hidden") }
    if sort != 0 { try coder.encodeInt(sort, forKey: "sort") }
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    self.init(try coder.decodeStringIfPresent(forKey: "name").map { .attribute($0) } ?? .identifier)
    width = try coder.decodeIntIfPresent(forKey: "width") ?? 0
    guard Self.widths.contains(width) else {
      throw coder.invalidValue("\(width) is no width of a column (0 to 1000)", forKey: "width")
    }
    isHidden = try coder.decodeBoolIfPresent(forKey: "hidden") ?? false
    sort = try coder.decodeIntIfPresent(forKey: "sort") ?? 0
    unread = try coder.unreadFields()
  }
}
