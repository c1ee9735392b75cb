import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts

/// The command palette: all that can be done or gone to, found by a few letters.
package struct CommandPalette: Overlay {
  package static let mode: Mode? = Mode("palette", .reading)
  package static let keys = """
    [palette]
    <esc> = escape                 ;; close
    <c-c> = escape
    """

  /// One line to choose.
  struct Entry: Sendable {
    var name: String
    var detail: String
    /// Its keys in NORMAL; empty without any.
    var keys: String
    /// The line of the command language that it runs.
    var line: String
    /// When it was last typed or chosen, the greater the later; 0 for never.
    var recency = 0
    private let foldedName: FuzzyText
    private let foldedDetail: FuzzyText

    init(_ name: String, _ detail: String, keys: String = "", line: String) {
      (self.name, self.detail, self.keys, self.line) = (name, detail, keys, line)
      (foldedName, foldedDetail) = (FuzzyText(name), FuzzyText(detail))
    }

    /// How well some words are found in it, by letters of its name or by pieces of its detail;
    /// `nil` if one is not.
    func score(of words: [FuzzyText]) -> Int? {
      var sum = 0
      for word in words {
        let inName = foldedName.score(of: word).map { $0 + 24 }
        guard
          let best = [inName, foldedDetail.score(of: word, together: true)]
            .compactMap({ $0 }).max()
        else {
          return nil
        }
        sum += best
      }
      return sum
    }
  }

  private let entries: [Entry]
  private(set) var line = LineEditor()
  /// The indices of the entries that are found, the best first.
  private(set) var found: [Int]
  /// The chosen one of them.
  private(set) var index = 0

  package var takesText: Bool { true }

  init(_ entries: [Entry]) {
    self.entries = entries
    found = []
    search()
  }

  var chosen: Entry? { found.indices.contains(index) ? entries[found[index]] : nil }
  var names: [String] { found.map { entries[$0].name } }

  private mutating func search() {
    let words = line.text.split(separator: " ").map { FuzzyText(String($0)) }
    let scored = entries.indices.compactMap { index in
      entries[index].score(of: words).map { (index: index, score: $0) }
    }
    found = scored.sorted { one, other in
      let (a, b) = (entries[one.index].recency, entries[other.index].recency)
      return one.score != other.score
        ? one.score > other.score : a != b ? a > b : one.index < other.index
    }.map(\.index)
    index = 0
  }

  package func type(_ text: String, in desk: inout Desk) {
    change(in: &desk) {
      $0.line.insert(text)
      $0.search()
    }
  }

  package func edit(_ action: LineAction, in desk: inout Desk) {
    switch action {
    case .accept: desk.takeFromPalette(chosen)
    case .backspace where line.characters.isEmpty: escape(in: &desk)
    case .older, .completeBack: change(in: &desk) { $0.move(by: -1) }
    case .newer, .complete: change(in: &desk) { $0.move(by: 1) }
    default:
      change(in: &desk) {
        $0.line.edit(action)
        $0.search()
      }
    }
  }

  package func press(_ event: MouseEvent, in desk: inout Desk) {
    let list = Self.list(in: Self.area(desk.layout, desk.screenSize))
    if event.steps != 0 { return change(in: &desk) { $0.move(by: event.steps) } }
    let line = event.row - list.row
    if event.isClick, list.contains(column: event.column, row: event.row) {
      change(in: &desk) { $0.index = $0.top(rows: list.rows) + line }
      if let palette = desk.commandPalette { desk.takeFromPalette(palette.chosen) }
    }
  }

  package func escape(in desk: inout Desk) { desk.commandPalette = nil }

  private mutating func move(by steps: Int) {
    if !found.isEmpty { index = (index + steps + found.count) % found.count }
  }

  private func change(in desk: inout Desk, _ change: (inout CommandPalette) -> Void) {
    var palette = self
    change(&palette)
    desk.commandPalette = palette
  }

  // MARK: Drawing

  private static func area(_ layout: ScreenLayout, _ size: CellSize) -> CellRect {
    let columns = min(size.columns, 100)
    return CellRect(
      column: (size.columns - columns) / 2, row: layout.map.row, columns: columns,
      rows: min(layout.map.rows, 24))
  }

  private static func list(in area: CellRect) -> CellRect {
    CellRect(
      column: area.column + 1, row: area.row + 2, columns: area.columns - 2,
      rows: max(0, area.rows - 3))
  }

  private func top(rows: Int) -> Int { min(max(0, index - rows / 2), max(0, found.count - rows)) }

  package func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    let look = desk.look
    let area = Self.area(layout, frame.size)
    let inside = OverlayBox.draw("What to do, where to go", look, in: area, on: &frame)
    guard inside.rows > 1 else { return }
    let count = "\(found.count) of \(entries.count)"
    frame.write(
      count, at: inside.column + inside.columns - count.count - 1, row: inside.row,
      style: look.theme.popupFaint)
    frame.write("> ", at: inside.column + 1, row: inside.row, style: look.theme.popupKey)
    LineField.draw(
      line, style: look.theme.popup,
      in: CellRect(
        column: inside.column + 3, row: inside.row,
        columns: max(0, inside.columns - count.count - 6), rows: 1), on: &frame)
    let list = Self.list(in: area)
    let top = top(rows: list.rows)
    for (row, entry) in found.dropFirst(top).prefix(list.rows).enumerated() {
      draw(
        entries[entry], isChosen: top + row == index, look,
        in: CellRect(column: list.column, row: list.row + row, columns: list.columns, rows: 1),
        on: &frame)
    }
    if found.isEmpty {
      frame.write(
        "nothing found", at: list.column + 2, row: list.row, style: look.theme.popupFaint)
    }
  }

  /// The columns that keys may take.
  private static let keysMax = 12

  private func draw(
    _ entry: Entry, isChosen: Bool, _ look: ScreenLook, in rect: CellRect, on frame: inout Frame
  ) {
    let signs = look.signs
    let style = isChosen ? look.theme.chosen : look.theme.popup
    frame.fill(rect, style: style)
    if isChosen { frame.write(signs.pointer, at: rect.column, row: rect.row, style: style) }
    let keys = CutText.end(entry.keys, columns: Self.keysMax, signs: signs)
    let keysStart = rect.column + rect.columns - DisplayWidth.of(keys) - 1
    frame.write(
      keys, at: keysStart, row: rect.row, style: isChosen ? style : look.theme.popupKey)
    // Names and details begin in the same columns of all rows, whatever their keys.
    let room = max(0, rect.columns - Self.keysMax - 5)
    let nameRoom = min(room, max(20, room * 2 / 5))
    let name = CutText.end(entry.name, columns: nameRoom, signs: signs)
    frame.write(name, at: rect.column + 2, row: rect.row, style: style)
    let start = rect.column + nameRoom + 4
    let detailRoom = keysStart - start - 2
    guard detailRoom > 0 else { return }
    frame.write(
      CutText.end(entry.detail, columns: detailRoom, signs: signs), at: start,
      row: rect.row, style: isChosen ? style : look.theme.popupFaint)
  }
}

/// What the palette offers, and what is done with it.
extension Desk {
  var commandPalette: CommandPalette? {
    get { session.overlay[CommandPalette.self] }
    set { session.overlay[CommandPalette.self] = newValue }
  }

  mutating func openPalette() {
    prompt = nil
    var entries = commandEntries()
    for layer in document.layers.reversed() {
      let line = "layer \(CommandWord.quoted(layer.name))"
      entries.append(.init(layer.name, "layer: make it the active one", line: line))
    }
    for bookmark in bookmarks {
      let keys = bookmark.name.count == 1 ? "'" + bookmark.name : ""
      let line = "go bookmark \(CommandWord.quoted(bookmark.name))"
      entries.append(.init(bookmark.name, "bookmark: go there", keys: keys, line: line))
    }
    entries += tabEntries()
    for path in session.recentFiles {
      let shown = FilePath.shown(path)
      let line = "open \(FilePath.quoted(path))"
      entries.append(.init(FilePath.name(of: shown), "file: open \(shown)", line: line))
    }
    let recency = typedWords()
    for index in entries.indices { entries[index].recency = recency[entries[index].line] ?? 0 }
    session.overlay = CommandPalette(entries)
  }

  /// When the beginnings of typed lines were last typed, the greater the later.
  private func typedWords() -> [String: Int] {
    var times: [String: Int] = [:]
    for (time, line) in (session.promptHistory[.command] ?? []).enumerated() {
      var words = ""
      for word in line.split(separator: " ").prefix(4) {
        words += (words.isEmpty ? "" : " ") + word
        times[words] = 2 * time + 1
      }
      // The whole line goes before its beginnings.
      times[words] = 2 * time + 2
    }
    return times
  }

  /// All commands, then lines with arguments that are bound to keys.
  private mutating func commandEntries() -> [CommandPalette.Entry] {
    var keys: [String: String] = [:]
    var bound: [(line: String, binding: KeyMap.Binding)] = []
    for binding in keyMap.bindings[.normal] ?? [] {
      var line = binding.line.split(separator: "{count}").joined()
      while line.hasSuffix(" ") { line.removeLast() }
      if keys.updateValue(binding.notation, forKey: line) == nil { bound.append((line, binding)) }
    }
    // The first binding of a line is the usual one.
    for (line, binding) in bound { keys[line] = binding.notation }
    let commands = session.kinds.commands.filter { !$0.isForKeys }.map { command in
      CommandPalette.Entry(
        command.name, command.configuration.abstract, keys: keys[command.name] ?? "",
        line: command.name)
    }
    let names = Set(commands.map(\.line))
    let lines = bound.filter { line, _ in
      !names.contains(line) && !line.hasPrefix("prompt ") && line != "escape" && line != "palette"
        && !line.hasPrefix("cursor ")
    }.map { line, binding in
      CommandPalette.Entry(
        line, keyMap.summary(of: binding, among: session.kinds.commands), keys: binding.notation,
        line: line)
    }
    return commands + lines
  }

  private func tabEntries() -> [CommandPalette.Entry] {
    let tabs = session.arrangement.tabs
    guard tabs.count > 1 else { return [] }
    return tabs.indices.map {
      CommandPalette.Entry("tab \($0 + 1)", "view: go to it", line: "tab \($0 + 1)")
    }
  }

  /// Runs the line of an entry; one that needs more words opens the prompt with it.
  fileprivate mutating func takeFromPalette(_ entry: CommandPalette.Entry?) {
    guard let entry else { return send(.beep) }
    commandPalette = nil
    do {
      try run(line: entry.line)
      remember(entry.line, .command)
    } catch let error as EditingError where error.code == .usage {
      openPrompt(.command, text: entry.line + " ")
    } catch let error as EditingError {
      fail(error.message)
    } catch {
      fail("\(error)")
    }
  }
}
