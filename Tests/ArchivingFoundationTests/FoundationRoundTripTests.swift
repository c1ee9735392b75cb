import Archiving
import ArchivingFoundation
import Foundation
import Testing

/// Every kind of Foundation's values goes through our archives and Foundation's, in every direction.
@Suite struct FoundationRoundTripTests {
  static let names = FoundationSamples.all.map(\.name)

  /// What Foundation on Linux does not read although it writes it, or although Apple's does.
  ///
  /// It loses the digits of decimal numbers, the settings of handlers and the end of intervals, and
  /// reads neither texts without attributes nor transformations in Apple's form, which is ours.
  static let notReadByFoundation: Set<String> = [
    "decimal", "large decimal", "long decimal", "decimal zero", "decimal that is none",
    "decimal handler", "transform", "plain text", "date interval",
  ]

  /// What Foundation on Linux cannot write: decimal numbers and errors end the program, and this text
  /// is none.
  static let notWrittenByFoundation: Set<String> = [
    "decimal", "large decimal", "long decimal", "decimal zero", "decimal that is none",
    "the text $null", "error", "error with info",
  ]

  /// Values without an equality of their own in Foundation, and the parts compared instead.
  static func isEqual(_ first: NSObject, _ second: NSObject) -> Bool {
    if first.isEqual(second) { return true }
    switch (first, second) {
    case (let first as NSDecimalNumber, let second as NSDecimalNumber):
      return first.decimalValue == second.decimalValue
        || first.decimalValue.isNaN && second.decimalValue.isNaN
    case (let first as NSError, let second as NSError):
      return first.domain == second.domain && first.code == second.code
        && first.userInfo as NSDictionary == second.userInfo as NSDictionary
    case (let first as NSNotification, let second as NSNotification):
      return first.name == second.name
        && (first.object as? NSObject)?.isEqual(second.object) == true
    case (let first as NSTextCheckingResult, let second as NSTextCheckingResult):
      return first.regularExpression == second.regularExpression
        && (0..<first.numberOfRanges).map { first.range(at: $0) }
          == (0..<second.numberOfRanges).map { second.range(at: $0) }
    case (let first as NSDateInterval, let second as NSDateInterval):
      return first.startDate == second.startDate && first.duration == second.duration
    case (let first as NSDecimalNumberHandler, let second as NSDecimalNumberHandler):
      return first.scale() == second.scale() && first.roundingMode() == second.roundingMode()
    default: return false
    }
  }

  private func sample(_ name: String) throws -> NSObject {
    try #require(FoundationSamples.all.first { $0.name == name }).value
  }

  @Test func `there are 75 values or more, each with a name of its own`() {
    #expect(Self.names.count >= 75)
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test(arguments: names)
  func `a value converted there and back is equal`(_ name: String) throws {
    let value = try sample(name)
    let made = try Cocoa.Object(foundation: value).foundationObject()
    #expect(Self.isEqual(made, value), "\(made) for \(value)")
    #expect(try Cocoa.Object(foundation: made) == Cocoa.Object(foundation: value))
  }

  @Test(arguments: names.filter { !notWrittenByFoundation.contains($0) })
  func `we read what Foundation writes`(_ name: String) throws {
    let value = try sample(name)
    let unarchiver = try KeyedUnarchiver(forReadingFrom: FoundationSamples.archive(value))
    let made = try #require(try unarchiver.decodeFoundationIfPresent(forKey: "root"))
    #expect(Self.isEqual(made, value), "\(made) for \(value)")
  }

  @Test(arguments: names.filter { !notReadByFoundation.contains($0) })
  func `Foundation reads what we write`(_ name: String) throws {
    let value = try sample(name)
    let made = try #require(
      try FoundationSamples.read(KeyedArchiver.archivedData(withRootObject: value)))
    #expect(Self.isEqual(made, value), "\(made) for \(value)")
  }

  @Test(arguments: names)
  func `a value goes through our own archives, keyed, in XML and sequential`(
    _ name: String
  ) throws {
    let value = try Cocoa.Object(foundation: sample(name))
    let keyed = KeyedArchiver()
    try keyed.encodeAnyValue(value, forKey: "root")
    let xml = KeyedArchiver()
    xml.outputFormat = .xml
    try xml.encodeAnyValue(value, forKey: "root")
    #expect(try KeyedUnarchiver(keyed.finish()).decodeAnyValue(forKey: "root") == value)
    // XML has one kind of real numbers.
    let read = try KeyedUnarchiver(xml.finish()).decodeAnyValue(forKey: "root")
    #expect(read == value || name == "float")
    let sequential = try Archiver.archive(value)
    #expect(try Unarchiver(sequential).decodeObject(Cocoa.Object.self) == value)
  }
}
