import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanEditing

/// The selected feature in the panel and on a page of its own.
@Suite struct DetailsTests {
  private static let long = String(repeating: "Very long words about a harbour. ", count: 40)

  @Test func `The panel and a picked vertex count the same vertices of a ring`() throws {
    var editor = Editor()
    try editor.run("layer fields")
    try editor.run("select where name = 'Small'")
    try editor.run("next vertex")
    #expect(editor.message.contains(" of 4: "), "\(editor.message)")
    let reference = try #require(editor.desk.selection.currentFeature)
    let feature = try #require(editor.document.feature(reference))
    #expect(SelectionPanel.rows(editor.desk, feature).contains { $0.value == "4 vertices" })
  }

  private func editor() throws -> Editor {
    var document = Document.towns
    guard var towns = document.layers[2] as? FeatureLayer else { return Editor() }
    _ = towns.add(
      geometry: .point(Coordinate(x: 5, y: 0)),
      attributes: [
        ("featurecla", .string("Country")), ("scalerank", .number("1")),
        ("sovereignt", .string("Sovereign")), ("name", .string("Zanzibar")),
        ("notes", .string(Self.long + "\nlast line\u{1B}[31m")),
      ])
    document.layers[2] = towns
    var editor = Editor(document)
    try editor.run("go name Zanzibar")
    return editor
  }

  private func screen(_ editor: Editor) -> String {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory).plainText()
  }

  @Test func `At 80x24 the panel shows the name, whatever column of the file it was`() throws {
    let lines = screen(try editor()).split(separator: "\n").map(String.init)
    let heading = try #require(lines.firstIndex { $0.contains("─Selected 1") })
    #expect(lines[heading + 1].contains("Zanzibar"))
    #expect(lines[(heading + 1)...].contains { $0.contains("more: I s") })
  }

  @Test func `The layer's own label field goes first`() throws {
    var editor = try editor()
    try editor.run("label towns --field sovereignt")
    let lines = screen(editor).split(separator: "\n").map(String.init)
    let heading = try #require(lines.firstIndex { $0.contains("─Selected 1") })
    #expect(lines[heading + 1].contains("Sovereign"))
  }

  @Test func `Long values can be read whole, page by page`() throws {
    var editor = try editor()
    try editor.press("I")
    #expect(editor.desk.mode == .help)
    var read = ""
    for _ in 0..<200 {
      let lines = screen(editor).split(separator: "\n").map(String.init)
      let texts = lines.filter { $0.hasPrefix("│") }.map { $0.dropFirst(2).dropLast(2) }
      read += texts.joined(separator: "\n")
      try editor.press("j")
    }
    for word in ["featurecla", "Country", "Zanzibar", "last line␛[31m"] {
      #expect(read.contains(word), "\(word)")
    }
    let help = try #require(editor.desk.help)
    let start = try #require(help.lines.firstIndex { $0.hasPrefix("notes") })
    let indent = try #require(help.keyColumns) + 2
    let whole = help.lines[start...].map { String($0.dropFirst(indent)) }.joined()
    #expect(whole == Self.long + "last line␛[31m")
    try editor.press("<esc>ev")
    #expect(editor.desk.help?.title.contains("Zanzibar") == true)
    try editor.press("<esc>")
    #expect(editor.desk.mode == .form)
  }

  @Test func `A script prints it`() throws {
    var editor = try editor()
    editor.desk.isHeadless = true
    try editor.run("details")
    let printed = editor.effects.compactMap { effect -> String? in
      if case .print(let lines) = effect { lines.joined(separator: "\n") } else { nil }
    }
    #expect(printed.count == 1)
    #expect(printed.first?.contains(Self.long) == true)
    #expect(printed.first?.contains("\u{1B}") == false)
    try editor.run("select none")
    #expect(throws: EditingError.self) { try editor.run("details") }
  }

  @Test func `Broken lines are the whole text and no wider than they may be`() {
    var generator = SeededGenerator(seed: 23)
    let alphabet = Array("ab  cdeé東京👨‍👩‍👧-\u{301}\n\t")
    for _ in 0..<400 {
      let length = Int.random(in: 0...120, using: &generator)
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      let columns = Int.random(in: 2...30, using: &generator)
      let lines = WholeText.lines(text, columns: columns)
      let shown = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { DisplayWidth.sanitised(String($0)) }
      #expect(lines.joined() == shown.joined())
      for line in lines where line.count > 1 {
        #expect(DisplayWidth.of(line) <= columns, "\(line.debugDescription) at \(columns)")
      }
    }
  }
}
