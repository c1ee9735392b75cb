import Foundation
import PortolanTestSupport
import PropertyLists
import Synchronization
import Testing

@testable import ArchiveInspection

/// Archives that are read only where they are shown.
@Suite struct UnsurveyedTests {
  // MARK: Files

  /// A keyed archive of nested collections and objects with numbers, texts and data, of which some
  /// are referred to more than once.
  private static func archive(seed: UInt64, elementCount: Int = 40) throws -> [UInt8] {
    var maker = ArchiveMaker(seed: seed)
    return try maker.archive(elementCount)
  }

  private static func options(_ change: (inout TreeOptions) -> Void = { _ in }) -> TreeOptions {
    var options = TreeOptions()
    options.cutsTexts = false
    change(&options)
    return options
  }

  private static func tree(
    _ archive: InspectedArchive, at path: InspectionPath = "", _ options: TreeOptions
  ) throws -> (text: String, broken: String?) {
    let collected = CollectedOutput()
    let broken = try Inspector(archive).write(.tree, at: path, options, to: collected.output)
    return (collected.text, broken)
  }

  /// The lines of a tree without its header, numbers, uses and the objects that nothing leads to.
  private static func body(_ tree: String) -> [String] {
    let lines = tree.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.firstIndex(of: "").map { $0 + 1 } ?? 0
    let end = lines.firstIndex { $0.hasPrefix("nothing leads to") } ?? lines.endIndex
    return lines[first..<max(first, end)].map { line -> String in
      // Values that are no objects have a number where they are used more than once. A pattern is
      // slow where most lines have none.
      guard line.utf8.contains(UInt8(ascii: "#")) || line.contains("×") else {
        return line.split(separator: " ").joined(separator: " ")
      }
      return line.replacing("→ #", with: "→").replacing(#/ #[0-9]+/#, with: "")
        .replacing(#/ ×[0-9,]*[0-9]/#, with: "").split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }
  }

  // MARK: Laws

  @Test(arguments: Seeds.some(6))
  func `The tree is that of a surveyed archive, without the uses`(_ seed: UInt64) throws {
    let bytes = try Self.archive(seed: seed)
    let light = try InspectedArchive(source: bytes.randomAccess, survey: .none)
    #expect(light.nodes.isEmpty)
    for depth in [nil, 1, 2] {
      let options = Self.options { $0.depthMax = depth }
      let whole = try Self.tree(InspectedArchive(bytes), options)
      let part = try Self.tree(light, options)
      #expect(Self.body(part.text) == Self.body(whole.text), "seed \(seed)")
      #expect(part.broken == nil && whole.broken == nil)
    }
  }

  @Test func `Genuine archives look as with a survey`() throws {
    for file in SharedArchives.genuine(["bplist00"]) {
      let bytes = try Shared.bytes(file)
      guard bytes.count < 20_000 else { continue }
      let whole = try InspectedArchive(bytes)
      let light = try InspectedArchive(source: bytes.randomAccess, survey: .none)
      let options = Self.options()
      let part = try Self.tree(light, options)
      // Containers that objects share count for the first of them, or for each.
      let lines = [part.text, try Self.tree(whole, options).text].map { text in
        Self.body(text).map { $0.replacing(#/ [0-9.,]+ k?B$/#, with: "") }
      }
      #expect(lines[0] == lines[1], "\(file)")
      // Broken objects that are shown are told; unreachable ones are not looked at.
      if whole.firstBroken == nil { #expect(part.broken == nil, "\(file)") }
    }
  }

  @Test(arguments: Seeds.some(6))
  func `The first elements and the number of the others are shown`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...60, using: &generator)
    let limit = Int.random(in: 1...60, using: &generator)
    var maker = ArchiveMaker(seed: seed)
    let bytes = try maker.archive(ofNumbers: (0..<count).map { 1_000 + $0 })
    for survey in [InspectedArchive.Survey.whole, .none] {
      let archive = try InspectedArchive(source: bytes.randomAccess, survey: survey)
      let text = try Self.tree(archive, Self.options { $0.elementCountMax = limit }).text
      let shown = (0..<count).filter { text.contains("[\($0)] \(1_000 + $0)") }
      #expect(shown == Array(0..<min(count, limit)), "seed \(seed)")
      let rest = count - min(count, limit)
      #expect(
        text.contains("… \(rest) more element\(rest == 1 ? "" : "s")\n") == (rest > 0),
        "seed \(seed)")
    }
  }

  @Test(arguments: Seeds.some(6))
  func `A path leads to the same place`(_ seed: UInt64) throws {
    let bytes = try Self.archive(seed: seed)
    let whole = try InspectedArchive(bytes)
    let light = try InspectedArchive(source: bytes.randomAccess, survey: .none)
    for node in whole.nodes.indices where whole.nodes[node].kind == .object {
      let path = InspectionPath(whole.path(of: node, limit: .max))
      let options = Self.options()
      let part = try Self.tree(light, at: path, options).text
      let expected = try Self.tree(whole, at: path, options).text
      #expect(Self.body("\n" + part) == Self.body("\n" + expected), "seed \(seed), \(path)")
      guard let number = whole.number(of: node) else { continue }
      #expect(light.node(numbered: number) == number)
    }
  }

  // MARK: Counted bytes

  /// Bytes in memory that count what is read of them, or cannot be read from some call on.
  private final class CountedSource: RandomAccessSource {
    let bytes: [UInt8]
    let readCount = Atomic(0)
    let callsLeft: Atomic<Int>

    init(_ bytes: [UInt8], callsMax: Int = .max) {
      self.bytes = bytes
      callsLeft = Atomic(callsMax)
    }

    var byteCount: Int { bytes.count }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
      guard callsLeft.subtract(1, ordering: .relaxed).oldValue > 0 else {
        throw PropertyListError(.unreadable, at: offset, "the disk is gone")
      }
      readCount.add(target.count, ordering: .relaxed)
      bytes.withUnsafeBytes {
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + target.count]))
      }
    }
  }

  /// A plain list of many arrays with a text each, and of data.
  private static func largeList() throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let rows = (0..<6_000).map { number in
      let text = writer.addString("row \(number) with some words to make it longer")
      let row = writer.reserve()
      writer.setArray(row, [text])
      return row
    }
    let key = [writer.addString("rows"), writer.addString("data")]
    let array = writer.reserve()
    writer.setArray(array, rows)
    let data = writer.addData([UInt8](repeating: 7, count: 1 << 20))
    writer.setDictionary(top, keys: key, values: [array, data])
    return try writer.finish(top: top)
  }

  @Test func `Only what is shown is read`() throws {
    let bytes = try Self.largeList()
    let source = CountedSource(bytes)
    let archive = try InspectedArchive(source: source, survey: .none)
    let options = Self.options {
      $0.elementCountMax = 3
      $0.cutsTexts = true
    }
    let text = try Self.tree(archive, options).text
    #expect(text.contains("row 2 with"))
    #expect(!text.contains("row 3 with"))
    #expect(text.contains("… 5,997 more elements"))
    #expect(text.contains("1,048,576 bytes"))
    let read = source.readCount.load(ordering: .relaxed)
    #expect(read < 16 * 16_384 && read * 8 < bytes.count, "\(read) of \(bytes.count)")
  }

  @Test func `A file that cannot be read is an error and never a shorter tree`() throws {
    let bytes = try Self.largeList()
    for survey in [InspectedArchive.Survey.whole, .none] {
      for calls in [0, 1, 3, 20] {
        #expect(throws: InspectionError.self, "\(survey), \(calls) calls") {
          let archive = try InspectedArchive(
            source: CountedSource(bytes, callsMax: calls), survey: survey)
          _ = try Self.tree(archive, Self.options())
        }
      }
    }
  }

  @Test(arguments: Seeds.some(6))
  func `Damaged bytes end in a tree or an error`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = try Self.archive(seed: seed, elementCount: 12)
    for _ in 0..<40 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      guard let archive = try? InspectedArchive(source: damaged.randomAccess, survey: .none),
        let part = try? Self.tree(archive, Self.options { $0.hasColours = true })
      else { continue }
      let isShown = part.text.contains("\u{1B}[31mbroken")
      #expect(!isShown || part.broken != nil || archive.firstBroken != nil, "seed \(seed)")
      let collected = CollectedOutput()
      _ = try? Inspector(archive).write(.raw, at: "", TreeOptions(), to: collected.output)
    }
  }

  @Test func `Other forms ask for a survey`() throws {
    let bytes = try Self.archive(seed: 1, elementCount: 3)
    let archive = try InspectedArchive(source: bytes.randomAccess, survey: .none)
    for form in [InspectedArchive.Form.json, .values(), .exact, .text, .statistics] {
      #expect(throws: InspectionError.self) { try archive.text(form) }
    }
    var difference = ArchiveDifference(archive, archive) { _ in }
    #expect(throws: InspectionError.self) { try difference.write() }
    #expect(try archive.text(.tree()).contains("uses and unreachable objects are not counted"))
  }

  @Test func `Other kinds of files are read whole by path`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/unsurveyed-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/list.xml"
    let text = #"<plist version="1.0"><array><string>a</string></array></plist>"#
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let archive = try InspectedArchive(path: path, survey: .none)
    #expect(try archive.text(.tree()).contains(#"[0] "a""#))
    let binary = folder + "/list.plist"
    try Data(Self.archive(seed: 2, elementCount: 3)).write(to: URL(fileURLWithPath: binary))
    #expect(try !InspectedArchive(path: binary).text(.json).isEmpty)
    #expect(throws: InspectionError.self) { try InspectedArchive(path: folder + "/none") }
  }
}

/// Writes keyed archives of random objects.
private struct ArchiveMaker: ~Copyable {
  private var random: SeededGenerator
  private var writer = BinaryPropertyListWriter()
  private var objects: [PropertyListReference] = []
  private var classes: [String: UInt32] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func archive(_ elementCount: Int) throws -> [UInt8] {
    objects = [writer.addString("$null")]
    return try finish(root: collection(3, elementCount))
  }

  mutating func archive(ofNumbers numbers: [Int]) throws -> [UInt8] {
    objects = [writer.addString("$null")]
    let root = place()
    let elements = numbers.map { add(writer.addInteger(Int64($0))) }
    fill(root, "NSArray", ["NS.objects": row(elements)])
    return try finish(root: root)
  }

  private mutating func finish(root: UInt32) throws -> [UInt8] {
    let (top, dictionary, array) = (writer.reserve(), writer.reserve(), writer.reserve())
    writer.setDictionary(
      dictionary, keys: [writer.addString("root")], values: [writer.addUID(root)])
    writer.setArray(array, objects)
    let keys = ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) }
    writer.setDictionary(
      top, keys: keys,
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), dictionary, array,
      ])
    return try writer.finish(top: top)
  }

  private mutating func add(_ object: PropertyListReference) -> UInt32 {
    objects.append(object)
    return UInt32(objects.count - 1)
  }

  private mutating func place() -> UInt32 { add(writer.reserve()) }

  private mutating func row(_ elements: [UInt32]) -> PropertyListReference {
    let row = writer.reserve()
    writer.setArray(row, elements.map { writer.addUID($0) })
    return row
  }

  /// Writes an object into its place.
  private mutating func fill(
    _ place: UInt32, _ name: String, _ fields: KeyValuePairs<String, PropertyListReference>
  ) {
    let record = classRecord(name)
    let keys = (fields.map(\.key) + ["$class"]).map { writer.addString($0) }
    writer.setDictionary(
      objects[Int(place)], keys: keys, values: fields.map(\.value) + [writer.addUID(record)])
  }

  private mutating func classRecord(_ name: String) -> UInt32 {
    if let known = classes[name] { return known }
    let (record, chain) = (writer.reserve(), writer.reserve())
    writer.setArray(chain, [writer.addString(name), writer.addString("NSObject")])
    writer.setDictionary(
      record, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [writer.addString(name), chain])
    let number = add(record)
    classes[name] = number
    return number
  }

  private mutating func part(_ depth: Int) -> UInt32 {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return 0
    case 1 where objects.count > 2:
      return UInt32.random(in: 1..<UInt32(objects.count), using: &random)
    case 2: return add(writer.addInteger(Int64.random(in: -9...9_999, using: &random)))
    case 3:
      return add(
        writer.addData([UInt8](repeating: 7, count: Int.random(in: 0...40, using: &random))))
    case 4:
      let station = place()
      fill(
        station, "Station",
        ["name": writer.addUID(part(0)), "height": writer.addDouble(1.5), "tags": row([0])])
      return station
    case 5,
      6 where depth > 0:
      return collection(depth - 1, Int.random(in: 0...6, using: &random))
    default: return add(writer.addString("text \(Int.random(in: 0...99, using: &random)) é"))
    }
  }

  private mutating func collection(_ depth: Int, _ count: Int) -> UInt32 {
    let place = place()
    let elements = (0..<count).map { _ in part(depth) }
    if depth == 3 || Bool.random(using: &random) {
      fill(place, "NSArray", ["NS.objects": row(elements)])
    } else {
      let keys = (0..<count).map { add(writer.addString("key \($0)")) }
      fill(place, "NSDictionary", ["NS.keys": row(keys), "NS.objects": row(elements)])
    }
    return place
  }
}
