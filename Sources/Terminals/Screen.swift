/// What the editor draws on and listens to: the real terminal, or a fake one in tests.
package protocol Screen {
  /// The size in cells; may change at each event.
  var size: CellSize { get }
  /// What the screen can show; drawing code chooses patterns over fills by it.
  var capabilities: ScreenCapabilities { get }

  /// Shows a frame, sending only what changed since the last one.
  mutating func present(_ frame: Frame) throws

  /// Waits for the next event; `nil` when `timeoutSeconds` have passed or `wake` was called.
  mutating func nextEvent(timeoutSeconds: Double?) throws -> TerminalEvent?

  /// Forgets what is shown: the next `present` sends everything.
  mutating func invalidate()

  /// Rings the bell, or flashes.
  mutating func beep()

  /// Hands text to the terminal's clipboard, where it has one (OSC 52).
  mutating func copyToClipboard(_ text: String)

  /// A handle that ends a wait in `nextEvent` from any thread.
  var waker: ScreenWaker { get }

  /// Gives the terminal back, stops the process as Ctrl-Z does, and takes it again afterwards.
  mutating func suspend() throws
}

/// Wakes a screen that waits for an event, from any thread.
package struct ScreenWaker: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void = {}) {
    self.action = action
  }

  /// Makes the current or the next `nextEvent` return `nil`; several calls may count as one.
  package func wake() { action() }
}

/// How many colours can be shown.
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

/// What a screen can show.
package struct ScreenCapabilities: Hashable, Sendable {
  package var depth: ColourDepth
  /// Whether characters beyond ASCII arrive.
  package var isUnicode: Bool

  package init(depth: ColourDepth, isUnicode: Bool) {
    self.depth = depth
    self.isUnicode = isUnicode
  }
}
