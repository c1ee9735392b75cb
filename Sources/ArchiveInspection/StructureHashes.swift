import PropertyLists

/// A number for each node that is the same for parts that look the same, whatever their numbers.
///
/// It only guides how lists are aligned: what differs is found by going through both archives.
struct StructureHashes {
  private(set) var values: [UInt64]
  /// The numbers of long texts and data, by their places: a place may be referred to very often.
  private var longValues: [Int: UInt64] = [:]

  static let seed: UInt64 = 14_695_981_039_346_656_037

  init(_ archive: InspectedArchive) {
    values = Array(repeating: 0, count: archive.nodes.count)
    // A comparison without all objects is refused when it begins.
    guard archive.unsurveyed == nil else { return }
    var isDone = Array(repeating: false, count: archive.nodes.count)
    var isOpen = isDone
    var frames: [(node: Int, next: Int, hash: UInt64)] = []
    func begin(_ node: Int) {
      isOpen[node] = true
      var hash = Self.mix(Self.seed, UInt64(archive.nodes[node].kind.rawValue))
      for byte in (archive.archivedClass(of: node)?.name ?? "").utf8 {
        hash = Self.mix(hash, UInt64(byte))
      }
      frames.append((node, 0, hash))
    }
    begin(archive.top)
    while var frame = frames.popLast() {
      guard frame.next < archive.valueCount(of: frame.node) else {
        values[frame.node] = frame.hash
        isDone[frame.node] = true
        guard var parent = frames.popLast() else { continue }
        parent.hash = Self.mix(parent.hash, frame.hash)
        frames.append(parent)
        continue
      }
      let index = frame.next
      frame.next += 1
      if case .key(let key) = archive.label(index, of: frame.node) {
        for byte in key.utf8.prefix(64) { frame.hash = Self.mix(frame.hash, UInt64(byte)) }
        frame.hash = Self.mix(frame.hash, UInt64(key.utf8.count))
      }
      let value = archive.value(index, of: frame.node)
      guard case .node(let child) = value else {
        frame.hash = Self.mix(frame.hash, leaf(value, archive))
        frames.append(frame)
        continue
      }
      if isDone[child] || isOpen[child] {
        // A way back to what is still open counts as one mark.
        frame.hash = Self.mix(frame.hash, isDone[child] ? values[child] : 7)
        frames.append(frame)
      } else {
        frames.append(frame)
        begin(child)
      }
    }
  }

  /// The number of any value.
  func of(_ value: InspectedValue, _ archive: InspectedArchive) -> UInt64 {
    if case .node(let node) = value { return values[node] }
    if let range = Self.longRange(of: value), let known = longValues[range.lowerBound] {
      return known
    }
    return Self.leaf(value, archive)
  }

  private mutating func leaf(_ value: InspectedValue, _ archive: InspectedArchive) -> UInt64 {
    guard let range = Self.longRange(of: value) else { return Self.leaf(value, archive) }
    if let known = longValues[range.lowerBound] { return known }
    let hash = Self.leaf(value, archive)
    longValues[range.lowerBound] = hash
    return hash
  }

  /// The place of a text or data of more than 64 bytes.
  private static func longRange(of value: InspectedValue) -> Range<Int>? {
    switch value {
    case .ascii(let range), .utf16(let range), .bytes(let range), .symbol(let range),
      .cString(let range), .data(let range):
      range.count > 64 ? range : nil
    default: nil
    }
  }

  static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    var mixed = (hash ^ value) &* 1_099_511_628_211
    mixed ^= mixed >> 29
    return mixed
  }

  private static func leaf(_ value: InspectedValue, _ archive: InspectedArchive) -> UInt64 {
    switch value {
    case .bool(let value): return value ? 3 : 2
    case .integer(let value): return mix(11, UInt64(bitPattern: value))
    case .unsigned(let value): return mix(11, value)
    case .uid(let value): return mix(23, UInt64(value))
    case .float(let value): return mix(13, Double(value).bitPattern)
    case .double(let value): return mix(13, value.bitPattern)
    case .date(let value): return mix(17, value.bitPattern)
    case .ascii(let range), .utf16(let range), .bytes(let range), .symbol(let range),
      .cString(let range), .data(let range), .wide(let range):
      return archive.reader.withBytes(in: range) { bytes in
        let start = bytes.prefix(1_024).reduce(seed) { mix($0, UInt64($1)) }
        let end = bytes.dropFirst(1_024).suffix(1_024).reduce(start) { mix($0, UInt64($1)) }
        return mix(end, UInt64(bytes.count))
      } ?? 1
    case .archivedClass(let index): return mix(19, UInt64(index))
    case .broken: return 5
    case .none, .null, .nothing, .node: return 1
    }
  }
}
