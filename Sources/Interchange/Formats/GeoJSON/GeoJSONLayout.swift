import PortolanFiles

/// The white space of a GeoJSON file by place: in a regular file, all places of one kind have the
/// same white space.
///
/// A *place* is a kind of container with a gap in it. The reader learns each place's white space
/// from its first occurrence and compares the others; the writer puts it back.
struct GeoJSONLayout: Hashable, Sendable {
  /// A kind of object or array.
  struct Container: Hashable {
    let index: Int

    /// The array of features, or of a root collection's geometries.
    static var items: Container { Container(index: 0) }
    static var feature: Container { Container(index: 1) }
    static var properties: Container { Container(index: 2) }
    static var geometry: Container { Container(index: 3) }
    /// The array of geometries in a feature's collection.
    static var members: Container { Container(index: 4) }
    /// A geometry in a collection.
    static var member: Container { Container(index: 5) }
    static var count: Int { 26 }

    /// An array of coordinates `level` below the outermost one of a geometry whose positions are
    /// `depth` - 1 below it.
    static func coordinates(depth: Int, level: Int, isMember: Bool) -> Container {
      Container(index: 6 + depth * (depth - 1) / 2 + level + (isMember ? 10 : 0))
    }

    /// The array of coordinates some levels further in.
    func inner(_ levels: Int) -> Container { Container(index: index + levels) }
  }

  /// A gap within a container.
  struct Gap: Hashable {
    let index: Int

    static var afterOpen: Gap { Gap(index: 0) }
    static var beforeColon: Gap { Gap(index: 1) }
    static var afterColon: Gap { Gap(index: 2) }
    static var beforeComma: Gap { Gap(index: 3) }
    static var afterComma: Gap { Gap(index: 4) }
    static var beforeClose: Gap { Gap(index: 5) }
    /// Between the brackets of an empty container.
    static var empty: Gap { Gap(index: 6) }
    static var count: Int { 8 }
  }

  /// The white space around one item.
  struct ItemGap: Hashable, Sendable {
    var first: [UInt8]
    var second: [UInt8]
  }

  /// White space by place, see `place`; `nil` for places that the file does not have.
  var gaps: [[UInt8]?]
  /// White space around the root object and its members, in order; see `GeoJSONReader`.
  var rootGaps: [[UInt8]]
  var hasByteOrderMark = false
  var escapes = EscapeStyle()
  /// Names of the root's members in their spelling between quotes, by place, if the escape style
  /// does not reproduce it.
  var nameTexts: [Int: [UInt8]] = [:]
  /// White space around single items, by the number of their features, if it differs from that of
  /// their places: before and after the comma that follows the item, or in a sequence before and
  /// after the item.
  var itemGaps: [UInt64: ItemGap] = [:]
  /// Whether every feature must be on one line, whatever its texts contain; not part of the words.
  var isLine = false

  init(
    gaps: [[UInt8]?] = Array(repeating: nil, count: Container.count * Gap.count),
    rootGaps: [[UInt8]] = []
  ) {
    self.gaps = gaps
    self.rootGaps = rootGaps
  }

  @inline(__always)
  static func place(_ container: Container, _ gap: Gap) -> Int {
    container.index * Gap.count + gap.index
  }

  // MARK: Words

  /// The record separator of RFC 8142.
  private static let separator: UInt8 = 0x1E

  private static let containerNames: [String] =
    ["items", "feature", "properties", "geometry", "geometries", "member"]
    + coordinateNames("") + coordinateNames("member-")
  private static let gapNames = ["open", "colon", "value", "comma", "next", "close", "empty"]

  private static func coordinateNames(_ prefix: String) -> [String] {
    (1...4).flatMap { depth in (0..<depth).map { "\(prefix)coordinates\(depth).\($0)" } }
  }

  /// The layout as words separated by spaces; `compact` for a file without any white space.
  ///
  /// `items.next=n` means a line feed after each comma between features; `n4s` is a line feed and
  /// four spaces, `r` a carriage return, `t` a tab. A place not listed has no white space. `root=`
  /// lists the gaps around the members of the root object.
  var words: String {
    var words: [String] = []
    if hasByteOrderMark { words.append("bom") }
    if escapes.isASCII { words.append("ascii") }
    if escapes.escapesSlash { words.append("slash") }
    if escapes.isUpperHex { words.append("HEX") }
    if rootGaps.contains(where: { !$0.isEmpty }) {
      words.append("root=" + rootGaps.map(Self.letters).joined(separator: ","))
    }
    for (place, text) in nameTexts.sorted(by: { $0.key < $1.key }) {
      words.append("name\(place)=" + WordText.escaped(text))
    }
    for (number, gap) in itemGaps.sorted(by: { $0.key < $1.key }) {
      words.append("gap\(number)=" + Self.letters(gap.first) + "," + Self.letters(gap.second))
    }
    for container in 0..<Container.count {
      for (gap, name) in Self.gapNames.enumerated() {
        guard let bytes = gaps[Self.place(Container(index: container), Gap(index: gap))],
          !bytes.isEmpty
        else { continue }
        words.append("\(Self.containerNames[container]).\(name)=\(Self.letters(bytes))")
      }
    }
    return words.isEmpty ? "compact" : words.joined(separator: " ")
  }

  /// Parses words; unknown ones are ignored.
  ///
  /// - Parameter gapBytesMax: the limit of all white space that the words stand for.
  init(words: String, gapBytesMax: Int = Self.gapBytesMax) {
    self.init()
    var room = gapBytesMax
    var places: [String: Int] = [:]
    for (container, name) in Self.containerNames.enumerated() {
      for (gap, word) in Self.gapNames.enumerated() {
        places["\(name).\(word)"] = Self.place(Container(index: container), Gap(index: gap))
      }
    }
    for word in words.split(separator: " ") {
      switch word {
      case "bom": hasByteOrderMark = true
      case "ascii": escapes.isASCII = true
      case "slash": escapes.escapesSlash = true
      case "HEX": escapes.isUpperHex = true
      default:
        guard let mark = word.firstIndex(of: "=") else { continue }
        let value = word[word.index(after: mark)...]
        if word[..<mark] == "root" {
          rootGaps = value.split(separator: ",", omittingEmptySubsequences: false).map {
            Self.bytes($0, &room)
          }
        } else if let place = places[String(word[..<mark])] {
          gaps[place] = Self.bytes(value, &room)
        } else if word.hasPrefix("gap"), let number = UInt64(word[..<mark].dropFirst(3)) {
          let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
          itemGaps[number] = ItemGap(
            first: Self.bytes(parts[0], &room),
            second: parts.count > 1 ? Self.bytes(parts[1], &room) : [])
        } else if word.hasPrefix("name"), let place = Int(word[..<mark].dropFirst(4)) {
          nameTexts[place] = WordText.unescaped(value)
        }
      }
    }
  }

  /// Removes record separators, which only a sequence may have.
  mutating func removeSeparators() {
    func cleaned(_ gap: [UInt8]) -> [UInt8] { gap.filter { $0 != Self.separator } }
    rootGaps = rootGaps.map(cleaned)
    for index in gaps.indices { gaps[index] = gaps[index].map(cleaned) }
    for (number, gap) in itemGaps
    where gap.first.contains(Self.separator) || gap.second.contains(Self.separator) {
      itemGaps[number] = ItemGap(first: cleaned(gap.first), second: cleaned(gap.second))
    }
  }

  private static func letters(_ bytes: [UInt8]) -> String {
    var text = ""
    var index = 0
    while index < bytes.count {
      var end = index
      while end < bytes.count, bytes[end] == bytes[index] { end += 1 }
      if end - index > 1 { text += String(end - index) }
      switch bytes[index] {
      case 0x0A: text += "n"
      case 0x0D: text += "r"
      case 0x09: text += "t"
      case separator: text += "e"
      default: text += "s"
      }
      index = end
    }
    return text
  }

  /// The limit of the white space that words describe, in bytes: few letters can describe much.
  static let gapBytesMax = 1 << 26

  /// The white space described by letters, up to the limit.
  private static func bytes(_ letters: Substring, _ room: inout Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var times = 0
    for letter in letters.utf8 {
      if letter &- 0x30 <= 9 {
        times = min(times * 10 + Int(letter &- 0x30), gapBytesMax)
        continue
      }
      let byte: UInt8
      switch letter {
      case UInt8(ascii: "n"): byte = 0x0A
      case UInt8(ascii: "r"): byte = 0x0D
      case UInt8(ascii: "t"): byte = 0x09
      case UInt8(ascii: "e"): byte = separator
      default: byte = 0x20
      }
      let count = min(max(times, 1), room)
      bytes.append(contentsOf: repeatElement(byte, count: count))
      room -= count
      times = 0
    }
    return bytes
  }
}
