import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Maps at rest as pixels.
@Suite struct StillMapTests {
  /// An editor on a screen that shows pictures.
  private static func editor(_ size: CellSize = CellSize(columns: 120, rows: 40)) -> Editor {
    var editor = Editor(size: size)
    var capabilities = ScreenCapabilities(depth: .trueColour, isUnicode: true)
    capabilities.cellSize = PixelSize(width: 9, height: 18)
    capabilities.takesPictures = true
    _ = editor.desk.handle(.terminal(.learned(capabilities)))
    return editor
  }

  private static func frame(_ editor: Editor) -> Frame {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.session.screenSize, memory: &memory)
  }

  /// Takes in the picture of the present map, as the run loop does when it has been at rest.
  private static func rest(_ editor: inout Editor) {
    guard let drawing = StillDrawing(editor.desk, memory: RenderMemory()) else { return }
    _ = editor.desk.handle(.drawn([drawing.pane: drawing.draw(Cancellation())]))
  }

  /// The characters of a frame's map that are not blank: dots, and all others.
  private static func count(_ frame: Frame, _ area: CellRect) -> (dots: Int, others: Int) {
    var count = (dots: 0, others: 0)
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns {
        let cell = frame[column, row]
        let scalar = frame.text(of: cell.glyph).unicodeScalars.first?.value ?? 0x20
        if (0x2801...0x28FF).contains(scalar) || cell.style.attributes.contains(.solid) {
          count.dots += 1
        } else if scalar != 0x20 {
          count.others += 1
        }
      }
    }
    return count
  }

  @Test(.enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"))
  func `At rest lines and areas are a picture, and the same signs and texts stand above it`()
    throws
  {
    var editor = Self.editor()
    let area = editor.desk.mapArea
    let before = Self.frame(editor)
    #expect(before.pictures.isEmpty && Self.count(before, area).dots > 20)
    Self.rest(&editor)
    let still = Self.frame(editor)
    let picture = try #require(still.pictures.first)
    #expect(still.pictures.count == 1 && picture.rect == area)
    let (count, former) = (Self.count(still, area), Self.count(before, area))
    #expect(count.dots == 0 && abs(count.others - former.others) <= 1, "the cursor's sign")
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns {
        #expect(still[column, row].style.background.isStandard)
      }
    }
    // The size of the picture, in its file's header.
    let header = picture.image.png.dropFirst(16).prefix(8)
    let numbers = header.map { Int($0) }
    #expect(numbers[0...3].reduce(0) { $0 << 8 | $1 } == area.columns * 9)
    #expect(numbers[4...7].reduce(0) { $0 << 8 | $1 } == area.rows * 18)
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: [
      "+", "<c-f>", ":", "<space>", "?", "v", "i", "x", "<resize:100x40>", "<resize:120x39>",
      "<f1>",
    ])
  func `Whatever changes the map or covers it takes the picture away at once`(keys: String) throws {
    var editor = Self.editor()
    try editor.press("<tab>")
    Self.rest(&editor)
    #expect(Self.frame(editor).pictures.count == 1)
    let former = editor.desk
    try editor.press(keys)
    let after = Self.frame(editor)
    let isSameMap = editor.desk.stillKey == former.stillKey
    #expect(after.pictures.isEmpty != isSameMap, "\(keys)")
  }

  @Test(.enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"))
  func `An overlay hides the picture, and it is there again without being drawn`() throws {
    var editor = Self.editor()
    Self.rest(&editor)
    let picture = Self.frame(editor).pictures
    for (open, close) in [(":go", "<esc>"), ("<space>", "<esc>"), ("<f1>", "q")] {
      try editor.press(open)
      #expect(Self.frame(editor).pictures.isEmpty, "\(open)")
      #expect(editor.desk.stillKey == nil)
      try editor.press(close)
      #expect(Self.frame(editor).pictures == picture, "\(close)")
    }
    // The cursor moves above it.
    try editor.press("l")
    #expect(Self.frame(editor).pictures == picture)
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: Seeds.some(12))
  func `Whatever is typed, a shown picture is of the shown map, and stands in it`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    var editor = Self.editor(CellSize(columns: 90, rows: 30))
    let keys = [
      "+", "-", "h", "j", "<c-f>", "<esc>", "v", "l", "i", "<ret>", "u", ":", "<tab>", "zf", "x",
      "<resize:70x20>", "<resize:30x9>", "<resize:90x30>", ":theme<ret>", ":split<ret>", ":q<ret>",
      "<esc>", ":pictures off<ret>", ":pictures auto<ret>",
    ]
    for _ in 0..<40 {
      try editor.press(keys.randomElement(using: &random) ?? "l")
      if Bool.random(using: &random) { Self.rest(&editor) }
      let frame = Self.frame(editor)
      for picture in frame.pictures {
        #expect(editor.desk.session.stills[editor.desk.pane.id]?.key == editor.desk.stillKey)
        #expect(picture.rect == editor.desk.mapArea && !picture.rect.isEmpty)
      }
    }
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: [Ground.dark, .light])
  func `The cursor stands out from the ground above a picture`(ground: Ground) throws {
    var editor = Self.editor()
    var capabilities = editor.desk.session.capabilities
    capabilities.ground = ground
    _ = editor.desk.handle(.terminal(.learned(capabilities)))
    Self.rest(&editor)
    let frame = Self.frame(editor)
    let cursor = try #require(frame.cursor)
    let style = frame[cursor.column, cursor.row].style
    #expect(!frame.pictures.isEmpty && style.background.isStandard)
    #expect(Palette.contrast(style.foreground, ground.colour) >= 3)
  }

  @Test func `Pictures are where the terminal takes them, or where they were asked for`() throws {
    var capabilities = ScreenCapabilities(depth: .trueColour, isUnicode: true)
    #expect(capabilities.pictureCellSize == nil)
    capabilities.cellSize = PixelSize(width: 8, height: 16)
    for (choice, told, isShown) in [
      (.auto, nil, false), (.auto, true, true), (.auto, false, false), (.on, nil, true),
      (.on, true, true), (.on, false, false), (.off, true, false),
    ] as [(PictureChoice, Bool?, Bool)] {
      (capabilities.pictures, capabilities.takesPictures) = (choice, told)
      #expect((capabilities.pictureCellSize != nil) == isShown, "\(choice) \(told as Any)")
    }
    (capabilities.pictures, capabilities.takesPictures) = (.auto, true)
    capabilities.palette = .mono
    #expect(capabilities.pictureCellSize == nil)
    var editor = Self.editor()
    try editor.run("pictures off")
    #expect(editor.desk.stillKey == nil)
    // The choice stays when the terminal tells something else.
    capabilities.palette = .standard
    _ = editor.desk.handle(.terminal(.learned(capabilities)))
    #expect(editor.desk.stillKey == nil)
    try editor.run("pictures auto")
    #expect(editor.desk.stillKey != nil && !editor.desk.isEdited)
  }

  @Test func `A cancelled drawing shows nothing`() throws {
    var editor = Self.editor()
    let drawing = try #require(StillDrawing(editor.desk, memory: RenderMemory()))
    let cancellation = Cancellation()
    cancellation.cancel()
    let still = drawing.draw(cancellation)
    #expect(still.image == nil)
    // Nor is it drawn again and again: it counts as done.
    _ = editor.desk.handle(.drawn([drawing.pane: still]))
    #expect(Self.frame(editor).pictures.isEmpty)
  }
}

/// The reply of `pictures`.
@Suite struct PictureChoiceTests {
  private static func reply(_ line: String, _ terminal: String?, takes: Bool?) throws -> Message? {
    var editor = Editor()
    var capabilities = ScreenCapabilities(depth: .trueColour, isUnicode: true)
    capabilities.cellSize = PixelSize(width: 8, height: 16)
    (capabilities.terminalName, capabilities.takesPictures) = (terminal, takes)
    editor.desk.learn(capabilities)
    try editor.run(line)
    return editor.desk.message
  }

  @Test func `tmux is named where it shows none, and what to do`() throws {
    let tmux = try Self.reply("pictures on", "tmux", takes: false)
    #expect(
      tmux
        == Message(
          "pictures: on, but tmux shows none: start portolan outside tmux", .warning))
    let told = try Self.reply("pictures", "tmux", takes: false)
    #expect(told?.text == "pictures: auto, but tmux shows none: start portolan outside tmux")
    #expect(try Self.reply("pictures off", "tmux", takes: false)?.text == "pictures: off")
    let kitty = try Self.reply("pictures on", "kitty", takes: true)
    #expect(kitty == Message("pictures: on, at rest"))
    let xterm = try Self.reply("pictures on", "xterm", takes: false)
    #expect(xterm == Message("pictures: on, none in this terminal", .warning))
  }
}
