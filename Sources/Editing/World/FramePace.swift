/// When the display of a guest is due for its next picture.
///
/// What its own person does is drawn at once. What others do is drawn with a rest between two
/// pictures: a flood of their edits costs each terminal some pictures a second, not one an edit.
struct FramePace {
  /// The rest after a picture before what others did is drawn.
  static let rest = Duration.milliseconds(25)

  /// When the picture came to differ from the one shown; `nil` while it does not.
  private(set) var changed: ContinuousClock.Instant?
  /// Whether its own person has acted since.
  private(set) var isOwn = false
  private var shown: ContinuousClock.Instant?

  /// Notes that the picture may have changed.
  ///
  /// - Parameter isOwn: whether by its own person, or by something that everybody waits for.
  mutating func note(isOwn: Bool, at now: ContinuousClock.Instant = .now) {
    changed = changed ?? now
    self.isOwn = self.isOwn || isOwn
  }

  /// Notes that the present picture was drawn.
  mutating func noteDrawn(at now: ContinuousClock.Instant = .now) {
    (changed, isOwn, shown) = (nil, false, now)
  }

  /// When the next picture is due; `nil` if it shows nothing new.
  var due: ContinuousClock.Instant? {
    guard let changed else { return nil }
    guard !isOwn, let shown else { return changed }
    return max(changed, shown + Self.rest)
  }

  /// Whether a picture is drawn before that of another display: those of people who have acted
  /// first, then those that wait longest.
  func precedes(_ other: FramePace) -> Bool {
    if isOwn != other.isOwn { return isOwn }
    guard let changed, let later = other.changed else { return changed != nil }
    return changed < later
  }
}
