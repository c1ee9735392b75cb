public import Archiving
public import Foundation
import PropertyLists

extension Cocoa.CharacterSet {
  /// Makes a set of the same characters, a bit for each.
  public init(_ set: CharacterSet, isMutable: Bool = false) throws {
    let bytes = [UInt8](set.bitmapRepresentation)
    guard let made = Cocoa.CharacterSet(.bitmap(bytes), isMutable: isMutable) else {
      throw ArchiveError.noCounterpart("a set of characters of \(counted(bytes.count, "byte"))")
    }
    self = made
  }
}

extension CharacterSet: FoundationCoding {
  /// Makes a set of the same characters; throws for an unknown number of Foundation's own sets.
  public init(_ archived: Cocoa.CharacterSet) throws {
    switch archived.contents {
    case .bitmap(let bytes): self.init(bitmapRepresentation: Data(bytes))
    case .characters(let text): self.init(charactersIn: text)
    case .range(let range):
      self.init()
      guard range.length > 0 else { break }
      guard let first = Unicode.Scalar(UInt32(truncatingIfNeeded: range.location)),
        let last = Unicode.Scalar(UInt32(truncatingIfNeeded: range.end - 1)), first <= last
      else { throw ArchiveError.noCounterpart("a range that ends within a surrogate pair") }
      insert(charactersIn: first...last)
    case .builtin(let number):
      guard number > 0, number <= Self.builtin.count else {
        throw ArchiveError.noCounterpart("the set of characters \(number) is not known")
      }
      self = Self.builtin[number - 1]
    }
    if archived.isInverted { invert() }
  }

  public var archivedValue: Cocoa.CharacterSet { get throws { try Cocoa.CharacterSet(self) } }

  /// Foundation's own sets in the order of their numbers, from 1 on.
  private static let builtin: [CharacterSet] = [
    .controlCharacters, .whitespaces, .whitespacesAndNewlines, .decimalDigits, .letters,
    .lowercaseLetters, .uppercaseLetters, .nonBaseCharacters, .decomposables, .alphanumerics,
    .punctuationCharacters, .illegalCharacters, .capitalizedLetters, .symbols, .newlines,
  ]
}

extension Cocoa.RegularExpression {
  /// Makes a pattern with its options.
  public init(_ expression: NSRegularExpression) {
    self.init(expression.pattern, options: Int(truncatingIfNeeded: expression.options.rawValue))
  }

  /// The compiled pattern; throws when it is none that Foundation compiles.
  public var foundationExpression: NSRegularExpression {
    get throws {
      guard let bits = UInt(exactly: options) else {
        throw ArchiveError.noCounterpart("the options \(options) of a pattern")
      }
      do {
        return try NSRegularExpression(
          pattern: pattern, options: NSRegularExpression.Options(rawValue: bits))
      } catch {
        throw ArchiveError.noCounterpart("\(pattern.prefix(100)) is no pattern")
      }
    }
  }
}

extension Cocoa.TextCheckingResult {
  /// Makes the result of a search; throws for a result of another kind.
  public init(_ result: NSTextCheckingResult) throws {
    guard let expression = result.regularExpression else {
      throw ArchiveError.noCounterpart("a result that is none of a pattern")
    }
    let ranges = try (0..<result.numberOfRanges).map { place in
      try Cocoa.Range(result.range(at: place))
    }
    guard let made = Cocoa.TextCheckingResult(Cocoa.RegularExpression(expression), ranges: ranges)
    else { throw ArchiveError.noCounterpart("a result without a range") }
    self = made
  }

  /// The result as Foundation has it; throws when its pattern is none that Foundation compiles.
  public var foundationResult: NSTextCheckingResult {
    get throws {
      var ranges = self.ranges.map { NSRange($0) }
      return NSTextCheckingResult.regularExpressionCheckingResult(
        ranges: &ranges, count: ranges.count, regularExpression: try expression.foundationExpression
      )
    }
  }
}

extension Cocoa.AttributedString {
  /// Makes a text with its attributes; throws when archives have no counterpart for one of them.
  public init(_ text: NSAttributedString) throws {
    try self.init(text, FoundationConverter())
  }

  init(_ text: NSAttributedString, _ converter: FoundationConverter) throws {
    let isMutable = text is NSMutableAttributedString
    var runs: [Run] = []
    var place = 0
    while place < text.length {
      var range = NSRange(location: place, length: 0)
      let attributes = text.attributes(at: place, effectiveRange: &range)
      // A run may begin before the place that was asked for.
      let end = min(max(range.location + range.length, place + 1), text.length)
      let pairs = try attributes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        Cocoa.Dictionary.Pair(
          key: .string($0.key.rawValue), value: try converter.object($0.value))
      }
      runs.append(Run(length: end - place, attributes: Cocoa.Dictionary(pairs)))
      place = end
    }
    guard let made = Cocoa.AttributedString(text.string, runs: runs, isMutable: isMutable) else {
      throw ArchiveError.noCounterpart("a text whose attributes do not cover it")
    }
    self = made
  }

  /// The text as Foundation has it; throws when Foundation has no counterpart for an attribute.
  ///
  /// Attributes whose names are not strings are among these.
  public var foundationText: NSAttributedString {
    get throws { try foundationText(FoundationConverter()) }
  }

  func foundationText(_ converter: FoundationConverter) throws -> NSAttributedString {
    let made = NSMutableAttributedString(string: text)
    var place = 0
    for run in runs where place + run.length <= made.length {
      var attributes: [NSAttributedString.Key: Any] = [:]
      for pair in run.attributes.pairs {
        guard let name = pair.key.text else {
          throw ArchiveError.noCounterpart("an attribute whose name is no string")
        }
        attributes[NSAttributedString.Key(rawValue: name)] = try converter.foundation(pair.value)
      }
      made.setAttributes(attributes, range: NSRange(location: place, length: run.length))
      place += run.length
    }
    return isMutable ? made : NSAttributedString(attributedString: made)
  }
}
