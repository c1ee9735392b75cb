/// The screen and keyboard of the editor: the real terminal, or a fake one in tests.
package protocol Screen: Display {
  /// Waits for the next event; `nil` when `timeoutSeconds` have passed or `wake` was called.
  mutating func nextEvent(timeoutSeconds: Double?) throws -> TerminalEvent?

  /// Takes in what the terminal has sent, without waiting: `capabilities` may be known better then.
  /// Keys are kept for `nextEvent`.
  mutating func listen() throws

  /// Whether the process was asked to end, which is more than the end of its terminal.
  var isToEnd: Bool { get }

  /// A handle that ends a wait in `nextEvent` from any thread.
  var waker: ScreenWaker { get }
}

extension Screen {
  package mutating func listen() {}
  package var isToEnd: Bool { false }
}

/// Wakes a screen waiting for an event, from any thread.
package struct ScreenWaker: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void = {}) {
    self.action = action
  }

  /// Makes the current or the next `nextEvent` return `nil`; several calls may count as one.
  package func wake() { action() }
}

/// The number of colours of a screen.
package enum ColourDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
  case mono = 1
  case eight = 8
  case sixteen = 16
  case indexed = 256
  case trueColour = 16_777_216

  package static func < (left: ColourDepth, right: ColourDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The choice of characters for the edges of areas.
package enum BlockChoice: String, Hashable, Sendable, CaseIterable {
  /// Sextants where the terminal has told that it draws them, else quadrants.
  case auto
  /// Areas fill whole cells.
  case none
  /// An upper and a lower half of a cell.
  case half
  /// Two by two parts of a cell.
  case quadrant
  /// Two by three parts of a cell.
  case sextant
}

/// The choice of pictures of pixels below the characters.
package enum PictureChoice: String, Hashable, Sendable, CaseIterable {
  /// Where the terminal has told that it shows them.
  case auto
  /// Also where it was not asked, or has not replied.
  case on
  case off
}

/// A size in pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The capabilities of a screen.
package struct ScreenCapabilities: Hashable, Sendable {
  /// The colours of the terminal.
  package var terminalDepth: ColourDepth
  /// Whether characters beyond ASCII can be shown.
  package var isUnicode: Bool
  /// The background, to which colours are fitted.
  package var ground: Ground
  /// The colours of the chosen theme.
  package var palette: ThemePalette
  /// Whether the terminal has told that it draws sextants (U+1FB00 to U+1FB3B).
  package var drawsSextants = false
  /// The chosen characters for the edges of areas.
  package var blocks = BlockChoice.auto
  /// Whether the terminal has told that it shows pictures by kitty's protocol; `nil` if it has not
  /// said.
  package var takesPictures: Bool?
  /// The name that the terminal has told, in lower case; `nil` if it has not said.
  package var terminalName: String?
  /// The chosen use of pictures.
  package var pictures = PictureChoice.auto
  /// The size of a cell; `nil` if the terminal does not tell it.
  package var cellSize: PixelSize?

  package init(
    depth: ColourDepth, isUnicode: Bool, ground: Ground = .dark, palette: ThemePalette = .standard
  ) {
    terminalDepth = depth
    self.isUnicode = isUnicode
    self.ground = ground
    self.palette = palette
  }

  /// The size of a cell for pictures below the characters; `nil` if there are none.
  package var pictureCellSize: PixelSize? {
    let isWanted =
      switch pictures {
      case .auto: takesPictures == true
      case .on: takesPictures != false
      case .off: false
      }
    return isWanted && isUnicode && depth > .sixteen ? cellSize : nil
  }

  /// The colours to draw with: none in a theme without colours.
  package var depth: ColourDepth {
    get { palette == .mono ? .mono : terminalDepth }
    set { terminalDepth = newValue }
  }
}
