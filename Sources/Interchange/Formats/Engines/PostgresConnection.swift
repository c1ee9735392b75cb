/// What libpq needs to know to connect: a line of `key=value` pairs, or an address.
///
///     PG:dbname=roads user=reader password='it''s \'secret\''
///     postgresql://reader:secret@db.example.org/roads?sslmode=require
struct PostgresConnection: Hashable, Sendable {
  /// The line without passwords, as GDAL takes it.
  let line: String
  let password: String?
  let databaseName: String?
  /// Whether it sets options of the session, which could take back that this is read-only.
  let hasOptions: Bool

  /// `nil` if a line begins otherwise.
  init?(_ line: String) {
    if let rest = Self.rest(of: line.utf8, after: ["PG:"]) {
      let rest = String(decoding: rest, as: UTF8.self)
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
    hasOptions = address.hasOptions
  }

  private var withoutPrefix: String {
    Self.rest(of: line.utf8, after: ["PG:"]).map { String(decoding: $0, as: UTF8.self) } ?? line
  }

  /// What follows one of some prefixes, whatever its capitals.
  private static func rest(
    of line: String.UTF8View, after prefixes: [String]
  ) -> Substring.UTF8View? {
    prefixes.first { prefix in
      line.count >= prefix.utf8.count
        && zip(line, prefix.utf8).allSatisfy { ($0 | 0x20) == ($1 | 0x20) }
    }.map { line.dropFirst($0.utf8.count) }
  }

  private static let secrets: Set<String> = ["password", "sslpassword"]
  private static let optionsKey = "options"

  // MARK: Pairs

  private init(pairs text: String) {
    var (words, password, name): ([String], String?, String?) = ([], nil, nil)
    var hasOptions = false
    for pair in Self.pairs(text) {
      guard let value = pair.value else {
        words.append(pair.key)
        continue
      }
      let key = pair.key.lowercased()
      if Self.secrets.contains(key) {
        if key == "password" { password = value }
        continue
      }
      if key == Self.optionsKey {
        hasOptions = true
        continue
      }
      if pair.key == "dbname", value.contains("=") || value.contains("://"),
        let inner = PostgresConnection("PG:" + value)
      {
        // libpq takes a whole line in the place of a name.
        password = inner.password ?? password
        name = inner.databaseName
        hasOptions = hasOptions || inner.hasOptions
        words.append("dbname=" + Self.quoted(inner.withoutPrefix))
        continue
      }
      if pair.key == "dbname" { name = value }
      words.append("\(pair.key)=\(Self.quoted(value))")
    }
    line = "PG:" + words.joined(separator: " ")
    (self.password, databaseName, self.hasOptions) = (password, name, hasOptions)
  }

  /// Whether libpq takes a byte for white space.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte
  }

  /// The pairs of a line, by its bytes; `nil` is the value of a word without a sign of equality.
  private static func pairs(_ text: String) -> [(key: String, value: String?)] {
    var pairs: [(key: String, value: String?)] = []
    let equality = UInt8(ascii: "=")
    var rest = Array(text.utf8)[...]
    func skipSpace() { rest = rest.drop(while: isSpace) }
    skipSpace()
    while !rest.isEmpty {
      let key = rest.prefix { !isSpace($0) && $0 != equality }
      rest = rest.dropFirst(key.count)
      skipSpace()
      if key.isEmpty {
        // A sign of equality without a key before it is skipped.
        rest = rest.dropFirst()
        skipSpace()
        continue
      }
      let name = String(decoding: key, as: UTF8.self)
      guard rest.first == equality else {
        pairs.append((name, nil))
        continue
      }
      rest = rest.dropFirst()
      skipSpace()
      pairs.append((name, value(&rest)))
      skipSpace()
    }
    return pairs
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    var value: [UInt8] = []
    let quote = UInt8(ascii: "'")
    let isQuoted = rest.first == quote
    if isQuoted { rest = rest.dropFirst() }
    while let first = rest.first {
      if isQuoted ? first == quote : isSpace(first) { break }
      rest = rest.dropFirst()
      if first == UInt8(ascii: "\\") {
        value += rest.prefix(1)
        rest = rest.dropFirst()
      } else {
        value.append(first)
      }
    }
    if isQuoted { rest = rest.dropFirst() }
    return String(decoding: value, as: UTF8.self)
  }

  private static func quoted(_ value: String) -> String {
    let (quote, bar) = (UInt8(ascii: "'"), UInt8(ascii: "\\"))
    if !value.isEmpty, !value.utf8.contains(where: { isSpace($0) || $0 == quote || $0 == bar }) {
      return value
    }
    let escaped = value.utf8.flatMap { $0 == quote || $0 == bar ? [bar, $0] : [$0] }
    return "'\(String(decoding: escaped, as: UTF8.self))'"
  }

  // MARK: Addresses

  /// A line such as `postgresql://user:password@host/database?key=value`.
  private struct Address {
    let line: String
    let password: String?
    let databaseName: String?
    let hasOptions: Bool

    init?(_ text: String) {
      guard
        let rest = PostgresConnection.rest(of: text.utf8, after: ["postgresql://", "postgres://"])
      else { return nil }
      let parts = Self.parts(Array(rest)[...])
      var (place, password) = (parts.place, parts.password)
      let query = place.firstIndex(of: UInt8(ascii: "?")).map { place[$0...].dropFirst() }
      place = place.prefix { $0 != UInt8(ascii: "?") }
      var kept: [ArraySlice<UInt8>] = []
      var hasOptions = false
      for pair in query?.split(separator: UInt8(ascii: "&")) ?? [] {
        let words = pair.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let key = Self.decoded(words[0]).filter { !$0.isWhitespace }.lowercased()
        if key == "password", words.count == 2 { password = Self.decoded(words[1]) }
        if key == optionsKey { hasOptions = true }
        if !secrets.contains(key), key != optionsKey { kept.append(pair) }
      }
      let words =
        kept.isEmpty ? [] : [UInt8(ascii: "?")] + kept.joined(separator: [UInt8(ascii: "&")])
      line = "postgresql://" + String(decoding: parts.person + place + words, as: UTF8.self)
      (self.password, self.hasOptions) = (password, hasOptions)
      let name = place.firstIndex(of: UInt8(ascii: "/")).map { place[$0...].dropFirst() } ?? []
      databaseName = name.isEmpty ? nil : Self.decoded(name)
    }

    /// The user with the sign behind, the rest from the host on, and the password between.
    ///
    /// Whatever stands before the first `@` of the host's part is the user and the password.
    private static func parts(
      _ text: ArraySlice<UInt8>
    ) -> (person: ArraySlice<UInt8>, place: ArraySlice<UInt8>, password: String?) {
      let (at, slash) = (UInt8(ascii: "@"), UInt8(ascii: "/"))
      guard let first = text.prefix(while: { $0 != slash }).firstIndex(of: at) else {
        return ([], text, nil)
      }
      // Others before the path are parts of a password that lacks escapes.
      let host = text[first...].prefix { $0 != slash && $0 != UInt8(ascii: "?") }
      let end = host.lastIndex(of: at) ?? first
      let person = text[..<end]
      let place = text[end...].dropFirst()
      guard let colon = person.firstIndex(of: UInt8(ascii: ":")) else {
        return (text[...end], place, nil)
      }
      return (person[..<colon] + [at], place, decoded(person[colon...].dropFirst()))
    }

    /// A text without its escapes, such as `%20`.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
      var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
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
