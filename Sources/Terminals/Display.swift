/// Where a person sees the editor: a terminal of this process, or one that another program shows.
package protocol Display {
  /// The size in cells; may change at each event.
  var size: CellSize { get }
  /// The capabilities of the screen, better known after `.learned`; without colours drawing code
  /// uses patterns instead of fills.
  var capabilities: ScreenCapabilities { get }
  /// Whether a frame can be shown now: a slow line gets fewer frames, never old ones.
  var isReady: Bool { get }
  /// The largest picture of pixels that can be shown, in bytes of its file.
  var pictureBytesMax: Int { get }

  /// Shows a frame, sending only the changes since the last one.
  mutating func present(_ frame: Frame) throws

  /// Discards the known content: the next `present` sends everything.
  mutating func invalidate()

  /// Rings the bell, or flashes.
  mutating func beep()

  /// Copies text to the terminal's clipboard, if it has one (OSC 52).
  mutating func copyToClipboard(_ text: String)

  /// Releases the terminal, stops the process that shows it as Ctrl-Z does, and takes it again
  /// afterwards.
  mutating func suspend() throws
}

extension Display {
  package var isReady: Bool { true }
  package var pictureBytesMax: Int { .max }
}
