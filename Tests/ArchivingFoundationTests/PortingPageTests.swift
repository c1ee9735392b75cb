import Foundation
import PortolanTestSupport
import Testing

/// The code of Docs/coming-from-nscoding.md is that of the example, and its tables are complete.
@Suite struct PortingPageTests {
  private func page() throws -> String {
    let url = Shared.package.appendingPathComponent("Docs/coming-from-nscoding.md")
    return try String(contentsOf: url, encoding: .utf8)
  }

  /// The regions from `// snippet: name` to `// end` of the example, moved to the left.
  private func snippets() throws -> [String] {
    let url = Shared.package.appendingPathComponent(
      "Tests/ArchivingFoundationTests/Examples/PortingExample.swift")
    var snippets: [String] = []
    var open: [String]?
    for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
      switch line.trimmingCharacters(in: .whitespaces) {
      case let text where text.hasPrefix("// snippet: "): open = []
      case "// end":
        snippets.append((open ?? []).joined(separator: "\n"))
        open = nil
      default: open?.append(line)
      }
    }
    return snippets
  }

  @Test func `every example is on the page, and nothing else is`() throws {
    let blocks = try page().components(separatedBy: "```swift\n").dropFirst().map { part in
      part.components(separatedBy: "\n```")[0]
    }
    #expect(try blocks.filter { !$0.hasPrefix("import ") } == snippets())
  }

  /// What the page must have a row for, by Foundation's interface on Linux and Apple's reference.
  static let methods = [
    "encode(_:forKey:)", "encode(_:)", "encodeConditionalObject(_:forKey:)",
    "encodeConditionalObject(_:)", "encodeRootObject(_:)", "encodeBycopyObject(_:)",
    "encodeByrefObject(_:)", "encodeBytes(_:length:forKey:)", "encodeBytes(_:length:)",
    "encodeArray(ofObjCType:count:at:)", "encodeValue(ofObjCType:at:)", "encodePropertyList(_:)",
    "decodeObject(forKey:)", "decodeObject()", "decodeObject(of:forKey:)",
    "decodeTopLevelObject", "decodeArrayOfObjects(ofClass:forKey:)",
    "decodeDictionary(withKeysOfClass:objectsOfClass:forKey:)", "decodeBool(forKey:)",
    "decodeInteger(forKey:)", "decodeCInt(forKey:)", "decodeInt32(forKey:)",
    "decodeInt64(forKey:)", "decodeFloat(forKey:)", "decodeDouble(forKey:)",
    "decodeBytes(forKey:returnedLength:)", "decodeBytes(withReturnedLength:)",
    "withDecodedUnsafeBytes(forKey:body:)", "decodeData()", "decodePropertyList(forKey:)",
    "decodePropertyList()", "decodeArray(ofObjCType:count:at:)", "decodeValue(ofObjCType:at:)",
    "containsValue(forKey:)", "allowsKeyedCoding", "requiresSecureCoding", "allowedClasses",
    "systemVersion", "version(forClassName:)", "failWithError(_:)", "decodingFailurePolicy",
    "error", "archivedData(withRootObject:requiringSecureCoding:)", "init(requiringSecureCoding:)",
    "init(forWritingWith:)", "archiveRootObject(_:toFile:)", "finishEncoding()", "encodedData",
    "outputFormat", "setClassName(_:for:)", "classNameForClass(_:)", "delegate",
    "unarchivedObject(ofClass:from:)", "unarchivedObject(ofClasses:from:)",
    "unarchivedArrayOfObjects", "unarchivedDictionary", "init(forReadingFrom:)",
    "init(forReadingWith:)", "unarchiveObject(with:)", "unarchiveObject(withFile:)",
    "unarchiveTopLevelObjectWithData(_:)", "setClass(_:forClassName:)", "class(forClassName:)",
    "finishDecoding()", "supportsSecureCoding", "archiver(_:willEncode:)",
    "archiver(_:didEncode:)", "archiver(_:willReplace:with:)", "archiverWillFinish(_:)",
    "archiverDidFinish(_:)", "unarchiver(_:cannotDecodeObjectOfClassName:originalClasses:)",
    "unarchiver(_:didDecode:)", "unarchiver(_:willReplace:with:)", "unarchiverWillFinish(_:)",
    "unarchiverDidFinish(_:)", "classForCoder", "classForKeyedArchiver", "classForKeyedUnarchiver",
    "classFallbacksForKeyedArchiver()", "replacementObject(for:)", "awakeAfter(using:)",
  ]

  @Test(arguments: methods)
  func `the page has a row for each of Foundation's methods`(_ method: String) throws {
    let rows = try page().components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    let firstCells = rows.map { $0.components(separatedBy: " | ")[0] }
    #expect(firstCells.contains { $0.contains("`\(method)`") }, "\(method)")
  }
}
