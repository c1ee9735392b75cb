/// The end of a workspace that no terminal has shown for the configured time.
extension EditorLoop {
  /// The seconds until that; `nil` while a terminal shows it, something is done, or without a
  /// limit.
  mutating func stayRestSeconds(at now: ContinuousClock.Instant = .now) -> Double? {
    let sessions = host.workspace.sessions.values
    guard let limit = host.workspace.sharing.staySeconds, !isHere, guests.isEmpty,
      sessions.allSatisfy({ $0.jobs.isEmpty && !$0.isHeadless })
    else {
      aloneSince = nil
      return nil
    }
    let since = aloneSince ?? now
    aloneSince = since
    return max(0, limit - since.duration(to: now) / .seconds(1))
  }
}
