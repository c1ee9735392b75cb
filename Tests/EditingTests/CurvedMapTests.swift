import PortolanGraphics
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The cursor where meridians are curved: the map ends within the window.
@Suite struct CurvedMapTests {
  @Test(arguments: Seeds.some(40))
  func `The cursor stays on the map, in the cell that shows its place`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor()
    try editor.run("projection equal-earth")
    let keys = [
      "h", "j", "k", "l", "9h", "9j", "9k", "9l", "H", "J", "K", "L", "3H", "3J", "3K", "3L", "+",
      "-", "_",
    ]
    for _ in 0..<60 {
      let key = keys.randomElement(using: &random) ?? "h"
      try editor.press(key)
      let desk = editor.desk
      let cell = try #require(desk.camera.cell(at: desk.cursor), "\(seed) \(key)")
      #expect(cell == (desk.cursorColumn, desk.cursorRow), "\(seed) \(key)")
      #expect(desk.cursor.x.magnitude <= 180 && desk.cursor.y.magnitude <= 90)
    }
  }
}
