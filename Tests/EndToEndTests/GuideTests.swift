import Foundation
import PortolanTestSupport
import Testing

/// The tour of the README and the editor's tutorial, done key by key as they stand, at 80x24.
///
/// Each step quotes the sentence that it follows: whoever changes a guide changes its test.
@Suite(
  .serialized, .waiting,
  .enabled(if: TerminalSession.tmux != nil, "tmux is not installed: apt-get install tmux"))
struct GuideTests {
  @Test func `The editor's tutorial holds, key by key`() throws {
    let guide = try Guide(of: "Docs/tutorial-editor.md")
    try look(with: guide)
    try find(with: guide)
    try changeAttributes(with: guide)
    try draw(with: guide)
    try arrangeLayers(with: guide)
    try dividePanes(with: guide)
    try keep(with: guide)
    try saveBack(with: guide)
    try script(with: guide)
  }

  @Test func `The README's five minutes hold, key by key`() throws {
    let guide = try Guide(of: "README.md")
    try guide.session.run(
      "portolan ne_110m_countries.geojson ne_110m_populated_places.geojson")
    try guide.step("**Look.** `h j k l` or the arrows move the cursor", shows: "NORMAL", "243")
    for keys in ["l", "j", "h", "k"] {
      try guide.step("`h j k l` or the arrows move the cursor", type: keys, moves: true)
    }
    try guide.step("`H J K L` pan", type: "H", moves: true)
    try guide.step("`+` and `-` zoom at the cursor", type: "+", shows: "mag 0.6x")
    try guide.step("`+` and `-` zoom at the cursor", type: "-", shows: "mag 0.4x")
    try guide.step("`?` lists all keys of the mode you are in", type: "?", shows: "─ Keys: NORMAL")
    try guide.step("`?` lists all keys of the mode you are in", press: "Escape", shows: "─Layers")
    try guide.step("Space opens a menu", type: " ", shows: "file", "edit")
    try guide.step("Space opens a menu", press: "Escape", shows: "Enter info  / find")
    try guide.step("`/` and a word searches", type: "/Guinea\n", shows: "Guinea (Polygon) (1 of 4")
    try guide.step("`n` goes to the next", type: "n", shows: "(2 of 4")
    try guide.step(
      "`:go name France` goes there and shows it whole", type: ":go name France\n",
      shows: "France (MultiPolygon)", "name  France")
    try guide.step("Enter selects the feature under the cursor", type: ":go name Paris\n")
    try guide.step(
      "Enter selects the feature under the cursor", press: "Enter", shows: "Paris (Point) (1 of")
    try guide.step(
      "takes the next thing in the same place", press: "Enter", shows: "France (MultiPolygon) (2")
    try guide.step("`e` opens the attributes of the selection", type: "e", shows: "─ Attributes")
    try guide.step("move with `j` and `k`", type: "jjk", shows: "▸continent")
    try guide.step("Enter edits a value", press: "Enter", shows: "Enter do it")
    try guide.step("Enter edits a value", type: "!\n", shows: "set continent of 1 feature")
    try guide.step("`a` adds one", type: "acapital\nParis\n", shows: "set capital of 1 feature")
    try guide.step("Esc closes", press: "Escape", shows: "NORMAL")
    try guide.step("`u` undoes", type: "u", shows: "undone: set capital")
    try guide.step("`U` redoes", type: "U", shows: "done again: set capital")
    try guide.step("`i` draws in the active layer", type: "i", shows: "INSERT")
    try guide.step("move, Space puts a vertex", type: "ll ", shows: "Point drawn")
    try guide.step("`i` draws in the active layer", type: ":draw line\n", shows: "draw a line")
    try guide.step("move, Space puts a vertex", type: " ll jj ", shows: "3 vertices")
    try guide.step("Backspace takes the last one back", press: "BSpace", shows: "2 vertices")
    try guide.step("Enter finishes", press: "Enter", shows: "LineString drawn")
    try guide.step("`]v` walks its vertices", type: "]v", shows: "vertex")
    try guide.step("`m` moves a selection", type: "m", shows: "MOVE")
    try guide.step("`m` moves a selection", type: "ll\n", shows: "vertex moved")
    try guide.step(
      "`:w europe.doc` saves a document", type: ":w europe.doc\n", shows: "saved europe.doc")
    try guide.step("`:q` leaves", type: ":q\n", shows: "ready$")
    try guide.step("portolan info europe.doc", isCommand: true, shows: "ne_110m_countries")
  }

  private func look(with guide: Guide) throws {
    try guide.step(
      "portolan ne_110m_countries.geojson ne_110m_populated_places.geojson", isCommand: true,
      shows: "NORMAL", "─Layers", "ne_110m_cou", "ne_110m_p", "─Legend", "─Overview", "─Selected",
      "Space menu")
    let parts = [("F2", "─Layers"), ("F4", "─Overview"), ("F5", "─Legend"), ("F6", "─Selected")]
    for (key, heading) in parts {
      try guide.step("F2, F4, F5 and F6 hide and show the parts of the side bar", press: key)
      try guide.session.waitUntil("\(heading) is hidden") { !$0.contains(heading) }
      try guide.step("hide and show", press: key, shows: heading)
    }
    for keys in ["h", "j", "k", "l"] {
      try guide.step("`h j k l`, arrows", type: keys, moves: true)
    }
    try guide.step("`h j k l`, arrows", press: "Left", moves: true)
    try guide.step("`5l` moves five cells", type: "5l", moves: true)
    for keys in ["H", "L"] { try guide.step("`H J K L`", type: keys, moves: true) }
    try guide.step("zoom at the cursor in half steps", type: "++", shows: "mag 0.8x")
    for key in ["C-d", "C-u", "PPage", "NPage"] {
      try guide.step("Ctrl-D/U, PgDn/PgUp", press: key, moves: true)
    }
    try guide.step("fit everything, the layer, the selection", type: "_", shows: "mag 0.4x")
    try guide.step("the view before, the next one", type: "zp", shows: "mag 0.8x")
    try guide.step("the view before, the next one", type: "zn", shows: "mag 0.4x")
    try guide.step("to the next feature by distance, and back", type: "w", moves: true)
    try guide.step("to the next feature by distance, and back", type: "b", moves: true)
    try guide.step("go to a position", type: "gc13.4 52.5\n", shows: "52.50N 013.40E")
    try guide.step("`52°31'N 13°24'E`", type: "gc52°31'N 13°24'E\n", shows: "52.52N 013.40E")
    try guide.step("a name, an id", type: "gnBerlin\n", shows: "Berlin (Point)")
    try guide.step(
      "a name, an id", type: "gi154\n", shows: "2 features have the id “154”", "Czechia")
    try guide.step("a name, an id", type: "2", shows: "Czechia (Polygon)", "NORMAL")
    try guide.step("fit everything, the layer, the selection", type: "zs", shows: "Czechia", "z4.")
    try guide.step("fit everything, the layer, the selection", type: "zf", shows: "z-1.2")
    try guide.step("where am I, in words", press: "C-g", shows: "active layer")
    try guide.step("Keys that begin others", type: "z", shows: "selection")
    try guide.step("Keys that begin others", press: "Escape")
    try guide.step("`?` lists all keys of the mode", type: "?", shows: "─ Keys: NORMAL")
    try guide.step("`?` lists all keys of the mode", press: "Escape", shows: "─Layers")
  }

  private func find(with guide: Guide) throws {
    try guide.step("`/` asks for a text", type: "/Guinea\n", shows: "Guinea (Polygon) (1 of 4")
    try guide.step("`n` and `N` step", type: "n", shows: "Guinea-Bissau (Polygon) (2 of 4")
    try guide.step("`n` and `N` step", type: "N", shows: "Guinea (Polygon) (1 of 4")
    try guide.step("`g/` selects all of it", type: "g/", shows: "4 selected", "sel 4")
    try guide.step(
      "`:go name Prague` goes there", type: ":go name Prague\n", shows: "Prague (Point)", "sel 1",
      "name  Prague")
    try guide.step(
      "Enter selects the feature under the cursor", press: "Enter", shows: "Prague (Point)")
    try guide.step(
      "takes the next thing in the same place, here Czechia under Prague", press: "Enter",
      shows: "Czechia (Polygon)", "name    Czechia")
    try guide.step("`I` shows them all", type: "I", shows: "Czechia", "iso_a3", "gdp_md_est")
    try guide.step("`I` shows them all", press: "Escape", shows: "NORMAL")
    try guide.step("`v` opens a box", type: "v", shows: "SELECT", "a all layers")
    try guide.step("move, then Enter selects", type: "lllljj\n", shows: "NORMAL", "Prague (Point)")
    try guide.step("`V` takes the whole layer", type: "V", shows: "243 selected", "sel 243")
  }

  private func changeAttributes(with guide: Guide) throws {
    try guide.step("`:go name Prague`", type: ":go name Prague\n", shows: "(named “Prague”)")
    try guide.step(
      "`e` opens the attributes of the selection as a form", type: "e", shows: "FORM",
      "─ Attributes", "▸name")
    try guide.step("`a` adds an attribute", type: "apostcode\n", shows: "Enter do it")
    try guide.step(
      "`a` adds an attribute", type: "=12\n", shows: "set postcode of 1 feature", " 12 ")
    try guide.step("`j` and `k` move", type: "k", shows: "▸featurecla")
    try guide.step("`j` and `k` move", type: "j", shows: "▸postcode")
    try guide.step("Enter edits a value", press: "Enter", shows: "Enter do it")
    try guide.step("`\"12\"` in quotes is always text", press: "C-u")
    try guide.step(
      "`\"12\"` in quotes is always text", type: "\"12\"\n", shows: "set postcode of 1 feature",
      "\"12\"")
    try guide.step("`r` renames", type: "r", shows: "Enter do it")
    try guide.step("`r` renames", press: "C-u")
    try guide.step("`r` renames", type: "zip\n", shows: "renamed postcode to zip", "▸zip")
    try guide.step("`d` removes", type: "d", shows: "removed zip of 1 feature")
    try guide.step("Esc closes", press: "Escape", shows: "NORMAL")
    try guide.step(
      "In the prompt the same is `:set name=Praha`", type: ":set name=Praha\n",
      shows: "set name of 1 feature", "name  Praha")
    try guide.step(
      "`u` undoes and `U` redoes", type: "u", shows: "undone: set name", "name  Prague")
    try guide.step("`u` undoes and `U` redoes", type: "U", shows: "done again: set name")
  }

  private func draw(with guide: Guide) throws {
    try guide.step(
      "`i` draws in the active layer what the layer holds", type: "i", shows: "INSERT",
      "draw a point")
    try guide.step("go there, put a vertex", type: "lll ", shows: "Point drawn")
    try guide.step(
      "`:draw polygon` (or `point`, `line`)", type: ":draw polygon\n", shows: "draw a polygon")
    try guide.step("go there, put a vertex", type: " lllll jjj hh ", shows: "4 vertices")
    try guide.step("take the last vertex back", press: "BSpace", shows: "3 vertices")
    try guide.step("leave; the draft stays", press: "Escape", shows: "the draft is kept")
    try guide.step("`i` goes on with it", type: "i", shows: "INSERT", "3 vertices")
    try guide.step("go there, put a vertex", type: "hh ", shows: "4 vertices")
    try guide.step("what to snap to", type: "s", shows: "snap")
    try guide.step("what to snap to", type: "ssss", shows: "INSERT")
    try guide.step("close the ring, finish", type: "c", shows: "Polygon drawn")
    try guide.step("`]v` and `[v` walk the vertices", type: "]v", shows: "vertex")
    try guide.step("`]v` and `[v` walk the vertices", type: "[v", shows: "vertex")
    try guide.step("`m` picks the vertex", type: "m", shows: "MOVE")
    try guide.step("moving keys carry it, Enter drops it", type: "ll\n", shows: "vertex moved")
    try guide.step("`d` deletes it", type: "d", shows: "vertex deleted")
    try guide.step("`u` undoes", type: "u", shows: "undone: delete vertex")
  }

  private func arrangeLayers(with guide: Guide) throws {
    try guide.step(
      "Tab moves the keys to the layers panel", press: "Tab", shows: "LAYERS", "▸◉ …populat")
    try guide.step("Space hides and shows", type: " ", shows: "▸○ …populat")
    try guide.step("Space hides and shows", type: " ", shows: "▸◉ …populat")
    try guide.step("`l` locks", type: "l", shows: "locked: ne_110m_populated_places")
    try guide.step("`l` locks", type: "l", shows: "unlocked: ne_110m_populated_places")
    try guide.step("`J` and `K` reorder", type: "JK", shows: "LAYERS")
    try guide.step("`r` renames", type: "r", shows: ":rename")
    try guide.step("`r` renames", type: "towns\n", shows: "◉ towns")
    try guide.step("`d` deletes", type: "d", shows: "layer towns deleted")
    try guide.step("(and `u` brings back)", type: "u", shows: "◉ towns")
    try guide.step("Tab moves the keys to the layers panel", press: "Escape", shows: "NORMAL")
    for line in [
      ":layer ne_110m_countries", ":style ne_110m_countries --stroke '#6a9a6a' --label name",
      ":new-layer sites",
    ] { try guide.step(line, type: line + "\n", shows: "NORMAL") }
    try guide.step(":new-layer sites", shows: "◉ sites")
  }

  private func dividePanes(with guide: Guide) throws {
    func divide(_ quote: String, _ key: String, shows: String...) throws {
      try guide.step(quote, press: "C-w")
      try guide.step(quote, press: key)
      for text in shows { try guide.step(quote, shows: text) }
    }
    try divide("`v` makes a second pane at the right", "v", shows: "─ 2: z")
    try divide("`l` links panes", "l", shows: "linked")
    try divide("`w` goes to the next pane", "w", shows: "NORMAL")
    try divide("an arrow to the one on that side", "Right", shows: "NORMAL")
    try divide("`=` gives all the same room", "=", shows: "─ 2: z")
    try divide("`q` closes the pane", "q", shows: "NORMAL")
    try divide("`s` one below", "s", shows: "─ 2: z")
    try divide("`o` all others", "o", shows: "NORMAL")
    try divide("`m` shows the whole map in a small pane below", "m", shows: "overview")
    try divide("`m` shows the whole map in a small pane below", "m", shows: "NORMAL")
    try guide.step(":split right sites.doc", type: ":split right sites.doc\n", shows: "sites.doc")
    try divide("`q` closes the pane", "q", shows: "NORMAL")
    try guide.step(":tab new", type: ":tab new\n", shows: "2:")
    try guide.step("`gt` and `gT` go through the tabs", type: "gt", shows: "NORMAL")
    try guide.step("`gt` and `gT` go through the tabs", type: "gT", shows: "NORMAL")
    try guide.step("`:tab close` closes one", type: ":tab close\n", shows: "1:")
  }

  private func keep(with guide: Guide) throws {
    try guide.step("refuses while there is unsaved work", type: ":q\n", shows: "unsaved edits")
    try guide.step(
      "`:w world.doc` saves a document", type: ":w world.doc\n", shows: "saved world.doc")
    try guide.step(
      "`:export -o sites.geojson --layers sites`",
      type: ":export -o sites.geojson --layers sites\n", shows: "to sites.geojson")
    try guide.step("`:q` leaves", type: ":q\n", shows: "ready$")
    try guide.session.run("clear; cmp ne_110m_countries.geojson kept.geojson && echo same-$((1+1))")
    try guide.step("The files that the data came from are not touched", shows: "same-2")
    try guide.session.run("clear; portolan world.doc")
    try guide.step("`ZZ` saves and leaves", shows: "NORMAL", "sites")
    try guide.step("`ZZ` saves and leaves", type: "ZZ", shows: "ready$")
  }

  private func saveBack(with guide: Guide) throws {
    let file = "ne_110m_populated_places.geojson"
    try guide.session.run("clear; cp \(file) places.kept")
    try guide.step("portolan \(file)", isCommand: true, shows: "NORMAL")
    try guide.step("`:go name Vienna`", type: ":go name Vienna\n", shows: "named “Vienna”")
    try guide.step(
      "then `:set note=seen`: the title shows `[+]`", type: ":set note=seen\n", shows: "[+]")
    try guide.step("Ctrl-S saves the file", press: "C-s", shows: "saved \(file)")
    try guide.step(
      "`:style ne_110m_populated_places --stroke '#ff0000'`",
      type: ":style ne_110m_populated_places --stroke '#ff0000'\n", shows: "[+]")
    try guide.step("Ctrl-S asks", press: "C-s", shows: "cannot hold all", "the layer looks")
    try guide.step("`l` saves the file without it", type: "l", shows: "not in the file")
    try guide.session.run(":q")
    try guide.session.waitFor("ready$")
    try guide.session.run(
      "clear; diff \(file) places.kept | grep -c '^<' | sed 's/^/lines-/'; mv places.kept \(file)")
    try guide.step("unedited features stay byte for byte", shows: "lines-1")
  }

  private func script(with guide: Guide) throws {
    let lines = guide.block(after: "A script is a file of the same commands.")
    #expect(lines.count == 6)
    let file = guide.session.directory.appendingPathComponent("tidy.portolan")
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    try guide.session.run("clear; rm world.doc")
    try guide.session.run("portolan run tidy.portolan; echo code-$?; cat europe.txt")
    try guide.step(
      "`portolan run tidy.portolan` runs it without a terminal", shows: "code-0", "★Berlin")
    try "go name Nowhere\nselect here\n".write(to: file, atomically: true, encoding: .utf8)
    try guide.session.run("clear; portolan run tidy.portolan; echo code-$?")
    try guide.step(
      "A mistake ends it with the line and the column on standard error and exit code 2",
      shows: "tidy.portolan:1", "code-2")
  }
}

/// A guide of the repository and the terminal in which it is followed.
private final class Guide {
  let session: TerminalSession
  /// The guide as it stands, and with all white space folded.
  private let source: String
  private let text: String
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init(of path: String) throws {
    source = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    text = Self.folded(source)
    session = try TerminalSession()
    let samples = Self.root.appendingPathComponent("Sources/portolan/Samples")
    for name in ["ne_110m_countries.geojson", "ne_110m_populated_places.geojson"] {
      try FileManager.default.copyItem(
        at: samples.appendingPathComponent(name), to: session.directory.appendingPathComponent(name)
      )
    }
    try FileManager.default.copyItem(
      at: session.directory.appendingPathComponent("ne_110m_countries.geojson"),
      to: session.directory.appendingPathComponent("kept.geojson"))
    try session.run("alias portolan=\(TerminalSession.program.path); clear")
  }

  /// Follows one sentence.
  ///
  /// - Parameters:
  ///   - quote: stands in the guide, but for line breaks.
  ///   - isCommand: the quote itself is typed, as a command of the shell.
  ///   - type: keys as text; a line end is Enter.
  ///   - press: one key by tmux's name.
  ///   - moves: whether the position in the status line becomes another one.
  ///   - shows: what the screen holds then.
  func step(
    _ quote: String, isCommand: Bool = false, type: String = "", press: String? = nil,
    moves: Bool = false, shows: String...
  ) throws {
    guard text.contains(Self.folded(quote)) else {
      throw TerminalSession.Failure(description: "the guide no longer says “\(quote)”")
    }
    let screenBefore = try session.screen()
    let before = Self.position(screenBefore)
    if isCommand { try session.run(quote) }
    for part in type.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { try session.keys("Enter") }
      if !part.element.isEmpty { try session.type(String(part.element)) }
    }
    if let press { try session.keys(press) }
    // Esc and a key at once are Alt with that key: the next one waits until Esc has done its work.
    if press == "Escape" {
      try session.waitUntil("“\(quote)”: Esc has an effect") { $0 != screenBefore }
    }
    try session.waitUntil("“\(quote)” (\(type)\(press ?? "")) shows \(shows)") { screen in
      let line = Self.folded(screen)
      return shows.allSatisfy { line.contains(Self.folded($0)) }
        && (!moves || Self.position(screen) != before)
    }
  }

  /// The lines of the indented block behind a sentence.
  func block(after sentence: String) -> [String] {
    guard let range = source.range(of: sentence) else { return [] }
    let lines = source[range.upperBound...].split(separator: "\n").drop { !$0.hasPrefix("    ") }
    return lines.prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
  }

  /// The part of the status line that tells where the cursor is.
  private static func position(_ screen: String) -> String {
    screen.split(separator: "\n").last { $0.contains("mag ") }.map {
      $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
    } ?? ""
  }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
