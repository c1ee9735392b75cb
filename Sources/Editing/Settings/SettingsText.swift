/// The text of a configuration file: `key = value` lines, and remarks after `#`.
enum SettingsText {
  struct Line: Hashable {
    var number: Int
    var key: String
    var value: String
  }

  /// The largest file, in bytes.
  static let bytesMax = 64 << 10

  /// The settings of a text, and the faults of its other lines.
  ///
  /// A later line takes the place of an earlier one with the same key.
  static func lines(
    _ bytes: [UInt8]
  ) -> (lines: [Line], faults: [(line: Int, what: String)]) {
    var lines: [Line] = []
    var faults: [(line: Int, what: String)] = []
    var number = 0
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    for part in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      guard let whole = String(validating: part, as: UTF8.self) else {
        faults.append((number, "is not UTF-8 text"))
        continue
      }
      let line = trimmed(whole[...])
      if line.isEmpty || line.hasPrefix("#") { continue }
      do throws(Fault) {
        let found = try setting(in: line, number)
        if let former = lines.firstIndex(where: { $0.key == found.key }) {
          faults.append((number, "\(found.key) stands in line \(lines[former].number) already"))
          lines.remove(at: former)
        }
        lines.append(found)
      } catch {
        faults.append((number, error.what))
      }
    }
    return (lines, faults)
  }

  private struct Fault: Error { var what: String }

  private static func setting(in line: Substring, _ number: Int) throws(Fault) -> Line {
    guard let sign = line.utf8.firstIndex(of: 0x3D) else {
      throw Fault(what: "write KEY = VALUE")
    }
    let key = String(trimmed(line[..<sign]))
    let value = String(trimmed(line[line.utf8.index(after: sign)...]))
    guard let setting = Setting.named(key) else { throw Fault(what: Setting.advice(for: key)) }
    if let refusal = setting.refusal(of: value) { throw Fault(what: refusal) }
    return Line(number: number, key: key, value: value)
  }

  /// A text without the blanks around it.
  static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
