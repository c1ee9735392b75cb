/// The commands of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
///
/// Every command is an APC string: `ESC _ G KEYS ; BASE64 ESC \`.
package enum KittyGraphics {
  /// Ends a command that was cut, as by a signal; elsewhere it has no effect.
  package static let end = "\u{1B}\\"

  private static let pieceMax = 4096

  /// The commands that send a picture, in pieces of at most 4096 characters.
  ///
  /// - Parameters:
  ///   - base64: the file.
  ///   - keys: those of the first command, beside the one for the pieces.
  package static func commands(sending base64: [UInt8], _ keys: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: base64.count, by: pieceMax) {
      let last = min(start + pieceMax, base64.count)
      let head = start == 0 ? keys + "," : ""
      bytes += Array("\u{1B}_G\(head)m=\(last < base64.count ? 1 : 0);".utf8)
      bytes += base64[start..<last]
      bytes += Array(end.utf8)
    }
    return bytes
  }

  /// The command that removes a picture from the screen and from the terminal's memory; there is no
  /// reply.
  package static func removal(of number: Int) -> String {
    "\u{1B}_Ga=d,d=I,i=\(number),q=2\(end)"
  }
}
