import PortolanTexts

/// Text cut to a width, with a sign at the cut.
package enum CutText {
  /// A text where it has the room, else its short form, cut at the end if it has to be.
  package static func end(_ text: String, short: String, columns: Int, signs: ScreenSigns) -> String
  {
    let isShort = DisplayWidth.of(text) > columns && !short.isEmpty
    return end(isShort ? short : text, columns: columns, signs: signs)
  }

  package static func end(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    guard columns > 1 else { return columns == 1 ? signs.ellipsis : "" }
    return DisplayWidth.prefix(of: text, columns: columns - 1).text + signs.ellipsis
  }

  /// Cut in the middle, as suits the name of a file: its beginning and its ending tell it apart.
  package static func middle(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    let tail = max(0, columns - 1) / 2
    let end = start(text, columns: tail + 1, signs: signs)
    let room = columns - DisplayWidth.of(end)
    return DisplayWidth.prefix(of: text, columns: max(0, room)).text + end
  }

  /// Cut at the front, as suits the path of a file.
  package static func start(_ text: String, columns: Int, signs: ScreenSigns) -> String {
    if DisplayWidth.of(text) <= columns { return text }
    guard columns > 1 else { return columns == 1 ? signs.ellipsis : "" }
    var rest = Substring(text)
    while !rest.isEmpty && DisplayWidth.of(String(rest)) > columns - 1 { rest.removeFirst() }
    return signs.ellipsis + rest
  }
}
