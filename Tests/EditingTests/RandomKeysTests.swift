import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Random keys: nothing traps, nothing is lost, undo goes all the way back.
@Suite struct RandomKeysTests {
  /// What a document is, with blocks and styles by their identity.
  struct Fingerprint: Equatable {
    var layers: [String]
    var blocks: [ObjectIdentifier]

    init(_ document: Document) {
      layers = document.layers.map { layer in
        "\(layer.id.rawValue) \(layer.name) \(layer.isVisible) \(layer.isLocked)"
      }
      blocks = document.layers.map { ObjectIdentifier($0.style) }
      for layer in document.layers {
        blocks += (layer as? FeatureLayer)?.blocks.map { ObjectIdentifier($0) } ?? []
      }
    }
  }

  /// All keys that are bound, and some that are not.
  static let keys: [Key] = {
    var keys: [Key] = []
    for bindings in KeyMap.modal.bindings.values {
      for key in bindings.flatMap(\.keys) where !keys.contains(key) { keys.append(key) }
    }
    keys += "0123456789aqXyz\"'=-é◉界".map { Key(.character($0)) }
    keys += [Key(.function(12)), Key(.insert), Key(.character("x"), .alt), Key(.tab, .alt)]
    return keys.sorted { $0.description < $1.description }
  }()

  /// Lines that a person might type.
  static let lines = [
    "set name=x n=5", "unset pop", "draw line", "draw polygon", "draw point", "new-layer z",
    "hide roads", "show roads", "lock fields", "unlock", "style --stroke red --fill none",
    "move --by 1,2", "go to 3 4", "zoom to 9", "fit fields", "rename-attribute name title",
    "projection equirectangular", "projection planar", "projection web-mercator", "select all",
    "put 1 1", "put @3,3", "put @5<45", "delete-layer", "help commands", "search a", "paste",
    "reorder up", "undo 3", "redo 2", "snap all", "nonsense \"", "go id 1", "zoom to 22",
    "go to 180 85", "go to -180 -85", "pan cells 99999 -99999", "measure 1,2 3,4 5,-89",
    "measure --area 0,0 170,0 -170,80", "measure draw", "measure put", "bookmark a",
    "bookmark a --delete", "go bookmark a", "bookmarks", "jump", "palette", "go previous 5",
    "go next 2",
  ]

  func event(_ generator: inout SeededGenerator) -> [TerminalEvent] {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0:
      let sizes = [(0, 0), (500, 2), (2, 500), (80, 24), (200, 60), (1, 1), (40, 12), (59, 15)]
      let size = sizes[Int.random(in: 0..<sizes.count, using: &generator)]
      return [.resize(CellSize(columns: size.0, rows: size.1)), .resumed]
    case 1..<9:
      let actions: [MouseEvent.Action] = [
        .press, .release, .drag, .doubleClick, .wheelUp, .wheelDown,
      ]
      return [
        .mouse(
          MouseEvent(
            action: actions[Int.random(in: 0..<actions.count, using: &generator)],
            button: Int.random(in: 0...4, using: &generator),
            column: Int.random(in: -3..<210, using: &generator),
            row: Int.random(in: -3..<70, using: &generator),
            modifiers: Bool.random(using: &generator) ? .shift : []))
      ]
    case 9: return [.paste("paste\n\u{1B}[31m\t界e\u{301}")]
    case 10..<16:
      let line = Self.lines[Int.random(in: 0..<Self.lines.count, using: &generator)]
      return (":" + line).map { .key(Key(.character($0))) } + [.key(Key(.enter))]
    default:
      return [.key(Self.keys[Int.random(in: 0..<Self.keys.count, using: &generator)])]
    }
  }

  @Test(arguments: Seeds.some(5))
  func `Twenty thousand random events trap nowhere and keep the cursor on the map`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var editor = Editor()
    var memory = RenderMemory()
    var count = 0
    while count < 4000 {
      for event in event(&generator) {
        _ = editor.desk.handle(.terminal(event))
        count += 1
      }
      let desk = editor.desk
      let area = desk.mapArea
      let isInside =
        (0..<max(1, area.columns)).contains(desk.cursorColumn)
        && (0..<max(1, area.rows)).contains(desk.cursorRow)
      // A split gives the keys to another pane, whose desk this is not.
      try #require(isInside || !desk.isFocused, "seed \(seed), event \(count)")
      try #require(desk.cursor.x.isFinite && desk.cursor.y.isFinite)
      try #require(desk.selection.features.allSatisfy { desk.document.contains($0) })
      if count % 40 == 0 {
        let frame = desk.frame(size: desk.screenSize, memory: &memory)
        try #require(frame.size == Frame(size: desk.screenSize).size)
      }
      if desk.document.layers.count > 12 { editor = Editor() }
    }
  }

  @Test(arguments: Seeds.some(12))
  func `Undo brings the document back, redo brings the edits back`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 7919)
    var editor = Editor()
    let start = Fingerprint(editor.document)
    for _ in 0..<300 {
      for event in event(&generator) { _ = editor.desk.handle(.terminal(event)) }
    }
    editor.desk.leaveModes()
    let steps = editor.desk.history.past.count
    let end = Fingerprint(editor.document)
    if steps > 0 { try editor.desk.undo(steps) }
    #expect(Fingerprint(editor.document) == start, "seed \(seed)")
    if steps > 0 { try editor.desk.redo(steps) }
    #expect(Fingerprint(editor.document) == end, "seed \(seed)")
    #expect(editor.desk.history.past.count == steps)
  }
}
