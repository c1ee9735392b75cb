import PortolanTerminals
import PortolanTexts
import PropertyLists

/// The exchanges that make the bytes of one file from those of another.
///
/// They follow features: files of GeoJSON are aligned by features and gaps, other texts by lines.
package struct TextPatch: Sendable {
  /// Bytes in the place of others.
  package struct Exchange: Sendable, Hashable {
    /// The offset in the old file.
    package var at: Int
    /// How many bytes of the old file are left out.
    package var removed: Int
    package var added: [UInt8]
  }

  package var exchanges: [Exchange]

  package init(exchanges: [Exchange]) { self.exchanges = exchanges }

  /// - Complexity: O(n log n) in the features.
  package init(from old: [UInt8], to new: [UInt8]) {
    exchanges = []
    let (pieces, others) = (Self.pieces(old), Self.pieces(new))
    let matching = FeatureMatching(
      MatchedValues(hashes: pieces.map { ByteHash.of(old[$0]) }),
      MatchedValues(hashes: others.map { ByteHash.of(new[$0]) }), isInOrder: false)
    // Equal hashes are not trusted.
    let pairs = matching.second.enumerated().compactMap { index, other -> (Int, Int)? in
      guard let other, old[pieces[index]].elementsEqual(new[others[other]]) else { return nil }
      return (index, other)
    }
    var (piece, other) = (0, 0)
    func exchange(_ end: Int, _ otherEnd: Int) {
      // As many on both sides: one for one.
      let isPaired = end - piece == otherEnd - other
      let runs =
        isPaired
        ? zip(piece..<end, other..<otherEnd).map { ($0..<$0 + 1, $1..<$1 + 1) }
        : [(piece..<end, other..<otherEnd)]
      for (run, otherRun) in runs {
        let range = Self.range(run, of: pieces, end: old.count)
        let otherRange = Self.range(otherRun, of: others, end: new.count)
        if let found = Self.trimmed(old, range, new, otherRange) { exchanges.append(found) }
      }
    }
    for index in LongestRise.indices(of: pairs.map(\.1)) {
      exchange(pairs[index].0, pairs[index].1)
      (piece, other) = (pairs[index].0 + 1, pairs[index].1 + 1)
    }
    exchange(pieces.count, others.count)
  }

  /// The bytes of a run of pieces.
  private static func range(_ run: Range<Int>, of pieces: [Range<Int>], end: Int) -> Range<Int> {
    func start(_ piece: Int) -> Int { piece < pieces.count ? pieces[piece].lowerBound : end }
    return start(run.lowerBound)..<start(run.upperBound)
  }

  /// The features, each with the gap behind it; the lines of a text that is no GeoJSON.
  private static func pieces(_ bytes: [UInt8]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    func end(at place: Int) {
      if place > start { pieces.append(start..<place) }
      start = place
    }
    if let map = try? MapText(bytes) {
      for feature in map.features { end(at: feature.lowerBound) }
      if let last = map.features.last { end(at: last.upperBound) }
    } else {
      for place in bytes.indices where bytes[place] == 0x0A { end(at: place + 1) }
    }
    end(at: bytes.count)
    return pieces
  }

  /// The exchange of two runs without their equal ends; `nil` if they are equal.
  private static func trimmed(
    _ old: [UInt8], _ range: Range<Int>, _ new: [UInt8], _ other: Range<Int>
  ) -> Exchange? {
    let most = min(range.count, other.count)
    var start = 0
    while start < most, old[range.lowerBound + start] == new[other.lowerBound + start] {
      start += 1
    }
    var end = 0
    while end < most - start,
      old[range.upperBound - 1 - end] == new[other.upperBound - 1 - end]
    {
      end += 1
    }
    // A character is exchanged as a whole.
    while start > 0,
      isWithinCharacter(new, other.lowerBound + start, other.upperBound - end)
        || isWithinCharacter(old, range.lowerBound + start, range.upperBound - end)
    {
      start -= 1
    }
    while end > 0, isWithinCharacter(new, other.upperBound - end, other.upperBound) {
      end -= 1
    }
    let removed = range.count - start - end
    let added = Array(new[other.lowerBound + start..<other.upperBound - end])
    if removed == 0, added.isEmpty { return nil }
    return Exchange(at: range.lowerBound + start, removed: removed, added: added)
  }

  private static func isWithinCharacter(_ bytes: [UInt8], _ place: Int, _ end: Int) -> Bool {
    place < bytes.count && place <= end && bytes[place] & 0xC0 == 0x80
  }

  // MARK: Applying

  /// The new file; `nil` if the exchanges do not fit the old one.
  package func applied(to old: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var place = 0
    for exchange in exchanges {
      let (end, isTooFar) = exchange.at.addingReportingOverflow(exchange.removed)
      guard !isTooFar, exchange.removed >= 0, exchange.at >= place, end <= old.count else {
        return nil
      }
      result += old[place..<exchange.at]
      result += exchange.added
      place = end
    }
    return result + old[place...]
  }

  // MARK: JSON

  /// A list of objects: `{"at":120,"remove":4,"insert":"…"}`; bytes that are no UTF-8 are in
  /// `base64` in the place of `insert`.
  package var json: String {
    let items = exchanges.map { exchange -> String in
      var members = [("at", String(exchange.at)), ("remove", String(exchange.removed))]
      if let text = String(validating: exchange.added, as: UTF8.self) {
        members.append(("insert", SafeJSON.string(text)))
      } else {
        let text = exchange.added.withUnsafeBytes { Base64.encode($0) }
        members.append(("base64", SafeJSON.string(String(decoding: text, as: UTF8.self))))
      }
      return SafeJSON.object(members.map { (name: $0.0, value: $0.1) })
    }
    return SafeJSON.array(items)
  }

  /// Reads what `json` writes.
  init?(_ json: JSONSpans, _ range: Range<Int>) throws {
    guard let items = try json.elements(of: range) else { return nil }
    exchanges = []
    for item in items {
      guard let members = try json.members(of: item) else { return nil }
      func value(_ name: String) -> Range<Int>? {
        members.last { $0.name.elementsEqual(name.utf8) }?.value
      }
      func number(_ name: String) -> Int? {
        value(name).flatMap { Int(String(decoding: json.bytes[$0], as: UTF8.self)) }
      }
      func text(_ name: String) -> [UInt8]? {
        value(name).flatMap {
          json.byte($0.lowerBound) == UInt8(ascii: "\"") ? json.text($0) : nil
        }
      }
      let added = text("insert") ?? text("base64").flatMap { $0.withUnsafeBytes(Base64.decode) }
      guard let at = number("at"), let removed = number("remove"), at >= 0, let added else {
        return nil
      }
      exchanges.append(Exchange(at: at, removed: removed, added: added))
    }
  }
}
