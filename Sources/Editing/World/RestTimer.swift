/// Tells when something has been at rest for a while.
struct RestTimer {
  private let rest: Duration
  private(set) var due: ContinuousClock.Instant?

  /// - Parameter rest: the time from a start until something is due.
  init(rest: Duration) { self.rest = rest }

  var isRunning: Bool { due != nil }

  /// Starts the wait, or starts it anew.
  mutating func start() { due = .now + rest }
  mutating func stop() { due = nil }

  /// The time until something is due; `nil` if nothing is waited for.
  var restSeconds: Double? {
    due.map { max(0, Double(ContinuousClock.now.duration(to: $0) / .seconds(1))) }
  }

  var isDue: Bool { due.map { $0 <= .now } ?? false }
}
