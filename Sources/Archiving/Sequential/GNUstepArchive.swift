public import PropertyLists

/// An archive of GNUstep's `NSArchiver`, seen without any class and for reading only.
///
///     0   "GNUstep archive"
///     15  four numbers of eight hexadecimal digits, each with ":" behind it:
///         version of the library, classes, objects, pointers
///     51  items, each beginning with a tag: type (0x1F), size (0x60), reference (0x80)
///
/// It resembles Apple's typedstream in nothing but its purpose. Opening goes over the bytes once
/// and checks everything; after that the items can be gone through as often as needed.
public struct GNUstepArchive: Sendable {
  /// The bytes of the archive.
  public let reader: ByteReader
  /// The version that the header names: 1000000 in all archives of today.
  public let version: UInt32
  /// The classes in the order in which they appear: number 1 is the first.
  public let classes: [GNUstepArchiveClass]
  /// How many objects there are.
  public let objectCount: Int
  /// How many selectors, C strings and pointers there are.
  public let pointerCount: Int

  /// Where the items begin.
  static let headerSize = 51
  private static let prefix = "GNUstep archive"

  /// Whether bytes begin as such an archive does.
  public static func recognises(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: prefix.utf8)
  }

  /// Opens an archive; the bytes are kept, not copied.
  public init(_ bytes: [UInt8]) throws {
    let reader = ByteReader(bytes)
    guard !bytes.starts(with: "GNUstep DO archive".utf8) else {
      throw ArchiveError(
        .notAnArchive, offset: 0, "a message between GNUstep programs, which is not read")
    }
    guard Self.recognises(bytes) else {
      throw ArchiveError(.notAnArchive, offset: 0, "it does not begin with \(Self.prefix)")
    }
    var numbers: [UInt32] = []
    for place in 0..<4 {
      let start = Self.prefix.utf8.count + place * 9
      guard let number = Self.hexadecimal(reader, at: start),
        reader.byte(at: start + 8) == UInt8(ascii: ":")
      else { throw ArchiveError(.corrupt, offset: start, "the header is broken") }
      numbers.append(number)
    }
    var scanner = GNUstepArchiveScanner(reader, version: numbers[0])
    while try scanner.next() != nil {}
    // Objects that others took the place of are counted and not written, so fewer may be there.
    let found = [scanner.classes.count, scanner.objectCount, scanner.pointerCount]
    guard zip(found, numbers.dropFirst()).allSatisfy({ $0 <= Int($1) }) else {
      throw ArchiveError(
        .corrupt, offset: Self.prefix.utf8.count + 9,
        "\(found[0]) classes, \(found[1]) objects and \(found[2]) pointers are there; the header "
          + "names \(numbers[1]), \(numbers[2]) and \(numbers[3])")
    }
    self.reader = reader
    version = numbers[0]
    classes = scanner.classes
    objectCount = scanner.objectCount
    pointerCount = scanner.pointerCount
  }

  /// All items from the beginning.
  public func events() -> GNUstepArchiveScanner {
    GNUstepArchiveScanner(reader, version: version)
  }

  /// The names of a class and the superclasses that the archive tells, the class first.
  ///
  /// Classes are numbered from 1; number 0 has no names.
  public func chain(ofClass number: Int, atMost count: Int = 64) -> [String] {
    var names: [String] = []
    var next = number
    // A superclass is described behind its class, so that numbers rise.
    while next > 0, next <= classes.count, names.count < count {
      names.append(text(classes[next - 1].name))
      next = classes[next - 1].superclass
    }
    return names
  }

  /// The text of a place, whose bytes are taken for Latin 1 where they are not UTF-8.
  public func text(_ range: Range<Int>) -> String {
    let bytes = reader.withBytes(in: range) { [UInt8]($0) } ?? []
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The text of an array of numbers that holds characters: type `S` as UTF-16, `c` and `C` as
  /// bytes; `nil` for other types and for invalid UTF-16.
  public func text(ofNumbers range: Range<Int>, type: UInt8) -> String? {
    switch type {
    case UInt8(ascii: "c"), UInt8(ascii: "C"): return text(range)
    case UInt8(ascii: "S"):
      let units = (0..<range.count / 2).map { place in
        UInt16(
          truncatingIfNeeded: reader.bigEndian(at: range.lowerBound + place * 2, width: 2) ?? 0)
      }
      return String(validating: units, as: UTF16.self)
    default: return nil
    }
  }

  private static func hexadecimal(_ reader: ByteReader, at start: Int) -> UInt32? {
    var value: UInt32 = 0
    for place in start..<start + 8 {
      guard let byte = reader.byte(at: place),
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
