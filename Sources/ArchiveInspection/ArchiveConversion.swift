import Archiving
import PropertyLists

/// The notations that an archive can be converted into.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ArchiveNotation: String, CaseIterable, Sendable {
  /// A keyed archive, binary.
  case keyed
  /// A keyed archive as XML.
  case xml
  /// A sequential archive.
  case typedstream
  /// The values that the objects stand for, as JSON; nothing makes an archive of it again.
  case json

  /// The notation of files whose names end so, in small letters; `nil` for other endings.
  package static func ofEnding(_ ending: String?) -> ArchiveNotation? {
    switch ending {
    case "xml": .xml
    case "typedstream", "ts": .typedstream
    case "json": .json
    case "keyed", "bplist", "plist", "archive", "doc": .keyed
    default: nil
    }
  }
}

/// Writes an archive in another notation; what cannot go is named, and nothing is written.
public enum ArchiveConversion {
  /// The archive in another notation.
  ///
  /// Keyed archives keep their objects and numbers, and a typedstream that stays one keeps every
  /// byte. Between the two kinds only the classes of `PortableValue` can go, because other classes
  /// have fields with names in the one and without in the other.
  public static func convert(_ bytes: [UInt8], to notation: ArchiveNotation) throws -> [UInt8] {
    var output: [UInt8] = []
    try convert(bytes, to: notation, checksFirst: false) { output += $0 }
    return output
  }

  /// Sends the archive in another notation, in pieces where it may be far longer than it was: XML
  /// repeats what an archive shares.
  ///
  /// - Parameters:
  ///   - bytes: the archive, or the JSON of `InspectedArchive.Form.exact`.
  ///   - notation: the other notation.
  ///   - checksFirst: whether nothing is sent before it is known that all can go.
  ///   - values: how JSON is written.
  ///   - send: takes a piece.
  /// - Returns: the losses in the other notation, a sentence each.
  @discardableResult
  public static func convert(
    _ bytes: [UInt8], to notation: ArchiveNotation, checksFirst: Bool,
    values: ValueOptions = ValueOptions(), send: ([UInt8]) throws -> Void
  ) throws -> [String] {
    let bytes = ExactReader.recognises(bytes) ? try ExactReader.archive(bytes) : bytes
    if notation == .json { return try writeValues(of: bytes, values, send: send) }
    let archive = try InspectedArchive(graphOf: bytes)
    if archive.brokenCount > 0 {
      throw InspectionError(.unreadable, archive.firstBroken ?? "broken")
    }
    do {
      var xml = XMLPropertyListWriter()
      xml.replacesForbidden = true
      switch (archive.source, notation) {
      case (.list(let list, _), .keyed): try send(canonical(archive, list))
      case (.list(let list, _), .xml):
        return archive.header.leftOut
          + words(try xml.write(list, checksFirst: checksFirst, to: send))
      case (.list, .typedstream):
        var writer = TypedstreamComposer(archive)
        try send(writer.compose())
      case (.stream(let stream, _), .typedstream): try send(TypedstreamWriter.rewrite(stream))
      case (.stream, .keyed): try send(keyed(archive))
      case (.stream, .xml):
        let list = try BinaryPropertyList(keyed(archive))
        return words(try xml.write(list, checksFirst: checksFirst, to: send))
      case (.nib, _):
        throw InspectionError(
          .unsupported, "a NIBArchive can become JSON only: give --format json")
      case (.items, _):
        throw InspectionError(
          .unsupported, "a GNUstep archive can become JSON only: give --format json")
      case (_, .json): break
      }
      return archive.header.leftOut
    } catch let error as PropertyListError {
      throw InspectionError(.unsupported, error.description)
    } catch let error as ArchiveError {
      throw InspectionError(.unreadable, error.description)
    }
  }

  /// Writes the values of a file that can be read whole.
  private static func writeValues(
    of bytes: [UInt8], _ options: ValueOptions, send: ([UInt8]) throws -> Void
  ) throws -> [String] {
    let archive = try InspectedArchive(graphOf: bytes)
    if let broken = archive.firstBroken { throw InspectionError(.unreadable, broken) }
    try withoutActuallyEscaping(send) { send in
      let output = TextOutput(inputCount: bytes.count, send: send)
      let broken = try archive.writeValues(at: InspectionPath(""), options, to: output)
      if let broken { throw InspectionError(.unreadable, broken) }
    }
    return archive.header.leftOut
  }

  /// What XML cannot tell, in words.
  private static func words(_ losses: XMLLosses) -> [String] {
    var words: [String] = []
    if losses.fractions > 0 {
      words.append(
        InspectionText.count(losses.fractions, "date") + " lost "
          + (losses.fractions == 1 ? "its fraction" : "their fractions") + " of a second")
    }
    if losses.characters > 0 {
      words.append(
        InspectionText.count(losses.characters, "character") + " that XML forbids "
          + (losses.characters == 1 ? "is" : "are") + " replaced by U+FFFD")
    }
    return words
  }

  private static func canonical(
    _ archive: InspectedArchive, _ list: BinaryPropertyList
  ) throws -> [UInt8] {
    // What is no plain archive stays as it is: a list that was XML is new already, one with shared
    // parts would repeat them, and hints of classes would be lost.
    guard archive.header.format == .keyed, archive.header.otherEntries.isEmpty,
      archive.header.version == 100_000, archive.header.archiver == "NSKeyedArchiver",
      archive.leafByteCount <= archive.rewrittenByteCountMax,
      archive.classes.allSatisfy(\.hints.isEmpty)
    else {
      try list.validate()
      return list.reader.bytes
    }
    return try GraphRewriter(ObjectGraph(list.reader.bytes)).archive()
  }

  private static func keyed(_ archive: InspectedArchive) throws -> [UInt8] {
    var writer = KeyedComposer(archive)
    return try writer.compose()
  }
}

extension InspectedArchive {
  /// How long the archive may become where what it shares is written out, in bytes.
  var rewrittenByteCountMax: Int { 8 << 20 + 4 * min(header.byteCount, .max >> 8) }

  /// How many bytes the objects' values are, each as often as an object has it.
  fileprivate var leafByteCount: Int {
    nodes.indices.reduce(0) { sum, node in
      nodes[node].kind == .object || nodes[node].kind == .bare ? sum + byteCount(of: node) : sum
    }
  }

  /// Why a value cannot go into the other kind of archive, and what can be done instead.
  func cannotGo(_ value: InspectedValue, at place: String, into kind: String) -> InspectionError {
    let isFromKeyed = if case .list = source { true } else { false }
    guard case .node(let node) = value, let name = archivedClass(of: node)?.name else {
      return InspectionError(
        .unsupported,
        "\(place): \(kindName(value)) outside of all objects cannot go into a \(kind)")
    }
    let reason =
      if PortableValue.classNames.contains(name) {
        "this one has fields or a value that the two kinds do not have in common"
      } else if isFromKeyed, Self.withoutKnownCoding.contains(name) || name.hasPrefix("NSUnit") {
        "how Apple's class codes itself there is not known"
      } else if isFromKeyed {
        "its fields have names, and there they would have an order that only its program knows"
      } else {
        "its fields have an order, and there they would have names that only its program knows"
      }
    let advice = isFromKeyed ? "; XML (--format xml) holds every object" : ""
    return InspectionError(
      .unsupported, "\(place): \(name) cannot go into a \(kind): \(reason)\(advice)")
  }

  /// Foundation's classes whose keys are known, but whose groups in a sequential archive are not.
  private static let withoutKnownCoding: Set<String> = [
    "NSOrderedSet", "NSMutableOrderedSet", "NSCountedSet", "NSUUID", "NSIndexSet",
    "NSMutableIndexSet", "NSIndexPath", "NSError", "NSLocale", "NSTimeZone", "NSCalendar",
    "NSDateComponents", "NSDateInterval", "NSNotification", "NSDecimalNumberHandler",
    "NSMeasurement", "NSDimension", "NSCharacterSet", "NSMutableCharacterSet", "NSSortDescriptor",
    "NSRegularExpression", "NSSimpleRegularExpressionCheckingResult",
    "NSExtendedRegularExpressionCheckingResult", "NSComplexRegularExpressionCheckingResult",
    "NSURLQueryItem", "NSPersonNameComponents", "NSByteCountFormatter", "NSISO8601DateFormatter",
    "NSDateIntervalFormatter", "NSNumberFormatter", "NSAffineTransform", "NSFileWrapper", "NSFont",
  ]
}
