import PortolanGraphics

/// How a file is checked.
package struct CheckOptions: Sendable {
  /// Whether all findings are kept, for repairs; else at most `FindingList.keptMax` of a code.
  package var keepsAll = false
  /// Whether the place of each feature is kept.
  package var keepsFeatures = false
  /// The codes that are looked for.
  package var choice = CodeChoice()
  /// Whether the name of the file promises a value a line.
  package var isOfLines = false

  package init() {}
}

/// A checked text.
package struct CheckedText: Sendable {
  package var list: FindingList
  /// The bytes of each feature in order, if they were asked for.
  package var features: [Range<Int>] = []
  /// Whether they are in a collection, not each a value of its own.
  package var isCollection = false
}

/// Checks GeoJSON, a value a line and sequences in one pass over the bytes.
///
/// It is tolerant: it tells the faults at which readers stop, and goes on behind them. A text
/// that is no JSON is checked up to the place where it breaks; of lines only the broken ones are
/// left out.
struct GeoJSONCheck {
  var walker: JSONWalker
  var options: CheckOptions
  var list = FindingList()
  var features: [Range<Int>] = []
  var isCollection = false
  /// Whether record separators stand before the values.
  private var isSequence = false
  /// The way from the root to the present value.
  var path: [PathStep] = []
  /// The coordinates of the present geometry.
  var buffer = CoordinateBuffer()
  var polygons = PolygonCheck()
  var ringFaults: [RingFault] = []
  /// The extent of the present object's geometries.
  var content = ContentBox()
  var columns = ColumnTable()
  var identifiers = IdentifierTable()
  var values = ValueFacts()
  /// Findings that wait for the end of the file.
  var degreeFindings: [DegreeFinding] = []
  private var kept: [FaultCode: Int] = [:]

  /// The deepest nesting of objects of GeoJSON in each other.
  static let depthMax = 64

  init(_ walker: JSONWalker, _ options: CheckOptions) {
    self.walker = walker
    self.options = options
    if options.keepsAll { self.walker.notedMax = 1_000_000 }
  }

  /// Checks a text.
  ///
  /// - Parameter progress: called with the part that is done, 0 to 1; it stops by throwing.
  static func check(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: CheckOptions,
    progress: (Double) throws -> Void
  ) throws -> CheckedText {
    guard let walker = JSONWalker(bytes) else {
      var list = FindingList()
      list.findings = [Finding(.empty, "the file is empty", offset: 0, path: "$", extent: 0..<0)]
      list.findings.removeAll { !options.choice.contains($0.code) }
      list.settlePlaces(in: bytes)
      return CheckedText(list: list)
    }
    var check = GeoJSONCheck(walker, options)
    try check.run(progress)
    check.list.settlePlaces(in: bytes)
    return CheckedText(
      list: check.list, features: check.features, isCollection: check.isCollection)
  }

  // MARK: Roots

  private mutating func run(_ progress: (Double) throws -> Void) throws {
    if walker.byte(at: 0) == 0xEF, walker.byte(at: 1) == 0xBB, walker.byte(at: 2) == 0xBF {
      emit(
        .byteOrderMark, "the file begins with a byte order mark", at: 0,
        edits: [TextEdit(0..<3, [])])
      walker.position = 3
    }
    var isOfLines = options.isOfLines
    skipBetweenRoots()
    if walker.isAtEnd { emit(.empty, "the file is empty", at: 0) }
    while !walker.isAtEnd {
      let start = walker.position
      do {
        try checkRoot(progress)
      } catch let stop as ScanStop {
        takeTextFaults()
        guard isOfLines || isSequence else {
          emit(stop.code, stop.message, at: stop.offset)
          break
        }
        passBroken(stop, from: start)
        path = []
        walker.keys = KeyTable()
        content = ContentBox()
      }
      takeTextFaults()
      let end = walker.position
      skipBetweenRoots()
      if walker.isAtEnd || isOfLines || isSequence { continue }
      let gap = walker.bytes(end..<walker.position)
      let isLine = gap.contains(0x0A) || gap.contains(0x1E)
      emit(
        .restAfterEnd,
        isLine ? "another value follows in this file" : "there is text after the value",
        at: walker.position)
      guard isLine, walker.current == UInt8(ascii: "{") else { break }
      isOfLines = true
    }
    finishColumns()
    finishValues()
  }

  /// Tells why a line or a text of a sequence is broken, and goes to its end.
  private mutating func passBroken(_ stop: ScanStop, from start: Int) {
    let mark: UInt8 = isSequence ? 0x1E : 0x0A
    walker.position = start
    while !walker.isAtEnd, walker.current != mark { walker.position += 1 }
    if stop.offset > walker.position {
      emit(.cut, "the value does not end in its line", at: walker.position)
    } else {
      emit(stop.code, stop.message, at: stop.offset)
    }
  }

  /// Passes white space and record separators.
  private mutating func skipBetweenRoots() {
    walker.skipWhitespace()
    while walker.current == 0x1E {
      walker.position += 1
      isSequence = true
      walker.skipWhitespace()
    }
  }

  private mutating func checkRoot(_ progress: (Double) throws -> Void) throws {
    let start = walker.position
    guard let kind = walker.kindHere else { throw walker.unexpected("a GeoJSON object") }
    guard kind == .object else {
      emit(.notAnObject, "the root is \(kind.words), not an object", at: start)
      try walker.skipValue()
      return
    }
    try progress(Double(start) / Double(walker.count))
    _ = try checkObject(.root, depth: 0, progress)
  }

  // MARK: Findings

  /// Adds a finding, unless its code is not looked for or there are too many of it.
  mutating func emit(
    _ code: FaultCode, _ message: String, at offset: Int, path: String? = nil,
    position: Coordinate? = nil, edits: [TextEdit] = []
  ) {
    guard options.choice.contains(code) else { return }
    let count = kept[code, default: 0]
    guard options.keepsAll || count < FindingList.keptMax else {
      list.dropped[code, default: 0] += 1
      return
    }
    kept[code] = count + 1
    list.findings.append(
      Finding(
        code, message, offset: offset, path: path ?? pathText(), position: position,
        edits: edits))
  }

  /// Adds the faults that the walker passed over.
  mutating func takeTextFaults() {
    if walker.faults.isEmpty { return }
    for fault in walker.faults {
      emit(
        fault.code, fault.message, at: fault.offset,
        path: fault.path.isEmpty ? nil : pathText() + fault.path,
        edits: fault.edit.map { [$0] } ?? [])
    }
    walker.faults.removeAll(keepingCapacity: true)
    for (code, count) in walker.unnoted { list.dropped[code, default: 0] += count }
    walker.unnoted = [:]
  }

  /// The way to the present value, such as `$.features[3].geometry`.
  func pathText() -> String {
    var text = "$"
    for step in path {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += ".\(name)"
      case .key(let range): text += Self.keyText(walker.text(range))
      }
    }
    return text
  }

  static func keyText(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 80
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
    if isPlain { return "." + name }
    var short = String(name.prefix(80))
    if short.count < name.count { short += "…" }
    return "['" + short.replacing("'", with: "\\'") + "']"
  }
}

/// A step on the way to a value.
enum PathStep {
  case index(Int)
  case name(StaticString)
  /// The bytes of a name in the file.
  case key(Range<Int>)
}

/// The extent of some positions.
struct ContentBox {
  var box = Box.empty
  var minZ = Double.infinity
  var maxZ = -Double.infinity

  var isEmpty: Bool { box.isEmpty }

  mutating func formUnion(_ other: ContentBox) {
    box = box.union(other.box)
    minZ = min(minZ, other.minZ)
    maxZ = max(maxZ, other.maxZ)
  }
}
