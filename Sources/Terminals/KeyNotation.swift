/// A key or a list of events in invalid notation.
package struct KeyNotationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset in the text, in characters from 0.
  package var offset: Int
  package var problem: String

  package var description: String { "key notation, character \(offset + 1): \(problem)" }
}

/// The notation of keys as text, both ways: `<c-s>:q<ret>`.
///
/// A printable character stands for itself; everything else is a name in angle brackets, with
/// `c-`, `a-` and `s-` for control, alt and shift. `<lt>` and `<gt>` are the brackets themselves.
package enum KeyNotation {
  /// The canonical names, with their keys.
  private static let names: [(name: String, code: Key.Code)] = [
    ("ret", .enter), ("esc", .escape), ("tab", .tab), ("backspace", .backspace),
    ("del", .delete), ("ins", .insert), ("up", .up), ("down", .down), ("left", .left),
    ("right", .right), ("home", .home), ("end", .end), ("pageup", .pageUp),
    ("pagedown", .pageDown), ("space", .character(" ")), ("lt", .character("<")),
    ("gt", .character(">")),
  ]

  /// Other accepted names.
  private static let aliases: [(name: String, code: Key.Code)] = [
    ("enter", .enter), ("return", .enter), ("cr", .enter), ("escape", .escape),
    ("bs", .backspace), ("delete", .delete), ("insert", .insert), ("pgup", .pageUp),
    ("pgdn", .pageDown), ("pgdown", .pageDown), ("plus", .character("+")),
    ("minus", .character("-")), ("percent", .character("%")), ("semicolon", .character(";")),
  ]

  /// The keys of a text; line ends are ignored.
  package static func keys(_ text: String) throws(KeyNotationError) -> [Key] {
    var keys: [Key] = []
    for item in try items(text) {
      keys.append(try key(item))
    }
    return keys
  }

  /// One key, as a key map names it; `nil` when the text is not exactly one key.
  package static func key(_ text: String) -> Key? {
    guard let keys = try? keys(text), keys.count == 1 else { return nil }
    return keys[0]
  }

  /// The text of one key, which `keys` reads back.
  package static func text(_ key: Key) -> String {
    var modifiers = ""
    if key.modifiers.contains(.control) { modifiers += "c-" }
    if key.modifiers.contains(.alt) { modifiers += "a-" }
    if key.modifiers.contains(.shift) { modifiers += "s-" }
    let named = names.first { $0.code == key.code }?.name
    switch key.code {
    case .function(let number):
      return "<\(modifiers)f\(number)>"
    case .character(let character) where named == nil:
      return modifiers.isEmpty ? String(character) : "<\(modifiers)\(character)>"
    default:
      return "<\(modifiers)\(named ?? "?")>"
    }
  }

  /// The text of several keys.
  package static func text(_ keys: [Key]) -> String {
    keys.map { text($0) }.joined()
  }

  /// One character, or the inside of a pair of brackets, and its offset.
  struct Item {
    var offset: Int
    var text: String
    var isName: Bool
  }

  /// Splits a text into characters and bracketed names.
  static func items(_ text: String) throws(KeyNotationError) -> [Item] {
    var items: [Item] = []
    var name: Item?
    var offset = 0
    for character in text {
      if var open = name {
        if character == ">" {
          items.append(open)
          name = nil
        } else {
          open.text.append(character)
          name = open
        }
      } else if character == "<" {
        name = Item(offset: offset, text: "", isName: true)
      } else if !character.isNewline {
        items.append(Item(offset: offset, text: String(character), isName: false))
      }
      offset += 1
    }
    if let open = name {
      throw KeyNotationError(offset: open.offset, problem: "`<` without `>`; write `<lt>` for it")
    }
    return items
  }

  /// The key of one item.
  static func key(_ item: Item) throws(KeyNotationError) -> Key {
    guard item.isName else {
      return Key(.character(item.text.first ?? " "))
    }
    var modifiers: Key.Modifiers = []
    var rest = Substring(item.text)
    while rest.count > 2, rest.dropFirst().first == "-", let letter = rest.first,
      let modifier = modifier(letter)
    {
      modifiers.insert(modifier)
      rest = rest.dropFirst(2)
    }
    guard let code = code(named: rest) else {
      throw KeyNotationError(offset: item.offset, problem: "unknown key `<\(item.text)>`")
    }
    return normalised(code, modifiers)
  }

  private static func modifier(_ letter: Character) -> Key.Modifiers? {
    switch letter {
    case "c", "C": .control
    case "a", "A", "m", "M": .alt
    case "s", "S": .shift
    default: nil
    }
  }

  private static func code(named name: Substring) -> Key.Code? {
    if let only = name.first, name.count == 1 { return .character(only) }
    let lower = name.lowercased()
    if let known = (names + aliases).first(where: { $0.name == lower }) { return known.code }
    guard lower.first == "f", let number = Int(lower.dropFirst()), (1...63).contains(number) else {
      return nil
    }
    return .function(number)
  }

  /// Terminals send control with a letter without its case, and a shifted letter as a capital.
  static func normalised(_ code: Key.Code, _ modifiers: Key.Modifiers) -> Key {
    guard case .character(let character) = code else { return Key(code, modifiers) }
    if modifiers.contains(.control), let lower = character.lowercased().first {
      return Key(.character(lower), modifiers.subtracting(.shift))
    }
    if modifiers.contains(.shift), let upper = character.uppercased().first, upper != character {
      return Key(.character(upper), modifiers.subtracting(.shift))
    }
    return Key(code, modifiers)
  }
}

extension Key: CustomStringConvertible {
  /// The key in key notation.
  package var description: String { KeyNotation.text(self) }
}
