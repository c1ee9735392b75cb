import PropertyLists

/// A run of a text: where it begins and how long it is, in units of UTF-16 and in characters.
struct ValueRun {
  var start: Int
  var length: Int
  /// Characters are those of Unicode, one a code point.
  var scalarStart: Int
  var scalarLength: Int
}

extension InspectedArchive {
  /// The places of the runs of a text, by their lengths in units of UTF-16.
  ///
  /// A character that a run divides belongs to the run in which it begins.
  func runs(_ lengths: [Int], of text: InspectedValue) -> [ValueRun] {
    var runs: [ValueRun] = []
    runs.reserveCapacity(lengths.count)
    let scalars = (self.text(of: text)?.text ?? "").unicodeScalars
    var next = scalars.makeIterator()
    var (units, count, end) = (0, 0, 0)
    for length in lengths {
      let (start, first) = (end, count)
      end += length
      while units < end, let scalar = next.next() {
        units += scalar.value > 0xFFFF ? 2 : 1
        count += 1
      }
      runs.append(
        ValueRun(start: start, length: length, scalarStart: first, scalarLength: count - first))
    }
    return runs
  }

  // MARK: Names

  /// Whether the values of a node have names, each another one.
  func hasNames(_ node: Int) -> Bool {
    guard !isSequential else { return node == top }
    let count = valueCount(of: node)
    var names: [String] = []
    names.reserveCapacity(count)
    for index in 0..<count {
      guard case .key(let key) = label(index, of: node) else { return false }
      names.append(key)
    }
    return Self.areDistinct(names)
  }

  /// Whether the keys of a dictionary are texts, each another one.
  func hasTextKeys(_ parts: ValueParts, _ lists: ValueLists) -> Bool {
    var keys: [String] = []
    keys.reserveCapacity(Int(parts.count) / 2)
    for index in stride(from: 0, to: Int(parts.count), by: 2) {
      guard let key = resolved(lists.part(index, of: parts, self)), isText(key),
        let text = text(of: key)
      else { return false }
      keys.append(text.text)
    }
    return Self.areDistinct(keys)
  }

  /// Whether no text is there twice, unit by unit.
  private static func areDistinct(_ texts: [String]) -> Bool {
    if texts.count <= 8 {
      for (place, text) in texts.enumerated() {
        for other in texts[..<place] where other.utf8.elementsEqual(text.utf8) { return false }
      }
      return true
    }
    if Set(texts).count == texts.count { return true }
    return Set(texts.map { Array($0.utf8) }).count == texts.count
  }

  /// The type of a field of a typedstream, or its name where there is one.
  func typeName(_ index: Int, of node: Int) -> String {
    if case .position(_, _, let type) = label(index, of: node) { return type }
    return fieldName(index, of: node)
  }

  // MARK: Texts

  /// Whether a value is text: bytes of a typedstream are if they are UTF-8.
  func isText(_ value: InspectedValue) -> Bool {
    switch value {
    case .ascii, .utf16, .symbol, .cString: true
    case .bytes(let range):
      reader.withBytes(in: range) { Self.isUTF8($0) } ?? false
    default: false
    }
  }

  /// Whether a text is valid as it stands.
  ///
  /// - Complexity: a fraction of a nanosecond a byte.
  func isValid(_ value: InspectedValue) -> Bool {
    switch value {
    case .ascii(let range), .bytes(let range), .symbol(let range), .cString(let range):
      reader.withBytes(in: range) { Self.isUTF8($0) } ?? false
    case .utf16(let range):
      reader.withBytes(in: range) { bytes in
        var isInPair = false
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
          let high = bytes[place] & 0xFC
          if isInPair != (high == 0xDC) { return false }
          isInPair = high == 0xD8
        }
        return !isInPair
      } ?? false
    default: false
    }
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Where the bytes of a text stand; empty for other values.
  func textRange(of value: InspectedValue) -> Range<Int> {
    switch value {
    case .ascii(let range), .utf16(let range), .bytes(let range), .symbol(let range),
      .cString(let range):
      range
    default: 0..<0
    }
  }

  /// The place of the key of a value in a property list, where it is visible ASCII and not empty.
  func plainKeyRange(_ index: Int, of node: Int) -> Range<Int>? {
    guard case .list(let list, _) = source,
      case .dictionary(let keys, _)? = try? list.object(start(of: node))
    else { return nil }
    let place = index >= Int(record(of: node).count) ? index + 1 : index
    guard let key = try? list.reference(place, of: keys),
      case .ascii(let range)? = try? list.object(key), (1...1_024).contains(range.count)
    else { return nil }
    let isPlain = list.reader.withBytes(in: range) { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
    return isPlain ?? false ? range : nil
  }

  /// The place of a text of visible ASCII that JSON shows as it is; `nil` for other texts.
  func plainRange(of value: InspectedValue, atMost count: Int = .max) -> Range<Int>? {
    switch value {
    case .ascii(let range), .bytes(let range), .symbol(let range), .cString(let range):
      guard range.count <= count else { return nil }
      let isPlain = reader.withBytes(in: range) { bytes in
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
      }
      return isPlain ?? false ? range : nil
    default: return nil
    }
  }
}
