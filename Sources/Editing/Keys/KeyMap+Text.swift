import PortolanTerminals

/// A key file that could not be read, and where.
package struct KeyMapError: Error, Hashable, Sendable, CustomStringConvertible {
  package var lineNumber: Int
  package var problem: String

  package var description: String { "key map, line \(lineNumber): \(problem)" }
}

/// Key maps as text.
///
///     [normal, select]        the modes of the following lines
///     ## Move                 the heading over the following lines in the list of keys
///     h = cursor left {count}
///     i = draw                ;; insert      the text after `;;` is for the hint line
///     d = delete              ;;+ delete     that after `;;+` where features are selected
///     v = box start           ;;- select     that after `;;-` where none are
///     <space>f = +file                       names a prefix
///     [mouse]
///     click = select here --column {column} --row {row}
///     [every]
///     <c-l> = redraw          in each mode that does not bind the keys
///     [unbound]
///     t = e edits the attributes             advice for a key that is bound to nothing
///
/// A later line with the same keys replaces an earlier one.
extension KeyMap {
  /// - Parameter known: the sections there may be.
  package init(
    text: String, modes known: [Mode] = Kinds.standard.modes
  ) throws(KeyMapError) {
    self.init()
    var modes: [Mode] = []
    var section: Substring = ""
    var heading: Substring = ""
    var number = 0
    var bound: [Mode: Set<[Key]>] = [:]
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = Self.trimmed(part)
      if line.isEmpty || line.hasPrefix("# ") || line == "#" { continue }
      if line.hasPrefix("## ") {
        heading = line.dropFirst(3)
      } else if line.hasPrefix("["), line.hasSuffix("]"), !line.contains(" = ") {
        (section, heading) = (line, "")
        switch line {
        case "[every]": modes = known
        case "[mouse]", "[unbound]": modes = []
        default: modes = try Self.modes(line, among: known, number)
        }
      } else {
        guard let (key, text) = Self.halves(of: line, at: " = ") else {
          throw KeyMapError(lineNumber: number, problem: "write KEYS = COMMAND")
        }
        let (name, value) = (Self.trimmed(key), Self.trimmed(text))
        if section == "[unbound]" {
          advice[try Self.keys(name, number)] = String(value)
        } else if section == "[mouse]" {
          guard let gesture = Gesture(rawValue: String(name)) else {
            throw KeyMapError(lineNumber: number, problem: "no mouse gesture “\(name)”")
          }
          gestures[gesture] = String(value)
        } else {
          let keys = try Self.keys(name, number)
          let free = section == "[every]" ? modes.filter { match(keys, in: $0) == .none } : modes
          bind(keys, to: value, in: free, heading: heading, &bound)
        }
      }
    }
  }

  private static func modes(
    _ line: Substring, among known: [Mode], _ number: Int
  ) throws(KeyMapError) -> [Mode] {
    var modes: [Mode] = []
    for name in line.dropFirst().dropLast().split(separator: ",") {
      guard let mode = known.first(where: { $0.name == trimmed(name) }) else {
        throw KeyMapError(lineNumber: number, problem: "no mode “\(name)”")
      }
      modes.append(mode)
    }
    return modes
  }

  private static func keys(_ notation: Substring, _ number: Int) throws(KeyMapError) -> [Key] {
    do {
      let keys = try KeyNotation.keys(String(notation))
      if !keys.isEmpty { return keys }
    } catch {
      throw KeyMapError(lineNumber: number, problem: error.description)
    }
    throw KeyMapError(lineNumber: number, problem: "no keys")
  }

  private mutating func bind(
    _ keys: [Key], to value: Substring, in modes: [Mode], heading: Substring,
    _ bound: inout [Mode: Set<[Key]>]
  ) {
    var line = value
    var hint: Substring = ""
    var time = HintTime.always
    if let (command, text) = Self.halves(of: value, at: ";;") {
      let sign = text.first.flatMap { HintTime(rawValue: String($0)) }
      time = sign ?? .always
      (line, hint) = (Self.trimmed(command), Self.trimmed(sign == nil ? text : text.dropFirst()))
    }
    let label = KeyNotation.label(keys)
    for mode in modes {
      if line.hasPrefix("+") {
        groups[mode, default: []].append(Group(keys: keys, title: String(line.dropFirst())))
        continue
      }
      let binding = Binding(
        keys: keys, notation: label, line: String(line), hint: String(hint), hintTime: time,
        heading: String(heading))
      if !bound[mode, default: []].insert(keys).inserted {
        bindings[mode, default: []].removeAll { $0.keys == keys }
      }
      bindings[mode, default: []].append(binding)
    }
  }

  /// The texts before and after the first place of some characters; `nil` without them.
  private static func halves(
    of text: Substring, at separator: String
  ) -> (before: Substring, after: Substring)? {
    let (bytes, wanted) = (text.utf8, separator.utf8)
    var place = bytes.startIndex
    while place < bytes.endIndex {
      if bytes[place] == wanted.first, bytes[place...].starts(with: wanted) {
        return (text[..<place], text[bytes.index(place, offsetBy: wanted.count)...])
      }
      bytes.formIndex(after: &place)
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
