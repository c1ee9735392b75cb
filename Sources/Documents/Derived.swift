import PortolanGraphics
import Synchronization

/// What was computed of a block of features, by what it is: made when it is first asked for.
///
/// Two threads that ask at once may both make a value; one of them is kept.
final class Derived: Sendable {
  /// Names what is computed: the channels of styles by their texts.
  enum Key: Hashable, Sendable {
    case channel(ExactText)
    /// A column as conditions read it, by the name of the attribute.
    case vector(ExactText)
    case ranks(ExactText, RankOrder)
    case placeRanks(ExactText, RankOrder)
    case sizes(isGeographic: Bool)
    case lineNames(ExactText)
    /// By the identity of the classes, which the value keeps.
    case groups(ObjectIdentifier)
    case signs(SignClasses)
    /// The rows for which a condition holds, by its text.
    case held(ExactText)
  }

  private struct Kept<Value: Sendable>: Sendable {
    let value: Value
  }

  /// The values kept: panes may show different versions of a style.
  private static let countMax = 24

  private let known = Mutex<[(key: Key, value: any Sendable)]>([])

  /// The value of a key.
  func value<Value: Sendable>(_ key: Key, _ make: () -> Value) -> Value {
    if let kept: Value = kept(key) { return kept }
    let value = make()
    known.withLock { known in
      known.removeAll { $0.key == key }
      known = known.suffix(Self.countMax - 1) + [(key, Kept(value: value))]
    }
    return value
  }

  /// The value of a key, if it was made.
  func kept<Value: Sendable>(_ key: Key) -> Value? {
    let found = known.withLock { known in known.first { $0.key == key }?.value }
    return (found as? Kept<Value>)?.value
  }
}
