package import PortolanTerminals

/// The key bindings, as data: for each mode, sequences of keys and their command lines.
///
/// No key is bound to code: a binding is a line of the command language, in which `{count}` stands
/// for the count typed before the keys. Mouse gestures are bound the same way.
package struct KeyMap: Hashable, Sendable {
  /// One line of the map.
  package struct Binding: Hashable, Sendable {
    package var keys: [Key]
    /// The keys as users see them.
    package var notation: String
    package var line: String
    /// A word or two for the hint line and popups; empty keeps the binding out of the hint line.
    package var hint: String
    /// When the hint line shows it.
    package var hintTime = HintTime.always
    /// The heading over it in the list of keys; empty for none.
    package var heading = ""
  }

  /// Whether a hint depends on the selection; the raw value begins such a hint.
  package enum HintTime: String, Hashable, Sendable {
    case always = ""
    case withSelection = "+"
    case withoutSelection = "-"
  }

  /// A prefix with a name of its own, such as `<space>f` with `file`.
  package struct Group: Hashable, Sendable {
    package var keys: [Key]
    package var title: String
  }

  /// The bindings of each mode in order.
  package internal(set) var bindings: [Mode: [Binding]] = [:]
  package internal(set) var groups: [Mode: [Group]] = [:]
  /// The command lines of mouse gestures.
  package internal(set) var gestures: [Gesture: String] = [:]
  /// What comes nearest to keys that other programs have and this map does not bind.
  package internal(set) var advice: [[Key]: String] = [:]

  /// The mouse gestures on the map; the raw value is the name in the file.
  package enum Gesture: String, Hashable, Sendable, CaseIterable {
    case click
    case doubleClick = "double-click"
    case drag
    case shiftDrag = "shift-drag"
    case drop
    case wheelUp = "wheel-up"
    case wheelDown = "wheel-down"
    case rightClick = "right-click"
    case drawClick = "insert-click"
    case measureClick = "measure-click"
  }

  /// The meaning of a sequence of keys.
  package enum Match: Hashable, Sendable {
    case none
    /// The beginning of some binding.
    case prefix
    case line(String)
  }

  package func match(_ keys: [Key], in mode: Mode) -> Match {
    var result = Match.none
    for binding in bindings[mode] ?? [] where binding.keys.starts(with: keys) {
      if binding.keys.count == keys.count { return .line(binding.line) }
      result = .prefix
    }
    return result
  }

  /// The continuations of some keys: a line for each next key, groups under their own name.
  func popup(
    after keys: [Key], in mode: Mode, among commands: CommandList
  ) -> [Desk.PopupItem] {
    var seen: Set<Key> = []
    var items: [Desk.PopupItem] = []
    for binding in bindings[mode] ?? [] {
      guard binding.keys.count > keys.count, binding.keys.starts(with: keys) else { continue }
      let next = binding.keys[keys.count]
      guard seen.insert(next).inserted else { continue }
      let isLeaf = binding.keys.count == keys.count + 1
      let words = binding.hint.isEmpty ? summary(of: binding, among: commands) : binding.hint
      items.append(
        Desk.PopupItem(
          keys: KeyNotation.label(next),
          text: isLeaf ? words : title(of: keys + [next], in: mode) + "…", key: next))
    }
    return items
  }

  /// The bindings of a mode for the hint line: what can be done with a selection comes first.
  ///
  /// - Parameter acts: whether a line has something to act on.
  package func hints(
    in mode: Mode, hasSelection: Bool = false, where acts: (String) -> Bool = { _ in true }
  ) -> [Desk.PopupItem] {
    let hints = (bindings[mode] ?? []).filter {
      !$0.hint.isEmpty && $0.keys.count == 1 && acts($0.line)
    }
    let times: [HintTime] =
      hasSelection ? [.withSelection, .always] : [.withoutSelection, .always]
    let shown =
      hasSelection
      ? times.flatMap { time in hints.filter { $0.hintTime == time } }
      : hints.filter { times.contains($0.hintTime) }
    return shown.map { Desk.PopupItem(keys: $0.notation, text: $0.hint, key: $0.keys.first) }
  }

  /// The bindings of a mode under their headings, in the order in which the headings begin: those
  /// that only the mode has come first.
  func sections(of mode: Mode) -> [(heading: String, bindings: [Binding])] {
    var sections: [(heading: String, bindings: [Binding])] = []
    for binding in bindings[mode] ?? [] {
      if let index = sections.firstIndex(where: { $0.heading == binding.heading }) {
        sections[index].bindings.append(binding)
      } else {
        sections.append((binding.heading, [binding]))
      }
    }
    if mode == .normal { return sections }
    let common = Set((bindings[.normal] ?? []).map { [$0.notation, $0.line] })
    let isOwn = { (binding: Binding) in !common.contains([binding.notation, binding.line]) }
    let sorted = sections.map { section in
      (section.heading, section.bindings.filter(isOwn) + section.bindings.filter { !isOwn($0) })
    }
    return sorted.filter { $0.1.contains(where: isOwn) }
      + sorted.filter { !$0.1.contains(where: isOwn) }
  }

  /// The summary of a binding's command.
  func summary(of binding: Binding, among commands: CommandList) -> String {
    let line = binding.line.split(separator: "{count}").joined()
    return (try? commands.command(for: line))?.summary ?? binding.line
  }

  private func title(of keys: [Key], in mode: Mode) -> String {
    groups[mode]?.first { $0.keys == keys }?.title ?? ""
  }
}

extension KeyNotation {
  /// A key by its common name: `Enter`, `Ctrl-S`, `Space`.
  package static func label(_ key: Key) -> String {
    let name: String
    switch key.code {
    case .character(" "): name = "Space"
    case .character(let character):
      name =
        key.modifiers.contains(.control) ? character.uppercased() : String(character)
    case .enter: name = "Enter"
    case .escape: name = "Esc"
    case .tab: name = "Tab"
    case .backspace: name = "Backspace"
    case .delete: name = "Del"
    case .insert: name = "Ins"
    case .up: name = "Up"
    case .down: name = "Down"
    case .left: name = "Left"
    case .right: name = "Right"
    case .home: name = "Home"
    case .end: name = "End"
    case .pageUp: name = "PgUp"
    case .pageDown: name = "PgDn"
    case .function(let number): name = "F\(number)"
    }
    return (key.modifiers.contains(.control) ? "Ctrl-" : "")
      + (key.modifiers.contains(.alt) ? "Alt-" : "")
      + (key.modifiers.contains(.shift) ? "Shift-" : "") + name
  }

  /// Keys by their common names, one after the other.
  package static func label(_ keys: [Key]) -> String {
    let labels = keys.map { label($0) }
    return labels.joined(separator: labels.allSatisfy { $0.count == 1 } ? "" : " ")
  }
}
