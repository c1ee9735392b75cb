package import PortolanTerminals

/// What a client may draw of its own keys before the host's next picture: the line being typed in a
/// prompt, or the cursor on a map.
///
/// Nothing else is guessed; other keys wait for the host.
package struct EchoHint: Hashable, Sendable {
  /// Where the next keys go.
  package enum Field: Hashable, Sendable {
    case none
    /// A line in an area of one row, with its cursor counted in characters.
    case line(CellRect, text: String, cursor: Int)
    /// A cursor that keys move within a map; the row is where `:` opens a line.
    case map(CellRect, row: CellRect)
  }

  /// The number of the guest's events that the host had taken.
  package var taken = 0
  package var field = Field.none

  package init(taken: Int = 0, field: Field = .none) { (self.taken, self.field) = (taken, field) }

  /// The most bytes of a line that is echoed.
  static let lineMax = 4_000

  package var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.write(max(0, taken))
    switch field {
    case .none: writer.write(0)
    case .line(let area, let text, let cursor):
      writer.write(1)
      area.write(to: &writer)
      writer.write(text)
      writer.write(min(max(0, cursor), text.count))
    case .map(let area, let row):
      writer.write(2)
      area.write(to: &writer)
      row.write(to: &writer)
    }
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(PackedBytesError) {
    var reader = PackedReader(bytes)
    taken = try reader.number(atMost: 1 << 53)
    switch try reader.number(atMost: 2) {
    case 0: field = .none
    case 1:
      let area = try CellRect(from: &reader)
      let text = try reader.text(atMost: Self.lineMax)
      // Characters that combine are fewer in the whole text than the keys that typed them.
      let cursor = try reader.number(atMost: Self.lineMax)
      field = .line(area, text: text, cursor: min(cursor, text.count))
    default:
      let area = try CellRect(from: &reader)
      field = .map(area, row: try CellRect(from: &reader))
    }
    try reader.end()
  }
}

extension Desk {
  /// What a distant terminal may draw of its own keys.
  var echoField: EchoHint.Field {
    if let prompt {
      guard keyOverlay is Prompt else { return .none }
      let text = prompt.line.text
      guard text.utf8.count <= EchoHint.lineMax else { return .none }
      return .line(
        PromptLine.area(prompt, in: layout.hint), text: text, cursor: prompt.line.head.count)
    }
    guard overlays.isEmpty, isFocused, pane.state.map != nil, mode == .normal,
      session.pendingKeys.isEmpty, session.count == nil, hasUsualKeys
    else { return .none }
    return .map(mapArea, row: layout.hint)
  }

  /// Whether the keys that a client echoes do what it takes them for.
  private var hasUsualKeys: Bool {
    LocalEcho.moves.allSatisfy { key, way in
      keyMap.match([Key(key)], in: keyMode) == .line("cursor \(way.rawValue) {count}")
    } && keyMap.match([Key(.character(":"))], in: keyMode) == .line("prompt command")
  }
}
