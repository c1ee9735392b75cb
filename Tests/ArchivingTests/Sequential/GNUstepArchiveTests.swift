import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Archives of GNUstep's `NSArchiver`, read without classes.
@Suite struct GNUstepArchiveTests {
  static let files: [String] = {
    return Shared.manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], row["format"] == "gnustep-archive" else { return nil }
      return Shared.exists("corpus/" + file) ? file : nil
    }
  }()

  /// The items of an archive in words, one a line.
  static func lines(_ archive: GNUstepArchive) throws -> [String] {
    var scanner = archive.events()
    var lines: [String] = []
    while let event = try scanner.next() {
      switch event {
      case .integer(let value, let type): lines.append("\(Unicode.Scalar(type)) \(value)")
      case .unsigned(let value, let type): lines.append("\(Unicode.Scalar(type)) \(value)")
      case .beginObject(let number, let classNumber):
        let chain = archive.chain(ofClass: classNumber).joined(separator: ":")
        lines.append("object \(number) \(chain)")
      case .numbers(let type, let width, let range):
        let text = archive.text(ofNumbers: range, type: type)
        lines.append(text ?? "\(range.count / width) \(Unicode.Scalar(type))")
      case .newCString(let number, let range): lines.append("* \(number) \(archive.text(range))")
      case .newSelector(let number, let name, let types):
        lines.append(": \(number) \(archive.text(name)) \(archive.text(types))")
      default: lines.append("\(event)")
      }
    }
    return lines
  }

  private static func archive(
    _ body: [UInt8], classes: Int, objects: Int = 1, pointers: Int = 0
  ) -> [UInt8] {
    func hexadecimal(_ value: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 8 - text.count) + text + ":"
    }
    let counts = [1_000_000, classes, objects, pointers].map(hexadecimal).joined()
    return Array(("GNUstep archive" + counts).utf8) + body
  }

  /// A class `A` of version 2 under number 1, without a superclass.
  private static let root: [UInt8] = [0x30, 1, 0x31, 1, 0, 1, 0x41, 0, 0, 0, 2, 0]

  @Test(
    .enabled(if: !files.isEmpty, "no shared/corpus"),
    arguments: [
      ("string", ["object 1 NSString:NSObject", "I 7", "i 10", "abcdefg"]),
      ("num123", ["object 1 NSNumber:NSValue:NSObject", "c 105", "i 123"]),
      ("bool", ["object 1 NSNumber:NSValue:NSObject", "c 67", "C 1"]),
      ("null", ["object 1 NSNull:NSObject"]),
      ("date", ["object 1 NSDate:NSObject", "double(21692800.0)"]),
      ("data", ["object 1 NSData:NSObject", "I 3", "C 0", "abc"]),
      ("iset", ["object 1 NSIndexSet:NSObject", "Q 1", "Q 3", "Q 4"]),
      (
        "arr",
        [
          "object 1 NSArray:NSObject", "I 3", "beginArray(count: 3)",
          "object 2 NSNumber:NSValue", "c 105", "i 4", "object 3 NSNumber:NSValue", "c 105", "i 5",
          "object 4 NSNumber:NSValue", "c 105", "i 6",
        ]
      ),
      (
        "dict",
        [
          "object 1 NSDictionary:NSObject", "I 1", "object 2 NSString", "I 1", "i 10", "k",
          "object 3 NSString", "I 1", "i 10", "v",
        ]
      ),
    ] as [(String, [String])])
  func `a sample says what was archived`(_ name: String, _ expected: [String]) throws {
    let bytes = try Shared.bytes("corpus/generated/gnustep-1.28/\(name).gsa")
    #expect(try Self.lines(GNUstepArchive(bytes)) == expected)
  }

  @Test(arguments: files)
  func `every sample is read to its end`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    #expect(GNUstepArchive.recognises(bytes))
    let archive = try GNUstepArchive(bytes)
    #expect(archive.version == 1_000_000)
    #expect(archive.objectCount >= 1 && archive.classes.count >= 2)
    #expect(try Self.lines(archive).count >= archive.objectCount)
    for count in bytes.indices {
      // A cut between two items cannot be seen.
      guard let cut = try? GNUstepArchive(Array(bytes[..<count])) else { continue }
      #expect(try Self.lines(archive).starts(with: Self.lines(cut)))
    }
  }

  @Test func `all kinds of items are read`() throws {
    let body: [UInt8] =
      Self.root + [0x01, 0xFF, 0x02, 0xFF, 0x03, 0xFF, 0xFE, 0x24, 0, 1, 0, 0]
      + [0x49, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x0B, 0x3F, 0xC0, 0, 0, 0x0D, 1]
      + [0x6A] + [UInt8](repeating: 7, count: 16) + [0x90, 0x91, 0xB0, 1, 0xB1, 1]
      + [0x32, 1, 0, 1, 0, 2, 0x73, 0x76, 0x3A, 0xB2, 1, 0x34, 2, 0, 0, 0, 1, 0x7A, 0x94]
      + [0x33, 3, 0x16, 0x15, 0x15, 0, 0, 0, 2, 0x0C] + [UInt8](repeating: 0, count: 16)
      + [0x37, 2, 0xB1, 1, 0x15, 0, 0, 0, 0]
    let archive = try GNUstepArchive(Self.archive(body, classes: 1, objects: 2, pointers: 3))
    #expect(archive.classes.first?.version == 2)
    #expect(
      try Self.lines(archive) == [
        "object 1 A", "c -1", "C 255", "s -2", "S 65536", "q -9223372036854775808", "float(1.5)",
        "bool(true)", "wideInteger(Range(92..<108), type: 81)", "none(type: 64)", "none(type: 35)",
        "reference(1)", "archivedClass(1)", ": 1 s v:", "pointerReference(1)", "* 2 z",
        "none(type: 42)", "newPointer(3)", "beginStructure", "2 d",
        "classObject(2, classNumber: 1)", "beginArray(count: 0)",
      ])
  }

  @Test(
    arguments: [
      ([0xE0], "unknown tag"), ([0x24], "ends inside"), ([0x30, 2, 0x91], "number 1 is due"),
      ([0x30, 1, 0x01, 0], "class"),
      ([0x1E], "unknown tag"), ([0x30, 1, 0x31, 2], "number 1 is due"), ([0xB0, 1], "reference"),
      ([0x81, 0], "cannot be"), ([0x30, 1, 0xB1, 1], "class 1 of the 0"), ([0xB3, 1], "reference"),
      ([0x15, 0xFF, 0xFF, 0xFF, 0xFF], "array"), ([0x15, 0, 0, 0, 2, 0x0C, 0], "array"),
      ([0x34, 1, 0xFF, 0xFF, 0xFF, 0xFF], "C string"), ([0x32, 1, 0xFF, 0xFF, 0, 0], "selector"),
      ([0x30, 1, 0x31, 1, 0, 0, 0, 0, 0, 0, 0xB1, 1], "does not end"),
      ([0x30, 1, 0x31, 1, 0, 0, 0, 0, 0, 0], "ends inside"),
      (root + [0x30, 2, 0xB1, 1], "2 objects"),
    ] as [([UInt8], String)])
  func `what is broken is refused with its place`(_ body: [UInt8], _ words: String) throws {
    let bytes = Self.archive(body, classes: 1)
    let error = #expect(throws: ArchiveError.self) { try GNUstepArchive(bytes) }
    #expect(error?.code == .corrupt)
    #expect(error?.reason.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.offset != nil)
  }

  @Test(arguments: ["", "GNUstep", "GNUstep DO archive", "GNUstep archive0000000:", "bplist00"])
  func `other files are refused`(_ text: String) {
    #expect(throws: ArchiveError.self) { try GNUstepArchive(Array(text.utf8)) }
  }

  @Test func `damaged archives are refused or read, never a trap`() throws {
    var generator = SeededGenerator(seed: 19_941_018)
    var goods = [Self.archive(Self.root + [0x15, 0, 0, 0, 2, 1, 5, 6], classes: 1)]
    goods += try Self.files.map { try Shared.bytes("corpus/" + $0) }
    for good in goods {
      for _ in 0..<400 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 51..<bytes.count, using: &generator)
          bytes[place] =
            [0, 0xFF, 0x15, 0x30, UInt8.random(in: 0...255, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
        guard let archive = try? GNUstepArchive(bytes) else { continue }
        #expect(try Self.lines(archive).count <= bytes.count)
      }
    }
  }
}
