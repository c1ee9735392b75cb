import PropertyLists

/// Where the shapes of a .shp lie, in the order of their rows.
///
/// The index tells where; one that does not fit is left aside, and the records are found one after
/// the other, each behind the one before:
///
///     0    4   number of the record, from 1, most significant byte first
///     4    4   length of the shape in words of 16 bits, likewise
///     8        the shape
struct ShapeRecords {
  static let headerCount = 100
  /// The shapes without the heads of their records; empty for one that lies outside of the file.
  private let ranges: [Range<Int>]

  init(_ bytes: [UInt8], index: [UInt8]?, _ notes: inout [ImportNoteCode: Int]) {
    let reader = ByteReader(bytes)
    if let index, let ranges = Self.indexed(reader, ByteReader(index)) {
      self.ranges = ranges
      return
    }
    if index != nil { notes[.oddIndex] = 1 }
    var ranges: [Range<Int>] = []
    var place = Self.headerCount
    while let record = Self.record(reader, at: place) {
      ranges.append(record)
      place = record.upperBound
    }
    if place < bytes.count { notes[.cutShapes] = 1 }
    self.ranges = ranges
  }

  var count: Int { ranges.count }

  /// The place of a row's shape; `nil` if it has none.
  subscript(row: Int) -> Range<Int>? { ranges.indices.contains(row) ? ranges[row] : nil }

  private static func record(_ reader: ByteReader, at place: Int) -> Range<Int>? {
    guard let words = reader.bigEndian(at: place + 4, width: 4), words >= 2,
      reader.contains(place + 8, count: Int(words) * 2)
    else { return nil }
    return place + 8..<place + 8 + Int(words) * 2
  }

  /// `nil` if a place is no record of the file, or two are the same.
  private static func indexed(_ reader: ByteReader, _ index: ByteReader) -> [Range<Int>]? {
    guard index.count >= headerCount, index.bigEndian(at: 0, width: 4) == 9994 else { return nil }
    var seen = Set<Int>()
    var total = 0
    var ranges: [Range<Int>] = []
    for place in stride(from: headerCount, through: index.count - 8, by: 8) {
      guard let words = index.bigEndian(at: place, width: 4), words >= 50,
        let record = record(reader, at: Int(words) * 2), seen.insert(Int(words)).inserted
      else { return nil }
      ranges.append(record)
      // Records that lie upon each other would make more of a file than it holds.
      total += record.count
      if total > reader.count { return nil }
    }
    return ranges
  }
}
