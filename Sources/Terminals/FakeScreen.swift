/// A screen for tests: it plays a list of events and keeps every presented frame.
///
/// When the events are used up, a wait with a time limit returns `nil` and one without returns
/// `.hangUp`, so that a run loop ends.
package struct FakeScreen: Screen {
  package private(set) var size: CellSize
  package var capabilities: ScreenCapabilities
  /// Every frame that was presented, in order.
  package private(set) var frames: [Frame] = []
  package private(set) var beepCount = 0
  package private(set) var suspensionCount = 0
  package private(set) var invalidationCount = 0
  /// Every text sent to the clipboard.
  package private(set) var clipboard: [String] = []
  /// The events still to be played.
  package private(set) var events: [TerminalEvent]
  package let waker = ScreenWaker()

  package init(
    events: [TerminalEvent], size: CellSize = CellSize(columns: 80, rows: 24),
    capabilities: ScreenCapabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  ) {
    self.events = events
    self.size = size
    self.capabilities = capabilities
  }

  /// A screen that plays events in the notation of `EventNotation`: `2j<c-s><resize:40x12>`.
  package init(
    keys: String, size: CellSize = CellSize(columns: 80, rows: 24),
    capabilities: ScreenCapabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  ) throws(KeyNotationError) {
    self.init(events: try EventNotation.events(keys), size: size, capabilities: capabilities)
  }

  package mutating func present(_ frame: Frame) { frames.append(frame) }

  package mutating func nextEvent(timeoutSeconds: Double?) -> TerminalEvent? {
    guard !events.isEmpty else { return timeoutSeconds == nil ? .hangUp : nil }
    let event = events.removeFirst()
    if case .resize(let size) = event { self.size = size }
    return event
  }

  package mutating func invalidate() { invalidationCount += 1 }
  package mutating func beep() { beepCount += 1 }
  package mutating func copyToClipboard(_ text: String) { clipboard.append(text) }
  package mutating func suspend() { suspensionCount += 1 }
}
