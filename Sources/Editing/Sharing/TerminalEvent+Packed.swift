package import PortolanTerminals

/// Events of a terminal as bytes for another program.
extension TerminalEvent {
  /// The most bytes of a paste on its way.
  static let pasteBytesMax = 16 << 20
  private static let functionsMax = 99
  private static let plainCodes: [Key.Code] = [
    .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end,
    .pageUp, .pageDown,
  ]
  private static let actions: [MouseEvent.Action] = [
    .press, .release, .drag, .doubleClick, .wheelUp, .wheelDown,
  ]

  /// The bytes of its text, if it is a paste.
  var pasteBytes: Int {
    switch self {
    case .paste(let text), .cutPaste(let text): text.utf8.count
    default: 0
    }
  }

  /// The event as it can be sent: the end of a paste that is too long is cut off.
  var cutForSending: TerminalEvent {
    switch self {
    case .paste(let text) where text.utf8.count > Self.pasteBytesMax,
      .cutPaste(let text) where text.utf8.count > Self.pasteBytesMax:
      let bytes = text.utf8
      var end = bytes.index(bytes.startIndex, offsetBy: Self.pasteBytesMax)
      // Not within a character's bytes.
      while bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
      return .cutPaste(String(text[..<end]))
    default: return self
    }
  }

  package func write(to writer: inout PackedWriter) {
    switch self {
    case .key(let key):
      writer.write(0)
      Self.write(key, to: &writer)
    case .mouse(let event):
      writer.write(1)
      writer.write(Self.actions.firstIndex(of: event.action) ?? 0)
      writer.write(min(max(event.button, 0), 99))
      writer.write(min(max(event.column, 0), Frame.extentMax))
      writer.write(min(max(event.row, 0), Frame.extentMax))
      writer.write(Int(event.modifiers.rawValue))
    case .paste(let text):
      writer.write(2)
      writer.write(text)
    case .cutPaste(let text):
      writer.write(3)
      writer.write(text)
    case .resize(let size):
      writer.write(4)
      size.write(to: &writer)
    case .learned(let capabilities):
      writer.write(5)
      capabilities.write(to: &writer)
    case .resumed: writer.write(6)
    case .hangUp: writer.write(7)
    }
  }

  package init(from reader: inout PackedReader) throws(PackedBytesError) {
    switch try reader.number(atMost: 7) {
    case 0: self = .key(try Self.key(&reader))
    case 1:
      let action = try reader.choice(of: Self.actions)
      let button = try reader.number(atMost: 99)
      let column = try reader.number(atMost: Frame.extentMax)
      let row = try reader.number(atMost: Frame.extentMax)
      let modifiers = Key.Modifiers(rawValue: UInt8(try reader.number(atMost: 7)))
      self = .mouse(
        MouseEvent(
          action: action, button: button, column: column, row: row, modifiers: modifiers))
    case 2: self = .paste(try reader.text(atMost: Self.pasteBytesMax))
    case 3: self = .cutPaste(try reader.text(atMost: Self.pasteBytesMax))
    case 4: self = .resize(try CellSize(from: &reader))
    case 5: self = .learned(try ScreenCapabilities(from: &reader))
    case 6: self = .resumed
    default: self = .hangUp
    }
  }

  private static func write(_ key: Key, to writer: inout PackedWriter) {
    switch key.code {
    case .character(let character):
      writer.write(0)
      writer.write(String(character))
    case .function(let number):
      writer.write(1)
      writer.write(min(max(number, 0), functionsMax))
    default: writer.write(2 + (plainCodes.firstIndex(of: key.code) ?? 0))
    }
    writer.write(Int(key.modifiers.rawValue))
  }

  private static func key(_ reader: inout PackedReader) throws(PackedBytesError) -> Key {
    let code: Key.Code
    switch try reader.number(atMost: 1 + plainCodes.count) {
    case 0:
      let text = try reader.text(atMost: 64)
      guard let character = text.first, text.count == 1 else {
        throw reader.fault("a key of \(text.count) characters")
      }
      code = .character(character)
    case 1: code = .function(try reader.number(atMost: functionsMax))
    case let number: code = plainCodes[number - 2]
    }
    return Key(code, Key.Modifiers(rawValue: UInt8(try reader.number(atMost: 7))))
  }
}

extension CellSize {
  func write(to writer: inout PackedWriter) {
    writer.write(min(max(columns, 0), Frame.extentMax))
    writer.write(min(max(rows, 0), Frame.extentMax))
  }

  init(from reader: inout PackedReader) throws(PackedBytesError) {
    let columns = try reader.number(atMost: Frame.extentMax)
    self.init(columns: columns, rows: try reader.number(atMost: Frame.extentMax))
  }
}

/// The capabilities of a distant terminal.
extension ScreenCapabilities {
  /// The largest width and height of a cell, in pixels.
  private static let cellMax = 512

  func write(to writer: inout PackedWriter) {
    writer.write(ColourDepth.allCases.firstIndex(of: terminalDepth) ?? 0)
    writer.write(isUnicode)
    writer.write(Ground.allCases.firstIndex(of: ground) ?? 0)
    writer.write(ThemePalette.allCases.firstIndex(of: palette) ?? 0)
    writer.write(drawsSextants)
    writer.write(BlockChoice.allCases.firstIndex(of: blocks) ?? 0)
    writer.write(optional: terminalName) { $0.write(String($1.prefix(200))) }
    writer.write(optional: takesPictures) { $0.write($1) }
    writer.write(PictureChoice.allCases.firstIndex(of: pictures) ?? 0)
    let cell = cellSize.flatMap { size in
      let sides = 1...Self.cellMax
      return sides.contains(size.width) && sides.contains(size.height) ? size : nil
    }
    writer.write(optional: cell) { writer, cell in
      writer.write(cell.width)
      writer.write(cell.height)
    }
  }

  init(from reader: inout PackedReader) throws(PackedBytesError) {
    let depth = try reader.choice(of: ColourDepth.allCases)
    let isUnicode = try reader.flag()
    let ground = try reader.choice(of: Ground.allCases)
    let palette = try reader.choice(of: ThemePalette.allCases)
    self.init(depth: depth, isUnicode: isUnicode, ground: ground, palette: palette)
    drawsSextants = try reader.flag()
    blocks = try reader.choice(of: BlockChoice.allCases)
    terminalName = try reader.optional { reader throws(PackedBytesError) in
      try reader.text(atMost: 2_000)
    }
    takesPictures = try reader.optional { reader throws(PackedBytesError) in try reader.flag() }
    pictures = try reader.choice(of: PictureChoice.allCases)
    cellSize = try reader.optional { reader throws(PackedBytesError) in
      let width = try reader.number(atMost: Self.cellMax)
      let height = try reader.number(atMost: Self.cellMax)
      guard width > 0, height > 0 else { throw reader.fault("a cell without pixels") }
      return PixelSize(width: width, height: height)
    }
  }
}
