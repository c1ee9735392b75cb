import PortolanDocuments

/// Counts findings during reading and keeps the first places of each.
struct NoteCollector {
  private struct Entry {
    var count = 0
    var places: [(offset: Int, feature: Int?)] = []
  }

  private var entries: [ImportNoteCode: Entry] = [:]

  mutating func add(_ code: ImportNoteCode, count: Int = 1, at offset: Int?, feature: Int? = nil) {
    entries[code, default: Entry()].count += count
    guard let offset else { return }
    if entries[code, default: Entry()].places.count < ImportReport.placesMax {
      entries[code]?.places.append((offset, feature))
    }
  }

  /// Adds the findings in the text that follows.
  ///
  /// - Parameter featuresBefore: how many features stand before it.
  mutating func append(_ other: NoteCollector, featuresBefore: Int) {
    for (code, entry) in other.entries {
      entries[code, default: Entry()].count += entry.count
      let room = ImportReport.placesMax - entries[code, default: Entry()].places.count
      entries[code]?.places += entry.places.prefix(max(0, room)).map { place in
        (offset: place.offset, feature: place.feature.map { $0 + featuresBefore })
      }
    }
  }

  /// Removes a finding.
  mutating func remove(_ code: ImportNoteCode) { entries[code] = nil }

  /// The offsets of the places, rising.
  var offsets: [Int] { entries.values.flatMap { $0.places.map(\.offset) }.sorted() }

  /// The numbers of the features at the places.
  var features: [Int] { entries.values.flatMap { $0.places.compactMap(\.feature) } }

  /// The notes in a fixed order, their places as lines and columns.
  func notes(
    _ bytes: UnsafeBufferPointer<UInt8>, featureName: (Int) -> String
  ) -> [ImportReport.Note] {
    var locator = TextLocator(bytes)
    var lines: [Int: (line: Int, column: Int)] = [:]
    for offset in offsets { lines[offset] = locator.place(of: offset) }
    return notes(lines, featureName: featureName)
  }

  /// The notes in a fixed order.
  ///
  /// - Parameter lines: the lines and columns of `offsets`.
  func notes(
    _ lines: [Int: (line: Int, column: Int)], featureName: (Int) -> String
  ) -> [ImportReport.Note] {
    ImportNoteCode.allCases.compactMap { code in
      guard let entry = entries[code] else { return nil }
      let places = entry.places.map { place in
        let (line, column) = lines[place.offset] ?? (1, 1)
        return ImportReport.Place(
          offset: place.offset, line: line, column: column, feature: place.feature,
          featureName: place.feature.map(featureName) ?? "")
      }
      return ImportReport.Note(code: code, count: entry.count, places: places)
    }
  }
}

/// Converts offsets to lines and columns, in one pass through the text.
struct TextLocator {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var line = 1
  private var column = 1

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The line and column of an offset, which must not be below that of the last call.
  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, bytes.count)
    while position < end {
      let byte = bytes[position]
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      position += 1
    }
    return (line, column)
  }
}
