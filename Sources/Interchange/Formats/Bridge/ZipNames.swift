/// The names of the files in a zip archive, from its directory at the end.
///
///     50 4B 05 06 … at 10 the number of files (2), at 12 and 16 length and place of the directory
///     50 4B 01 02 … at 28 the lengths of name, extra and comment (2 each), at 46 the name
enum ZipNames {
  /// The most names that are read.
  private static let countMax = 100_000

  /// The names in their order; empty for bytes that are no archive.
  static func list(_ bytes: [UInt8]) -> [String] {
    func number(_ place: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    let last = bytes.count - 22
    guard last >= 0 else { return [] }
    // A comment of at most 65,535 bytes may follow.
    let end = (max(0, last - 65_535)...last).last {
      bytes[$0] == 0x50 && bytes[$0...].starts(with: [0x50, 0x4B, 5, 6])
    }
    guard let end else { return [] }
    var (names, place) = ([String](), number(end + 16, 4))
    for _ in 0..<min(number(end + 10, 2), countMax) {
      guard place <= bytes.count - 46, bytes[place...].starts(with: [0x50, 0x4B, 1, 2]) else {
        break
      }
      let length = number(place + 28, 2)
      guard place + 46 + length <= bytes.count else { break }
      names.append(String(decoding: bytes[place + 46..<place + 46 + length], as: UTF8.self))
      place += 46 + length + number(place + 30, 2) + number(place + 32, 2)
    }
    return names
  }

  /// The folder of all files with an ending; empty if they lie in none or in several.
  ///
  /// What macOS adds to archives does not count.
  static func folder(ofFiles ending: String, in bytes: [UInt8]) -> String {
    let folders = Set(
      list(bytes).filter { name in
        name.lowercased().hasSuffix(ending) && !name.hasPrefix("__MACOSX/")
      }.map { name in name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" })
    return folders.count == 1 ? folders.first ?? "" : ""
  }
}
