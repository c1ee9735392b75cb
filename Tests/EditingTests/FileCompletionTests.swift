import PortolanDocuments
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanFiles

/// Names of files at the `:` prompt.
@Suite struct FileCompletionTests {
  private static func world(_ paths: [String]) throws -> World {
    let files = MemoryFileSystem()
    for path in paths {
      try files.makeDirectories(FilePath.folder(of: path), mode: 0o700)
      _ = try files.save([1], to: path, expecting: .absent)
    }
    return World(files: files)
  }

  /// Presses Tab, and gives the editor what the world replies.
  private static func complete(_ editor: inout Editor, _ world: World) throws {
    editor.effects = []
    try editor.press("<tab>")
    for effect in editor.effects {
      if let event = try world.perform(effect) { _ = editor.desk.handle(event) }
    }
  }

  @Test func `Tab completes names of files, folder by folder`() throws {
    let world = try Self.world([
      "/maps/rivers.geojson", "/maps/roads.geojson", "/maps/old/site one.doc", "/maps/.hidden",
    ])
    var editor = Editor()
    try editor.press(":open /ma")
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "open /maps/")
    try Self.complete(&editor, world)
    #expect(
      editor.desk.prompt?.completions == [
        "/maps/old/", "/maps/rivers.geojson", "/maps/roads.geojson",
      ])
    #expect(editor.desk.prompt?.line.text == "open /maps/old/")
    try editor.press("<tab>")
    #expect(editor.desk.prompt?.line.text == "open /maps/rivers.geojson")
    try editor.press("<esc>:open /maps/o")
    try Self.complete(&editor, world)
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "open '/maps/old/site one.doc' ")
    try editor.press("<esc>:open '/maps/old/si")
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "open '/maps/old/site one.doc' ")
    try editor.press("<esc>:open --force /maps/old/s")
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "open --force '/maps/old/site one.doc' ")
    try editor.press("<esc>:render -o /maps/.h")
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "render -o /maps/.hidden ")
  }

  @Test func `A line that has changed meanwhile stays as it is`() throws {
    let world = try Self.world(["/maps/rivers.geojson"])
    var editor = Editor()
    try editor.press(":open /ma")
    editor.effects = []
    try editor.press("<tab>")
    let effects = editor.effects
    try editor.press("x")
    for effect in effects {
      if let event = try world.perform(effect) { _ = editor.desk.handle(event) }
    }
    #expect(editor.desk.prompt?.line.text == "open /max")
    try editor.press("<esc>:open /nowhere/")
    try Self.complete(&editor, world)
    #expect(editor.desk.prompt?.line.text == "open /nowhere/")
  }

  @Test(arguments: Seeds.some(20))
  func `Whatever a file is called, its completion names it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = ["a", " ", "'", "\"", "\\", "é", "日", "-", "~", "#", "$", "\u{7}", "."]
    let name = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
      parts.randomElement(using: &random)
    }.joined()
    if name == "." || name == ".." || name.hasPrefix(".") { return }
    let world = try Self.world(["/d/" + name])
    var editor = Editor()
    try editor.press(":open /d/")
    try Self.complete(&editor, world)
    let text = try #require(editor.desk.prompt?.line.text)
    let words = try CommandWord.split(text)
    #expect(words.map(\.text) == ["open", "/d/" + name], "\(text)")
  }
}
