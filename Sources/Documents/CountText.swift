/// Numbers of things in words for people: `1 feature`, `2 features`.
package enum CountText {
  package static func features(_ count: Int) -> String { text(count, "feature", "features") }

  package static func vertices(_ count: Int) -> String { text(count, "vertex", "vertices") }

  /// A number and the matching word.
  package static func text(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
