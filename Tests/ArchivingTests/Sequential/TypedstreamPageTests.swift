import Archiving
import Foundation
import Testing

/// The example on the page of the format is what the archiver writes.
@Suite struct TypedstreamPageTests {
  @Test func `the worked example has the bytes that our archiver writes`() throws {
    let ada = Employee("Ada", "King", number: 1_843)
    let archiver = Archiver()
    try archiver.encodeObjects(
      [ada, Employee("Ada", "Byron", number: 7, manager: ada)], forKey: "staff")
    #expect(try archiver.finish() == example())
  }

  private func example() throws -> [UInt8] {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Docs/formats/typedstream.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let block = try #require(text.components(separatedBy: "```typedstream\n").last)
    var bytes: [UInt8] = []
    for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
      for word in line.prefix(while: { $0 != "#" }).split(separator: " ") {
        if word.hasPrefix("\"") {
          bytes += Array(word.dropFirst().dropLast().utf8)
        } else {
          bytes.append(try #require(UInt8(word, radix: 16)))
        }
      }
    }
    return bytes
  }
}
