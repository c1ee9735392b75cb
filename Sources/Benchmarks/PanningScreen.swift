import Dispatch
import PortolanTerminals

/// A screen that plays keys as a person presses them, and notes how long each frame takes.
struct PanningScreen: Screen {
  /// What is done, one after the other.
  enum Phase {
    /// Types at once what `EventNotation` says, and lets the editor work for some seconds.
    case type(String, thenSeconds: Double)
    /// Pans 30 times a second until enough is enough.
    case pan(isEnough: () -> Bool)
  }

  let size = CellSize(columns: 200, rows: 60)
  let capabilities = ScreenCapabilities(depth: .indexed, isUnicode: true)
  let waker: ScreenWaker
  /// The seconds from a key to its frame, for each phase that pans.
  final class Times {
    var phases: [[Double]] = []
  }
  let times = Times()

  private let bell: DispatchSemaphore
  private var phases: [Phase]
  private var keys: [TerminalEvent] = []
  private var isBegun = false
  private var due = 0.0
  private var pressed: Double?
  private var count = 0

  init(_ phases: [Phase]) {
    self.phases = phases
    let bell = DispatchSemaphore(value: 0)
    self.bell = bell
    waker = ScreenWaker { bell.signal() }
  }

  mutating func present(_ frame: Frame) {
    guard let start = pressed else { return }
    times.phases[times.phases.count - 1].append(now() - start)
    pressed = nil
  }

  mutating func nextEvent(timeoutSeconds: Double?) throws -> TerminalEvent? {
    if timeoutSeconds == 0 { return nil }
    if !isBegun { try begin() }
    if !keys.isEmpty { return keys.removeFirst() }
    guard let phase = phases.first else { return .hangUp }
    if case .pan(let isEnough) = phase, isEnough() {
      phases.removeFirst()
      isBegun = false
      return nil
    }
    let rest = due - now()
    if rest > 0, bell.wait(timeout: .now() + rest) == .success { return nil }
    guard case .pan = phase else {
      phases.removeFirst()
      isBegun = false
      return nil
    }
    let start = now()
    due = max(start, due) + 1 / 30.0
    pressed = start
    count += 1
    return .key(Key(.character(["L", "L", "H", "H"][count % 4])))
  }

  private mutating func begin() throws {
    isBegun = true
    switch phases.first {
    case .type(let text, let seconds):
      keys = try EventNotation.events(text)
      due = now() + seconds
    case .pan:
      times.phases.append([])
      due = now()
    case nil: break
    }
  }

  mutating func invalidate() {}
  mutating func beep() {}
  mutating func copyToClipboard(_ text: String) {}
  mutating func suspend() {}
}
