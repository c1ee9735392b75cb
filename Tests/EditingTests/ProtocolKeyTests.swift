import Testing

@testable import PortolanEditing

/// Keys that only the keyboard protocol tells apart.
@Suite struct ProtocolKeyTests {
  @Test func `Keys that only the keyboard protocol tells apart mean what they mean without it`()
    throws
  {
    var editor = Editor()
    try editor.press(":abc")
    #expect(editor.desk.mode == .prompt)
    try editor.press("<c-[>")
    #expect(editor.desk.mode == .normal)
    try editor.press("<c-i>")
    #expect(editor.desk.mode == .layers)
    try editor.press("<tab>:q")
    try editor.press("<c-h>")
    #expect(editor.desk.prompt?.line.text == "")
  }
}
