/// The names of Swift's classes as programs write them, from the symbols that archives may have.
///
/// Only names of types are read, of both manglings: `_TtC5MyApp4Note`, `$s5MyApp4NoteC`. Types in
/// types, in functions and in extensions and private ones are known; everything else is left as it
/// is.
enum SwiftName {
  /// The name of a mangled type, such as `MyApp.Note`; `nil` for other texts.
  static func demangled(_ name: String) -> String? {
    let bytes = Array(name.utf8)
    // Longer ones are none that a compiler makes of a class.
    guard bytes.count >= 6, bytes.count <= 1_024 else { return nil }
    if bytes.starts(with: "_Tt".utf8) {
      var old = OldMangling(rest: bytes[3...])
      return old.type()
    }
    for prefix in ["$s", "$S", "_$s", "_$S"] where bytes.starts(with: prefix.utf8) {
      var new = NewMangling(rest: bytes[prefix.utf8.count...])
      return new.type()
    }
    return nil
  }

  /// A decimal number without leading zeros at the front, which is taken away.
  fileprivate static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    guard let first = rest.first, first != 0x30 else { return nil }
    while let digit = rest.first, (0x30...0x39).contains(digit), value < 10_000 {
      value = value * 10 + Int(digit - 0x30)
      rest.removeFirst()
    }
    return value > 0 && value <= rest.count ? value : nil
  }

  /// A text of so many bytes at the front, which is taken away.
  fileprivate static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> String? {
    let text = String(validating: rest.prefix(count), as: UTF8.self)
    rest = rest.dropFirst(count)
    return text
  }
}

/// Names with other letters than those of ASCII, as Swift mangles them: Punycode (RFC 3492) with a
/// line in front of the numbers and `A` to `J` as its digits behind `z`.
private enum SwiftPunycode {
  static func decoded(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let line = bytes.lastIndex(of: UInt8(ascii: "_"))
    var scalars = bytes[..<(line ?? 0)].map { UInt32($0) }
    var (code, place, bias): (UInt32, Int, Int) = (128, 0, 72)
    var digits = bytes[(line.map { $0 + 1 } ?? 0)...]
    while !digits.isEmpty {
      let start = place
      var (weight, step) = (1, 36)
      while true {
        guard let digit = digits.popFirst().flatMap({ value(of: $0) }) else { return nil }
        let (sum, tooFar) = place.addingReportingOverflow(digit * weight)
        guard !tooFar, sum < 1 << 30, weight < 1 << 30 else { return nil }
        place = sum
        let least = min(26, max(1, step - bias))
        if digit < least { break }
        weight *= 36 - least
        step += 36
      }
      let count = scalars.count + 1
      bias = adapted(place - start, count, isFirst: start == 0)
      code += UInt32(place / count)
      place %= count
      guard code <= 0x10FFFF else { return nil }
      scalars.insert(code, at: place)
      place += 1
    }
    var result = ""
    for scalar in scalars {
      guard let scalar = Unicode.Scalar(scalar) else { return nil }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case 0x61...0x7A: Int(digit) - 0x61
    case 0x41...0x4A: Int(digit) - 0x41 + 26
    default: nil
    }
  }

  private static func adapted(_ difference: Int, _ count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? difference / 700 : difference / 2
    rest += rest / count
    var bias = 0
    while rest > 455 {
      rest /= 35
      bias += 36
    }
    return bias + 36 * rest / (rest + 38)
  }
}

/// The mangling before Swift 4, which the runtime of Objective-C still sees: the kinds of the types
/// first, the innermost in front; then the module; then the names, the outermost first.
private struct OldMangling {
  var rest: ArraySlice<UInt8>

  mutating func type() -> String? {
    let isGeneric = rest.first == UInt8(ascii: "G")
    if isGeneric { rest.removeFirst() }
    var depth = kinds()
    if depth > 0, !isGeneric, let first = rest.first,
      first == UInt8(ascii: "F") || first == UInt8(ascii: "Z")
    {
      return localType(depth)
    }
    depth += outerKinds()
    // A protocol stands in a list of one.
    let isProtocol = depth == 0 && rest.first == UInt8(ascii: "P")
    if isProtocol {
      rest.removeFirst()
      depth = 1
    }
    guard depth > 0, let module = module() else { return nil }
    var names = [module]
    for _ in 0..<depth {
      guard let name = name() else { return nil }
      names.append(name)
    }
    let shown = names.joined(separator: ".")
    if isGeneric {
      // What stands for the parameters is not taken apart.
      return rest.last == UInt8(ascii: "_") && rest.count > 1 ? shown + "<…>" : nil
    }
    return rest.elementsEqual(isProtocol ? [UInt8(ascii: "_")] : []) ? shown : nil
  }

  /// Takes the kinds of types at the front, and returns how many there are.
  private mutating func kinds() -> Int {
    let kinds = rest.prefix { Self.isKind($0) }
    rest = rest.dropFirst(kinds.count)
    return kinds.count
  }

  /// The kinds of the types that an extension extends, if one stands at the front.
  ///
  /// The module of the extension is left out.
  private mutating func outerKinds() -> Int {
    guard rest.first == UInt8(ascii: "E") else { return 0 }
    rest.removeFirst()
    return identifier() == nil ? 0 : kinds()
  }

  /// The name of a type inside a function, `F` with the place of the function in front of its name,
  /// its type, and `L`, a number and a line in front of the name of the type.
  ///
  /// - Parameter depth: how many types are in each other, from the function on.
  private mutating func localType(_ depth: Int) -> String? {
    // Functions in functions: the outermost is told.
    rest = rest.drop { $0 == UInt8(ascii: "F") || $0 == UInt8(ascii: "Z") }
    let outer = kinds() + outerKinds()
    guard let module = module() else { return nil }
    var names = [module]
    for _ in 0..<outer {
      guard let name = name() else { return nil }
      names.append(name)
    }
    guard let function = functionName() else { return nil }
    names.append(function)
    // The type of the function is not taken apart: the last mark that leads to the end is meant.
    for place in rest.indices.reversed() where rest[place] == UInt8(ascii: "L") {
      var tail = OldMangling(rest: rest[(place + 1)...].drop { (0x30...0x39).contains($0) })
      guard tail.rest.popFirst() == UInt8(ascii: "_") else { continue }
      let inner = (0..<depth).compactMap { _ in tail.name() }
      if inner.count == depth, tail.rest.isEmpty { return (names + inner).joined(separator: ".") }
    }
    return nil
  }

  /// The name of a function, with brackets behind it, or of a property.
  private mutating func functionName() -> String? {
    switch rest.first {
    case UInt8(ascii: "c"), UInt8(ascii: "C"): return "init()"
    case UInt8(ascii: "d"), UInt8(ascii: "D"): return "deinit"
    case UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "m"), UInt8(ascii: "w"),
      UInt8(ascii: "W"):
      rest.removeFirst()
      return name()
    default: return name().map { $0 + "()" }
    }
  }

  private static func isKind(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "C") || byte == UInt8(ascii: "V") || byte == UInt8(ascii: "O")
  }

  private mutating func module() -> String? {
    if rest.first == UInt8(ascii: "s") {
      rest.removeFirst()
      return "Swift"
    }
    if rest.starts(with: "So".utf8) {
      rest = rest.dropFirst(2)
      return "__C"
    }
    return identifier()
  }

  /// A name; that of a private type has a word in front that tells its file.
  private mutating func name() -> String? {
    if rest.first == UInt8(ascii: "P") {
      rest.removeFirst()
      guard identifier() != nil else { return nil }
    }
    return identifier()
  }

  private mutating func identifier() -> String? {
    let isPunycode = rest.first == UInt8(ascii: "X")
    if isPunycode { rest.removeFirst() }
    guard let count = SwiftName.number(&rest), let text = SwiftName.take(count, &rest) else {
      return nil
    }
    return isPunycode ? SwiftPunycode.decoded(text) : text
  }
}

/// The mangling since Swift 4: each part stands behind its own parts.
private struct NewMangling {
  var rest: ArraySlice<UInt8>
  /// What later parts may name again: names, and whole types.
  private var substitutions: [Part] = []
  /// The words of the names so far, which later names may be made of.
  private var words: [String] = []
  private var stack: [Part] = []

  private enum Part {
    case name(String)
    case module(String)
    case type(String)

    /// What a type may be inside of.
    var context: String? {
      switch self {
      case .name(let name), .module(let name), .type(let name): name
      }
    }
  }

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  mutating func type() -> String? {
    while let byte = rest.first {
      // A symbol may say behind its type that it is one.
      if stack.count == 1, case .type(let name)? = stack.first,
        rest.elementsEqual("D".utf8) || rest.elementsEqual("N".utf8)
          || rest.elementsEqual("m".utf8)
      {
        return name
      }
      // What stands for the parameters of a generic type is not taken apart.
      if stack.count == 1, case .type(let name)? = stack.first, byte == UInt8(ascii: "y"),
        rest.last == UInt8(ascii: "G")
      {
        return name + "<…>"
      }
      guard part(byte) else { return localType() }
    }
    guard stack.count == 1, case .type(let name)? = stack.first else { return nil }
    return name
  }

  /// The name of a type inside a function: the function with its labels was met, its type is next,
  /// and the name of the type stands at the end, with `L`, a number, a line and its kind behind it.
  private func localType() -> String? {
    guard stack.count > 1, let context = stack[0].context, case .name(let function) = stack[1],
      let kind = rest.last,
      kind == UInt8(ascii: "C") || kind == UInt8(ascii: "V")
        || kind == UInt8(ascii: "O")
    else { return nil }
    for place in rest.indices.reversed() where rest[place] == UInt8(ascii: "F") {
      var tail = NewMangling(rest: rest[(place + 1)...].dropLast())
      guard let name = tail.identifier(), tail.rest.first == UInt8(ascii: "L") else { continue }
      let number = tail.rest.dropFirst().drop { (0x30...0x39).contains($0) }
      if number.elementsEqual("_".utf8) { return "\(context).\(function)().\(name)" }
    }
    return nil
  }

  private mutating func part(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let name = identifier() else { return false }
      substitutions.append(.name(name))
      stack.append(.name(name))
    case UInt8(ascii: "s"):
      rest.removeFirst()
      stack.append(.module("Swift"))
    case UInt8(ascii: "S"):
      guard rest.starts(with: "So".utf8) else { return false }
      rest = rest.dropFirst(2)
      stack.append(.module("__C"))
    case UInt8(ascii: "A"):
      rest.removeFirst()
      return substitute()
    case UInt8(ascii: "L"):
      // A word that tells the file of a private type: the name in front of it remains.
      guard rest.starts(with: "LL".utf8), case .name? = stack.popLast(), case .name? = stack.last
      else { return false }
      rest = rest.dropFirst(2)
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "P"):
      rest.removeFirst()
      guard case .name(let name)? = stack.popLast(), let context = stack.popLast()?.context else {
        return false
      }
      let type = Part.type(context + "." + name)
      substitutions.append(type)
      stack.append(type)
    default: return false
    }
    return true
  }

  /// Parts that stand before: a letter for each, the last one large.
  private mutating func substitute() -> Bool {
    while let letter = rest.popFirst() {
      let isLast = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
      guard isLast || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return false }
      let index = Int(letter & 0x1F) - 1
      guard index < substitutions.count else { return false }
      stack.append(substitutions[index])
      if isLast { return true }
    }
    return false
  }

  /// A name: its length and its bytes, or words of earlier names and bytes in turn behind a zero.
  private mutating func identifier() -> String? {
    guard rest.first == UInt8(ascii: "0") else {
      guard let count = SwiftName.number(&rest), let text = SwiftName.take(count, &rest) else {
        return nil
      }
      keepWords(of: text)
      return text
    }
    rest.removeFirst()
    if rest.first == UInt8(ascii: "0") {
      rest.removeFirst()
      guard let count = SwiftName.number(&rest) else { return nil }
      return SwiftName.take(count, &rest).flatMap { SwiftPunycode.decoded($0) }
    }
    var text = ""
    var hasWords = true
    while hasWords {
      while hasWords, let letter = rest.first, Self.isLetter(letter) {
        rest.removeFirst()
        hasWords = letter & 0x20 != 0
        let index = Int(letter & 0x1F) - 1
        guard index < words.count else { return nil }
        text += words[index]
      }
      if rest.first == UInt8(ascii: "0") {
        rest.removeFirst()
        break
      }
      guard let count = SwiftName.number(&rest), let part = SwiftName.take(count, &rest) else {
        return nil
      }
      keepWords(of: part)
      text += part
      guard text.utf8.count <= 4_096 else { return nil }
    }
    return text.isEmpty ? nil : text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Keeps the words of a name: they begin at its front, behind a line and with a large letter.
  private mutating func keepWords(of text: String) {
    let bytes = Array(text.utf8)
    var start: Int?
    for place in 0...bytes.count {
      let byte = place < bytes.count ? bytes[place] : UInt8(ascii: "_")
      let isEnd =
        byte == UInt8(ascii: "_")
        || place > 0 && Self.isLarge(byte) && !Self.isLarge(bytes[place - 1])
      if let first = start, isEnd {
        if place - first >= 2, words.count < 26 {
          words.append(String(decoding: bytes[first..<place], as: UTF8.self))
        }
        start = nil
      }
      if start == nil, byte != UInt8(ascii: "_"), !(0x30...0x39).contains(byte) { start = place }
    }
  }

  private static func isLarge(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
