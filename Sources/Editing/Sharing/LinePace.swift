/// How fast a line is: the bytes of frames by the time until they are shown.
struct LinePace {
  /// Smaller frames tell more of the way's length than of its width.
  private static let bytesMin = 1_500

  private var bytesPerSecond = 0.0
  private var begun: (bytes: Int, time: ContinuousClock.Instant)?

  /// A frame goes.
  mutating func begin(_ bytes: Int, at time: ContinuousClock.Instant = .now) {
    begun = bytes < Self.bytesMin ? nil : (bytes, time)
  }

  /// The last frame is shown.
  mutating func end(at time: ContinuousClock.Instant = .now) {
    guard let (bytes, start) = begun else { return }
    begun = nil
    let seconds = max(1e-4, start.duration(to: time) / .seconds(1))
    // One that came late, because the machine was busy, says little.
    bytesPerSecond = max(Double(bytes) / seconds, 0.7 * bytesPerSecond)
  }

  /// The bytes that it brings in some seconds, as far as is known.
  func bytes(in seconds: Double) -> Int { Int(min(bytesPerSecond * seconds, 1e9)) }
}
