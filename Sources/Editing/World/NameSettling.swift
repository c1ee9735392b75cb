import PortolanRendering

/// Lets the names of a map settle when it has been at rest for a while: as long as it is moved they
/// keep their places, at rest they stand where a fresh drawing puts them.
struct NameSettling {
  /// The time without a move before names may move: longer than keys held down or pressed one after
  /// the other leave between them.
  private(set) var timer = RestTimer(rest: .milliseconds(400))
  /// The memory's count of placements when the wait began.
  private var placements = 0

  /// Notes that a frame was shown; one without a move of the map does not prolong the wait.
  mutating func note(_ memory: RenderMemory) {
    guard memory.hasUnsettledNames else { return timer.stop() }
    if timer.isRunning, placements == memory.unsettledPlacements { return }
    placements = memory.unsettledPlacements
    timer.start()
  }

  mutating func end() { timer.stop() }
}
