import Foundation
import Testing

@testable import ArchiveInspection

/// Keyed archives written by hand, and their values.
enum ValueSamples {
  /// A keyed archive as XML; `objects` are those from number 1 on.
  static func keyed(_ objects: [String], top: String = uid(1, "root")) -> [UInt8] {
    let list = (["<string>$null</string>"] + objects).joined(separator: "\n")
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer>
      <key>$top</key><dict>\(top)</dict>
      <key>$objects</key><array>\(list)</array>
      </dict></plist>
      """.utf8)
  }

  /// A reference, under a key if there is one.
  static func uid(_ number: Int, _ key: String? = nil) -> String {
    let name = key.map { "<key>\($0)</key>" } ?? ""
    return name + "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  /// An object with fields as XML, and the number of its class.
  static func object(_ fields: String, class number: Int) -> String {
    "<dict>\(fields)\(uid(number, "$class"))</dict>"
  }

  static func objectClass(_ name: String) -> String {
    "<dict><key>$classname</key><string>\(name)</string>"
      + "<key>$classes</key><array><string>\(name)</string><string>NSObject</string></array></dict>"
  }

  static func row(_ key: String, _ numbers: [Int]) -> String {
    "<key>\(key)</key><array>\(numbers.map { uid($0) }.joined())</array>"
  }

  /// The roots of a file, as they are written.
  static func roots(
    _ bytes: [UInt8], at path: String = "/", _ change: (inout ValueOptions) -> Void = { _ in }
  ) throws -> String {
    let text = try values(bytes, at: path, change)
    let mark = path == "/" ? "\"roots\":" : "\"value\":"
    let start = try #require(text.firstRange(of: mark)?.upperBound)
    return String(text[start...].dropLast(2))
  }

  /// The whole line that is written for a file.
  static func values(
    _ bytes: [UInt8], at path: String = "/", _ change: (inout ValueOptions) -> Void = { _ in }
  ) throws -> String {
    var options = ValueOptions()
    change(&options)
    let collected = CollectedOutput()
    let file = try InspectedArchive(bytes)
    try file.writeValues(at: InspectionPath(path), options, to: collected.output)
    return collected.text
  }
}
