import Terminals

/// Keys to lines of the command language.
extension Session {
  /// One line of the popup after a prefix.
  package struct PopupItem: Hashable, Sendable {
    package var keys: String
    package var text: String
  }

  /// What may follow the keys typed so far; empty when no prefix is pending.
  package var popup: [PopupItem] {
    pendingKeys.isEmpty ? [] : keyMap.popup(after: pendingKeys, in: mode)
  }

  /// The hint line: the keys that matter now, or those that may follow the prefix.
  package var hints: [PopupItem] {
    pendingKeys.isEmpty ? keyMap.hints(in: hintMode) : popup
  }

  /// The mode whose keys help: typing a value in the form is like typing at the prompt.
  package var hintMode: Mode { form?.editing != nil && prompt == nil ? .prompt : mode }

  /// Whether keys that are bound to nothing are text.
  private var takesText: Bool {
    prompt != nil || (help == nil && form?.editing != nil) || help?.isFiltering == true
  }

  /// The section of the key map that is asked.
  private var keyMode: Mode { takesText ? .prompt : mode }

  /// Takes in one key.
  mutating func press(_ key: Key) {
    if pendingKeys.isEmpty { message = nil }
    if takesCount(key) { return }
    let keys = pendingKeys + [key]
    switch keyMap.match(keys, in: keyMode) {
    case .prefix:
      pendingKeys = keys
    case .line(let line):
      pendingKeys = []
      let filled = fill(line)
      count = nil
      attempt(line: filled)
    case .none:
      pendingKeys = []
      count = nil
      unbound(keys)
    }
  }

  /// Digits before a command are its count.
  private mutating func takesCount(_ key: Key) -> Bool {
    guard !takesText, pendingKeys.isEmpty, key.modifiers.isEmpty, form == nil, help == nil,
      case .character(let character) = key.code, character.isASCII,
      let digit = character.wholeNumberValue, digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, 99_999)
    return true
  }

  /// Puts the count into a line; without one, the place for it is left empty.
  private func fill(_ line: String) -> String {
    guard let range = line.firstRange(of: "{count}") else { return line }
    return line.replacingCharacters(in: range, with: count.map(String.init) ?? "")
  }

  private mutating func unbound(_ keys: [Key]) {
    if takesText, keys.count == 1, let character = keys[0].typedCharacter {
      type(String(character))
      return
    }
    if keys.count > 1, keys.last?.code == .escape { return }
    fail("\(KeyNotation.text(keys)) does nothing here: ? lists the keys")
  }

  /// Takes pasted text: into the line being typed, never as commands.
  mutating func paste(_ text: String) {
    pendingKeys = []
    count = nil
    guard takesText else {
      fail("pasted text is taken only where a line is typed: : or / first")
      return
    }
    type(text)
  }
}

extension Key {
  /// The character that typing this key puts into a line.
  var typedCharacter: Character? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return character
  }
}

extension String {
  /// The text with a part replaced.
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
