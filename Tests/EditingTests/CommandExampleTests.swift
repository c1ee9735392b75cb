import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// One line for each command, run where it makes sense, and what it must bring about.
@Suite struct CommandExampleTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var line: String
    /// Lines run before.
    var before: [String] = []
    /// What must be true then.
    var holds: @Sendable (Editor) -> Bool

    var testDescription: String { line }
  }

  static func asks(_ wanted: @escaping @Sendable (Effect) -> Bool) -> @Sendable (Editor) -> Bool {
    { editor in editor.effects.contains(where: wanted) }
  }

  static let files: [Example] = [
    Example(
      line: "open a.geojson",
      holds: asks { effect in
        guard case .perform(let request as OpenRequest, _) = effect else { return false }
        return request.paths == ["a.geojson"]
      }),
    Example(
      line: "save a.doc",
      holds: asks { effect in
        effect.save?.request.path == "a.doc"
      }),
    Example(
      line: "wq a.doc",
      holds: asks { $0.save != nil }),
    Example(line: "save-all", holds: { $0.message.contains("no document has unsaved edits") }),
    Example(line: "wqa", holds: { $0.desk.hasQuit }),
    Example(line: "quit", holds: { $0.desk.hasQuit }),
    Example(line: "suspend", holds: asks { if case .suspend = $0 { true } else { false } }),
    Example(line: "redraw", holds: asks { if case .redraw = $0 { true } else { false } }),
    Example(line: "cancel", before: ["open a"], holds: { $0.desk.jobs.isEmpty }),
    Example(line: "blocks half", holds: { $0.desk.session.capabilities.blocks == .half }),
    Example(line: "pictures off", holds: { $0.desk.session.capabilities.pictures == .off }),
    Example(line: "option snap=grid", holds: { $0.desk.session.snap == .grid }),
    Example(line: "theme light", holds: { $0.desk.session.capabilities.ground == .light }),
  ]

  static let looking: [Example] = [
    Example(line: "cursor left 2", holds: { $0.desk.cursorColumn == 26 }),
    Example(line: "pan up half", holds: { $0.desk.viewpoint.center.y > 10 }),
    Example(line: "zoom to 5", holds: { $0.desk.viewpoint.zoom == 5 }),
    Example(line: "base none", holds: { $0.desk.session.base.choice == .none }),
    Example(line: "fit roads", before: ["zoom to 9"], holds: { $0.desk.viewpoint.zoom < 3 }),
    Example(
      line: "center", before: ["cursor left 20"],
      holds: { abs($0.desk.viewpoint.center.x - $0.desk.cursor.x) < 1e-9 }),
    Example(line: "go name beta", holds: { $0.selected == ["Beta"] }),
    Example(line: "next feature", holds: { $0.selected == ["Alpha"] }),
    Example(line: "previous feature", holds: { $0.selected == ["Delta"] }),
    Example(line: "where", holds: { $0.message.contains("°N") }),
    Example(
      line: "details", before: ["go name beta"],
      holds: { $0.desk.help?.lines.first == "name     Beta" }),
    Example(
      line: "projection equirectangular",
      holds: { $0.desk.viewpoint.projection == .equirectangular }),
    Example(line: "panel info off", holds: { !$0.desk.panels.contains(.info) }),
    Example(line: "legend off", holds: { !$0.desk.panels.contains(.legend) }),
    Example(line: "overview off", holds: { !$0.desk.panels.contains(.overview) }),
    Example(line: "focus layers", holds: { $0.desk.mode == .layers }),
    Example(line: "prompt search ab", holds: { $0.desk.prompt?.line.text == "ab" }),
    Example(
      line: "line kill-word", before: ["prompt command 'a b'"],
      holds: { $0.desk.prompt?.line.text == "a " }),
    Example(line: "help style", holds: { $0.desk.help?.title == "style" }),
    Example(line: "scroll down 2", before: ["help"], holds: { $0.desk.help?.top == 2 }),
    Example(line: "escape", before: ["help"], holds: { $0.desk.help == nil }),
  ]

  static let selecting: [Example] = [
    Example(line: "select layer", holds: { $0.desk.selection.count == 4 }),
    Example(
      line: "box replace", before: ["go to -15 16", "box start", "go to 40 -10"],
      holds: { $0.desk.selection.count == 4 }),
    Example(line: "search gam", holds: { $0.selected == ["Gamma"] }),
    Example(line: "search-same", before: ["go to 2 8"], holds: { $0.selected == ["Beta"] }),
    Example(
      line: "set a=1", before: ["go name Beta"],
      holds: { $0.attribute("a", of: "Beta") == .number("1") }),
    Example(
      line: "column remove pop --layer towns",
      holds: { $0.layer("towns")?.fieldNames == ["name", "capital"] }),
    Example(
      line: "unset pop", before: ["go name Beta"],
      holds: { $0.attribute("pop", of: "Beta") == nil }),
    Example(
      line: "rename-attribute pop people", before: ["go name Beta"],
      holds: { $0.attribute("people", of: "Beta") == .number("250.0") }),
    Example(line: "attributes", before: ["go name Beta"], holds: { $0.desk.form != nil }),
    Example(
      line: "form down", before: ["go name Beta", "attributes"],
      holds: { $0.desk.form?.index == 1 }),
    Example(line: "move", before: ["go name Beta"], holds: { $0.desk.mode == .move }),
    Example(
      line: "drop", before: ["go name Beta", "move", "cursor left 4"],
      holds: { $0.desk.history.past.count == 1 && $0.desk.carry == nil }),
    Example(line: "delete", before: ["go name Beta"], holds: { $0.layer("towns")?.count == 3 }),
    Example(
      line: "yank", before: ["go name Beta"],
      holds: { $0.desk.session.register.features.count == 1 }),
    Example(
      line: "yank --view text",
      holds: asks { if case .setClipboard(let text) = $0 { text.contains("Beta") } else { false } }
    ),
    Example(
      line: "paste --in-place", before: ["go name Beta", "yank"],
      holds: { $0.layer("towns")?.count == 5 }),
    Example(
      line: "repeat", before: ["go name Beta", "set a=1", "go name Alpha"],
      holds: { $0.attribute("a", of: "Alpha") == .number("1") }),
    Example(line: "undo", before: ["hide roads"], holds: { !$0.desk.isEdited }),
    Example(line: "redo", before: ["hide roads", "undo"], holds: { $0.desk.isEdited }),
    Example(
      line: "history", before: ["hide roads", "lock fields"],
      holds: { $0.message == "newest first: lock fields, hide roads" }),
  ]

  static let drawing: [Example] = [
    Example(line: "draw line", holds: { $0.desk.draft?.kind == .line }),
    Example(
      line: "put 1 2", before: ["draw line"],
      holds: { $0.desk.draft?.vertices == [Coordinate(x: 1, y: 2)] }),
    Example(
      line: "unput", before: ["draw line", "put 1 2"],
      holds: { $0.desk.draft?.vertices.isEmpty == true }),
    Example(
      line: "close", before: ["draw polygon", "put 1 2", "put 2 2", "put 2 3"],
      holds: { $0.layer("towns")?.count == 5 }),
    Example(
      line: "next-part", before: ["draw line", "put 1 2", "put 2 2"],
      holds: { $0.desk.draft?.parts.count == 2 }),
    Example(
      line: "finish", before: ["draw line", "put 1 2", "put 2 2"],
      holds: { $0.features("towns").last?.geometry.kind == .lineString }),
    Example(line: "discard-draft", before: ["draw line"], holds: { $0.desk.draft == nil }),
    Example(
      line: "append", before: ["go name 'Main road'"], holds: { $0.desk.draft?.kind == .line }),
    Example(line: "part", before: ["go name Small"], holds: { $0.desk.draft?.kind == .polygon }),
    Example(
      line: "annotate 'the old harbour' --place '13.4 52.5' --to '12 50'",
      holds: { $0.document.layers.last?.kindCode == "note" }),
    Example(line: "snap grid", holds: { $0.desk.snap == .grid }),
  ]

  static let layers: [Example] = [
    Example(line: "layer roads", holds: { $0.desk.active?.name == "roads" }),
    Example(
      line: "show roads", before: ["hide roads"], holds: { $0.layer("roads")?.isVisible == true }),
    Example(line: "hide roads", holds: { $0.layer("roads")?.isVisible == false }),
    Example(line: "toggle roads", holds: { $0.layer("roads")?.isVisible == false }),
    Example(line: "lock roads", holds: { $0.layer("roads")?.isLocked == true }),
    Example(
      line: "unlock roads", before: ["lock roads"],
      holds: { $0.layer("roads")?.isLocked == false }),
    Example(line: "new-layer notes", holds: { $0.desk.active?.name == "notes" }),
    Example(
      line: "reproject EPSG:3857",
      holds: { editor in
        editor.desk.document.metadata.coordinateSystem.name == "EPSG:3857"
          && editor.desk.document.extent.maxX > 1000
      }),
    Example(
      line: "reproject EPSG:4326", before: ["reproject EPSG:3857"],
      holds: { $0.desk.document.metadata.isGeographic && $0.desk.document.extent.maxX < 360 }),
    Example(
      line: "simplify 0%", before: ["layer fields"],
      holds: { editor in
        editor.message.contains("vertices left")
          && editor.layer("fields")?.blocks.allSatisfy { $0.geometry.vertexCount < 15 } == true
      }),
    Example(
      line: "restore", before: ["layer fields", "simplify 0%"],
      holds: { $0.message.hasPrefix("vertex brought back") }),
    Example(line: "rename cities", holds: { $0.layer("cities") != nil }),
    Example(
      line: "title roads Main roads", holds: { $0.layer("roads")?.title == "Main roads" }),
    Example(line: "delete-layer roads", holds: { $0.layer("roads") == nil }),
    Example(line: "reorder bottom", holds: { $0.document.layers.first?.name == "towns" }),
    Example(
      line: "group ways roads", holds: { $0.document.layers.contains { $0.name == "ways" } }),
    Example(
      line: "ungroup ways", before: ["group ways roads"],
      holds: { editor in !editor.document.layers.contains { $0.name == "ways" } }),
    Example(
      line: "style roads --dash dotted",
      holds: { $0.layer("roads")?.style.mark.dash == .dotted }),
    Example(
      line: "style roads --weight bold --thin no",
      holds: {
        $0.layer("roads")?.style.mark.weight == .bold && $0.layer("roads")?.style.isThinned == false
      }),
    Example(line: "classes", holds: { $0.desk.mode == .classes }),
    Example(
      line: "style roads --min-zoom 5 --max-zoom 9",
      holds: { $0.layer("roads")?.zooms == ZoomBounds(least: 32, greatest: 512) }),
    Example(
      line: "label roads --field lanes",
      holds: { $0.layer("roads")?.style.labelField == "lanes" }),
  ]

  static let tables: [Example] = [
    Example(
      line: "table sort -pop", before: ["table --here"],
      holds: { $0.desk.table?.value(0, .attribute("name")) == .string("Delta") })
  ]

  static let geometry: [Example] = [
    Example(
      line: "buffer 100km --as near", before: ["layer towns"],
      holds: { $0.layer("near")?.count == 4 && $0.layer("near")?.kindCode == "pg" }),
    Example(
      line: "buffer -10km", before: ["layer fields"],
      holds: { $0.layer("fields buffer")?.count == 2 }),
    Example(
      line: "clip fields", before: ["layer roads"],
      holds: { $0.layer("roads clip")?.extent == Box(minX: 0, minY: 2, maxX: 10, maxY: 2) }),
    Example(
      line: "clip 0,0,5,5 --in-place", before: ["layer roads"],
      holds: { $0.layer("roads")?.extent == Box(minX: 0, minY: 2, maxX: 5, maxY: 2) }),
    Example(
      line: "difference fields", before: ["layer towns"],
      holds: { $0.layer("towns difference")?.count == 3 }),
    Example(
      line: "intersect fields", before: ["layer towns"],
      holds: { editor in
        editor.features("towns intersect").first?.attributes.map(\.name)
          == ["name", "pop", "capital", "name_2", "area"]
      }),
    Example(
      line: "union fields", before: ["layer fields", "buffer 1km --as wide", "layer wide"],
      holds: { $0.layer("wide union")?.count ?? 0 > 3 }),
    Example(
      line: "centroid --in-place", before: ["layer fields"],
      holds: { $0.layer("fields")?.kindCode == "pt" }),
    Example(
      line: "hull --together", before: ["layer towns"],
      holds: { $0.layer("towns hull")?.count == 1 }),
    Example(
      line: "make-valid --in-place", before: ["layer fields"],
      holds: { $0.desk.history.past.isEmpty == false || $0.message.contains("2 features") }),
    Example(
      line: "collect --as all", before: ["layer towns"],
      holds: { $0.features("all").first?.geometry.kind == .multiPoint }),
    Example(
      line: "explode", before: ["layer towns", "collect --as all", "layer all"],
      holds: { $0.layer("all explode")?.count == 4 }),
    Example(
      line: "dissolve --count --sum area", before: ["layer fields"],
      holds: { editor in
        editor.features("fields dissolve").first?.attributes.map(\.value)
          == [.number("2"), .number("96")]
      }),
    Example(
      line: "join mids --on name", before: ["layer fields", "centroid --as mids", "layer fields"],
      holds: { $0.attribute("area_2", of: "Big", in: "fields") == .number("96") }),
    Example(
      line: "update mids --key name",
      before: [
        "layer fields", "centroid --as mids", "select layer", "set area=5", "select none",
        "layer fields",
      ],
      holds: { $0.attribute("area", of: "Big", in: "fields") == .number("5") }),
    Example(
      line: "split-layer --by name -o '/tmp/{value}.geojson'", before: ["layer towns"],
      holds: asks { effect in
        guard case .perform(let request as SplitRequest, _) = effect else { return false }
        return request.exports.map(\.path).sorted().first == "/tmp/Alpha.geojson"
      }),
  ]

  static let all = files + looking + selecting + drawing + layers + tables + geometry

  @Test(arguments: all)
  func `The command does what it says`(example: Example) throws {
    var editor = Editor()
    for line in example.before { try editor.run(line) }
    try editor.run(example.line)
    #expect(example.holds(editor), "\(editor.message)")
  }

  @Test func `A line gives the command that the argument parser makes of its words`() throws {
    func text(_ value: Any) -> String {
      var text = ""
      dump(value, to: &text)
      return text
    }
    let keys = KeyMap.modal.bindings.values.flatMap { $0.map(\.line) }
    var count = 0
    for line in Set(keys + Self.all.map(\.line)) where !line.contains("{") {
      guard let command = try? Commands.parse(line) else { continue }
      let words = try CommandWord.split(line).map(\.text).dropFirst()
      // Expressions are one word, and a name with ! has an option.
      guard let other = try? type(of: command).parse(Array(words)) else { continue }
      #expect(text(command) == text(other), "\(line)")
      count += 1
    }
    #expect(count > 100)
    for type in Commands.all where type.name != "line" {
      do {
        _ = try Commands.parse("\(type.name) --no-such-option")
      } catch let error as EditingError {
        #expect(!error.message.contains("line "), "\(error.message)")
      }
    }
  }

  @Test func `Every command has an example or a suite of its own`() throws {
    let own: Set<String> = [
      "answer", "recent", "export", "import", "render", "info", "describe", "migrate", "recover",
      "run",
      "revert", "duplicate", "watch", "versions", "split", "pane", "tab", "query", "statistics",
      "frequency", "frequency-step", "filter", "measure", "jump", "bookmark", "bookmarks",
      "palette", "check", "finding-step", "compare", "refresh", "conflict", "resolve", "patch",
      "merge", "review", "view", "views", "serve", "join-editor", "detach", "follow", "say",
    ]
    let known = Set(
      Self.all.compactMap { $0.line.split(separator: " ").first.map(String.init) }
    ).union(own).union(["inspect", "convert", "diff"])
    for command in Commands.all { #expect(known.contains(command.name), "\(command.name)") }
  }
}
