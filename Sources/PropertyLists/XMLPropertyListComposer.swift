import PortolanTexts

/// The text of a list while it grows: a walk with a stack of its own.
struct XMLPropertyListComposer {
  private let list: BinaryPropertyList
  private let limits: PropertyListLimits
  private let sizeMax: Int
  private let replacesForbidden: Bool
  /// What the text so far does not tell.
  private(set) var losses = XMLLosses()

  private var output: [UInt8] = []
  /// How many bytes were taken away before.
  private var takenCount = 0
  private var stage = Stage.start
  private var levels: [Level] = []

  /// The entries of the open dictionaries in the order of their keys, one dictionary behind the
  /// other.
  private var order: [Entry] = []

  private enum Stage { case start, inside, done }

  private struct Level {
    var offset: Int
    var row: PropertyListReferences
    var next = 0
    /// Where the entries of a dictionary begin in `order`; `nil` for an array.
    var firstEntry: Int?
  }

  /// An entry of a dictionary: its number there, and the bytes of its key.
  private struct Entry {
    var index: Int
    var key: Range<Int>
    var isASCII: Bool

    /// The order of two keys by their UTF-16 units: negative, zero or positive.
    static func order(_ first: Entry, _ second: Entry, _ reader: ByteReader) -> Int {
      let order = reader.withBytes(in: first.key) { one in
        reader.withBytes(in: second.key) { two in
          let (left, right) = (first.isASCII ? 1 : 2, second.isASCII ? 1 : 2)
          let count = min(one.count / left, two.count / right)
          for place in 0..<count {
            let difference = unit(one, place, left) - unit(two, place, right)
            if difference != 0 { return difference }
          }
          return one.count / left - two.count / right
        }
      }
      return (order ?? 0) ?? 0
    }
  }

  init(_ list: BinaryPropertyList, limits: PropertyListLimits, replacesForbidden: Bool) {
    self.list = list
    self.limits = limits
    self.replacesForbidden = replacesForbidden
    let (scaled, tooFar) = list.reader.count.multipliedReportingOverflow(by: limits.expansionFactor)
    let (sum, over) = scaled.addingReportingOverflow(limits.expansionBase)
    sizeMax = tooFar || over ? Int.max : sum
  }

  mutating func compose() throws(PropertyListError) -> [UInt8] {
    output.reserveCapacity(list.reader.count)
    while try advance() {}
    return output
  }

  /// How many bytes wait to be taken.
  var waitingCount: Int { output.count }

  /// The bytes that came since the last call.
  mutating func take() -> [UInt8] {
    takenCount += output.count
    defer { output = [] }
    return output
  }

  /// Goes on by one object; `false` when all is written.
  mutating func advance() throws(PropertyListError) -> Bool {
    switch stage {
    case .start:
      try begin()
      stage = .inside
    case .inside:
      if let level = levels.last {
        try advance(level)
      } else {
        put("</plist>\n")
        stage = .done
      }
    case .done: break
    }
    return stage != .done
  }

  private mutating func begin() throws(PropertyListError) {
    put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    try put(list.top)
  }

  private mutating func advance(_ level: Level) throws(PropertyListError) {
    guard level.next < level.row.count else { return close(level) }
    levels[levels.count - 1].next += 1
    var index = level.next
    if let first = level.firstEntry {
      let entry = order[first + index]
      try putKey(entry)
      index = entry.index
    }
    try put(list.reference(index, of: level.row))
    guard takenCount + output.count <= sizeMax else {
      throw PropertyListError(
        .tooLarge, "as XML, which repeats what is shared, it would take over \(sizeMax) bytes")
    }
  }

  // MARK: Objects

  private mutating func put(_ reference: PropertyListReference) throws(PropertyListError) {
    let offset = try list.offset(of: reference)
    let object = try list.object(at: offset)
    indent(levels.count)
    switch object {
    case .bool(let value): put(value ? "<true/>\n" : "<false/>\n")
    case .integer(let value): putNumber(String(value))
    case .unsigned(let value): putNumber(String(value))
    case .double(let value): putReal(value)
    case .float(let value): putReal(Double(value))
    case .date(let seconds):
      guard let text = XMLDate.text(seconds) else {
        throw PropertyListError(
          .badNumber, at: offset, "a date that XML cannot carry: beyond the year 999999")
      }
      if seconds != seconds.rounded(.down) { losses.fractions += 1 }
      put("<date>")
      output.append(contentsOf: text.utf8)
      put("</date>\n")
    case .data(let range): putData(range)
    case .ascii(let range):
      put("<string>")
      try putASCII(range)
      put("</string>\n")
    case .utf16(let range):
      put("<string>")
      try putUTF16(range, at: offset)
      put("</string>\n")
    case .uid(let uid): putUID(uid)
    case .array(let row):
      try open(offset, row, empty: "<array/>\n", "<array>\n")
    case .dictionary(let keys, let values):
      try checkReference(keys, values, at: offset)
      try open(offset, values, empty: "<dict/>\n", "<dict>\n")
      if keys.count > 0 { try sortKeys(keys) }
    case .null, .set:
      throw PropertyListError(.wrongKind, at: offset, "\(object.kindName), which XML cannot carry")
    }
  }

  private mutating func open(
    _ offset: Int, _ row: PropertyListReferences, empty: StaticString, _ tag: StaticString
  ) throws(PropertyListError) {
    guard row.count > 0 else { return put(empty) }
    guard !levels.contains(where: { $0.offset == offset }) else {
      throw PropertyListError(.cycle, at: offset, "a container that holds itself")
    }
    guard levels.count < limits.depthMax else {
      throw PropertyListError(
        .tooDeep, at: offset, "containers nested deeper than \(limits.depthMax)")
    }
    put(tag)
    levels.append(Level(offset: offset, row: row))
  }

  /// Refuses a dictionary of the one key `CF$UID` whose number is none of a reference.
  ///
  /// XML takes every such dictionary for a reference, which one that GNUstep wrote really is.
  private func checkReference(
    _ keys: PropertyListReferences, _ values: PropertyListReferences, at offset: Int
  ) throws(PropertyListError) {
    guard keys.count == 1,
      case .ascii(let key) = try list.object(list.reference(0, of: keys)), key.count == 6,
      list.reader.withBytes(in: key, { $0.elementsEqual("CF$UID".utf8) }) == true
    else { return }
    switch try list.object(list.reference(0, of: values)) {
    case .integer(let value) where UInt32(exactly: value) != nil: return
    case .integer, .unsigned, .double, .float:
      throw PropertyListError(
        .badNumber, at: offset, "a dictionary that XML would take for a reference")
    default: return
    }
  }

  private mutating func close(_ level: Level) {
    levels.removeLast()
    indent(levels.count)
    guard let first = level.firstEntry else { return put("</array>\n") }
    order.removeLast(order.count - first)
    put("</dict>\n")
  }

  // MARK: Keys

  private mutating func sortKeys(_ keys: PropertyListReferences) throws(PropertyListError) {
    let first = order.count
    levels[levels.count - 1].firstEntry = first
    // An entry takes two bytes of the list at least. More are open only if containers overlap.
    guard first + keys.count <= list.reader.count else {
      throw PropertyListError(.tooLarge, at: keys.start, "dictionaries that overlap in the list")
    }
    var isSorted = true
    for index in 0..<keys.count {
      let entry = try entry(index, keys)
      if index > 0, isSorted {
        isSorted = Entry.order(order[first + index - 1], entry, list.reader) < 0
      }
      order.append(entry)
    }
    guard !isSorted else { return }
    let reader = list.reader
    order[first...].sort { Entry.order($0, $1, reader) < 0 }
    for place in order.indices.dropFirst(first + 1)
    where Entry.order(order[place - 1], order[place], reader) == 0 {
      throw PropertyListError(
        .duplicateKey, at: order[place].key.lowerBound, "a dictionary has a key twice")
    }
  }

  private func entry(
    _ index: Int, _ keys: PropertyListReferences
  ) throws(PropertyListError) -> Entry {
    let offset = try list.offset(of: list.reference(index, of: keys))
    let object = try list.object(at: offset)
    switch object {
    case .ascii(let range): return Entry(index: index, key: range, isASCII: true)
    case .utf16(let range): return Entry(index: index, key: range, isASCII: false)
    default:
      throw PropertyListError(
        .badKey, at: offset, "a key must be a string, this one is \(object.kindName)")
    }
  }

  private mutating func putKey(_ entry: Entry) throws(PropertyListError) {
    indent(levels.count)
    put("<key>")
    if entry.isASCII {
      try putASCII(entry.key)
    } else {
      try putUTF16(entry.key, at: entry.key.lowerBound)
    }
    put("</key>\n")
  }

  // MARK: Leaves

  private mutating func putNumber(_ text: String) {
    put("<integer>")
    output.append(contentsOf: text.utf8)
    put("</integer>\n")
  }

  private mutating func putReal(_ value: Double) {
    put("<real>")
    if value.isNaN {
      put("nan")
    } else if value.isInfinite {
      put(value > 0 ? "+infinity" : "-infinity")
    } else {
      RealText.append(value, to: &output)
      if value == 0 { put(".0") }
    }
    put("</real>\n")
  }

  private mutating func putUID(_ uid: UInt32) {
    put("<dict>\n")
    indent(levels.count + 1)
    put("<key>CF$UID</key>\n")
    indent(levels.count + 1)
    putNumber(String(uid))
    indent(levels.count)
    put("</dict>\n")
  }

  /// Lines of 76 columns, a tab counted as eight, and no more than eight tabs.
  private mutating func putData(_ range: Range<Int>) {
    let tabs = min(levels.count, 8)
    let bytesPerLine = (76 - 8 * tabs) / 4 * 3
    put("<data>\n")
    list.reader.withBytes(in: range) { bytes in
      var place = 0
      while place < bytes.count {
        output.append(contentsOf: repeatElement(0x09, count: tabs))
        let end = min(place + bytesPerLine, bytes.count)
        while place < end {
          Base64.append(bytes, at: place, to: &output)
          place += 3
        }
        output.append(0x0A)
      }
    }
    indent(levels.count)
    put("</data>\n")
  }

  private mutating func putASCII(_ range: Range<Int>) throws(PropertyListError) {
    let isGood = list.reader.withBytes(in: range) { bytes in
      guard isASCII(bytes) else { return false }
      var start = 0
      for place in bytes.indices {
        let isReplaced = replacesForbidden && Self.isForbidden(UInt32(bytes[place]))
        guard let escape = isReplaced ? "\u{FFFD}" : Self.escape(bytes[place]) else { continue }
        output.append(contentsOf: bytes[start..<place])
        put(escape)
        if isReplaced { losses.characters += 1 }
        start = place + 1
      }
      output.append(contentsOf: bytes[start...])
      return true
    }
    guard isGood == true else {
      throw PropertyListError(
        .badText, at: range.lowerBound, "a string of ASCII that holds other bytes")
    }
  }

  private mutating func putUTF16(_ range: Range<Int>, at offset: Int) throws(PropertyListError) {
    let isGood = list.reader.withBytes(in: range) { bytes in
      var place = 0
      while place < bytes.count / 2 {
        var value = UInt32(unit(bytes, place, 2))
        place += 1
        if value & 0xFC00 == 0xD800, place < bytes.count / 2 {
          let low = UInt32(unit(bytes, place, 2))
          guard low & 0xFC00 == 0xDC00 else { return false }
          value = 0x10000 + ((value & 0x3FF) << 10 | low & 0x3FF)
          place += 1
        }
        guard let scalar = Unicode.Scalar(value) else { return false }
        put(scalar)
      }
      return true
    }
    guard isGood == true else {
      throw PropertyListError(
        .badText, at: offset, "a string whose UTF-16 is not valid, which XML cannot carry")
    }
  }

  /// The entity of a character with a meaning of its own.
  @inline(__always)
  private static func escape(_ byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case 0x0D: "&#13;"
    default: nil
    }
  }

  /// Whether XML 1.0 forbids a character in every form.
  @inline(__always)
  private static func isForbidden(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  // MARK: Bytes

  private mutating func put(_ scalar: Unicode.Scalar) {
    if replacesForbidden, Self.isForbidden(scalar.value) {
      put("\u{FFFD}" as StaticString)
      losses.characters += 1
    } else if scalar.isASCII, let escape = Self.escape(UInt8(scalar.value)) {
      put(escape)
    } else {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  @inline(__always)
  private mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  @inline(__always)
  private mutating func indent(_ count: Int) {
    for _ in 0..<count { output.append(0x09) }
  }
}

/// The unit at a place of text whose units are one or two bytes wide.
@inline(__always)
private func unit(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ width: Int) -> Int {
  width == 1 ? Int(bytes[place]) : Int(bytes[place * 2]) << 8 | Int(bytes[place * 2 + 1])
}
