import Archiving
import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Laws of all GNUstep archives, whole and damaged.
@Suite struct GNUstepLaws {
  /// Items of all kinds in an order that no program writes.
  static func random(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var writer = GNUstepWriter()
    let names = ["T", "NSNull", "Zoë", "NSArray", "NSString"]
    let isKnown = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let name = names.randomElement(using: &random) ?? "T"
      let value = Int.random(in: -300...300, using: &random)
      if isKnown {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: writer.addString(["", "a", "Zoë", "𝄞"].randomElement(using: &random) ?? "")
        case 1 where writer.objectCount > 0:
          writer.addReference(Int.random(in: 1...writer.objectCount, using: &random))
        case 2: writer.beginObject("NSNull")
        default:
          // Elements that lead to the list itself too.
          writer.beginList("NSArray", count: 2)
          writer.addReference(Int.random(in: 1...writer.objectCount, using: &random))
          writer.addNone()
        }
        continue
      }
      switch Int.random(in: 0..<15, using: &random) {
      case 0: writer.addNone()
      case 1 where writer.objectCount > 0:
        writer.addReference(Int.random(in: 1...writer.objectCount, using: &random))
      case 2: writer.addWhole(value, type: UInt8.random(in: 1...2, using: &random), width: 1)
      case 3:
        let width = 2 << Int.random(in: 0...3, using: &random)
        writer.addWhole(value, type: UInt8.random(in: 3...10, using: &random), width: width)
      case 4: writer.addFloat(Float(value) / 4)
      case 5: writer.addDouble(Double(value) / 3)
      case 6: writer.addBool(value > 0)
      case 7: writer.addCString("s\(value)")
      case 8: writer.addSelector(name, types: value > 0 ? "v@:" : "")
      case 9: writer.addClass(name)
      case 10: writer.addClassObject(name)
      case 11 where writer.pointerCount > 0:
        writer.addPointerReference(Int.random(in: 1...writer.pointerCount, using: &random))
      case 12:
        let type = UInt8.random(in: 1...10, using: &random)
        let width = type <= 2 ? 1 : 2 << Int.random(in: 0...3, using: &random)
        writer.addNumbers([value, 1, -value], type: type, width: width)
      case 13:
        writer.addPointer()
        writer.beginStructure()
        writer.beginArray(1)
        writer.addNone()
      default: writer.beginObject(name)
      }
    }
    return writer.bytes
  }

  /// Every object is there once, every item has a value, every byte belongs to one node.
  static func check(_ bytes: [UInt8]) throws {
    let source = try GNUstepArchive(bytes)
    let archive = try InspectedArchive(bytes)
    var (objects, values, expected) = (0, 0, 0)
    var scanner = source.events()
    while let event = try scanner.next() {
      expected += 1
      switch event {
      case .beginObject: objects += 1
      case .newSelector(_, _, let types): expected += types.isEmpty ? 0 : 1
      default: break
      }
    }
    var (sum, found) = (0, 0)
    for node in archive.nodes.indices {
      sum += archive.byteCount(of: node)
      if archive.nodes[node].kind == .object { found += 1 }
      guard archive.nodes[node].kind != .array else { continue }
      for index in 0..<archive.valueCount(of: node) {
        values += 1
        if case .broken(let reason) = archive.value(index, of: node) { Issue.record("\(reason)") }
      }
    }
    #expect(found == objects)
    #expect(sum == bytes.count - 51)
    if archive.unresolved != nil {
      #expect(values == expected)
      for node in archive.nodes.indices where archive.nodes[node].kind == .object {
        #expect(archive.nodes[node].parent == UInt32(archive.top))
      }
    }
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
    for form in [InspectionForm.json, .statisticsJSON] {
      let text = try GNUstepInspectionTests.write(bytes, form)
      #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }
    for node in archive.nodes.indices where archive.nodes[node].kind == .object {
      let path = InspectionPath(archive.path(of: node, limit: .max))
      #expect(try archive.value(at: path) == .node(node))
    }
  }

  @Test(arguments: Seeds.some(60))
  func `every object is there once, and every byte belongs to one node`(_ seed: UInt64) throws {
    try Self.check(Self.random(seed))
  }

  /// Goes through every form; an error of the library ends it, a trap the process.
  private static func show(_ bytes: [UInt8]) throws {
    for form in [InspectionForm.tree, .raw, .json, .statistics, .statisticsJSON] {
      do {
        let text = try GNUstepInspectionTests.write(bytes, form)
        #expect(!text.utf8.contains(0x1B))
      } catch is InspectionError {
      }
    }
    guard let archive = try? InspectedArchive(bytes) else { return }
    for form in [InspectedArchive.Form.values(), .text] {
      do { _ = try archive.text(form) } catch is InspectionError {}
    }
    #expect(try ConversionTests.differences(bytes, bytes).0 == 0)
    _ = try ConversionTests.differences(bytes, GNUstepInspectionTests.small)
  }

  @Test func `a changed byte is shown or refused, and a cut archive`() throws {
    let small = GNUstepInspectionTests.small
    for place in small.indices {
      for value in [0, 0x15, 0x30, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = small
        bytes[place] = value
        try Self.show(bytes)
      }
      try Self.show(Array(small.prefix(place)))
    }
  }

  @Test(arguments: Seeds.some(40))
  func `several changed bytes are shown or refused`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var sources = [Self.random(seed), GNUstepWriter.everyItem.bytes]
    for file in GNUstepInspectionTests.files { sources.append(try Shared.bytes(file)) }
    for source in sources where source.count > 51 {
      var bytes = source
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Most often items, the header now and then.
        let first = Int.random(in: 0..<8, using: &random) == 0 ? 0 : 51
        let place = Int.random(in: first..<bytes.count, using: &random)
        bytes[place] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : bytes.randomElement(using: &random) ?? 0
      }
      try Self.show(bytes)
    }
  }

  // MARK: Very many, very deep

  @Test(.timeLimit(.minutes(1)))
  func `lists within lists are resolved and shown however deep`() throws {
    var writer = GNUstepWriter()
    for _ in 0..<20_000 { writer.beginList("NSArray", count: 1) }
    writer.addString("deep")
    let archive = try InspectedArchive(writer.bytes)
    #expect(archive.unresolved == nil && archive.depth == 20_001)
    #expect(try archive.tree().contains("NSString \"deep\" #20001"))
    #expect(try archive.text(.values()).contains("\"deep\""))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a text of many attributed strings is measured once`() throws {
    var writer = GNUstepWriter()
    writer.addString(String(repeating: "a", count: 60_000))
    for _ in 0..<20_000 {
      writer.beginObject("NSAttributedString")
      writer.addReference(1)
      writer.addWhole(60_000, type: 6, width: 4)
      writer.addNone()
    }
    #expect(try InspectedArchive(writer.bytes).unresolved == nil)
  }

  @Test func `far too many tiny items are refused, and shown as they stand`() throws {
    var bytes = GNUstepInspectionTests.small
    bytes += Array(repeating: 0x90, count: 4 << 20)
    let error = #expect(throws: InspectionError.self) { try InspectedArchive(bytes) }
    #expect(error?.code == .unsupported && error?.description.contains("--raw") == true)
    #expect(throws: Never.self) { try InspectedArchive(graphOf: bytes, isRaw: true) }
  }
}
