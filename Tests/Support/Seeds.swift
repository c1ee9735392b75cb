import Foundation

/// The seeds of a law: a few, or `PORTOLAN_LAWS` of them from `PORTOLAN_LAWS_SEED` on.
package enum Seeds {
  package static func some(_ count: Int) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["PORTOLAN_LAWS_SEED"].flatMap { UInt64($0) } ?? 1
    let count = environment["PORTOLAN_LAWS"].flatMap { UInt64($0) } ?? UInt64(count)
    return first..<first + count
  }
}
