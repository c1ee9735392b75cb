import Archiving
import PropertyLists

/// Puts the items of a GNUstep archive into tables.
///
/// The format does not tell where an object ends. Where all objects are of Foundation's value
/// classes, whose items are known, they hold each other as they did in memory. Otherwise nothing is
/// guessed: all objects stand below the top, in their order, and every item below the object that
/// began last.
struct GNUstepSurvey {
  let archive: GNUstepArchive
  private var scanner: GNUstepArchiveScanner
  private(set) var nodes = [InspectedNode(kind: .top, start: 0, count: 0)]
  private var sizes = [0]
  private(set) var items: [ItemTables.Item] = []
  /// The values of the nodes that are open, those of the outermost first.
  private var waiting: [ItemTables.Item] = []
  private var open: [(node: Int, first: Int)] = [(0, 0)]
  private var depth = 0
  /// The node of each object by its number; -1 and less for the first class and those behind it.
  private var numbers: [Int32]
  /// The values of selectors, C strings and pointers by their numbers.
  private var pointers: [ItemTables.Item] = []
  private var targetCount: Int64 = 0
  /// How many bytes the object takes that is about to begin.
  private var headSize = 0
  /// Bytes that the archive has in another form, in their places behind its own.
  private var others: [UInt8] = []
  /// How long texts are, by their places.
  private var lengths: [Int: Int] = [:]

  /// - Throws: `InspectionError` when the tables would take far more memory than the archive has
  ///   bytes, and `ArchiveError` when the archive is broken.
  static func archive(_ bytes: [UInt8]) throws -> InspectedArchive {
    let archive = try GNUstepArchive(bytes)
    try checkSize(archive)
    do {
      var survey = GNUstepSurvey(archive)
      try survey.resolve()
      return survey.graph()
    } catch let error as InspectionError {
      var graph = try flat(archive, because: error.description)
      graph.header.notes.append(
        "\(error): where objects end is not known, so each item stands below the object that "
          + "began last")
      return graph
    }
  }

  /// The archive without its tables, for `RawWriter`.
  static func raw(_ bytes: [UInt8]) throws -> InspectedArchive {
    GNUstepSurvey(try GNUstepArchive(bytes)).graph()
  }

  /// Every item below the object that began last.
  static func flat(_ archive: GNUstepArchive, because reason: String) throws -> InspectedArchive {
    var survey = GNUstepSurvey(archive)
    while let event = try survey.next() {
      guard case .beginObject(let number, let kind) = event else {
        survey.add(event)
        continue
      }
      if survey.open.count > 1 { survey.end() }
      survey.begin(number, kind)
    }
    while !survey.open.isEmpty { survey.end() }
    var graph = survey.graph()
    graph.unresolved = reason
    return graph
  }

  private init(_ archive: GNUstepArchive) {
    self.archive = archive
    scanner = archive.events()
    numbers = Array(repeating: .min, count: archive.objectCount + 1)
  }

  /// What the record of a class takes with its names, about.
  private static let classBytes = 256

  private static func checkSize(_ archive: GNUstepArchive) throws {
    var count = archive.objectCount
    var scanner = archive.events()
    while try scanner.next() != nil { count += 1 }
    let byteCount =
      count * MemoryLayout<ItemTables.Item>.stride
      + archive.objectCount * (MemoryLayout<InspectedNode>.stride + 16)
      + archive.classes.count * classBytes
    guard byteCount <= 22 << 20 + 16 * archive.reader.count,
      archive.reader.count <= Int(UInt32.max)
    else { throw InspectionError.tooManyValues(in: archive.reader.count) }
  }

  // MARK: The archive

  private func graph() -> InspectedArchive {
    var header = InspectionHeader(format: .gnustep, byteCount: archive.reader.count)
    header.version = Int64(archive.version)
    header.archiver = "NSArchiver of GNUstep"
    let counted = Int(String(decoding: bytes(33..<41), as: UTF8.self), radix: 16) ?? 0
    if counted > archive.objectCount {
      header.notes.append(
        "the header counts \(InspectionText.count(counted, "object")): those that others took the "
          + "place of are not written")
    }
    let reader = others.isEmpty ? archive.reader : ByteReader(archive.reader.bytes + others)
    var graph = InspectedArchive(
      header: header,
      source: .items(archive, ItemTables(reader: reader, items: items, sizes: sizes)),
      nodes: nodes, classes: classes(), top: 0,
      nodeOfNumber: numbers.map { $0 < 0 ? InspectedNode.absent : UInt32($0) })
    graph.depth = depth
    return graph
  }

  private func classes() -> [InspectedClass] {
    let names = archive.classes.map { archive.text($0.name.prefix(1_024)) }
    // So many classes are no program's: their chains would take far more than the archive.
    let most = names.count < 10_000 ? 32 : 1
    return names.indices.map { place in
      var archived = InspectedClass(chain: [], number: place + 1)
      var next = place + 1
      while next > 0, next <= names.count, archived.chain.count < most {
        archived.chain.append(names[next - 1])
        archived.versions.append(Int(archive.classes[next - 1].version))
        next = archive.classes[next - 1].superclass
      }
      return archived
    }
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    archive.reader.withBytes(in: range) { [UInt8]($0) } ?? []
  }

  /// The place of bytes that the archive has in another form.
  mutating func keep(_ bytes: some Collection<UInt8>) -> Range<Int> {
    let start = archive.reader.count + others.count
    others += bytes
    return start..<start + bytes.count
  }

  /// The units of UTF-16 of a text, which is counted once.
  mutating func length(ofText range: Range<Int>) -> Int {
    if range.isEmpty { return 0 }
    if let known = lengths[range.lowerBound] { return known }
    let start = range.lowerBound - archive.reader.count
    let text = start < 0 ? bytes(range) : Array(others[start..<start + range.count])
    let length = String(decoding: text, as: UTF8.self).utf16.count
    lengths[range.lowerBound] = length
    return length
  }

  // MARK: Nodes

  /// Where the next item begins.
  var offset: Int { scanner.offset }

  /// The next item, whose bytes are counted for the node that is open or for its own.
  mutating func next() throws -> GNUstepArchiveEvent? {
    let start = scanner.offset
    guard let event = try scanner.next() else { return nil }
    if case .beginObject = event {
      headSize = scanner.offset - start
    } else {
      sizes[open[open.count - 1].node] += scanner.offset - start
    }
    return event
  }

  mutating func begin(_ number: Int, _ classNumber: Int) {
    var node = InspectedNode(kind: .object, start: 0, count: 0)
    node.number = UInt32(truncatingIfNeeded: number)
    if classNumber > 0 { node.classIndex = UInt32(truncatingIfNeeded: classNumber - 1) }
    numbers[number] = Int32(truncatingIfNeeded: nodes.count)
    addNode(node, "@")
    sizes[sizes.count - 1] = headSize
    open.append((nodes.count - 1, waiting.count))
    depth = max(depth, open.count - 1)
  }

  mutating func end() {
    let (node, first) = open.removeLast()
    nodes[node].start = UInt32(truncatingIfNeeded: items.count)
    nodes[node].count = UInt32(truncatingIfNeeded: waiting.count - first)
    items += waiting[first...]
    waiting.removeLast(waiting.count - first)
  }

  private mutating func addNode(_ node: InspectedNode, _ type: Unicode.Scalar) {
    let holder = open[open.count - 1]
    nodes.append(node)
    nodes[nodes.count - 1].parent = UInt32(truncatingIfNeeded: holder.node)
    nodes[nodes.count - 1].slot = UInt32(truncatingIfNeeded: waiting.count - holder.first)
    nodes[nodes.count - 1].references = 1
    sizes.append(0)
    add(.node(nodes.count - 1), type)
  }

  /// The value that was added last.
  var last: InspectedValue? { waiting.last?.value }

  // MARK: Values

  mutating func add(_ value: InspectedValue, _ type: Unicode.Scalar) {
    waiting.append(ItemTables.Item(value: value, type: UInt8(truncatingIfNeeded: type.value)))
  }

  /// Adds an item that is no new object.
  mutating func add(_ event: GNUstepArchiveEvent) {
    switch event {
    case .integer(let value, let type): add(.integer(value), Unicode.Scalar(type))
    case .unsigned(let value, let type): add(ItemTables.whole(value), Unicode.Scalar(type))
    case .wideInteger(let range, let type):
      add(ItemTables.wide(range, type, archive.reader), Unicode.Scalar(type))
    case .float(let value): add(.float(value), "f")
    case .double(let value): add(.double(value), "d")
    case .bool(let value): add(.bool(value), "B")
    case .beginObject: break
    case .reference(let number): addReference(number)
    case .classObject(let number, let kind):
      if kind > 0 { numbers[number] = -Int32(truncatingIfNeeded: kind) }
      addReference(number)
    case .archivedClass(let kind): add(.archivedClass(kind - 1), "#")
    case .newSelector(_, let name, let types):
      addPointer(.symbol(name), ":")
      if !types.isEmpty { add(.symbol(types), ":") }
    case .newCString(_, let range): addPointer(.cString(range), "*")
    case .newPointer:
      targetCount += 1
      addPointer(.integer(targetCount), "^")
    case .pointerReference(let number):
      waiting.append(
        number <= pointers.count ? pointers[number - 1] : ItemTables.Item(value: .none, type: 0x5E))
    case .none(let type): add(.none, Unicode.Scalar(type))
    case .numbers(let type, let width, let range): addNumbers(type, width, range)
    case .beginArray(let count): add(.integer(Int64(count)), "[")
    case .beginStructure: add(.nothing, "{")
    }
  }

  private mutating func addPointer(_ value: InspectedValue, _ type: Unicode.Scalar) {
    add(value, type)
    pointers += waiting.suffix(1)
  }

  private mutating func addReference(_ number: Int) {
    let known = number < numbers.count ? numbers[number] : .min
    if known >= 0 {
      nodes[Int(known)].references += 1
      add(.node(Int(known)), "@")
    } else {
      add(known == .min ? .none : .archivedClass(-Int(known) - 1), "@")
    }
  }

  /// Characters are a text, other bytes are data.
  private mutating func addNumbers(_ type: UInt8, _ width: Int, _ range: Range<Int>) {
    let code = Unicode.Scalar(type)
    switch (code, width) {
    case ("c", 1), ("C", 1):
      let text = String(validating: bytes(range), as: UTF8.self)
      add(text.map(Self.isVisible) ?? false ? .bytes(range) : .data(range), code)
    case ("S", 2) where archive.text(ofNumbers: range, type: type).map(Self.isVisible) ?? false:
      add(.utf16(range), code)
    default: addNode(ItemTables.array(type, width: width, range), code)
    }
  }

  private static func isVisible(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains { $0 < 9 || $0 == 0x7F }
  }
}
