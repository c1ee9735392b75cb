/// A reader's findings about a file: nothing of it was dropped.
package struct ImportReport: Hashable, Sendable {
  /// A place in a file.
  package struct Place: Hashable, Sendable {
    /// Its offset in bytes.
    package var offset: Int
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in characters (Unicode scalars).
    package var column: Int
    /// The number of the feature in its file, from 1; `nil` outside features.
    package var feature: Int?
    /// The feature's label, if it has one.
    package var featureName: String

    package init(
      offset: Int, line: Int, column: Int, feature: Int? = nil, featureName: String = ""
    ) {
      self.offset = offset
      self.line = line
      self.column = column
      self.feature = feature
      self.featureName = featureName
    }
  }

  /// One kind of finding with its count and its first places.
  package struct Note: Hashable, Sendable {
    package var code: ImportNoteCode
    package var count: Int
    /// The first places, at most `placesMax`.
    package var places: [Place]

    package init(code: ImportNoteCode, count: Int, places: [Place] = []) {
      self.code = code
      self.count = count
      self.places = places
    }

    /// One line for people, such as `1,632 rings wound clockwise (kept as they are), first at …`.
    package var text: String {
      let what = code.text(count: count)
      guard let place = places.first else { return what }
      var line = what + "; first at \(place.line):\(place.column)"
      if let feature = place.feature {
        line += ", feature \(feature)"
        if !place.featureName.isEmpty { line += " (\(place.featureName))" }
      }
      return line
    }
  }

  /// The most places of a note.
  package static let placesMax = 5

  package var notes: [Note]
  package var featureCount: Int
  package var vertexCount: Int

  package init(notes: [Note] = [], featureCount: Int = 0, vertexCount: Int = 0) {
    self.notes = notes
    self.featureCount = featureCount
    self.vertexCount = vertexCount
  }

  /// The note of a code, if there is one.
  package subscript(code: ImportNoteCode) -> Note? { notes.first { $0.code == code } }
}

/// The findings that readers report.
package enum ImportNoteCode: String, Hashable, Sendable, CaseIterable {
  case clockwiseRings
  case closedRings
  case shortRings
  case emptyParts
  case extraOrdinates
  case latitudes
  case crsKept
  case beyondDegrees
  case assumedDegrees
  case bigNumbers
  case oddIdentifiers
  case duplicateMembers
  case nestedCollections
  case loneSurrogates
  case byteOrderMark
  case textKept
  case typeMissing
  case unlocated
  case raggedRows
  case renamedColumns
  // Of Shapefiles.
  case cutShapes
  case oddIndex
  case brokenShapes
  case multipatches
  case measures
  case arcs
  case coarseArcs
  case shortParts
  case noTable
  case cutRows
  case oddColumns
  case deletedRows
  case surplusRows
  case missingRows
  case lostNumbers
  case starNumbers
  case oddTexts
  case oddEncoding
  case assumedUTF8
  case assumedWindows
  case noProjection
  case otherDatum

  /// Whether it says that data may be wrong, or cannot be shown: told without being asked.
  package var isWarning: Bool { self == .latitudes || self == .unlocated || isLossOfShapes }

  /// The finding in words, with its count.
  package func text(count: Int) -> String {
    func many(_ one: String, _ more: String) -> String { Self.many(count, one, more) }
    switch self {
    case .clockwiseRings:
      return many("ring", "rings") + " wound against RFC 7946 (outer clockwise or hole not); kept"
    case .closedRings: return many("ring", "rings") + " closed for use; the text is kept"
    case .shortRings: return many("ring has", "rings have") + " fewer than 4 positions; kept"
    case .emptyParts: return many("geometry has", "geometries have") + " empty parts; kept as text"
    case .extraOrdinates:
      return many("geometry has", "geometries have") + " more than 3 numbers a position; kept"
    case .latitudes:
      return many("feature reaches", "features reach")
        + " beyond latitude 90: are longitude and latitude swapped?"
    case .crsKept:
      return "a crs member does not name longitude and latitude on WGS 84; kept, not converted"
    case .beyondDegrees:
      return many("feature lies", "features lie")
        + " too far out for longitude and latitude; read as planar x and y"
    case .assumedDegrees:
      return "columns x and y, of no stated system, are read as longitude and latitude"
    case .bigNumbers: return many("number", "numbers") + " too long for a double; kept as text"
    case .oddIdentifiers:
      return many("id is", "ids are") + " neither a string nor a number; kept"
    case .duplicateMembers: return many("member", "members") + " given twice; the last one counts"
    case .nestedCollections:
      return many("collection", "collections") + " inside a collection; kept as text"
    case .loneSurrogates:
      return many("string is", "strings are") + " not valid Unicode (lone surrogate); kept as JSON"
    case .byteOrderMark: return "the file begins with a byte order mark; kept"
    case .textKept:
      return many("feature", "features") + " laid out unlike the rest; text kept beside the values"
    case .typeMissing: return "the type member is missing; read as a FeatureCollection"
    case .unlocated:
      return many("row has", "rows have")
        + " no position (decimal numbers or well-known text); kept without one"
    case .renamedColumns:
      return many("column heading is", "column headings are")
        + " empty or given twice; numbered by place, as in column2 or name_3"
    case .raggedRows: return many("row has", "rows have") + " too few or too many fields; kept"
    default: return textOfShapes(count)
    }
  }

  /// A number with the word for one or more.
  static func many(_ count: Int, _ one: String, _ more: String) -> String {
    grouped(count) + " " + (count == 1 ? one : more)
  }

  /// A number with commas between thousands.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, digits[index - 1] != "-" { text += "," }
      text.append(digit)
    }
    return text
  }
}
