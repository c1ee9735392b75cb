/// A kind of fault that the checker finds, by its code: the letter of its group and a number.
///
/// Codes are a promise: a baseline and the `--ignore` of a hook name them. None is given twice, and
/// none changes its meaning. To add one: a case here, its words in `FaultCode+Words.swift`, and a
/// section in `Docs/checking.md` with an example that a test checks.
package enum FaultCode: String, Hashable, Sendable, CaseIterable {
  // The text of the file.
  case syntax = "J101"
  case cut = "J102"
  case duplicateMember = "J103"
  case byteOrderMark = "J104"
  case notUTF8 = "J105"
  case wideEncoding = "J106"
  case notFinite = "J107"
  case tooDeep = "J108"
  case empty = "J109"
  case conflictMarks = "J110"
  case loneSurrogate = "J111"
  case comma = "J112"
  case restAfterEnd = "J113"

  // Objects and members.
  case notAnObject = "G101"
  case typeMissing = "G102"
  case unknownType = "G103"
  case typeCase = "G104"
  case memberMissing = "G105"
  case memberType = "G106"
  case oddIdentifier = "G107"
  case duplicateIdentifier = "G108"
  case changedMeaning = "G109"
  case systemMember = "G110"
  case openConflict = "G111"

  // Geometries.
  case nesting = "G201"
  case shortPosition = "G202"
  case longPosition = "G203"
  case notANumber = "G204"
  case shortLine = "G205"
  case shortRing = "G206"
  case openRing = "G207"
  case winding = "G208"
  case crossing = "G209"
  case spike = "G210"
  case repeatedPosition = "G211"
  case holeOutside = "G212"
  case ringsCross = "G213"
  case nestedCollection = "G214"
  case singleCollection = "G215"
  case emptyCoordinates = "G216"
  case flatRing = "G217"
  case mixedDimensions = "G218"
  case touching = "G219"
  case intricate = "G220"
  case partsOverlap = "G221"

  // The values of coordinates.
  case beyondRange = "G301"
  case swappedAxes = "G302"
  case otherSystem = "G303"
  case noDegrees = "G304"
  case beyondAntimeridian = "G305"
  case roundingNoise = "G306"
  case manyDecimals = "G307"
  case antimeridianJump = "G308"

  // Bounding boxes.
  case boxForm = "G401"
  case boxOrder = "G402"
  case boxTooSmall = "G403"
  case boxTooLarge = "G404"

  // Attributes.
  case mixedColumn = "T501"
  case expectation = "T601"
  case notUnique = "T602"
  case reading = "T701"

  // Coverages.
  case gap = "C801"
  case overlap = "C802"
  case missingVertex = "C803"
}

/// The weight of a fault.
package enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Legal, and worth a look; shown on request only.
  case note
  /// Against a recommendation, or likely wrong.
  case warning
  /// Against the format, or certainly wrong.
  case error

  package static func < (left: Severity, right: Severity) -> Bool {
    left.rawValue < right.rawValue
  }

  package var word: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  package init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }
}

extension FaultCode {
  package var severity: Severity {
    switch self {
    case .duplicateIdentifier, .systemMember, .openConflict, .byteOrderMark, .loneSurrogate,
      .longPosition, .winding, .spike, .repeatedPosition, .nestedCollection, .singleCollection,
      .mixedDimensions, .touching, .flatRing, .beyondRange, .swappedAxes, .otherSystem,
      .roundingNoise, .antimeridianJump, .partsOverlap, .boxTooSmall, .mixedColumn, .reading, .gap,
      .overlap,
      .missingVertex:
      .warning
    case .emptyCoordinates, .intricate, .noDegrees, .beyondAntimeridian, .manyDecimals,
      .boxTooLarge:
      .note
    default: .error
    }
  }
}

/// A choice of codes: by whole codes, or by their first characters, as in `G2`.
package struct CodeChoice: Sendable {
  /// Empty chooses all.
  package var selected: [String]
  package var ignored: [String]

  package init(selected: [String] = [], ignored: [String] = []) {
    (self.selected, self.ignored) = (selected, ignored)
  }

  package func contains(_ code: FaultCode) -> Bool {
    (selected.isEmpty || selected.contains { code.rawValue.hasPrefix($0) })
      && !ignored.contains { code.rawValue.hasPrefix($0) }
  }

  /// The first word that begins no code; `nil` if all do.
  package static func unknown(_ words: [String]) -> String? {
    words.first { word in
      word.isEmpty || !FaultCode.allCases.contains { $0.rawValue.hasPrefix(word) }
    }
  }
}
