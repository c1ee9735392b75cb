/// A number of things in words for people: `1 byte`, `2 bytes`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
