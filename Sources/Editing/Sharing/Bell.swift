import Dispatch

/// Wakes a run loop that has no terminal to wait on.
final class Bell: Sendable {
  private let rings = DispatchSemaphore(value: 0)

  func ring() { rings.signal() }

  /// Waits for a ring, or until some seconds have passed; several rings count as one.
  func wait(timeoutSeconds: Double?) {
    if let timeoutSeconds {
      _ = rings.wait(timeout: .now() + max(0, timeoutSeconds))
    } else {
      rings.wait()
    }
    while rings.wait(timeout: .now()) == .success {}
  }
}
