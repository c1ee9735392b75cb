import PortolanTexts
import PropertyLists

/// The texts of single values in JSON.
enum ValueText {
  /// Whole numbers beyond this are not told apart by programs that know real numbers only.
  static let exactMax: UInt64 = 1 << 53

  /// Seconds since 2001 as ISO 8601 in UTC, with as many decimals as the number has; `nil` outside
  /// the years 0 to 9999.
  static func date(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 4e11,
      let text = XMLDate.text(seconds.rounded(.down)), text.utf8.count == 20
    else { return nil }
    guard seconds != seconds.rounded(.down), let digits = decimals(of: seconds) else { return text }
    return text.dropLast() + "." + digits + "Z"
  }

  /// The decimals of a number behind the next lower whole one, the fewest that tell it apart.
  private static func decimals(of seconds: Double) -> String? {
    var text = seconds.magnitude.description
    var shift = 0
    if let mark = text.firstIndex(of: "e") {
      shift = Int(text[text.index(after: mark)...]) ?? 0
      text = String(text[..<mark])
    }
    guard shift <= 0 else { return nil }
    let parts = text.split(separator: ".")
    guard let whole = parts.first else { return nil }
    var digits = Array((shift == 0 ? "" : String(whole)).utf8)
    if parts.count > 1 { digits += Array(parts[1].utf8) }
    if shift < 0 { digits = Array(repeating: 0x30, count: max(0, -shift - whole.count)) + digits }
    while digits.last == 0x30 { digits.removeLast() }
    guard !digits.isEmpty else { return nil }
    if seconds < 0 {
      // What is left to one: each digit to nine, the last to ten.
      for place in digits.indices { digits[place] = 0x69 - digits[place] }
      digits[digits.count - 1] += 1
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// A real number as short as it reads back; what is not finite as `{"$real":"nan"}`.
  static func real(_ value: Double, _ description: String) -> String {
    if value.isFinite { return description }
    return "{\"$real\":\"\(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")\"}"
  }

  /// A real number as it reads back: one that is not finite is a word in quotes, which has the bits
  /// of one that is none.
  ///
  /// - Parameters:
  ///   - text: the digits, where they are not those of eight bytes.
  ///   - bits: the bits, where they are not eight bytes.
  static func exact(_ value: Double, as text: String? = nil, bits: UInt64? = nil) -> String {
    if value.isFinite { return text ?? value.description }
    if !value.isNaN { return value < 0 ? "\"-inf\"" : "\"inf\"" }
    return "\"nan:\(String(bits ?? value.bitPattern, radix: 16))\""
  }

  static func integer(_ value: Int64) -> String {
    value.magnitude > exactMax ? "{\"$int\":\"\(value)\"}" : String(value)
  }

  static func unsigned(_ value: UInt64) -> String {
    value > exactMax ? "{\"$int\":\"\(value)\"}" : String(value)
  }

  /// What data begin like: the kind of archive that they hold.
  static func holds(_ head: [UInt8]) -> String? {
    if head.starts(with: "bplist0".utf8) { return "bplist" }
    if head.count >= 13, head[1] == 11, head[0] == 3 || head[0] == 4,
      head[2..<13].elementsEqual("streamtyped".utf8)
        || head[2..<13].elementsEqual("typedstream".utf8)
    {
      return "typedstream"
    }
    if head.starts(with: NibArchive.signature.utf8) { return "nib" }
    if BookmarkReader.recognises(head) { return "bookmark" }
    for start in ["<?xml", "<!DOCTYPE plist", "<plist"] where head.starts(with: start.utf8) {
      return "xml"
    }
    return nil
  }
}

extension ValueText {
  /// Writes bytes of an archive as characters, in pieces.
  static func write(
    _ range: Range<Int>, of archive: InspectedArchive, _ form: ValueOptions.DataForm,
    to output: inout TextOutput
  ) throws {
    // Three bytes are four characters, so that the pieces join.
    let piece = 3 << 12
    for start in stride(from: range.lowerBound, to: range.upperBound, by: piece) {
      let bytes = archive.slice(start..<min(start + piece, range.upperBound))
      switch form {
      case .base64: try output.write(bytes.withUnsafeBytes { Base64.encode($0) })
      case .hex: try output.write(InspectionText.hexadecimal(bytes))
      }
    }
  }
}
