import PropertyLists

/// How an archive is shown as a tree.
public struct TreeOptions: Hashable, Sendable {
  /// The width of a line, in columns.
  public var columns = 80
  /// Whether texts and data are cut to the width; a text that was shown whole is cut where it is
  /// referred to again in any case.
  public var cutsTexts = true
  /// How many levels are shown; `nil` shows all.
  public var depthMax: Int?
  /// How many elements of each collection are shown; `nil` shows all.
  public var elementCountMax: Int?
  /// Without numbers and sizes, which change with every edit: for comparing texts.
  public var isStable = false
  /// Whether parts are coloured by control sequences of a terminal.
  public var hasColours = false

  /// All levels in lines of 80 columns, without colours.
  public init() {}
}

/// Writes the objects of an archive as an indented tree, each once.
///
/// The way down is kept in an array; no line waits for another, so that the output of any archive
/// needs no more memory than a piece of it.
struct TreeWriter {
  let archive: InspectedArchive
  let options: TreeOptions
  var output: TextOutput
  var line: InspectionLine
  /// Put before every line, for parts of a comparison.
  var margin = ""
  var marginLook = InspectionLine.Look.plain
  /// How much of a text or of bytes is left out before what is shown, because others have it too.
  var skip = 0
  /// Whether what is being written was shown before.
  var isRepeat = false
  var isShown: NodeMarks
  var isClassShown: Set<Int> = []
  /// How many data were shown that hold archives themselves.
  var heldCount = 0
  /// How many bytes of bookmarks may still be read for the words that tell them.
  var bookmarkBytesLeft: Int
  /// The long texts and data that were shown whole.
  var longValues: LongValues
  /// Made with the first path.
  var pathDigests: PathDigests?
  private var frames: [Frame] = []

  /// Deeper levels are not moved further to the right; they carry their level as a number.
  static let indentMax = 16

  private enum Mode {
    case fields, row
    case tail(first: Int)
    case pairs(values: Int)
    case pairTail(first: Int)
    case pairValue(InspectedValue)
    case some([Int])
    /// The elements that are left out.
    case rest(count: Int)
  }

  private struct Frame {
    var node: Int
    var mode: Mode
    var next: Int
    var end: Int
    var depth: Int
  }

  init(_ archive: InspectedArchive, _ options: TreeOptions, _ output: TextOutput) {
    self.archive = archive
    self.options = options
    self.output = output
    line = InspectionLine(hasColours: options.hasColours)
    longValues = LongValues(byteCount: archive.reader.count)
    bookmarkBytesLeft = BookmarkWords.byteCountMax(archive.header.byteCount)
    isShown = NodeMarks(count: archive.nodeEnd)
  }

  /// Writes the objects that the roots lead to, then those that nothing leads to.
  mutating func writeAll() throws {
    if archive.record(of: archive.top).kind == .bare {
      try write(.node(archive.top), label: nil, depth: 0)
    } else {
      isShown[archive.top] = true
      descend(archive.top, nil, depth: 0)
      try run()
    }
    try writeOrphans()
    guard heldCount > 0 else { return }
    try end()
    let words =
      heldCount == 1 ? "1 data value holds an archive" : "\(heldCount) data values hold archives"
    line.add("\(words): --values --nested shows what is inside", .faint)
    try end()
  }

  private mutating func writeOrphans() throws {
    let orphans = archive.orphans.filter { !isShown[$0] }
    guard !orphans.isEmpty else { return }
    try end()
    line.add("nothing leads to \(InspectionText.count(orphans.count, "object"))", .faint)
    try end()
    for node in orphans where !isShown[node] {
      try write(.node(node), label: nil, depth: 1)
    }
  }

  /// Writes one value with all that it leads to.
  mutating func write(_ value: InspectedValue, label: String?, depth: Int = 0) throws {
    if let label {
      indent(depth)
      line.add(Self.name(label), .key)
      line.add(": ")
      try writeValue(value, depth: depth)
    } else {
      indent(depth)
      try writeValue(value, depth: depth)
    }
    try run()
  }

  /// Ends a line.
  mutating func end() throws {
    line.end()
    try output.write(line.bytes)
    line.clear()
  }

  private mutating func run() throws {
    while var frame = frames.popLast() {
      guard frame.next < frame.end else { continue }
      let index = frame.next
      frame.next += 1
      if frame.next < frame.end { frames.append(frame) }
      try writeEntry(frame, index)
    }
  }

  // MARK: Lines

  private mutating func indent(_ depth: Int) {
    if !margin.isEmpty { line.add(margin, marginLook) }
    guard depth > Self.indentMax else { return line.pad(to: line.columns + depth * 2) }
    line.pad(to: line.columns + Self.indentMax * 2)
    line.add(own: "‹\(depth)› ", .faint)
  }

  private mutating func writeEntry(_ frame: Frame, _ index: Int) throws {
    switch frame.mode {
    case .fields: try writeField(frame, index)
    case .some(let fields): try writeField(frame, fields[index])
    case .row:
      try writeElement(archive.value(index, of: frame.node), index, frame.depth)
    case .tail(let first):
      try writeElement(archive.value(first + index, of: frame.node), index, frame.depth)
    case .pairs(let values):
      try writePair(
        archive.value(index, of: frame.node), archive.value(index, of: values), index, frame.depth)
    case .pairValue(let value):
      indent(frame.depth)
      line.add("value \(frame.node): ", .faint)
      try writeValue(value, depth: frame.depth)
    case .rest(let count):
      indent(frame.depth)
      line.add("… " + InspectionText.count(count, "more element"), .faint)
      try end()
    case .pairTail(let first):
      try writePair(
        archive.value(first + 2 * index, of: frame.node),
        archive.value(first + 2 * index + 1, of: frame.node), index, frame.depth)
    }
  }

  private mutating func writeField(_ frame: Frame, _ index: Int) throws {
    indent(frame.depth)
    if addPlainKey(index, of: frame.node) {
      return try writeValue(archive.value(index, of: frame.node), depth: frame.depth)
    }
    switch archive.label(index, of: frame.node) {
    case .index(let place): line.add("[\(place)] ", .faint)
    case .key(let key):
      line.add(Self.name(cut(key, least: 48)), .key)
      line.add(": ")
    case .position(_, _, let type):
      line.add(archive.fieldName(index, of: frame.node), .key)
      line.add(" " + cut(type, least: 24) + " ", .faint)
    }
    try writeValue(archive.value(index, of: frame.node), depth: frame.depth)
  }

  /// Adds a key of visible ASCII that has room in the line; `false` for others.
  private mutating func addPlainKey(_ index: Int, of node: Int) -> Bool {
    guard let range = archive.plainKeyRange(index, of: node),
      !options.cutsTexts || range.count <= 48
    else { return false }
    archive.reader.withBytes(in: range) { line.add(visible: $0, .key) }
    line.add(": ")
    return true
  }

  private mutating func writeElement(
    _ value: InspectedValue, _ index: Int, _ depth: Int
  ) throws {
    indent(depth)
    line.add(options.isStable ? "- " : "[\(index)] ", .faint)
    try writeValue(value, depth: depth)
  }

  private mutating func writePair(
    _ key: InspectedValue, _ value: InspectedValue, _ index: Int, _ depth: Int
  ) throws {
    if let resolved = archive.resolved(key),
      let text = archive.text(of: resolved, limit: options.cutsTexts ? 1_000 : .max)
    {
      indent(depth)
      line.add("\"\(cut(InspectionText.escaped(text.text), least: 48))\"", .key)
      line.add(": ")
      return try writeValue(value, depth: depth)
    }
    if let bare = archive.bare(key), let number = archive.numberWords(bare) {
      indent(depth)
      line.add(number, .key)
      line.add(": ")
      return try writeValue(value, depth: depth)
    }
    // The key comes first with all that it leads to; then its value.
    frames.append(
      Frame(node: index, mode: .pairValue(value), next: 0, end: 1, depth: depth))
    indent(depth)
    line.add("key \(index): ", .faint)
    try writeValue(key, depth: depth)
  }

  // MARK: Down

  /// Goes on with what a node holds; elements come before the fields that are left.
  mutating func descend(_ node: Int, _ form: KnownForm?, depth: Int) {
    guard let form else {
      let kind = archive.record(of: node).kind
      let count = archive.valueCount(of: node)
      if !kind.isRow, kind != .dictionary { return push(node, .fields, count, depth) }
      return pushElements(of: node, kind.isRow ? .row : .fields, count, depth)
    }
    push(node, .some(form.extra), form.extra.count, depth)
    switch form.elements {
    case .none: break
    case .row(let row):
      isShown[row] = true
      pushElements(of: row, .row, archive.valueCount(of: row), depth)
    case .pairs(let keys, let values):
      isShown[keys] = true
      isShown[values] = true
      pushElements(of: keys, .pairs(values: values), archive.valueCount(of: keys), depth)
    case .tail(let first):
      pushElements(of: node, .tail(first: first), archive.valueCount(of: node) - first, depth)
    case .pairTail(let first):
      let count = (archive.valueCount(of: node) - first) / 2
      pushElements(of: node, .pairTail(first: first), count, depth)
    }
  }

  /// The same of a collection, of which the first elements are shown where not all are wanted.
  private mutating func pushElements(of node: Int, _ mode: Mode, _ count: Int, _ depth: Int) {
    let shown = min(count, max(0, options.elementCountMax ?? count))
    if count > shown { push(node, .rest(count: count - shown), 1, depth) }
    push(node, mode, shown, depth)
  }

  private mutating func push(_ node: Int, _ mode: Mode, _ count: Int, _ depth: Int) {
    guard count > 0 else { return }
    frames.append(Frame(node: node, mode: mode, next: 0, end: count, depth: depth))
  }

  /// A name before a colon; one that is empty must be seen.
  private static func name(_ key: String) -> String { key.isEmpty ? "\"\"" : key }

  /// A key or a type, as far as a line has room for it beside what follows.
  private func cut(_ text: String, least count: Int) -> String {
    guard options.cutsTexts else { return text }
    let room = max(count, options.columns * 6 / 10)
    return text.count > room ? text.prefix(room) + "…" : text
  }
}

extension InspectedNode.Kind {
  /// Whether its values are called by their places.
  var isRow: Bool { self == .array || self == .set || self == .structure }
}

/// A mark on each of some nodes.
struct NodeMarks {
  private var words: [UInt64]

  init(count: Int) { words = Array(repeating: 0, count: count / 64 + 1) }

  subscript(node: Int) -> Bool {
    get { words[node >> 6] >> UInt64(node & 63) & 1 != 0 }
    set {
      let bit: UInt64 = 1 << UInt64(node & 63)
      if newValue { words[node >> 6] |= bit } else { words[node >> 6] &= ~bit }
    }
  }
}

/// The long texts and data that were shown whole: each is once, for it may be referred to very
/// often.
struct LongValues {
  private var starts: Set<Int> = []
  private var bytesLeft: Int

  /// A value of more bytes is long.
  private static let countMax = 1_024

  init(byteCount: Int) { bytesLeft = 2 * min(byteCount, .max >> 8) }

  /// Notes a value; whether it is a long one that was shown before.
  ///
  /// Long ones may lie over each other: where they have more bytes than the archive, all but the
  /// first count as shown.
  mutating func contains(_ range: Range<Int>) -> Bool {
    guard range.count > Self.countMax else { return false }
    guard !starts.contains(range.lowerBound), range.count <= bytesLeft else { return true }
    bytesLeft -= range.count
    starts.insert(range.lowerBound)
    return false
  }
}
