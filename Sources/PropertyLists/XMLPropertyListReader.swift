/// Reads the XML notation into a binary property list in memory.
///
/// Everything above works on one representation, so XML is transcoded when it is opened:
///
///     let list = try BinaryPropertyList(xml: bytes)
///
/// The scanner is our own. Nothing is loaded: a document type is skipped with its declarations, as
/// Apple's reader does, and no entity is known but the five of XML and references to characters. So
/// the result is never larger than a fixed multiple of the file, and reading takes time in
/// proportion to it. Control characters in strings are kept, as Apple's reader keeps them.
public struct XMLPropertyListReader: Sendable {
  /// How deep containers may be nested.
  public var limits: PropertyListLimits

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Makes a reader with limits of its own.
  public init(limits: PropertyListLimits = PropertyListLimits()) { self.limits = limits }

  /// Reads a list.
  ///
  /// Errors begin with line and column and carry the offset of the byte. Throws
  /// `notAPropertyList` when it is XML of another kind.
  public func read(_ bytes: [UInt8]) throws(PropertyListError) -> BinaryPropertyList {
    try readStart(bytes, in: .whole).list
  }

  /// Reads the list that a file begins with, for showing a file that has more than it should.
  ///
  /// Broken leaves are noted, and so are keys that are there twice.
  package func readStart(
    _ bytes: [UInt8]
  ) throws(PropertyListError) -> StartedPropertyList {
    try readStart(bytes, in: .start)
  }

  /// How much of a file must be text.
  enum Extent {
    case whole, start
  }

  private func readStart(
    _ bytes: [UInt8], in extent: Extent
  ) throws(PropertyListError) -> StartedPropertyList {
    guard let order = Self.wideOrder(of: bytes) else {
      return try readUTF8(bytes, in: extent, declared: ["utf-8", "utf8", "us-ascii", "ascii"])
    }
    let (narrow, end) = try Self.narrow(bytes, order, in: extent)
    do throws(PropertyListError) {
      var found = try readUTF8(
        narrow, in: extent, declared: ["utf-16", "utf-16le", "utf-16be"])
      let wide = found.rest.map { Self.units(narrow.prefix($0)) * 2 + order.start }
      found.rest = wide ?? (end < bytes.count ? end : nil)
      return found
    } catch {
      // The offset in the file: two bytes a unit, and the byte order mark.
      var wide = error
      wide.offset = error.offset.map { Self.units(narrow.prefix($0)) * 2 + order.start }
      throw wide
    }
  }

  private func readUTF8(
    _ bytes: [UInt8], in extent: Extent, declared: [String]
  ) throws(PropertyListError) -> StartedPropertyList {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let place = error.byteOffsets.lowerBound
      // Bytes behind the list need not be text.
      if extent == .start,
        var found = try? parse(Array(bytes[..<place]), in: .start, declared: declared)
      {
        found.rest = found.rest ?? place
        return found
      }
      throw bytes.withUnsafeBufferPointer {
        XMLScanner($0).error(.badText, at: place, "text that is not UTF-8")
      }
    }
    return try parse(bytes, in: extent, declared: declared)
  }

  private func parse(
    _ bytes: [UInt8], in extent: Extent, declared: [String]
  ) throws(PropertyListError) -> StartedPropertyList {
    let limits = limits
    var rest: Int?
    var faults = PropertyListFaults()
    let list = try bytes.withUnsafeBufferPointer { input throws(PropertyListError) -> [UInt8] in
      var parser = XMLPropertyListParser(
        XMLScanner(input), limits: limits, isForgiving: extent == .start)
      let list = try parser.parse(declared: declared)
      (rest, faults) = (parser.rest, parser.faults)
      return list
    }
    return StartedPropertyList(list: try BinaryPropertyList(list), rest: rest, faults: faults)
  }

  // MARK: UTF-16

  /// The order of the bytes in a file of 16-bit units, and where its text begins.
  struct WideOrder {
    var isBigEndian: Bool
    var start: Int
  }

  /// The order when the file begins with a byte order mark of UTF-16 or with a wide `<`.
  static func wideOrder(of bytes: [UInt8]) -> WideOrder? {
    guard bytes.count >= 2, let first = bytes.first else { return nil }
    switch (first, bytes[1]) {
    case (0xFE, 0xFF): return WideOrder(isBigEndian: true, start: 2)
    case (0xFF, 0xFE): return WideOrder(isBigEndian: false, start: 2)
    case (0x00, 0x3C): return WideOrder(isBigEndian: true, start: 0)
    case (0x3C, 0x00): return WideOrder(isBigEndian: false, start: 0)
    default: return nil
    }
  }

  /// The same text in UTF-8, and the byte at which it ends.
  static func narrow(
    _ bytes: [UInt8], _ order: WideOrder, in extent: Extent
  ) throws(PropertyListError) -> (text: [UInt8], end: Int) {
    guard extent == .start || (bytes.count - order.start).isMultiple(of: 2) else {
      throw PropertyListError(.badLength, at: bytes.count, "UTF-16 of an odd number of bytes")
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2)
    var place = order.start
    func unit(_ place: Int) -> UInt32? {
      guard place + 1 < bytes.count else { return nil }
      let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      return order.isBigEndian ? first << 8 | second : second << 8 | first
    }
    while let high = unit(place) {
      var value = high
      if high & 0xFC00 == 0xD800, let low = unit(place + 2), low & 0xFC00 == 0xDC00 {
        value = 0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(value) else {
        if extent == .start { break }
        throw PropertyListError(.badText, at: place, "half a surrogate pair in UTF-16")
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      place += value > 0xFFFF ? 4 : 2
    }
    return (text, place)
  }

  /// How many units of UTF-16 valid UTF-8 takes.
  static func units(_ text: ArraySlice<UInt8>) -> Int {
    text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }
}

extension BinaryPropertyList {
  /// Reads the XML notation; see `XMLPropertyListReader`.
  public init(
    xml bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListError) {
    self = try XMLPropertyListReader(limits: limits).read(bytes)
  }
}
