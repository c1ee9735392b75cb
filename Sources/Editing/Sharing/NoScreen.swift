package import PortolanTerminals

/// The screen of a process that has no terminal: its run loop waits for its mail instead.
package struct NoScreen: Screen {
  package let size = CellSize(columns: 80, rows: 24)
  package let capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  package let waker = ScreenWaker()

  package init() {}

  package func present(_ frame: Frame) {}
  package func nextEvent(timeoutSeconds: Double?) -> TerminalEvent? { nil }
  package func invalidate() {}
  package func beep() {}
  package func copyToClipboard(_ text: String) {}
  package func suspend() {}
}
