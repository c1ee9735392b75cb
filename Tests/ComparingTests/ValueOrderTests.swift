import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// The order of the members of an object says nothing, at any depth.
@Suite struct ValueOrderTests {
  /// A value as two texts that differ in the order of members alone.
  private static func value(_ random: inout SeededGenerator, depth: Int) -> (String, String) {
    switch random.next() % (depth > 0 ? 4 : 2) {
    case 0:
      let number = random.next() % 9
      return ("\(number)", "\(number).0")
    case 1: return (#""a,b}\"{""#, #" "a,b}\"{" "#)
    case 2:
      let parts = (0..<random.next() % 3).map { _ in value(&random, depth: depth - 1) }
      return (
        "[" + parts.map(\.0).joined(separator: ",") + "]",
        "[ " + parts.map(\.1).joined(separator: " , ") + "]"
      )
    default:
      let parts = (0..<random.next() % 4).map { place in
        let inner = value(&random, depth: depth - 1)
        return (#""k\#(place)":\#(inner.0)"#, #""k\#(place)" : \#(inner.1)"#)
      }
      return (
        "{" + parts.map(\.0).joined(separator: ",") + "}",
        "{ " + parts.map(\.1).reversed().joined(separator: " , ") + "}"
      )
    }
  }

  private static func areEqual(_ first: String, _ second: String) -> Bool {
    let (first, second) = (JSONSpans(Array(first.utf8)), JSONSpans(Array(second.utf8)))
    return JSONSpans.areEqual(
      first, 0..<first.bytes.count, second, 0..<second.bytes.count)
  }

  @Test(arguments: Seeds.some(40))
  func `Values with their members in another order are the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let (text, other) = Self.value(&random, depth: 4)
      #expect(Self.areEqual(text, other), "seed \(seed): \(text) \(other)")
      #expect(!Self.areEqual(text, "[\(other)]"), "seed \(seed)")
    }
  }

  @Test func `Other values, and lists in another order, are not the same`() {
    #expect(!Self.areEqual(#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#))
    #expect(!Self.areEqual(#"[{"a":1},{"b":2}]"#, #"[{"b":2},{"a":1}]"#))
    #expect(!Self.areEqual(#"{"a":{"b":1}}"#, #"{"a":1,"b":1}"#))
    // Of a name that is given twice the last one counts.
    #expect(!Self.areEqual(#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#))
    let deep = String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500)
    #expect(Self.areEqual(deep, " " + deep))
  }
}
