/// Why a database could not be read or written.
package enum DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite is not installed, or too old.
  case missing
  /// The file is shorter than its beginning says; `of` is its size, if that is stated.
  case cut(at: Int, of: Int?)
  /// SQLite refused, in its own words.
  case failed(String)
  /// A question took more steps than a file of its size may ask for.
  case tooLong

  package var description: String {
    switch self {
    case .missing: "it needs SQLite (libsqlite3.so.0): apt-get install libsqlite3-0"
    case .cut(let count, let size):
      "the file was cut: \(count) \(size.map { "of \($0) bytes are" } ?? "bytes are") there: "
        + "fetch or export it again"
    case .failed(let words): "SQLite refuses it: \(words)"
    case .tooLong: "a view or an index of it takes too long to read"
    }
  }
}
