import Foundation
import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Whole screens as text, compared with files: `UPDATE_GOLDENS=1 swift test` writes them anew.
@Suite struct ScreenGoldenTests {
  /// A screen: its name, its size and what is typed before.
  struct Screen: CustomTestStringConvertible, Sendable {
    var name: String
    var size = CellSize(columns: 80, rows: 24)
    var capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
    var keys = ""
    var document = Document.towns
    var testDescription: String { name }
  }

  static let screens: [Screen] = [
    Screen(name: "normal"),
    Screen(name: "selected", keys: "w<ret>"),
    Screen(name: "insert", keys: "]l:draw polygon<ret><space>5l<space>3k<space>4h"),
    Screen(name: "select", keys: "v9l4j"),
    Screen(name: "move", keys: "w<ret>m6l2k"),
    Screen(name: "layers", keys: "<tab>j<space>"),
    Screen(name: "prompt", keys: ":se<tab>"),
    Screen(name: "form", keys: "w<ret>e<ret>"),
    Screen(name: "help", keys: "?/zoom<ret>"),
    Screen(name: "popup", keys: "<space>l"),
    Screen(name: "error", keys: ":frobnicate<ret>"),
    Screen(name: "welcome", document: Document()),
    Screen(
      name: "mono-ascii", capabilities: ScreenCapabilities(depth: .mono, isUnicode: false),
      keys: "w<ret>"),
    Screen(name: "bare", size: CellSize(columns: 50, rows: 14)),
    Screen(name: "bare-prompt", size: CellSize(columns: 50, rows: 14), keys: ":zo"),
    Screen(name: "wide", size: CellSize(columns: 200, rows: 60), keys: "w<ret>"),
    Screen(name: "table", keys: ":table --here<ret>"),
    Screen(
      name: "table-marked",
      keys: ":table --here<ret>:table sort -population<ret>xj<space>:table freeze 1<ret>ll"),
    Screen(name: "table-edit", keys: ":table --here<ret>cpop<ret>e99"),
    Screen(
      name: "table-wide", size: CellSize(columns: 200, rows: 60),
      keys: ":table --here<ret>:table sort name<ret>jx"),
    Screen(
      name: "table-mono", capabilities: ScreenCapabilities(depth: .mono, isUnicode: false),
      keys: ":table --here<ret>jxj"),
    Screen(name: "frequency", keys: ":table --here<ret>:table column name<ret>f"),
    Screen(name: "measure", keys: "M9l<space>4j"),
    Screen(name: "palette", keys: "<c-p>zoo"),
    Screen(name: "letters", keys: "f"),
  ]

  @Test(arguments: screens)
  func `A screen looks as it did`(screen: Screen) throws {
    var editor = Editor(screen.document, size: screen.size)
    editor.desk.session.capabilities = screen.capabilities
    try editor.press(screen.keys)
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: screen.size, memory: &memory)
    let repertoire: Repertoire = screen.capabilities.isUnicode ? .unicode : .ascii
    try Golden.check(screen.name, frame.plainText(repertoire))
  }

  @Test(arguments: screens)
  func `A picture does not depend on what was drawn before`(screen: Screen) throws {
    var editor = Editor(screen.document, size: screen.size)
    try editor.press(screen.keys)
    var fresh = RenderMemory()
    var used = RenderMemory()
    _ = editor.desk.frame(size: screen.size, memory: &used)
    let first = editor.desk.frame(size: screen.size, memory: &fresh)
    #expect(editor.desk.frame(size: screen.size, memory: &used) == first)
  }

  @Test func `Any size can be drawn in any mode`() throws {
    for screen in Self.screens {
      var editor = Editor(screen.document, size: screen.size)
      try editor.press(screen.keys)
      var memory = RenderMemory()
      for columns in [0, 1, 20, 39, 40, 59, 60, 71, 72, 110, 150, 300] {
        for rows in [0, 1, 11, 12, 15, 16, 17, 36, 80] {
          let size = CellSize(columns: columns, rows: rows)
          editor.desk.resize(to: size)
          let frame = editor.desk.frame(size: size, memory: &memory)
          #expect(frame.size == size)
          if let cursor = frame.cursor {
            #expect(frame.bounds.contains(column: cursor.column, row: cursor.row))
          }
        }
      }
    }
  }

  @Test func `Nothing of a document reaches the screen as a control`() throws {
    var document = Document.towns
    document.layers[2].name = "a\u{1B}]0;x\u{7}\u{202E}b\u{85}"
    var editor = Editor(document)
    try editor.press("w<ret>")
    editor.desk.say("\u{1B}[31m\r\n\u{9B}5n", .error)
    var memory = RenderMemory()
    let text = editor.desk.frame(size: editor.desk.screenSize, memory: &memory).plainText()
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
      #expect(scalar.properties.generalCategory != .format)
    }
  }

  @Test func `A running job shows how far it is and how to stop it`() throws {
    var desk = Desk(document: Document())
    let job = desk.startJob("opening rivers.geojson")
    _ = desk.handle(.progress(job, fraction: 0.43))
    var memory = RenderMemory()
    let text = desk.frame(size: desk.screenSize, memory: &memory).plainText()
    #expect(text.contains("43%") && text.contains("Ctrl-C cancels"))
    #expect(text.contains("opening rivers.geojson"))
  }

  @Test func `Work that Ctrl-C does not stop does not offer it`() {
    var desk = Desk(document: Document())
    for name in ["a.doc", "b.doc"] {
      desk.request(
        SaveRequest(path: name, document: Document(), revision: 0, overwrites: true))
    }
    var memory = RenderMemory()
    let text = desk.frame(size: desk.screenSize, memory: &memory).plainText()
    #expect(text.contains("saving a.doc (1 other waits)"))
    #expect(!text.contains("Ctrl-C"))
  }
}

/// Texts that are kept in files beside the tests.
enum Golden {
  static func check(
    _ name: String, _ text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(name) was written anew", sourceLocation: location)
      return
    }
    let stored = try String(contentsOf: file, encoding: .utf8)
    #expect(
      stored == text, "UPDATE_GOLDENS=1 swift test writes it anew", sourceLocation: location)
  }
}
