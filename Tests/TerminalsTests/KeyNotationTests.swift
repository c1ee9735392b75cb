import PortolanTerminals
import Testing

@Suite("Key notation")
struct KeyNotationTests {
  @Test(
    "reads keys and prints them back",
    arguments: [
      "a", "Z", "é", "<space>", "<lt>", "<gt>", "<ret>", "<esc>", "<tab>", "<s-tab>", "<c-s>",
      "<a-x>", "<c-a-x>", "<up>", "<s-left>", "<pageup>", "<f1>", "<f12>", "<c-space>", "<a-lt>",
      "<backspace>", "<del>", "<ins>", "<home>", "<end>", "<c-a-s-f5>", "<a-ret>", "<a-->",
    ])
  func roundTrip(text: String) throws {
    let key = try #require(KeyNotation.key(text))
    #expect(KeyNotation.text(key) == text)
  }

  @Test("reads a sequence and passes over line ends")
  func sequence() throws {
    let keys = try KeyNotation.keys("2j<c-s>\n:q<ret>")
    #expect(keys.count == 6)
    #expect(keys[2] == Key(.character("s"), .control))
    #expect(keys[5] == Key(.enter))
    #expect(KeyNotation.text(keys) == "2j<c-s>:q<ret>")
  }

  @Test("takes control without case and shift as a capital, as terminals send them")
  func normalises() {
    #expect(KeyNotation.key("<c-S>") == Key(.character("s"), .control))
    #expect(KeyNotation.key("<s-a>") == Key(.character("A")))
    #expect(KeyNotation.key("<enter>") == Key(.enter))
    #expect(KeyNotation.key("<F3>") == Key(.function(3)))
  }

  @Test(
    "says where a text is wrong",
    arguments: [("ab<up", 2), ("x<nokey>", 1), ("<>", 0), ("<f99>", 0)])
  func errors(text: String, offset: Int) {
    #expect(throws: KeyNotationError.self) { try KeyNotation.keys(text) }
    do {
      _ = try KeyNotation.keys(text)
    } catch {
      #expect(error.offset == offset)
    }
  }

  @Test("plays events on a fake screen, then hangs up")
  func fakeScreen() throws {
    var screen = try FakeScreen(
      keys: "a<resize:40x12><paste:x y><right-drag:3,4><hangup>",
      size: CellSize(columns: 80, rows: 24))
    #expect(screen.nextEvent(timeoutSeconds: nil) == .key(Key(.character("a"))))
    #expect(screen.nextEvent(timeoutSeconds: nil) == .resize(CellSize(columns: 40, rows: 12)))
    #expect(screen.size.columns == 40)
    #expect(screen.nextEvent(timeoutSeconds: nil) == .paste("x y"))
    let drag = MouseEvent(action: .drag, button: 3, column: 3, row: 4)
    #expect(screen.nextEvent(timeoutSeconds: nil) == .mouse(drag))
    #expect(screen.nextEvent(timeoutSeconds: nil) == .hangUp)
    #expect(screen.nextEvent(timeoutSeconds: 0) == nil)
    #expect(screen.nextEvent(timeoutSeconds: nil) == .hangUp)
    screen.present(Frame(size: screen.size))
    #expect(screen.frames.count == 1)
  }
}
