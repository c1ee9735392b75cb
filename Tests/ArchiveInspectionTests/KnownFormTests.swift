import Foundation
import Testing

@testable import ArchiveInspection

/// Objects of AppKit, UIKit and Foundation that are told in words.
@Suite struct KnownFormTests {
  /// A field as XML, and the objects behind number 3 that it refers to.
  private static func number(_ key: String, _ value: Double) -> String {
    "<key>\(key)</key><real>\(value)</real>"
  }

  private static func whole(_ key: String, _ value: Int) -> String {
    "<key>\(key)</key><integer>\(value)</integer>"
  }

  private static func data(_ key: String, _ text: String) -> String {
    "<key>\(key)</key><data>\(base64(text))</data>"
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }

  /// An archive of one object: number 1 has the fields, 2 its class, the others follow.
  private static func archive(_ name: String, _ fields: String, _ more: [String] = []) -> [UInt8] {
    ValueSamples.keyed(
      [ValueSamples.object(fields, class: 2), ValueSamples.objectClass(name)] + more)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var fields: String
    var words: String
    var testDescription: String { "\(name) \(words)" }

    init(_ name: String, _ fields: String, _ words: String) {
      (self.name, self.fields, self.words) = (name, fields, words)
    }
  }

  /// Object 3 is the text "Ada", 4 a colour space.
  static let cases: [Case] = [
    Case(
      "NSColor", whole("NSColorSpace", 1) + data("NSRGB", "0 0.5 1 0.25\0"),
      "calibrated RGB 0 0.5 1, alpha 0.25"
    ),
    Case("NSColor", whole("NSColorSpace", 4) + data("NSWhite", "0.5\0"), "device white 0.5"),
    Case("NSColor", whole("NSColorSpace", 5) + data("NSCMYK", "0 1 0 0\0"), "device CMYK 0 1 0 0"),
    Case("NSColor", whole("NSColorSpace", 10), "pattern"),
    Case(
      "NSColor",
      whole("NSColorSpace", 1) + data("NSRGB", "0 0 0.998\0") + data("NSComponents", "0 0 1 0.5")
        + ValueSamples.uid(4, "NSCustomColorSpace"), "sRGB 0 0 1, alpha 0.5"
    ),
    Case(
      "UIColor",
      number("UIRed", 1) + number("UIGreen", 0.5) + number("UIBlue", 0) + number("UIAlpha", 1),
      "RGB 1 0.5 0"
    ),
    Case("UIColor", number("UIWhite", 0.5) + number("UIAlpha", 0.25), "white 0.5, alpha 0.25"),
    Case("UIColor", ValueSamples.uid(3, "UISystemColorName"), "Ada"),
    Case(
      "UIFont",
      ValueSamples.uid(3, "UIFontName") + number("UIFontPointSize", 17) + whole("UIFontTraits", 2),
      "Ada 17, bold"
    ),
    Case("NSFont", ValueSamples.uid(3, "NSName") + number("NSSize", 12.5), "Ada 12.5"),
    Case(
      "NSParagraphStyle",
      whole("NSAlignment", 4) + whole("NSLineBreakMode", 4) + number("NSHeadIndent", 36),
      "natural alignment, tail truncated, indent 36"
    ),
    Case("NSTextTab", whole("NSType", 1) + number("NSLocation", 56), "right at 56"),
    Case("NSShadow", number("NSShadowVert", -1) + number("NSShadowBlurRadius", 2), "y -1, blur 2"),
    Case(
      "NSDateComponents",
      whole("NS.year", 2024) + whole("NS.month", 12) + whole("NS.day", Int(Int64.max)),
      "year 2024, month 12"
    ),
    Case(
      "NSPersonNameComponents",
      ValueSamples.uid(3, "NS.givenName") + ValueSamples.uid(3, "NS.familyName"), "Ada Ada"
    ),
    Case(
      "NSURLQueryItem", ValueSamples.uid(3, "NS.name") + ValueSamples.uid(3, "NS.value"), "Ada=Ada"),
    Case("NSCalendar", ValueSamples.uid(3, "NS.identifier"), "Ada"),
  ]

  @Test(arguments: cases)
  func `Values of classes are told in words, with their fields in JSON`(
    _ sample: Case
  ) throws {
    let (name, fields, words) = (sample.name, sample.fields, sample.words)
    let bytes = Self.archive(
      name, fields,
      [
        "<string>Ada</string>", ValueSamples.object(Self.whole("NSID", 7), class: 5),
        ValueSamples.objectClass("NSColorSpace"),
      ])
    let tree = try InspectedArchive(bytes).tree { $0.cutsTexts = false }
    let shown = name == "NSCalendar" ? "\"\(words)\"" : words
    #expect(tree.contains("root: \(name) \(shown) #1"), "\(tree)")
    let roots = try ValueSamples.roots(bytes)
    #expect(
      roots.hasPrefix("{\"root\":{\"$class\":\"\(name)\",\"$value\":\"\(words)\","), "\(roots)")
  }

  @Test func `An object in another form is shown with its fields`() throws {
    for (name, fields) in [
      ("NSColor", Self.whole("NSColorSpace", 77)), ("UIFont", Self.number("UIFontPointSize", 3)),
      ("NSTextTab", Self.number("NSLocation", 3) + Self.whole("NSType", 9)),
      ("UIColor", Self.number("UIRed", 1)), ("NSDateComponents", ""),
    ] {
      let tree = try InspectedArchive(Self.archive(name, fields)).tree()
      #expect(tree.contains("root: \(name) #1"), "\(tree)")
    }
  }

  @Test func `An interval tells both dates`() throws {
    let date = { (seconds: Double) in
      ValueSamples.object(Self.number("NS.time", seconds), class: 5)
    }
    let bytes = Self.archive(
      "NSDateInterval", ValueSamples.uid(3, "NS.startDate") + ValueSamples.uid(4, "NS.endDate"),
      [date(0), date(60), ValueSamples.objectClass("NSDate")])
    let words = "root: NSDateInterval 2001-01-01T00:00:00Z to 2001-01-01T00:01:00Z #1"
    #expect(try InspectedArchive(bytes).tree().contains(words))
  }
}
