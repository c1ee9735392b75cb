import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection
@testable import Archiving

/// Archives of other programs are shown whole; hostile ones are shown or refused.
@Suite struct CorpusInspectionTests {
  static let files = SharedArchives.genuine(["bplist00", "xml", "typedstream"])

  @Test(arguments: files)
  func `a genuine archive is shown with every object once`(_ file: String) throws {
    let archive = try InspectedArchive(Shared.bytes(file))
    #expect(archive.brokenCount == 0, "\(archive.firstBroken ?? "")")
    let tree = try archive.tree()
    // Nothing of the file can act on a terminal.
    #expect(!tree.utf8.contains { ($0 < 0x20 && $0 != 0x0A) || $0 == 0x7F })
    let shown = Self.numbers(in: Array(tree.utf8))
    for node in archive.nodes.indices where archive.nodes[node].kind == .object {
      guard let number = archive.number(of: node) else { continue }
      // Data may stand in the line of what holds it.
      let parent = Int(archive.nodes[node].parent)
      if archive.nodes.indices.contains(parent), archive.knownForm(of: parent)?.summary != nil {
        continue
      }
      // A text may be the key of a dictionary, which has no line; texts may hold such marks too.
      if case .text? = archive.knownForm(of: node)?.summary { continue }
      #expect((shown[number] ?? 0) >= 1, "#\(number)")
    }
  }

  @Test(arguments: files)
  func `a genuine archive is written as JSON, as it stands and as numbers`(_ file: String) throws {
    let archive = try InspectedArchive(Shared.bytes(file))
    for form in [InspectionForm.json, .raw, .statistics, .statisticsJSON] {
      let collected = CollectedOutput()
      try Inspector(archive).write(
        form, at: InspectionPath("/"), TreeOptions(), to: collected.output)
      #expect(!collected.bytes.isEmpty)
      if form == .raw {
        let direct = CollectedOutput()
        try Inspector(InspectedArchive(graphOf: Shared.bytes(file), isRaw: true)).write(
          .raw, at: InspectionPath("/"), TreeOptions(), to: direct.output)
        #expect(direct.bytes == collected.bytes)
      }
      guard form == .json || form == .statisticsJSON else { continue }
      let parsed = try JSONSerialization.jsonObject(with: Data(collected.bytes))
      let root = try #require(parsed as? [String: Any])
      guard form == .json else { continue }
      let objects = try #require(root["objects"] as? [[String: Any]])
      let numbers = Set(objects.compactMap { $0["id"] as? Int })
      let expected = archive.nodes.indices.compactMap { archive.number(of: $0) }
      #expect(numbers == Set(expected))
    }
  }

  @Test func `a stream of brackets is refused, and shown as it stands`() throws {
    // Six arrays in one another for each two bytes.
    let types = String(repeating: "[1", count: 6) + "s" + String(repeating: "]", count: 6)
    var bytes = TypedstreamWriter().bytes + [0x84, UInt8(types.utf8.count)] + Array(types.utf8)
    bytes += [1]
    for _ in 0..<200_000 { bytes += [0x92, 1] }
    let error = #expect(throws: InspectionError.self) { try InspectedArchive(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("--raw") == true)
    let raw = CollectedOutput()
    try Inspector(InspectedArchive(graphOf: bytes, isRaw: true)).write(
      .raw, at: InspectionPath("/"), TreeOptions(), to: raw.output)
    #expect(raw.bytes.count { $0 == 0x0A } > 200_000 * 13)
  }

  @Test(arguments: [("/", "root"), ("/root/1/name", "name: \"b\"\n"), ("/#0", "#0: nil\n")])
  func `a path leads to what it names`(_ path: String, _ start: String) throws {
    let archive = try InspectedArchive(ConversionTests.archive(names: ["a", "b"]))
    #expect(try archive.tree(at: path).contains(start))
  }

  @Test(arguments: [
    ("/rot", "no /rot: in the top there is root"),
    ("/root/7", "no /root/7: in NSArray there is 0 to 1"),
    ("/root/1/nam", "no /root/1/nam: in Thing there is name"),
    ("/root/1/name/x", "no /root/1/name/x: in a string there is nothing"),
  ])
  func `a path that leads nowhere is told with what is there`(
    _ path: String, _ message: String
  ) throws {
    let archive = try InspectedArchive(ConversionTests.archive(names: ["a", "b"]))
    let error = #expect(throws: InspectionError.self) { try archive.tree(at: path) }
    #expect(error?.description == message)
  }

  /// How often each `#12` stands behind a blank and not behind an arrow: in the object's own line.
  static func numbers(in tree: [UInt8]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for place in tree.indices.dropFirst(4) where tree[place] == UInt8(ascii: "#") {
      let isReference = tree[(place - 4)..<(place - 1)].elementsEqual("→".utf8)
      guard tree[place - 1] == UInt8(ascii: " "), !isReference else { continue }
      var number = 0
      for byte in tree[(place + 1)...].prefix(9) {
        guard (0x30...0x39).contains(byte) else { break }
        number = number * 10 + Int(byte - 0x30)
      }
      if number > 0 || tree[(place + 1)...].first == 0x30 { found[number, default: 0] += 1 }
    }
    return found
  }

  @Test(arguments: SharedArchives.hostile)
  func `a hostile file is shown or refused, in bounded time`(_ file: String) throws {
    let bytes = try Shared.bytes(file)
    let start = Date()
    do {
      let archive = try InspectedArchive(bytes)
      let tree = try archive.tree()
      #expect(tree.utf8.count < 200 * bytes.count + 100_000)
    } catch is InspectionError {
    }
    #expect(Date().timeIntervalSince(start) < 20)
  }
}
