package import Terminals

/// What keys do, as data: for each mode, sequences of keys and the lines that they stand for.
///
/// No key is bound to code: a binding is a line of the command language, in which `{count}` stands
/// for the count that was typed before the keys.
package struct KeyMap: Hashable, Sendable {
  /// One line of the map.
  package struct Binding: Hashable, Sendable {
    package var keys: [Key]
    /// The keys as they are written in the file and shown to people.
    package var notation: String
    package var line: String
    /// A word or two for the hint line and popups; empty keeps the binding out of the hint line.
    package var hint: String
  }

  /// The bindings of each mode in order.
  package private(set) var bindings: [Mode: [Binding]]

  package init(bindings: [Mode: [Binding]]) { self.bindings = bindings }

  /// What a sequence of keys means.
  package enum Match: Hashable, Sendable {
    case none
    /// Some binding begins like this.
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

  /// The bindings that go on from some keys, for the popup after a prefix.
  package func continuations(of keys: [Key], in mode: Mode) -> [Binding] {
    (bindings[mode] ?? []).filter { $0.keys.count > keys.count && $0.keys.starts(with: keys) }
  }

  /// The bindings of a mode that the hint line names.
  package func hints(in mode: Mode) -> [Binding] {
    (bindings[mode] ?? []).filter { !$0.hint.isEmpty && $0.keys.count == 1 }
  }
}

extension KeyMap {
  /// The default keys: vi's movements, selection first, then the verb.
  package static let modal = KeyMap(bindings: [:])
}
