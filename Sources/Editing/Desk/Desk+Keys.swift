package import PortolanTerminals

/// Keys to lines of the command language.
extension Desk {
  /// One line of the popup after a prefix.
  package struct PopupItem: Hashable, Sendable {
    package var keys: String
    package var text: String
    /// The key itself, for selecting the line with the mouse or Enter; `nil` for a mere hint.
    package var key: Key?
  }

  /// The hint line: the most useful keys, or those that can follow the prefix.
  package var hints: [PopupItem] {
    session.pendingKeys.isEmpty
      ? keyMap.hints(in: keyMode, hasSelection: !selection.isEmpty) { line in
        line.split(separator: " ").first.flatMap {
          Commands.named(String($0), among: session.kinds.commands)
        }.map { acts($0) } ?? true
      } : popup
  }

  /// Whether keys that are bound to nothing are text.
  private var takesText: Bool { keyOverlay?.takesText == true }

  /// The section of the key map that applies: typing a line anywhere is like typing at the prompt.
  package var keyMode: Mode { takesText ? keyOverlay?.textMode ?? .prompt : mode }

  /// Handles one key.
  ///
  /// A key that only the keyboard protocol tells apart means what it means without, if it is not
  /// bound: Ctrl-[ is Esc.
  mutating func press(_ pressed: Key) {
    var key = pressed
    if let plain = pressed.plain,
      keyMap.match(session.pendingKeys + [pressed], in: keyMode) == .none
    {
      key = plain
    }
    if session.pendingKeys.isEmpty { message = nil }
    if keyOverlay?.take(key, in: &self) == true { return }
    if takesCount(key) { return }
    if count != nil, session.pendingKeys.isEmpty, key.code == .escape {
      count = nil
      return
    }
    let keys = session.pendingKeys + [key]
    if moveInMenu(key) { return }
    popup = []
    switch keyMap.match(keys, in: keyMode) {
    case .prefix:
      openMenu(after: keys)
    case .line(let line):
      session.pendingKeys = []
      let filled = fill(line)
      count = nil
      attempt(line: filled)
    case .none:
      session.pendingKeys = []
      count = nil
      // Stopping and redrawing need no end of a prefix first.
      if keys.count > 1, case .line(let line) = keyMap.match([key], in: keyMode),
        line == "suspend" || line == "redraw"
      {
        return attempt(line: line)
      }
      unbound(keys)
    }
  }

  /// Handles a key while the screen is too small to show anything: only keys that end or redraw
  /// something do what they do in NORMAL.
  mutating func pressUnseen(_ key: Key) {
    forgetPrefix()
    guard case .line(let line) = keyMap.match([key], in: .normal), Self.unseenLines.contains(line)
    else {
      send(.beep)
      return
    }
    message = nil
    attempt(line: line)
  }

  private static let unseenLines: Set<String> = ["cancel", "quit", "redraw", "suspend"]

  /// The keys that act while the screen is too small.
  var unseenKeys: [String] {
    (keyMap.bindings[.normal] ?? []).filter {
      $0.keys.count == 1 && Self.unseenLines.contains($0.line)
    }.map(\.notation)
  }

  /// Shows the keys that can follow.
  private mutating func openMenu(after keys: [Key]) {
    session.pendingKeys = keys
    popup = keyMap.popup(after: keys, in: keyMode, among: session.kinds.commands)
    session.popupIndex = 0
  }

  /// Opens the menu of a prefix as its key does, if the mode has it.
  mutating func openMenu(of prefix: Key) {
    forgetPrefix()
    if keyMap.match([prefix], in: keyMode) == .prefix { press(prefix) }
  }

  /// Moves in the menu of following keys, or takes its line, by keys that are not among them;
  /// returns whether the key did so.
  private mutating func moveInMenu(_ key: Key) -> Bool {
    guard !popup.isEmpty, keyMap.match(session.pendingKeys + [key], in: keyMode) == .none else {
      return false
    }
    let count = popup.count
    let rows = KeyPopup.Layout(popup, in: layout)?.rows ?? count
    switch (key.code, key.modifiers) {
    case (.up, []), (.tab, .shift): session.popupIndex = (session.popupIndex + count - 1) % count
    case (.down, []), (.tab, []): session.popupIndex = (session.popupIndex + 1) % count
    case (.left, []): session.popupIndex = max(session.popupIndex - rows, session.popupIndex % rows)
    case (.right, []):
      session.popupIndex =
        session.popupIndex + rows < count ? session.popupIndex + rows : session.popupIndex
    case (.home, []): session.popupIndex = 0
    case (.end, []): session.popupIndex = count - 1
    case (.enter, []): takeMenuLine(session.popupIndex)
    case (.backspace, []):
      let former = Array(session.pendingKeys.dropLast())
      if former.isEmpty { forgetPrefix() } else { openMenu(after: former) }
    default: return false
    }
    return true
  }

  /// Presses the key of a line of the menu.
  mutating func takeMenuLine(_ index: Int) {
    guard popup.indices.contains(index), let key = popup[index].key else { return }
    press(key)
  }

  /// Digits before a command are its count.
  private mutating func takesCount(_ key: Key) -> Bool {
    guard !takesText, session.pendingKeys.isEmpty, key.modifiers.isEmpty,
      case .character(let character) = key.code, character.isASCII,
      let digit = character.wholeNumberValue, digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, 99_999)
    return true
  }

  /// Puts the count into a line; without a count its place is left empty.
  private func fill(_ line: String) -> String {
    let place = "{count}".utf8
    var rest = line.utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
      rest = rest[start...]
      if rest.starts(with: place) {
        let end = rest.index(start, offsetBy: place.count)
        return line.replacingCharacters(in: start..<end, with: count.map(String.init) ?? "")
      }
      rest = rest.dropFirst()
    }
    return line
  }

  private mutating func unbound(_ keys: [Key]) {
    if takesText, keys.count == 1, let character = keys[0].typedCharacter {
      type(String(character))
      return
    }
    if keys.count > 1, keys.last?.code == .escape { return }
    let advice = mode == .normal ? keyMap.advice[keys].map { $0 + "; " } ?? "" : ""
    fail("\(KeyNotation.label(keys)) does nothing here: \(advice)? lists the keys")
  }

  /// Forgets keys and count that were typed before another event.
  mutating func forgetPrefix() {
    session.pendingKeys = []
    popup = []
    count = nil
  }

  /// Handles pasted text: it goes into the line being typed, never to commands.
  mutating func paste(_ text: String) {
    forgetPrefix()
    guard takesText else {
      if keyOverlay == nil, pane.state.paste(text, in: &self) { return }
      let table = hasTableBeside ? ", or t for the table" : ""
      fail("pasted text is taken only where a line is typed: : or / first\(table)")
      return
    }
    type(text)
  }
}

extension Key {
  /// The character that this key types.
  var typedCharacter: Character? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return character
  }
}

extension String {
  /// The text with a range replaced.
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
