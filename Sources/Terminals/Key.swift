/// One key press of the editor.
package struct Key: Hashable, Sendable {
  /// The pressed key.
  package enum Code: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// Modifier keys; a character's own shift is in the character.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let control = Modifiers(rawValue: 1)
    package static let shift = Modifiers(rawValue: 2)
    package static let alt = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  /// The key as terminals without the keyboard protocol send it, if that is another one: Ctrl-I as
  /// Tab, Ctrl-[ as Esc, Shift-Enter as Enter.
  package var plain: Key? {
    switch code {
    case .enter, .escape, .backspace, .character(" "):
      let plain = Key(code, modifiers.subtracting([.shift, .control]))
      // Ctrl-Space is a byte of its own.
      if code == .character(" "), modifiers.contains(.control) { return nil }
      return plain == self ? nil : plain
    case .tab where modifiers.contains(.control):
      return Key(.tab, modifiers.subtracting(.control))
    case .character(let character) where modifiers.contains(.control):
      guard let byte = Self.bytes[character] else { return nil }
      var plain = InputDecoder.key(ofASCII: byte)
      plain.modifiers.formUnion(modifiers.subtracting(.control))
      return plain == self ? nil : plain
    default: return nil
    }
  }

  /// The bytes of keys with Control that are not their own letter's.
  private static let bytes: [Character: UInt8] = [
    "h": 0x08, "i": 0x09, "j": 0x0A, "m": 0x0D, "[": 0x1B, "?": 0x7F, "@": 0x00, "2": 0x00,
    "3": 0x1B, "4": 0x1C, "5": 0x1D, "6": 0x1E, "7": 0x1F, "/": 0x1F, "8": 0x7F,
  ]

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }
}

/// A mouse event at a cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case press, release, drag, doubleClick, wheelUp, wheelDown
  }

  package var action: Action
  /// 1 left, 2 middle, 3 right.
  package var button: Int
  package var column: Int
  package var row: Int
  package var modifiers: Key.Modifiers

  package init(
    action: Action, button: Int, column: Int, row: Int, modifiers: Key.Modifiers = []
  ) {
    self.action = action
    self.button = button
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}

/// An event from the terminal.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text, whole; it is never run as commands.
  case paste(String)
  /// Pasted text whose end did not come, as far as it did.
  case cutPaste(String)
  case resize(CellSize)
  /// The terminal has told what it can.
  case learned(ScreenCapabilities)
  /// The process was continued after a stop: redraw everything.
  case resumed
  /// A request to end from outside: SIGTERM or SIGHUP, or the terminal is gone.
  case hangUp
}
