internal import PortolanTerminals
import PortolanTexts

/// Pictures below the characters, by kitty's protocol.
extension CursesScreen {
  /// The commands that bring a frame's pictures to the terminal.
  struct PictureCommands {
    /// Sent before the cells.
    var removal: [UInt8] = []
    /// Sent after them.
    var drawing: [UInt8] = []
  }

  /// Compares pictures with those that the terminal has; of an unknown screen all are sent.
  func commands(for pictures: [FramePicture]) -> PictureCommands {
    var commands = PictureCommands()
    let wanted = pictures.prefix(TerminalModes.pictureNumbers.count)
    for (index, number) in TerminalModes.pictureNumbers.enumerated() {
      let former = shownPictures.indices.contains(index) ? shownPictures[index] : nil
      let next = wanted.indices.contains(index) ? wanted[index] : nil
      if former == next, shown != nil { continue }
      if former != nil {
        // What was sent last may have been cut.
        let end = shown == nil ? KittyGraphics.end : ""
        commands.removal += Array((end + KittyGraphics.removal(of: number)).utf8)
      }
      if let next { commands.drawing += Self.drawing(next, number) }
    }
    return commands
  }

  /// Shows a picture below the text of its cells; the cursor stays where it is.
  private static func drawing(_ picture: FramePicture, _ number: Int) -> [UInt8] {
    let (rect, png) = (picture.rect, picture.image.png)
    let keys = "a=T,q=2,f=100,i=\(number),c=\(rect.columns),r=\(rect.rows),z=-1,C=1"
    let base64 = png.withUnsafeBytes { Base64.encode($0) }
    return Array("\u{1B}7\u{1B}[\(rect.row + 1);\(rect.column + 1)H".utf8)
      + KittyGraphics.commands(sending: base64, keys) + Array("\u{1B}8".utf8)
  }

  /// Notes the pictures that the terminal is going to have: a signal handler removes them.
  func note(_ pictures: [FramePicture]) {
    shownPictures = Array(pictures.prefix(TerminalModes.pictureNumbers.count))
    guard modes.hasPictures == shownPictures.isEmpty else { return }
    modes.hasPictures = !shownPictures.isEmpty
    prepareHandlers()
  }
}
