/// What libpq needs to know to connect: a line of `key=value` pairs, or an address.
///
///     PG:dbname=roads user=reader password='it''s \'secret\''
///     postgresql://reader:secret@db.example.org/roads?sslmode=require
struct PostgresConnection: Hashable, Sendable {
  /// The line without passwords, as GDAL takes it.
  let line: String
  let password: String?
  let databaseName: String?

  /// `nil` if a line begins otherwise.
  init?(_ line: String) {
    if line.utf8.starts(with: "PG:".utf8) {
      let rest = String(line.dropFirst(3))
      if let address = Address(rest) {
        self.init(address)
      } else {
        self.init(pairs: rest)
      }
    } else if let address = Address(line) {
      self.init(address)
    } else {
      return nil
    }
  }

  private init(_ address: Address) {
    (line, password, databaseName) = (address.line, address.password, address.databaseName)
  }

  private var withoutPrefix: String {
    line.utf8.starts(with: "PG:".utf8) ? String(line.dropFirst(3)) : line
  }

  private static let secrets: Set<String> = ["password", "sslpassword"]

  // MARK: Pairs

  private init(pairs text: String) {
    var (words, password, name): ([String], String?, String?) = ([], nil, nil)
    for pair in Self.pairs(text) {
      guard let value = pair.value else {
        words.append(pair.key)
        continue
      }
      if Self.secrets.contains(pair.key.lowercased()) {
        if pair.key.lowercased() == "password" { password = value }
        continue
      }
      if pair.key == "dbname", value.contains("=") || value.contains("://"),
        let inner = PostgresConnection("PG:" + value)
      {
        // libpq takes a whole line in the place of a name.
        password = inner.password ?? password
        name = inner.databaseName
        words.append("dbname=" + Self.quoted(inner.withoutPrefix))
        continue
      }
      if pair.key == "dbname" { name = value }
      words.append("\(pair.key)=\(Self.quoted(value))")
    }
    line = "PG:" + words.joined(separator: " ")
    (self.password, databaseName) = (password, name)
  }

  /// The pairs of a line; `nil` is the value of a word without a sign of equality.
  private static func pairs(_ text: String) -> [(key: String, value: String?)] {
    var pairs: [(key: String, value: String?)] = []
    var rest = text[...]
    func skipSpace() { rest = rest.drop { $0.isWhitespace } }
    skipSpace()
    while !rest.isEmpty {
      let key = rest.prefix { !$0.isWhitespace && $0 != "=" }
      rest = rest.dropFirst(key.count)
      skipSpace()
      if key.isEmpty {
        // A sign of equality without a key before it is skipped.
        rest = rest.dropFirst()
        skipSpace()
        continue
      }
      guard rest.first == "=" else {
        pairs.append((String(key), nil))
        continue
      }
      rest = rest.dropFirst()
      skipSpace()
      pairs.append((String(key), value(&rest)))
      skipSpace()
    }
    return pairs
  }

  private static func value(_ rest: inout Substring) -> String {
    var value = ""
    let isQuoted = rest.first == "'"
    if isQuoted { rest = rest.dropFirst() }
    while let first = rest.first {
      if isQuoted ? first == "'" : first.isWhitespace { break }
      rest = rest.dropFirst()
      if first == "\\", let next = rest.first {
        value.append(next)
        rest = rest.dropFirst()
      } else {
        value.append(first)
      }
    }
    if isQuoted { rest = rest.dropFirst() }
    return value
  }

  private static func quoted(_ value: String) -> String {
    if !value.isEmpty, !value.contains(where: { $0.isWhitespace || "'\\".contains($0) }) {
      return value
    }
    let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "'\(escaped)'"
  }

  // MARK: Addresses

  /// A line such as `postgresql://user:password@host/database?key=value`.
  private struct Address {
    let line: String
    let password: String?
    let databaseName: String?

    init?(_ text: String) {
      guard
        let scheme = ["postgresql://", "postgres://"].first(where: {
          text.utf8.starts(with: $0.utf8)
        })
      else { return nil }
      let rest = text.dropFirst(scheme.count)
      let queryParts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      var head = String(queryParts.first ?? "")
      var password: String?
      let place = head.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let authority = place.first ?? ""
      if let at = authority.lastIndex(of: "@") {
        let person = authority[..<at].split(
          separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if person.count == 2 {
          password = Self.decoded(person[1])
          head = String(person[0]) + String(head[at...])
        }
      }
      var kept: [Substring] = []
      for pair in queryParts.dropFirst().first?.split(separator: "&") ?? [] {
        let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard secrets.contains(words[0].lowercased()) else {
          kept.append(pair)
          continue
        }
        if words[0].lowercased() == "password", words.count == 2 {
          password = Self.decoded(words[1])
        }
      }
      let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
      line = "postgresql://" + head + query
      self.password = password
      databaseName = place.count == 2 && !place[1].isEmpty ? Self.decoded(place[1]) : nil
    }

    /// A text without its escapes, such as `%20`.
    private static func decoded(_ text: Substring) -> String {
      var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text.utf8)[...])
      while let first = rest.first {
        let digits = rest.dropFirst().prefix(2)
        if first == UInt8(ascii: "%"), digits.count == 2,
          let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        {
          bytes.append(byte)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(first)
          rest = rest.dropFirst()
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
