package import Documents

extension History {
  /// What was done, the newest first; the opening is not among it.
  package var titles: [String] {
    past.isEmpty ? [] : [present.title] + past.dropFirst().reversed().map(\.title)
  }
}
