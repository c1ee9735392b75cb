package import PortolanDocuments
package import PortolanGraphics

/// A fault at a place.
package struct Finding: Hashable, Sendable {
  package var code: FaultCode
  /// The fault in words, without a full stop.
  package var message: String
  /// The offset of the fault in its file, in bytes; `nil` without one.
  package var offset: Int?
  /// The line and the column in characters (Unicode scalars), from 1; `nil` without an offset.
  package var place: TextPlace?
  /// The JSON path, such as `$.features[3].geometry`; for other formats the layer and the row.
  package var path: String
  /// The bytes of the feature, or of the whole file for a fault outside of features.
  package var extent: Range<Int>?
  /// The place on the map.
  package var position: Coordinate?
  /// The feature in an open document.
  package var feature: FeatureReference?
  /// The other features of a fault between several.
  package var others: [FeatureReference] = []
  /// The repair; empty without one.
  package var edits: [TextEdit]

  package init(
    _ code: FaultCode, _ message: String, offset: Int? = nil, path: String = "",
    extent: Range<Int>? = nil, position: Coordinate? = nil, feature: FeatureReference? = nil,
    edits: [TextEdit] = []
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
    self.extent = extent
    self.position = position
    self.feature = feature
    self.edits = edits
  }

  package var severity: Severity { code.severity }
}

/// A line and a column, from 1.
package struct TextPlace: Hashable, Sendable {
  package var line: Int
  /// In characters (Unicode scalars).
  package var column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Bytes of a file that are replaced by others.
package struct TextEdit: Hashable, Sendable {
  package var range: Range<Int>
  package var bytes: [UInt8]

  package init(_ range: Range<Int>, _ bytes: [UInt8]) { (self.range, self.bytes) = (range, bytes) }
}

/// The findings of one file, or of a document.
package struct FindingList: Sendable {
  /// In the order of the file.
  package var findings: [Finding] = []
  /// How many of each code were found beyond those that are kept.
  package var dropped: [FaultCode: Int] = [:]
  /// How many features were looked at.
  package var featureCount = 0

  package init() {}

  /// The most findings of one code that are kept, unless all are asked for.
  package static let keptMax = 1_000
}

extension FindingList {
  /// Sorts the findings by their offsets and gives each its line and column.
  ///
  /// - Complexity: O(bytes up to the last finding + findings · log findings).
  package mutating func settlePlaces(in bytes: UnsafeBufferPointer<UInt8>) {
    let order = findings.indices.sorted {
      (findings[$0].offset ?? .max, $0) < (findings[$1].offset ?? .max, $1)
    }
    findings = order.map { findings[$0] }
    var counter = PlaceCounter(bytes)
    for index in findings.indices {
      guard let offset = findings[index].offset else { continue }
      findings[index].place = counter.place(of: offset)
    }
  }
}

/// Counts lines and columns up to rising offsets.
struct PlaceCounter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var place = TextPlace(line: 1, column: 1)

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The place of an offset, at least as great as the one before.
  mutating func place(of target: Int) -> TextPlace {
    let target = min(target, bytes.count)
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0A || byte == 0x0D && !(offset < bytes.count && bytes[offset] == 0x0A) {
        place = TextPlace(line: place.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    return place
  }
}
