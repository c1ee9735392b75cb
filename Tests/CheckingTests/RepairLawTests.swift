import PortolanChecking
import PortolanTestSupport
import Testing

/// Random faults in random maps: each is found, repairs repair, and nothing else changes.
@Suite struct RepairLawTests {
  static let seeds = Seeds.some(60)

  @Test(arguments: seeds)
  func `A sound map has no fault, and a repair changes nothing`(seed: UInt64) throws {
    let text = RandomMap(seed: seed, count: 8).text
    #expect(try Checking.codes(Array(text.utf8), least: .note) == [])
    let repaired = try Checking.repaired(Array(text.utf8))
    #expect(repaired.bytes == Array(text.utf8))
    #expect(repaired.repairs.isEmpty)
  }

  @Test(arguments: seeds)
  func `A repairable fault is found and repaired, and all else stays byte for byte`(
    seed: UInt64
  ) throws {
    var map = RandomMap(seed: seed, count: 8)
    let fault = try #require(RandomMap.repairable.randomElement(using: &map.generator))
    let index = Int.random(in: 0..<8, using: &map.generator)
    var parts = map.sound(index, kind: fault.kind)
    fault.change(&parts, &map.generator)
    let sound = map.features
    map.features[index] = parts.text
    let found = try Checking.check(map.text).findings
    let hit = try #require(
      found.first { $0.code.rawValue == fault.code }, "\(fault.code) in \(parts.text)")
    #expect(hit.path.hasPrefix("$.features[\(index)]"))
    // The features stand a line each, after that of the collection.
    #expect(hit.place?.line == index + 2)
    #expect(!hit.edits.isEmpty)

    let repaired = try Checking.repaired(Array(map.text.utf8))
    #expect(repaired.rest.list.findings.filter { $0.severity > .note } == [], "\(parts.text)")
    let lines = String(decoding: repaired.bytes, as: UTF8.self).split(separator: "\n")
    for (other, text) in sound.enumerated() where other != index {
      #expect(lines[other + 1].hasPrefix(text))
    }
    let again = try Checking.repaired(repaired.bytes)
    #expect(again.bytes == repaired.bytes && again.repairs.isEmpty)
  }

  @Test(arguments: seeds)
  func `Faults of many kinds in one map are all found, and repairs come to an end`(
    seed: UInt64
  ) throws {
    var map = RandomMap(seed: seed &+ 1_000_000, count: 10)
    var wanted: [(Int, String)] = []
    for index in stride(from: 0, to: 10, by: 2) {
      let all = RandomMap.repairable + RandomMap.others
      let fault = try #require(all.randomElement(using: &map.generator))
      var parts = map.sound(index, kind: fault.kind)
      fault.change(&parts, &map.generator)
      map.features[index] = parts.text
      wanted.append((index, fault.code))
    }
    let found = try Checking.check(map.text).findings
    for (index, code) in wanted {
      #expect(
        found.contains { $0.code.rawValue == code && $0.place?.line == index + 2 },
        "\(code) in \(map.features[index])")
    }
    #expect(found.allSatisfy { ($0.place?.line ?? 0) % 2 == 0 || $0.extent == nil })
    let repaired = try Checking.repaired(Array(map.text.utf8))
    #expect(repaired.rest.list.findings.allSatisfy { $0.edits.isEmpty })
    let again = try Checking.repaired(repaired.bytes)
    #expect(again.bytes == repaired.bytes && again.repairs.isEmpty)
  }

  @Test func `Bytes of Latin-1 become their letters, and the rest stays`() throws {
    let text =
      Array("{\"type\": \"Feature\", \"properties\": {\"a\": \"".utf8)
      + [0x4D, 0xF6, 0x80, 0xFF] + Array("ö\"}, \"geometry\": null}".utf8)
    let repaired = try Checking.repaired(text)
    #expect(
      String(decoding: repaired.bytes, as: UTF8.self)
        == "{\"type\": \"Feature\", \"properties\": {\"a\": \"Mö€ÿö\"}, \"geometry\": null}")
    #expect(repaired.repairs.count == 3)
  }

  @Test(arguments: Seeds.some(150))
  func `Damaged bytes never trap, and have their places in the text`(seed: UInt64) throws {
    var map = RandomMap(seed: seed, count: 3)
    var bytes = Array(map.text.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &map.generator) {
      let place = Int.random(in: 0..<bytes.count, using: &map.generator)
      switch Int.random(in: 0..<4, using: &map.generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &map.generator)
      case 1: bytes.remove(at: place)
      case 2:
        bytes.insert(Array("{}[],:\"-.0eN\\".utf8).randomElement(using: &map.generator)!, at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
      }
      if bytes.isEmpty { bytes = [0x7B] }
    }
    let found = try Checking.check(bytes).findings
    for finding in found {
      #expect((0...bytes.count).contains(try #require(finding.offset)))
      for edit in finding.edits { #expect(edit.range.upperBound <= bytes.count) }
    }
    let repaired = try Checking.repaired(bytes)
    #expect(repaired.rest.list.findings.allSatisfy { $0.edits.isEmpty })
  }
}
