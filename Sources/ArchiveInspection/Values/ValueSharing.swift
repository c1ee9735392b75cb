/// Which values of an archive are repeated where they are shared, and which are referred to.
///
/// Every object that can be reached is gone through once, without recursion: a value of at most
/// `sizeMax` values is repeated; a larger one, and one that holds itself, is written at its first
/// place and referred to from the others.
struct ValueSharing {
  /// How many values a shared one may have, itself among them, to be repeated.
  static let sizeMax = 32

  /// For each node the values that it is unfolded, at most `tooLarge`; whether several places refer
  /// to it, and whether it is written.
  private var marks: [UInt8]

  private static let tooLarge: UInt8 = 33
  private static let sizeMask: UInt8 = 0x3F
  private static let severalMark: UInt8 = 0x40
  private static let writtenMark: UInt8 = 0x80

  private struct Frame {
    var parts: ValueParts
    var node: UInt32
    var next: UInt32 = 0
    var size: UInt8 = 1
  }

  /// Goes through everything that some nodes lead to.
  ///
  /// - Throws: `InspectionError` where the same bytes are used over and over.
  init(_ shaper: ValueShaper, from root: InspectedValue, workMax: Int) throws {
    let archive = shaper.archive
    marks = Array(repeating: 0, count: archive.nodes.count)
    var frames: [Frame] = []
    var lists = ValueLists()
    var workLeft = workMax
    /// Opens a value; a value without parts is done at once.
    func begin(_ node: Int) throws {
      let shape = shaper.shape(of: node)
      var parts = shape.parts
      lists.keep(shape, in: &parts)
      workLeft -= 1 + Int(parts.count)
      if case .attributedText(let text) = shape.form {
        workLeft -= archive.byteCount(of: text) / 64
      }
      guard workLeft > 0 else {
        throw InspectionError(
          .unreadable, "the same bytes are used over and over: far more values than bytes")
      }
      // As long as it is open, a way back to it is a circle.
      marks[node] |= parts.count == 0 ? 1 : Self.tooLarge
      if parts.count > 0 {
        frames.append(Frame(parts: parts, node: UInt32(truncatingIfNeeded: node)))
      }
    }
    guard case .node(let top) = root else { return }
    try begin(top)
    while let last = frames.indices.last {
      let parts = frames[last].parts
      let index = Int(frames[last].next)
      guard index < parts.count else {
        lists.drop(parts)
        let (node, size) = (Int(frames[last].node), frames[last].size)
        marks[node] = marks[node] & ~Self.sizeMask | size
        frames.removeLast()
        if last > 0 { frames[last - 1].size = Self.sum(frames[last - 1].size, size) }
        continue
      }
      frames[last].next += 1
      var size: UInt8 = 1
      if case .node(let child) = lists.part(index, of: parts, archive) {
        if marks[child] & Self.sizeMask != 0 {
          marks[child] |= Self.severalMark
        } else {
          try begin(child)
          if frames.count > last + 1 { continue }
        }
        size = marks[child] & Self.sizeMask
      }
      // A text that is a key is no value of its own.
      if !parts.isKey(index) || size > 1 {
        frames[last].size = Self.sum(frames[last].size, size)
      }
    }
  }

  private static func sum(_ one: UInt8, _ two: UInt8) -> UInt8 { min(tooLarge, one + two) }

  /// Whether a node is written once and referred to from other places.
  func isReferred(_ node: Int) -> Bool {
    marks[node] & Self.severalMark != 0 && marks[node] & Self.sizeMask == Self.tooLarge
  }

  /// Whether a node was written; it is from now on.
  mutating func write(_ node: Int) -> Bool {
    defer { marks[node] |= Self.writtenMark }
    return marks[node] & Self.writtenMark != 0
  }
}

/// The lists of places and runs that open values need, the innermost last.
struct ValueLists {
  private var places: [[Int]] = []
  private var runs: [[(attributes: InspectedValue, length: Int)]] = []

  /// Keeps the list of a value that is opened.
  mutating func keep(_ shape: ValueShape, in parts: inout ValueParts) {
    switch parts.kind {
    case .places:
      parts.second = UInt32(truncatingIfNeeded: places.count)
      if parts.count > 0 { places.append(shape.places) }
    case .runs:
      parts.second = UInt32(truncatingIfNeeded: runs.count)
      if parts.count > 0 { runs.append(shape.runs) }
    default: break
    }
  }

  /// Forgets the list of a value that is closed: the last one that was kept.
  mutating func drop(_ parts: ValueParts) {
    switch parts.kind {
    case .places: places.removeLast()
    case .runs: runs.removeLast()
    default: break
    }
  }

  /// A part of a value, by its place among all its parts.
  func part(_ index: Int, of parts: ValueParts, _ archive: InspectedArchive) -> InspectedValue {
    let node = Int(parts.node)
    switch parts.kind {
    case .none: return .none
    case .row: return archive.value(Int(parts.second) + index, of: node)
    case .turns: return archive.value(Int(parts.second) + index, of: node)
    case .pairs: return archive.value(index / 2, of: index & 1 == 0 ? node : Int(parts.second))
    case .places: return archive.value(places[Int(parts.second)][index], of: node)
    case .runs: return runs[Int(parts.second)][index].attributes
    }
  }

  /// The length of a run of a text, in units of UTF-16.
  func runLength(_ index: Int, of parts: ValueParts) -> Int {
    parts.kind == .runs ? runs[Int(parts.second)][index].length : 0
  }
}

extension ValueParts {
  /// Whether a part is a key of a dictionary, which is no value of its own.
  func isKey(_ index: Int) -> Bool { (kind == .pairs || kind == .turns) && index & 1 == 0 }
}

extension InspectedArchive {
  /// How many bytes a text or data takes; 0 for other values.
  func byteCount(of value: InspectedValue) -> Int { valueRange(of: value).count }

  /// Where the bytes of a text or data stand; empty for other values.
  func valueRange(of value: InspectedValue) -> Range<Int> {
    if case .data(let range) = value { return range }
    return textRange(of: value)
  }
}
