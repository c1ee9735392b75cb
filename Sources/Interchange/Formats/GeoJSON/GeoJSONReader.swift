import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// Reads a GeoJSON text in one pass straight into the columns of blocks.
///
/// Members may be in any order. Facts beyond the columns are kept beside them, so that a writer can
/// reproduce the bytes: the white space by place (`GeoJSONLayout`), the style of numbers and the
/// order of members (`FeatureShape`), and where that does not suffice the text itself.
///
/// The root gaps of the layout are, in order: before the root's brace; after it; for every member
/// after its name, after its colon, and after its value, then after the comma if one follows; after
/// the root's closing brace. For roots that are no collection: before the first item; after the
/// last.
struct GeoJSONReader {
  var scanner: JSONScanner
  var learner = LayoutLearner()
  var escapes = EscapeLearner()
  var builder = FeatureBlockBuilder()
  var shapes = ShapeTable()
  var notes = NoteCollector()
  var key = ShapeKey()
  /// The geometries around the one in progress.
  var frames: [GeometryFrame] = []
  /// A buffer for a string's value.
  var text: [UInt8] = []
  /// The state of the feature in progress.
  var item = ItemState()
  /// The most decimals of a coordinate so far.
  var decimals = 0
  /// Whether coordinates are longitudes and latitudes, as far as known.
  var isGeographic = true
  /// The statements about the coordinate system so far.
  var systems = SystemEvidence()
  /// The coordinate system, after the last feature.
  var coordinateSystem = CoordinateSystem.crs84

  var root = CollectionSource.Root.featureCollection
  private var members: [CollectionSource.Member] = []
  /// The spelling of those members between their quotes.
  private var memberTexts: [[UInt8]] = []
  var rootGaps: [[UInt8]] = []
  /// White space around items beyond the layout, by the number of their features.
  var itemGaps: [UInt64: GeoJSONLayout.ItemGap] = [:]
  private var name: String?
  private var hasByteOrderMark = false
  /// The parts of a text that is never whole in memory.
  let parts: TextParts?
  /// The features that a second reading is for; `nil` for all.
  var chosen: FeatureNumbers?
  /// How many features were skipped.
  var skipped: UInt64 = 0
  /// Whether each feature stands on a line of its own.
  var areOnLines = true
  /// The white space after the item read last, of those on lines.
  var lastGap = 0..<0
  /// The division of the text among processors.
  var regions = TextRegions()
  /// The regions that copies have read ahead of this reader.
  var ahead = RegionsAhead()
  /// What is known of the blocks that were handed over; all of them where the text is whole.
  private(set) var known = ReadBlocks()

  init(scanner: JSONScanner, parts: TextParts? = nil) {
    (self.scanner, self.parts) = (scanner, parts)
    guard let memory = parts?.memory else { return }
    if let learned = memory.learned, let numbers = memory.chosen {
      (learner, escapes) = learned
      chosen = numbers
    }
  }

  /// The number in the file of the feature that is being read, from 1.
  var featureNumber: Int { Int(truncatingIfNeeded: builder.nextFeatureID) }

  /// Reads the whole text.
  mutating func read(progress: (Double) throws -> Void) throws {
    try checkEncoding()
    let start = scanner.position
    scanner.skipWhitespace()
    if scanner.current == 0x1E {
      scanner.position = start
      try readSequence(progress)
      try finish()
      return
    }
    rootGaps.append(Array(scanner.bytes(start..<scanner.position)))
    guard scanner.current == UInt8(ascii: "{") else { throw notGeoJSON() }
    switch try rootType() {
    case "FeatureCollection": try readCollection("features", .featureCollection, progress)
    case "GeometryCollection": try readCollection("geometries", .geometryCollection, progress)
    default: try readLines(progress)
    }
    try finish()
  }

  /// Closes the last block, and decides what depends on all.
  private mutating func finish() throws {
    if let parts, !parts.isLast { throw TextParts.NeedsWhole() }
    _ = builder.finish()
    if let parts {
      try handOver(to: parts)
    } else {
      for block in builder.blocks { known.add(block) }
    }
    // The first reading settled what depends on all features.
    if chosen != nil { return }
    try settleSystem()
    // White space that is kept by the numbers of features needs all of them.
    let areAlike = root == .lines && areOnLines && itemGaps.isEmpty
    parts?.memory.learned = areAlike ? (learner, escapes) : nil
  }

  /// Reports the part of the text that is read, from 0 to 1.
  func reportProgress(to progress: (Double) throws -> Void) throws {
    let count = parts?.byteCount ?? scanner.count
    try progress(Double(scanner.position) / Double(max(1, count)))
  }

  /// Reports progress; goes on to the next part of a text that is read in parts.
  ///
  /// - Returns: the offset of the item before which it is to be called again.
  mutating func advance(
    _ items: TextParts.Items, _ progress: (Double) throws -> Void
  ) throws -> Int {
    try reportProgress(to: progress)
    guard let parts else { return scanner.position + 1 << 20 }
    try handOver(to: parts)
    if itemGaps.count > TextParts.oddGapsMax { throw TextParts.NeedsWhole() }
    return try parts.advance(&scanner, &escapes, items)
  }

  /// Hands the closed blocks over.
  private mutating func handOver(to parts: TextParts) throws {
    for block in builder.takeBlocks() {
      known.add(block)
      known.nameFeatures(notes.features, in: block)
      try parts.take(block)
    }
  }

  /// The layer of the file.
  func layer(_ options: ImportOptions) -> any FeatureHolding {
    var layout = learner.layout
    layout.rootGaps = rootGaps
    layout.itemGaps = itemGaps
    layout.hasByteOrderMark = hasByteOrderMark
    layout.escapes = escapes.style
    for (index, (member, text)) in zip(members, memberTexts).enumerated()
    where text != JSONText.quoted(member.name.utf8, style: escapes.style).dropFirst().dropLast() {
      layout.nameTexts[index] = text
    }
    let source = CollectionSource(
      root: root, members: members, whitespace: layout.words,
      decimals: known.vertexCount == 0 ? 6 : decimals)
    let defaults = known.defaults
    let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? options.name
    let id = LayerID(options.firstLayerID)
    if root == .featureCollection, let field = NotesMember.textField(members) {
      var notes = AnnotationLayer(id: id, name: name)
      notes.style = notes.style.changed { $0.labelField = field }
      (notes.source, notes.blocks) = (source, builder.blocks)
      notes.nextFeatureID = builder.nextFeatureID
      return notes
    }
    return FeatureLayer(
      id: id, name: name,
      style: defaults.style(named: name),
      source: source, blocks: builder.blocks, nextFeatureID: builder.nextFeatureID)
  }

  // MARK: The root

  private mutating func checkEncoding() throws(ScanFault) {
    let head = (0..<4).map { scanner.byte(at: $0) }
    if head[0] == 0xEF, head[1] == 0xBB, head[2] == 0xBF {
      scanner.position = 3
      hasByteOrderMark = true
      notes.add(.byteOrderMark, at: 0)
    } else if head == [0, 0, 0xFE, 0xFF] || head == [0xFF, 0xFE, 0, 0]
      || head == [0, 0, 0, 0x7B] || head == [0x7B, 0, 0, 0] && scanner.count > 3
    {
      throw ScanFault(.utf32, at: 0)
    } else if head[0] == 0xFE && head[1] == 0xFF || head[0] == 0xFF && head[1] == 0xFE
      || isWide(head[0], head[1], head[2], head[3]) || isWide(head[1], head[0], head[3], head[2])
    {
      throw ScanFault(.utf16, at: 0)
    } else if head[0] == 0x1F && head[1] == 0x8B || head == [0x50, 0x4B, 3, 4]
      || head == [0xFD, 0x37, 0x7A, 0x58] || head[0] == 0x28 && head[1] == 0xB5
    {
      throw ScanFault(.compressed, at: 0)
    }
  }

  /// Whether bytes are one or two characters of text in UTF-16, the high byte of each first.
  private func isWide(_ high1: UInt8, _ low1: UInt8, _ high2: UInt8, _ low2: UInt8) -> Bool {
    func isText(_ byte: UInt8) -> Bool { (9...13).contains(byte) || byte >= 0x20 && byte != 0x7F }
    guard scanner.count > 1, high1 == 0, isText(low1) else { return false }
    return scanner.count < 4 || high2 == 0 && isText(low2)
  }

  private func notGeoJSON() -> any Error {
    var probe = scanner
    if probe.isAtEnd { return ScanFault(.empty, at: 0) }
    // Controls other than white space, the separator of sequences and the escape of colours.
    let head = scanner.bytes(0..<min(scanner.count, FileHead.count))
    if head.contains(where: { $0 < 9 || (14..<32).contains($0) && $0 != 0x1B && $0 != 0x1E }) {
      return ScanFault(.binary, at: probe.position)
    }
    do throws(ScanFault) {
      let start = probe.position
      try probe.skipValue()
      return ScanFault(.notGeoJSON, at: start)
    } catch {
      return error
    }
  }

  /// The type of the root object; the position stays at its brace.
  ///
  /// Members before the type are skipped; a `features` array without any type counts as one.
  private mutating func rootType() throws(ScanFault) -> String {
    var probe = scanner
    var names: Set<String> = []
    probe.position += 1
    probe.skipWhitespace()
    while probe.current != UInt8(ascii: "}") {
      let token = try probe.scanString()
      let name = string(token)
      names.insert(name)
      probe.skipWhitespace()
      try probe.expect(UInt8(ascii: ":"))
      probe.skipWhitespace()
      if name == "type", probe.current == UInt8(ascii: "\"") {
        let value = string(try probe.scanString())
        if value == "Topology" { throw ScanFault(.topoJSON, at: probe.position) }
        return value
      }
      try probe.skipValue()
      probe.skipWhitespace()
      guard probe.current == UInt8(ascii: ",") else { break }
      probe.position += 1
      probe.skipWhitespace()
    }
    if probe.current != UInt8(ascii: "}") { throw probe.unexpected("comma or } expected") }
    if names.contains("geometryType") || names.contains("spatialReference") {
      throw ScanFault(.esriJSON, at: scanner.position)
    }
    guard names.contains("features") else { throw ScanFault(.notGeoJSON, at: scanner.position) }
    notes.add(.typeMissing, at: scanner.position)
    return "FeatureCollection"
  }

  /// The value of a string for comparing and naming.
  func string(_ token: JSONScanner.Token) -> String {
    let bytes = scanner.bytes(token.start..<token.end)
    guard token.hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
    var value: [UInt8] = []
    _ = JSONText.unescape(bytes, into: &value)
    return String(decoding: value, as: UTF8.self)
  }

  /// The value of a member's name; its text, if it contains a lone surrogate.
  func nameValue(_ token: JSONScanner.Token) -> [UInt8] {
    let bytes = scanner.bytes(token.start..<token.end)
    guard token.hasEscapes else { return Array(bytes) }
    var value: [UInt8] = []
    return JSONText.unescape(bytes, into: &value) ? value : Array(bytes)
  }

  private mutating func keepGap() {
    let start = scanner.position
    scanner.skipWhitespace()
    rootGaps.append(Array(scanner.bytes(start..<scanner.position)))
  }

  private mutating func readCollection(
    _ itemsName: String, _ root: CollectionSource.Root, _ progress: (Double) throws -> Void
  ) throws {
    self.root = root
    scanner.position += 1
    keepGap()
    var hasItems = false
    var seen: Set<[UInt8]> = []
    while scanner.current != UInt8(ascii: "}") {
      let start = scanner.position
      let token = try scanner.scanString()
      let value = nameValue(token)
      if !seen.insert(value).inserted { notes.add(.duplicateMembers, at: start) }
      let name = String(decoding: value, as: UTF8.self)
      memberTexts.append(Array(scanner.bytes(token.start..<token.end)))
      keepGap()
      try scanner.expect(UInt8(ascii: ":"))
      keepGap()
      if name == itemsName {
        if hasItems { throw ScanFault(.givenTwice, at: start, itemsName) }
        hasItems = true
        members.append(CollectionSource.Member(name: name, json: ""))
        try readItemArray(progress)
        try parts?.loadRest(&scanner, &escapes)
      } else {
        let range = try scanner.skipValue()
        keepMember(name, range)
      }
      keepGap()
      guard scanner.current == UInt8(ascii: ",") else { break }
      scanner.position += 1
      keepGap()
      if scanner.current != UInt8(ascii: "\"") { throw scanner.unexpected("a name expected") }
    }
    try scanner.expect(UInt8(ascii: "}"))
    if !hasItems {
      throw ScanFault(.wrongType, at: scanner.position - 1, "\(itemsName) is missing")
    }
    keepGap()
    if !scanner.isAtEnd { throw ScanFault(.moreAfterEnd, at: scanner.position) }
  }

  private mutating func keepMember(_ name: String, _ range: Range<Int>) {
    let json = String(decoding: scanner.bytes(range), as: UTF8.self)
    members.append(CollectionSource.Member(name: name, json: json))
    if name == "name", scanner.byte(at: range.lowerBound) == UInt8(ascii: "\"") {
      var probe = scanner
      probe.position = range.lowerBound
      if let token = try? probe.scanString() { self.name = string(token) }
    }
    if name == "crs" { noteSystem(json, at: range.lowerBound) }
  }
}
