import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct KeyMapTests {
  @Test func `The default key map reads without an error`() throws {
    let map = try KeyMap(text: Kinds.standard.keyText)
    #expect(map == .modal)
    for mode in Kinds.standard.modes { #expect(map.bindings[mode]?.isEmpty == false, "\(mode)") }
    #expect(Set(map.gestures.keys) == Set(KeyMap.Gesture.allCases))
  }

  @Test(arguments: Kinds.standard.modes)
  func `Every binding parses as a command`(mode: Mode) throws {
    for binding in KeyMap.modal.bindings[mode] ?? [] {
      for count in ["", "3"] {
        let line = binding.line.replacing("{count}", with: count)
        #expect(throws: Never.self, "\(binding.notation) = \(line)") {
          _ = try #require(try Commands.parse(line))
        }
      }
    }
  }

  @Test(arguments: KeyMap.Gesture.allCases)
  func `Every gesture parses as a command`(gesture: KeyMap.Gesture) throws {
    let line = try #require(KeyMap.modal.gestures[gesture])
    let filled = line.replacing("{columns}", with: "-3").replacing("{rows}", with: "2")
      .replacing("{column}", with: "5").replacing("{row}", with: "0")
    #expect(try Commands.parse(filled) != nil)
  }

  @Test(arguments: Kinds.standard.modes)
  func `No binding hides another`(mode: Mode) {
    let all = KeyMap.modal.bindings[mode] ?? []
    for binding in all {
      for other in all where other.keys.count > binding.keys.count {
        #expect(
          !other.keys.starts(with: binding.keys), "\(binding.notation) hides \(other.notation)")
      }
    }
  }

  @Test(arguments: Kinds.standard.modes)
  func `No key is bound that terminals send as another`(mode: Mode) {
    for binding in KeyMap.modal.bindings[mode] ?? [] {
      for key in binding.keys where key.modifiers.contains(.control) {
        #expect(
          ![.character("i"), .character("m"), .character("h"), .character("[")]
            .contains(key.code))
      }
      #expect(!binding.keys.contains { $0.modifiers.contains(.alt) })
    }
  }

  @Test func `Every prefix has a name`() {
    let map = KeyMap.modal
    for (mode, bindings) in map.bindings {
      for binding in bindings where binding.keys.count > 1 {
        for length in 1..<binding.keys.count {
          let prefix = Array(binding.keys.prefix(length))
          let isNamed = map.groups[mode]?.contains { $0.keys == prefix } == true
          let isSame = Set(prefix).count == 1 && ["Z"].contains(KeyNotation.text(prefix))
          #expect(isNamed || isSame, "\(mode): \(KeyNotation.text(prefix))")
        }
      }
    }
  }

  @Test(arguments: [
    ("[normal]\nq", 2), ("[nowhere]\nh = cursor left", 1), ("[normal]\n<nokey> = quit", 2),
    ("[mouse]\nwhirl = quit", 2),
  ])
  func `A key file with an error says where`(text: String, line: Int) {
    let error = #expect(throws: KeyMapError.self) { try KeyMap(text: text) }
    #expect(error?.lineNumber == line)
  }

  @Test func `The popup after a prefix lists what may follow`() throws {
    var editor = Editor()
    try editor.press("z")
    #expect(editor.desk.popup.map(\.keys) == ["z", "f", "s", "i", "o", "0", "p", "n"])
    try editor.press("<esc><space>")
    #expect(editor.desk.popup.contains { $0.keys == "f" && $0.text == "file…" })
    try editor.press("f")
    #expect(editor.desk.popup.contains { $0.keys == "s" && $0.text.hasPrefix("Save") })
    #expect(editor.desk.popup == editor.desk.hints)
    try editor.press("<esc>")
    #expect(editor.desk.popup.isEmpty)
  }

  @Test func `The hint line follows the mode`() throws {
    var editor = Editor()
    #expect(editor.desk.hints.first == .init(keys: "i", text: "insert", key: Key(.character("i"))))
    try editor.press("i")
    #expect(
      editor.desk.hints.first == .init(keys: "Space", text: "vertex", key: Key(.character(" "))))
  }

  @Test func `The hint line follows the selection`() throws {
    var editor = Editor()
    let without = editor.desk.hints.map(\.text)
    #expect(without.prefix(3) == ["insert", "select", "info"])
    #expect(without.allSatisfy { !["edit", "delete", "move", "let go"].contains($0) })
    try editor.press("w<ret>")
    #expect(!editor.desk.selection.isEmpty)
    let with = editor.desk.hints
    #expect(with.prefix(3).map(\.text) == ["edit", "details", "let go"])
    #expect(Set(with.map(\.text)).isSuperset(of: ["delete", "move", "copy", "undo", "keys"]))
    #expect(!with.map(\.text).contains("insert"))
    // Each of them does something to the selection.
    for hint in with.prefix(6) {
      var copy = editor
      try copy.press(hint.keys == "Esc" ? "<esc>" : hint.keys)
      #expect(!copy.message.hasPrefix("error"), "\(hint)")
    }
    try editor.press("<esc>")
    #expect(editor.desk.hints.map(\.text) == without)
  }

  @Test func `Hints of a key map say when they are shown`() throws {
    let map = try KeyMap(
      text: """
        [normal]
        a = undo ;; always
        b = undo ;;+ with
        c = undo ;;- without
        """)
    #expect(map.hints(in: .normal).map(\.text) == ["always", "without"])
    #expect(map.hints(in: .normal, hasSelection: true).map(\.text) == ["with", "always"])
  }

  @Test func `An unknown key beeps and names itself`() throws {
    var editor = Editor()
    try editor.press("zX")
    #expect(editor.message == "zX does nothing here: ? lists the keys")
    #expect(editor.effects.contains { if case .beep = $0 { true } else { false } })
  }

  @Test func `The list of keys begins with what changes the map, under headings`() throws {
    var editor = Editor()
    try editor.press("?")
    let lines = editor.desk.help?.lines ?? []
    #expect(lines.prefix(2) == ["Draw", "i           Draw a feature."])
    let headings = lines.filter { !$0.isEmpty && !$0.contains("  ") }
    #expect(headings.contains("Select and find") && headings.last == "Panes (Ctrl-w)")
    #expect(Set(headings).count == headings.count)
    #expect(KeyMap.modal.bindings[.normal]?.allSatisfy { !$0.heading.isEmpty } == true)
  }

  @Test(arguments: Kinds.standard.modes)
  func `Every bound key stands in one group, and the list of keys has it once`(mode: Mode) throws {
    let bindings = KeyMap.modal.bindings[mode] ?? []
    let sections = KeyMap.modal.sections(of: mode)
    #expect(Set(sections.map(\.heading)).count == sections.count)
    for binding in bindings {
      let homes = sections.filter { $0.bindings.contains { $0.keys == binding.keys } }
      #expect(homes.count == 1, "\(binding.notation)")
      // Groups are for all keys of a mode or for none, beside the keys that every mode has.
      if homes.first?.heading == "Always" { continue }
      #expect(homes.first?.heading.isEmpty == (sections.first?.heading.isEmpty ?? true))
    }
    var editor = Editor()
    let lines = editor.desk.keyLines(of: mode).filter { $0.contains("  ") }
    #expect(lines.count == bindings.count)
  }

  /// Who asks for the keys of a mode looks for what it is for: moving is the same everywhere.
  @Test(arguments: Kinds.standard.modes)
  func `The list of keys begins with those that only this mode has`(mode: Mode) {
    let map = KeyMap.modal
    guard mode != .normal else { return }
    let common = map.bindings[.normal] ?? []
    let isOwn = map.sections(of: mode).map { section in
      section.bindings.contains { binding in
        !common.contains { $0.keys == binding.keys && $0.line == binding.line }
      }
    }
    #expect(isOwn.first == true)
    #expect(!zip(isOwn, isOwn.dropFirst()).contains { !$0 && $1 }, "\(isOwn)")
  }

  @Test func `The keys of measuring come before those of moving`() throws {
    var editor = Editor()
    try editor.press("M?")
    #expect(
      editor.desk.help?.lines.prefix(2)
        == ["Ask and measure", "Space       Put a point of the measured path."])
  }

  /// A key that begins a line tells what the line does, not how it begins.
  @Test(arguments: Kinds.standard.modes)
  func `Sentences are of what keys do`(mode: Mode) throws {
    let commands = Kinds.standard.commands
    for binding in KeyMap.modal.bindings[mode] ?? [] {
      let sentence = KeyMap.modal.summary(of: binding, among: commands)
      #expect(!sentence.hasPrefix("Type: "), "\(binding.notation): \(sentence)")
    }
    let table = KeyMap.modal.bindings[.init("table")] ?? []
    for (keys, words) in [("c", "To a column by its name…"), ("+", "Add a column…")] {
      let binding = try #require(table.first { $0.notation == keys })
      #expect(KeyMap.modal.summary(of: binding, among: commands) == words)
    }
  }

  @Test(arguments: Kinds.standard.modes)
  func `Keys with different effects have different sentences`(mode: Mode) throws {
    let map = KeyMap.modal
    let commands = Kinds.standard.commands
    var lines: [String: Set<String>] = [:]
    for binding in map.bindings[mode] ?? [] {
      // A count and a page say how far alone.
      let words = binding.line.split(separator: " ").filter {
        !["{count}", "page", "--down"].contains($0)
      }
      lines[map.summary(of: binding, among: commands), default: []]
        .insert(words.joined(separator: " "))
    }
    for (sentence, lines) in lines where lines.count > 1 {
      Issue.record("\(sentence) \(lines.sorted())")
    }
  }

  @Test func `The search in the list of keys keeps the headings`() throws {
    var editor = Editor()
    try editor.press("?/measure")
    let lines = editor.desk.help?.shownLines ?? []
    #expect(lines.first == "Ask and measure")
    #expect(lines.contains { $0.hasPrefix("M  ") } && lines.contains { $0.hasPrefix("Ctrl-G  ") })
    #expect(!lines.contains("Draw"))
  }

  @Test func `A key of other programs says what comes nearest here`() throws {
    #expect(!KeyMap.modal.advice.isEmpty)
    for (keys, advice) in KeyMap.modal.advice {
      #expect(KeyMap.modal.match(keys, in: .normal) == .none, "\(keys) is bound")
      var editor = Editor()
      try editor.press(KeyNotation.text(keys))
      #expect(editor.message.hasSuffix(" does nothing here: \(advice); ? lists the keys"))
      #expect(!editor.desk.isEdited)
    }
  }
}
