import Foundation
import Testing

@testable import ArchiveInspection

/// Archives as lines of digits, each a line of JSON.
@Suite struct ArchiveLinesTests {
  static let bytes = ValueSamples.keyed(["<string>x</string>"])
  static var hex: String { InspectionText.hexadecimal(bytes) }
  static var base64: String { Data(bytes).base64EncodedString() }

  /// The lines of JSON for some lines, read in pieces of a length.
  private func lines(
    _ text: String, _ encoding: ArchiveLines.Encoding = .hex, _ form: ArchiveLines.Form = .values,
    at path: String = "/", piece: Int = .max
  ) throws -> (text: String, badCount: Int) {
    let collected = CollectedOutput()
    var reader = ArchiveLines(encoding, form, ValueOptions(), at: InspectionPath(path)) {
      collected.add($0)
    }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      try Array(rest.prefix(piece)).withUnsafeBytes { try reader.add($0) }
      rest = rest.dropFirst(piece)
    }
    try reader.finish()
    return (collected.text, reader.badCount)
  }

  @Test(arguments: [
    ("", "{\"line\":1,\"roots\":{\"root\":\"x\"}}\n"),
    ("417\t", "{\"line\":1,\"key\":\"417\",\"roots\":{\"root\":\"x\"}}\n"),
    ("a,b|417|", "{\"line\":1,\"key\":\"a,b|417\",\"roots\":{\"root\":\"x\"}}\n"),
    ("|", "{\"line\":1,\"key\":\"\",\"roots\":{\"root\":\"x\"}}\n"),
  ])
  func `the key is what stands before the last separator`(_ key: String, _ json: String) throws {
    for piece in [1, 7, 1_000, Int.max] {
      #expect(try lines(key + Self.hex + "\n", piece: piece).text == json)
      #expect(try lines(key + Self.base64, .base64, piece: piece).text == json)
    }
  }

  @Test func `digits may stand in the forms of databases`() throws {
    let digits = Self.hex
    let forms = [
      digits.uppercased(), "0x" + digits, "\\x" + digits, "X'\(digits)'", "\"\(digits)\"",
    ]
    for form in forms {
      #expect(
        try lines("7|" + form + "\r\n").text.contains("\"roots\":{\"root\":\"x\"}"), "\(form)")
    }
  }

  @Test func `bad lines are told and the next one is read`() throws {
    let cut = Self.hex.dropLast(1_000)
    let (text, badCount) = try lines("1|zz\n\n3|\n4|\(cut)\n5|\(Self.hex)\n")
    let found = text.split(separator: "\n")
    #expect(badCount == 4)
    #expect(found.count == 5)
    #expect(found.first == "{\"line\":1,\"error\":\"no hex digits\",\"key\":\"1\"}")
    for number in 1...4 { #expect(found[number - 1].hasPrefix("{\"line\":\(number),\"error\":\"")) }
    #expect(found.last == "{\"line\":5,\"key\":\"5\",\"roots\":{\"root\":\"x\"}}")
  }

  @Test func `a line that is too long is told by its limit`() throws {
    let long = String(repeating: "0", count: ArchiveLines.lengthMax + 1)
    let (text, badCount) = try lines("a|\(long)\nb|\(Self.hex)\n", piece: 1 << 20)
    #expect(badCount == 1)
    #expect(
      text == "{\"line\":1,\"error\":\"the line is longer than 16,777,216 bytes\"}\n"
        + "{\"line\":2,\"key\":\"b\",\"roots\":{\"root\":\"x\"}}\n")
  }

  @Test func `what is too long to be held leaves in pieces, once it is known to be whole`() throws {
    let long = String(repeating: "x", count: 1_500_000)
    // One string at several places: far more text than bytes.
    func line(_ places: Int) -> String {
      let uid = "<dict><key>CF$UID</key><integer>2</integer></dict>"
      let list =
        "<dict><key>$class</key><dict><key>CF$UID</key><integer>3</integer></dict>"
        + "<key>NS.objects</key><array>\(String(repeating: uid, count: places))</array></dict>"
      let record = "<dict><key>$classname</key><string>NSArray</string></dict>"
      return InspectionText.hexadecimal(
        ValueSamples.keyed([list, "<string>\(long)</string>", record]))
    }
    let (text, badCount) = try lines(
      "a|\(line(3))\nb|\(Self.hex)\nc|\(line(60))\nd|\(Self.hex)\n")
    let found = text.split(separator: "\n").map(String.init)
    #expect(badCount == 1)
    let words = String(repeating: "\"\(long)\",", count: 3).dropLast()
    #expect(found[0] == "{\"line\":1,\"key\":\"a\",\"roots\":{\"root\":[\(words)]}}")
    #expect(found[1] == "{\"line\":2,\"key\":\"b\",\"roots\":{\"root\":\"x\"}}")
    #expect(found[2].hasPrefix("{\"line\":3,\"error\":\""))
    #expect(found[3].hasPrefix("{\"line\":4,\"key\":\"d\","))
    #expect(found.count == 4)
  }

  @Test func `texts and values at a path stand in place of the roots`() throws {
    #expect(
      try lines("k|" + Self.hex, .hex, .text).text == "{\"line\":1,\"key\":\"k\",\"text\":\"x\"}\n")
    #expect(try lines(Self.hex, at: "/root").text == "{\"line\":1,\"value\":\"x\"}\n")
    let number = InspectionText.hexadecimal(ValueSamples.keyed(["<integer>1</integer>"]))
    let (error, badCount) = try lines("k|" + number, .hex, .text)
    #expect(badCount == 1)
    #expect(error.hasPrefix("{\"line\":1,\"error\":\"there is no string or attributed string"))
    #expect(error.hasSuffix("\",\"key\":\"k\"}\n"))
  }

  @Test func `an archive whose values are far larger than its line is an error`() throws {
    // One text that is there ninety thousand times.
    let count = 90_000
    let objects = [
      ValueSamples.object(
        ValueSamples.row("NS.objects", Array(repeating: 3, count: count)), class: 2),
      ValueSamples.objectClass("NSArray"),
      "<string>\(String(repeating: "y", count: 1_000))</string>",
    ]
    let digits = InspectionText.hexadecimal(ValueSamples.keyed(objects))
    let (text, badCount) = try lines(digits + "\n" + Self.hex + "\n")
    let found = text.split(separator: "\n")
    #expect(badCount == 1)
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("{\"line\":1,\"error\":") == true)
    #expect(text.utf8.count < 1_000)
  }
}
