import PortolanRendering

/// Lets the names of a map settle when it has been at rest for a while: as long as it is moved they
/// keep their places, at rest they stand where a fresh drawing puts them.
struct NameSettling {
  /// The time without a new frame before names may move: longer than keys held down or pressed one
  /// after the other leave between them.
  private static let rest = Duration.milliseconds(400)

  private var due: ContinuousClock.Instant?

  /// Notes that a frame was shown.
  mutating func note(_ memory: RenderMemory) {
    due = memory.hasUnsettledNames ? .now + Self.rest : nil
  }

  mutating func end() { due = nil }

  /// The time until names may settle; `nil` if they stand where they should.
  var restSeconds: Double? {
    due.map { max(0, Double(ContinuousClock.now.duration(to: $0) / .seconds(1))) }
  }

  var isDue: Bool { due.map { $0 <= .now } ?? false }
}
