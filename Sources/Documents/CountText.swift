/// Numbers of things in words for people: `1 feature`, `2 features`.
package enum CountText {
  package static func features(_ count: Int) -> String { text(count, "feature", "features") }

  package static func vertices(_ count: Int) -> String { text(count, "vertex", "vertices") }

  /// A number and the matching word.
  package static func text(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// Some of several things and the verb of these: `1 of 3 positions is`, `2 of 3 positions are`.
  package static func are(_ count: Int, of all: Int, _ one: String, _ many: String) -> String {
    "\(count) of \(text(all, one, many)) \(count == 1 ? "is" : "are")"
  }
}
