import PortolanFiles

/// The encoding of the texts of a .dbf: that of `--encoding`, else of the .cpg, else of the number
/// in its head, else UTF-8 if all of them are that, else Windows-1252.
struct ShapeEncoding {
  /// `nil` for UTF-8.
  private var converter: TextConverter?
  /// Whether nothing states it.
  private(set) var isOpen: Bool

  private static let usual = "CP1252"

  /// - Parameters:
  ///   - told: what a person says that it is, whatever the files say.
  ///   - driver: the number in the head of the table.
  init(
    told: TextEncoding?, codepage: String?, driver: UInt8, _ notes: inout [ImportNoteCode: Int]
  ) {
    let stated =
      told?.name.uppercased() ?? codepage.flatMap { Self.name(of: $0) } ?? Self.drivers[driver]
    isOpen = stated == nil
    guard let stated, stated != "UTF-8" else { return }
    // Texts of a table end at a NUL.
    converter = stated.hasPrefix("UTF") ? nil : TextConverter(from: stated)
    if converter == nil {
      notes[.oddEncoding] = 1
      isOpen = true
    }
  }

  /// Finds the encoding of texts that nothing states.
  mutating func settle(_ texts: [[UInt8]], _ notes: inout [ImportNoteCode: Int]) {
    let foreign = texts.filter { $0.contains { $0 >= 0x80 } }
    if foreign.isEmpty { return }
    if !foreign.allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) {
      converter = TextConverter(from: Self.usual)
    }
    notes[converter == nil ? .assumedUTF8 : .assumedWindows] = 1
  }

  /// A text in UTF-8, and whether its bytes are none in the encoding.
  func text(_ bytes: ArraySlice<UInt8>) -> (utf8: [UInt8], isOdd: Bool) {
    if bytes.allSatisfy({ $0 < 0x80 }) { return (Array(bytes), false) }
    if let converter {
      if let text = converter.text(bytes) { return (text, false) }
    } else if String(validating: bytes, as: UTF8.self) != nil {
      return (Array(bytes), false)
    }
    // Each byte by itself: nothing stops the text from being read.
    return (bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }, true)
  }

  // MARK: Names

  /// The system's name of the encoding that a .cpg names; `nil` for an empty one.
  static func name(of codepage: String) -> String? {
    let text = codepage.prefix { !$0.isNewline }.uppercased().filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
    }
    if text.isEmpty { return nil }
    let digits = text.filter(\.isNumber)
    if text.contains("UTF") {
      return digits == "8" ? "UTF-8" : text
    }
    if digits == "65001" { return "UTF-8" }
    if digits.hasPrefix("8859"), digits.count > 4 { return "ISO-8859-" + digits.dropFirst(4) }
    if text.hasPrefix("LDID") { return UInt8(digits).flatMap { drivers[$0] } }
    if digits == "932" || text.contains("SJIS") || text.contains("SHIFT") { return "CP932" }
    if digits == "20936" || digits == "54936" { return "GB18030" }
    if digits == "51949" { return "EUC-KR" }
    if digits == "51932" { return "EUC-JP" }
    let rest = text.filter(\.isLetter)
    return !digits.isEmpty && pageWords.contains(rest) ? "CP" + digits : text
  }

  /// What may stand beside the number of a code page.
  private static let pageWords: Set<String> = ["", "CP", "ANSI", "OEM", "WINDOWS", "IBM"]

  /// The encodings of the numbers in the heads of tables.
  private static let drivers: [UInt8: String] = [
    0x01: "CP437", 0x02: "CP850", 0x03: "CP1252", 0x08: "CP865", 0x09: "CP437", 0x0A: "CP850",
    0x0B: "CP437", 0x0D: "CP437", 0x0E: "CP850", 0x0F: "CP437", 0x10: "CP850", 0x11: "CP437",
    0x12: "CP850", 0x13: "CP932", 0x14: "CP850", 0x15: "CP437", 0x16: "CP850", 0x17: "CP865",
    0x18: "CP437", 0x19: "CP437", 0x1A: "CP850", 0x1B: "CP437", 0x1C: "CP863", 0x1D: "CP850",
    0x1F: "CP852", 0x22: "CP852", 0x23: "CP852", 0x24: "CP860", 0x25: "CP850", 0x26: "CP866",
    0x37: "CP850", 0x40: "CP852", 0x4D: "CP936", 0x4E: "CP949", 0x4F: "CP950", 0x50: "CP874",
    0x57: "CP1252", 0x58: "CP1252", 0x59: "CP1252", 0x64: "CP852", 0x65: "CP866", 0x66: "CP865",
    0x67: "CP861", 0x6A: "CP737", 0x6B: "CP857", 0x6C: "CP863", 0x78: "CP950", 0x79: "CP949",
    0x7A: "CP936", 0x7B: "CP932", 0x7C: "CP874", 0x86: "CP737", 0x87: "CP852", 0x88: "CP857",
    0xC8: "CP1250", 0xC9: "CP1251", 0xCA: "CP1254", 0xCB: "CP1253", 0xCC: "CP1257",
  ]
}
