import Foundation
import Testing

@testable import Interchange

/// Archives of other programs are shown whole; hostile ones are shown or refused.
@Suite struct CorpusInspectionTests {
  static let files = SharedArchives.genuine(["bplist00", "xml", "typedstream"])

  @Test(arguments: files)
  func `a genuine archive is shown with every object once`(_ file: String) throws {
    let archive = try InspectedArchive(SharedArchives.bytes(file))
    #expect(archive.brokenCount == 0, "\(archive.firstBroken ?? "")")
    let tree = try archive.tree()
    #expect(!tree.contains("broken"))
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
      // A text may be the key of a dictionary, which has no line.
      if case .text? = archive.knownForm(of: node)?.summary {
        #expect((shown[number] ?? 0) <= 1, "#\(number)")
      } else {
        #expect(shown[number] == 1, "#\(number)")
      }
    }
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
      found[number, default: 0] += 1
    }
    return found
  }

  @Test(arguments: SharedArchives.hostile)
  func `a hostile file is shown or refused, in bounded time`(_ file: String) throws {
    let bytes = try SharedArchives.bytes(file)
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
