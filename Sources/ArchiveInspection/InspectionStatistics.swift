import PropertyLists

/// What an archive is made of, in numbers.
package struct InspectionStatistics: Sendable {
  /// What is counted of one class.
  struct ClassRow: Sendable {
    var name: String
    var chain: [String]
    var version: Int?
    var count = 0
    var bytes = 0
  }

  /// A text or data that is there more than once.
  struct Duplicate: Sendable {
    var text: InspectedValue
    var copies: Int
    var bytes: Int
  }

  private(set) var rows: [ClassRow] = []
  private(set) var bare = ClassRow(name: "(bare values)", chain: [])
  private(set) var strings = 0
  private(set) var stringBytes = 0
  private(set) var sharedStrings = 0
  private(set) var conditionalNulls = 0
  private(set) var sharedObjects = 0
  private(set) var unusedClasses = 0
  private(set) var duplicates: [Duplicate] = []
  private(set) var duplicateBytes = 0
  /// The largest objects, with their bytes.
  private(set) var largest: [(node: Int, bytes: Int)] = []
  let archive: InspectedArchive

  /// How many of the largest and of the most repeated are kept.
  static let listedMax = 10

  package init(_ archive: InspectedArchive) {
    self.archive = archive
    var index: [String: Int] = [:]
    var places: [Int] = []
    for archived in archive.classes {
      let key = archived.chain.joined(separator: " ")
      if index[key] == nil {
        index[key] = rows.count
        rows.append(
          ClassRow(
            name: archived.name, chain: archived.chain, version: archived.versions.first))
      }
      places.append(index[key] ?? 0)
    }
    for node in archive.nodes.indices { count(node, places) }
    findDuplicates()
    rows.sort { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
    largest.sort { ($0.bytes, $1.node) > ($1.bytes, $0.node) }
    largest = Array(largest.prefix(Self.listedMax))
  }

  private mutating func count(_ node: Int, _ places: [Int]) {
    let record = archive.nodes[node]
    switch record.kind {
    case .object:
      let bytes = archive.byteCount(of: node)
      if Int(record.classIndex) < places.count {
        rows[places[Int(record.classIndex)]].count += 1
        rows[places[Int(record.classIndex)]].bytes += bytes
      }
      if record.references > 1 { sharedObjects += 1 }
      note(node, bytes)
    case .bare:
      let bytes = archive.byteCount(of: node)
      bare.count += 1
      bare.bytes += bytes
      note(node, bytes)
      switch archive.value(0, of: node) {
      case .ascii(let range), .utf16(let range):
        strings += 1
        stringBytes += range.count
        if record.references > 1 { sharedStrings += 1 }
      default: break
      }
    case .null where archive.number(of: node) != 0: conditionalNulls += 1
    case .classRecord where record.references == 0: unusedClasses += 1
    default: break
    }
  }

  /// Keeps the largest, without keeping all.
  private mutating func note(_ node: Int, _ bytes: Int) {
    largest.append((node, bytes))
    guard largest.count >= 4 * Self.listedMax else { return }
    largest.sort { ($0.bytes, $1.node) > ($1.bytes, $0.node) }
    largest.removeLast(largest.count - Self.listedMax)
  }

  /// Counts equal bare strings and data that are objects of their own.
  private mutating func findDuplicates() {
    var groups: [UInt64: (first: Int, copies: Int, bytes: Int)] = [:]
    var bytesLeft = 8 * min(archive.reader.count, .max >> 8)
    for node in archive.nodes.indices where archive.nodes[node].kind == .bare {
      guard let range = payload(node), range.count > 0 else { continue }
      // Values may lie over each other.
      guard bytesLeft >= range.count else { break }
      bytesLeft -= range.count
      let key = archive.reader.withBytes(in: range) { bytes in
        bytes.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
      }
      guard let key else { continue }
      if let known = groups[key] {
        // Only what is truly equal counts; a rare clash of two keys is passed over.
        guard let first = payload(known.first), equal(first, range) else { continue }
        groups[key] = (known.first, known.copies + 1, known.bytes + range.count)
      } else {
        groups[key] = (node, 1, 0)
      }
    }
    for group in groups.values where group.copies > 1 {
      duplicateBytes += group.bytes
      duplicates.append(
        Duplicate(
          text: archive.value(0, of: group.first), copies: group.copies, bytes: group.bytes))
    }
    duplicates.sort { ($0.bytes, $1.start) > ($1.bytes, $0.start) }
    duplicates = Array(duplicates.prefix(Self.listedMax))
  }

  private func payload(_ node: Int) -> Range<Int>? {
    switch archive.value(0, of: node) {
    case .ascii(let range), .utf16(let range), .data(let range): range
    default: nil
    }
  }

  private func equal(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    guard first.count == second.count else { return false }
    return archive.reader.withBytes(in: first) { one in
      archive.reader.withBytes(in: second) { one.elementsEqual($0) } ?? false
    } ?? false
  }
}

extension InspectionStatistics.Duplicate {
  fileprivate var start: Int {
    switch text {
    case .ascii(let range), .utf16(let range), .data(let range): range.lowerBound
    default: 0
    }
  }
}
