import PortolanTestSupport
import Testing

@testable import PropertyLists

/// A value, to be written down and compared.
indirect enum TextValue: Equatable, Sendable {
  case text(String)
  case data([UInt8])
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case date(Double)
  case array([TextValue])
  case dictionary([(String, TextValue)])

  static func == (one: TextValue, two: TextValue) -> Bool {
    switch (one, two) {
    case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
    case (.data(let one), .data(let two)): one == two
    case (.integer(let one), .integer(let two)): one == two
    case (.real(let one), .real(let two)): one == two
    case (.bool(let one), .bool(let two)): one == two
    case (.date(let one), .date(let two)): one == two
    case (.array(let one), .array(let two)): one == two
    case (.dictionary(let one), .dictionary(let two)):
      one.map(\.0) == two.map(\.0) && one.map(\.1) == two.map(\.1)
    default: false
    }
  }
}

/// The text notation of OPENSTEP and GNUstep.
@Suite struct TextPropertyListTests {
  private func read(_ text: String) throws -> StartedPropertyList {
    try StartedPropertyList(text: Array(text.utf8))
  }

  @Test(arguments: [
    ("{a=1; a=3;}", true), ("{a=1; b={a=2;}; a=3;}", true), ("{a=1; b={a=2;};}", false),
    ("{a=1; b=({a=2;}, {a=2;}); c={b=1;};}", false),
  ])
  func `A key that a dictionary has twice is told, whatever stands in between`(
    text: String, isTold: Bool
  ) throws {
    #expect(try read(text).faults.isEmpty == !isTold)
  }

  private func value(
    _ reference: PropertyListReference, _ list: BinaryPropertyList
  ) throws -> TextValue {
    let object = try list.object(reference)
    switch object {
    case .ascii, .utf16: return .text(try #require(try list.string(object)))
    case .data(let range): return .data(list.reader.withBytes(in: range) { Array($0) } ?? [])
    case .integer(let value): return .integer(value)
    case .double(let value): return .real(value)
    case .bool(let value): return .bool(value)
    case .date(let value): return .date(value)
    case .array(let row):
      return .array(try (0..<row.count).map { try value(list.reference($0, of: row), list) })
    case .dictionary(let keys, let values):
      return .dictionary(
        try (0..<keys.count).map { place in
          guard case .text(let key) = try value(list.reference(place, of: keys), list) else {
            throw PropertyListError(.badKey, "no text")
          }
          return (key, try value(list.reference(place, of: values), list))
        })
    default: throw PropertyListError(.wrongKind, object.kindName)
    }
  }

  private func value(_ text: String) throws -> TextValue {
    let started = try read(text)
    #expect(started.faults == PropertyListFaults() && started.rest == nil)
    return try value(started.list.top, started.list)
  }

  // MARK: Laws

  private static let words = [
    "a", "Pier 7", "", "é", "\"", "\\", "😀\n\t", "x.y-z/1:2", "\u{7}\u{1B}", "=;", "//", "/*",
    "\u{2028}",
  ]

  private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> TextValue {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &generator) {
    case 0, 1: return .text(words.randomElement(using: &generator) ?? "")
    case 2: return .data((0..<Int.random(in: 0...9, using: &generator)).map { UInt8($0 * 29) })
    case 3: return .integer(Int64.random(in: -1_000...1_000, using: &generator))
    case 4: return .real(Double(Int.random(in: -100...100, using: &generator)) / 8)
    case 5:
      return Bool.random(using: &generator)
        ? .bool(true) : .date(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)))
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth - 1, &generator) })
    default:
      let count = Int.random(in: 0...4, using: &generator)
      return .dictionary(
        (0..<count).map { number in
          (
            "\(number)" + (words.randomElement(using: &generator) ?? ""),
            value(depth - 1, &generator)
          )
        })
    }
  }

  /// A string in one of the ways to write it.
  private static func written(_ text: String, _ generator: inout SeededGenerator) -> String {
    let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0 >= "0" && $0 <= "9" }
    // A slash may stand in a word.
    if isPlain, Bool.random(using: &generator) { return text + " " }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x80 && Bool.random(using: &generator):
        let digits = String(scalar.value, radix: 8)
        result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      case _ where scalar.value > 0x7F && Bool.random(using: &generator):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"" + result + "\""
  }

  private static func filler(_ generator: inout SeededGenerator) -> String {
    ["", " ", "\n", "/* ; \" */", "// } )\n"].randomElement(using: &generator) ?? ""
  }

  private static func written(_ value: TextValue, _ generator: inout SeededGenerator) -> String {
    let gap = filler(&generator)
    switch value {
    case .text(let text): return gap + written(text, &generator)
    case .data(let bytes):
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      return gap + "<" + digits.joined(separator: Bool.random(using: &generator) ? " " : "") + ">"
    case .integer(let value): return gap + "<*I\(value)>"
    case .real(let value): return gap + "<*R\(value)>"
    case .bool(let value): return gap + "<*B\(value ? "Y" : "N")>"
    case .date(let seconds):
      let text = (XMLDate.text(seconds + 5_400) ?? "").dropLast()
      return gap + "<*D" + text.replacing("T", with: " ") + " +0130>"
    case .array(let elements):
      let parts = elements.map { written($0, &generator) + filler(&generator) }
      let end = !parts.isEmpty && Bool.random(using: &generator) ? "," : ""
      return gap + "(" + parts.joined(separator: ",") + end + filler(&generator) + ")"
    case .dictionary(let entries):
      var text = gap + "{"
      for (place, entry) in entries.enumerated() {
        text += filler(&generator) + written(entry.0, &generator) + filler(&generator)
        // A key alone is its own value.
        if entry.1 != .text(entry.0) || Bool.random(using: &generator) {
          text += "=" + written(entry.1, &generator) + filler(&generator)
          if place == entries.count - 1, Bool.random(using: &generator) { break }
        }
        text += ";"
      }
      return text + filler(&generator) + "}"
    }
  }

  @Test func `what is written is read, in every way to write it`() throws {
    for seed in Seeds.some(400) {
      var generator = SeededGenerator(seed: seed)
      let wanted = Self.value(4, &generator)
      let text = Self.written(wanted, &generator)
      #expect(try value(text) == wanted, "seed \(seed): \(text)")
      let wide: [UInt8] =
        [0xFE, 0xFF]
        + text.utf16.flatMap { unit -> [UInt8] in
          [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
      let started = try StartedPropertyList(text: wide)
      #expect(try value(started.list.top, started.list) == wanted, "seed \(seed)")
    }
  }

  @Test func `damaged text is refused or read, never more`() {
    for seed in Seeds.some(300) {
      var generator = SeededGenerator(seed: seed)
      var bytes = Array(Self.written(Self.value(4, &generator), &generator).utf8)
      for _ in 0..<3 where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        if Bool.random(using: &generator) {
          bytes.remove(at: place)
        } else {
          bytes[place] ^= 1 << 4
        }
      }
      guard let started = try? StartedPropertyList(text: bytes) else { continue }
      #expect(started.list.count <= bytes.count + 2)
    }
  }

  // MARK: Forms

  @Test(
    arguments: [
      (
        "{ name = \"Pier\"; depths = (1, 2, <0a0b>); }",
        TextValue.dictionary([
          ("name", .text("Pier")), ("depths", .array([.text("1"), .text("2"), .data([10, 11])])),
        ])
      ),
      (
        "/* Localised */\n\"a b\" = \"x\";\nkey = 'it\\'s';\nsame;",
        .dictionary([("a b", .text("x")), ("key", .text("it's")), ("same", .text("same"))])
      ),
      (
        "// !$*UTF8*$!\n{ archiveVersion = 1; objects = {}; }",
        .dictionary([("archiveVersion", .text("1")), ("objects", .dictionary([]))])
      ),
      (
        "( \"\\341\", \"\\U00e9\\u00E9\", \"a\\\nb\", <[AQID]> )",
        .array([.text("Æ"), .text("éé"), .text("a\nb"), .data([1, 2, 3])])
      ),
      ("\u{FEFF}()", .array([])), ("", .dictionary([])),
    ] as [(String, TextValue)])
  func `the forms of programs are read`(_ text: String, _ wanted: TextValue) throws {
    #expect(try value(text) == wanted)
  }

  @Test(arguments: [
    ("(a, b", "closes this"), ("{ a = ", "a value is due"), ("{ a b; }", "= is due"),
    ("(a b)", "a comma or a parenthesis"), ("\"abc", "quotes are not closed"),
    ("/* x", "a comment"),
    ("{ a = 1; ", "closes this"), ("<0", "data does not end"), ("{ é = 1; }", "a key is due"),
    ("{ \"a\": 1 }", "looks like JSON"), ("(;)", "no value begins"),
  ])
  func `what is wrong is told with its place`(_ text: String, _ words: String) {
    let error = #expect(throws: PropertyListError.self) { try read(text) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    #expect(error?.description.hasPrefix("line 1, column ") == true)
  }

  @Test func `a broken leaf hides no other`() throws {
    let started = try read("{ a = <0>; b = <*Ix>; c = <*D2001>; d = <zz>; e = fine; e = again; }")
    #expect(started.faults.leaves.count == 4 && started.faults.notes.count == 1)
    guard case .dictionary(let keys, let values) = try started.list.object(started.list.top) else {
      Issue.record("no dictionary")
      return
    }
    #expect(keys.count == 6)
    for place in 0..<4 {
      let reference = try started.list.reference(place, of: values)
      #expect(throws: PropertyListError.self) { try started.list.object(reference) }
      #expect(started.faults.leaves[reference]?.hasPrefix("line 1, column ") == true)
    }
    let last = try started.list.reference(4, of: values)
    #expect(try value(last, started.list) == .text("fine"))
  }

  @Test func `deep nesting is refused, and very many broken leaves cost little`() throws {
    for open in ["(", "{a="] {
      let error = #expect(throws: PropertyListError.self) {
        try read(String(repeating: open, count: 60_000))
      }
      #expect(error?.code == .tooDeep)
    }
    let many = "(" + String(repeating: "<x>,\n", count: 20_000) + ")"
    let time = try processorTime { _ = try read(many) }
    #expect(time < 3)
  }
}
