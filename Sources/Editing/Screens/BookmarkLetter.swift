import PortolanPrinting
import PortolanTerminals

/// The wait for the letter of a new bookmark.
struct BookmarkLetter: Overlay {
  static let mode: Mode? = Mode("bookmark", .choosing)
  static let coversMap = false
  static let keys = """
    [bookmark]
    <ret> = prompt command "bookmark " ;; a longer name
    <esc> = escape                 ;; back
    <c-c> = escape
    """

  func draw(_ desk: Desk, in layout: ScreenLayout, on frame: inout Frame) {
    let rect = OverlayBox.centred(columns: 44, rows: 3, in: layout.map)
    let inside = OverlayBox.draw("Bookmark", desk.look, in: rect, on: &frame)
    frame.write(
      "a letter names this place", at: inside.column + 1, row: inside.row,
      style: desk.look.theme.popup, maxColumns: inside.columns - 2)
  }

  func take(_ key: Key, in desk: inout Desk) -> Bool {
    if key.code == .enter {
      desk.session.overlay = nil
      desk.openPrompt(.command, text: "bookmark ")
      return true
    }
    guard let typed = key.typedCharacter, !typed.isWhitespace else { return false }
    desk.session.overlay = nil
    desk.attempt(line: "bookmark -- " + CommandWord.quoted(String(typed)))
    return true
  }

  func escape(in desk: inout Desk) { desk.session.overlay = nil }
}
