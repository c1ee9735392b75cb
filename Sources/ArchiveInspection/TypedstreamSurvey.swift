import Archiving
import PropertyLists

/// Puts the objects and values of a typedstream into tables.
///
/// It goes through the stream three times: to know how large the tables will be, before anything is
/// kept; to make the nodes and count what each holds; and to fill in the values, those of one node
/// together however deep objects are nested. So no table ever grows or is copied.
struct TypedstreamSurvey {
  private let stream: Typedstream
  private var nodes: [InspectedNode] = []
  private var numbers: [UInt32]
  private var tables = StreamTables()
  private var depth = 0

  static func archive(_ bytes: [UInt8]) throws -> InspectedArchive {
    var survey = TypedstreamSurvey(try Typedstream(upToDamage: bytes))
    try survey.makeNodes(try survey.size())
    try survey.fillTables()
    return survey.archive
  }

  /// The archive without its tables, for `RawWriter`.
  static func raw(_ bytes: [UInt8]) throws -> InspectedArchive {
    TypedstreamSurvey(try Typedstream(upToDamage: bytes)).archive
  }

  private init(_ stream: Typedstream) {
    self.stream = stream
    numbers = Array(repeating: InspectedNode.absent, count: stream.objectCount)
  }

  private var archive: InspectedArchive {
    var header = InspectionHeader(format: .typedstream, byteCount: stream.bytes.count)
    header.version = Int64(stream.streamerVersion)
    header.byteOrder = stream.byteOrder == .littleEndian ? "little" : "big"
    header.systemVersion = stream.systemVersion
    var archive = InspectedArchive(
      header: header, source: .stream(stream, tables), nodes: nodes, classes: classes(), top: 0,
      nodeOfNumber: numbers)
    archive.depth = depth
    if let damage = stream.damage {
      archive.brokenCount = 1
      archive.firstBroken = damage.reason
      let rest = stream.bytes.count - damage.offset
      if damage.isBehindGroups {
        archive.header.notes.append(
          "\(InspectionText.count(rest, "byte")) from byte \(damage.offset) on, behind the last "
            + "group, cannot be read")
      }
    }
    return archive
  }

  /// Whether the place of the damage is shown as a value: behind whole groups there is none.
  private var isDamageValue: Bool { stream.damage.map { !$0.isBehindGroups } ?? false }

  /// How many names of a chain are kept, and how many bytes of each.
  private static let chainMax = 32
  private static let nameMax = 1_024

  private func classes() -> [InspectedClass] {
    var names: [Int: String] = [:]
    func name(_ string: Int) -> String {
      if let known = names[string] { return known }
      names[string] = stream.text(ofString: string, atMost: Self.nameMax)
      return names[string] ?? ""
    }
    return stream.classes.map { first in
      var archived = InspectedClass(chain: [], number: first.number)
      var next: TypedstreamClass? = first
      while let found = next, archived.chain.count < Self.chainMax {
        archived.chain.append(name(found.name))
        archived.versions.append(found.version)
        next = found.superclass.flatMap { $0 < stream.classes.count ? stream.classes[$0] : nil }
      }
      return archived
    }
  }

  // MARK: Sizes

  /// How many entries the tables will have.
  private struct Size {
    var nodes = 1
    var values = 0
    var groups = 0
    /// How many nodes are open at once.
    var depth = 1

    /// About what the tables take, and the ways down into the deepest node while they are made and
    /// while they are shown.
    var byteCount: Int {
      nodes * MemoryLayout<InspectedNode>.stride + values * MemoryLayout<StreamValue>.stride
        + groups * MemoryLayout<UInt32>.stride + depth * Self.levelSize
    }

    private static let levelSize = 160
  }

  /// Throws when the tables would be far larger than the stream: its types can make many values of
  /// few bytes, and brackets that take none.
  private func size() throws -> Size {
    // The stream's own tables take 16 bytes an object.
    let most = 22 << 20 + 10 * stream.bytes.count - 16 * stream.objectCount
    var size = Size()
    var depth = 1
    var scanner = stream.events()
    if isDamageValue { size.values += 1 }
    while let event = try scanner.next() {
      switch Step(event) {
      case .group: size.groups += 1
      case .value: size.values += 1
      case .begin:
        size.values += 1
        size.nodes += 1
        depth += 1
        size.depth = max(size.depth, depth)
      case .end: depth -= 1
      }
      guard size.byteCount <= most else {
        throw InspectionError.tooManyValues(in: stream.bytes.count)
      }
    }
    return size
  }

  /// What an event means for the tables.
  private enum Step {
    case group(types: Int)
    case value
    case begin(InspectedNode.Kind, number: Int?)
    case end

    init(_ event: TypedstreamEvent) {
      self =
        switch event {
        case .beginGroup(let types): .group(types: types)
        case .beginObject(let number): .begin(.object, number: number)
        case .beginArray: .begin(.array, number: nil)
        case .beginStructure: .begin(.structure, number: nil)
        case .endObject, .endArray, .endStructure: .end
        default: .value
        }
    }
  }

  // MARK: Nodes

  /// Makes the nodes, whose values and groups are counted in `count` and `groupStart`.
  private mutating func makeNodes(_ size: Size) throws {
    nodes.reserveCapacity(size.nodes)
    var open: [UInt32] = [0]
    open.reserveCapacity(size.depth)
    depth = size.depth - 1
    nodes.append(InspectedNode(kind: .top, start: 0, count: 0, groupStart: 0))
    var scanner = stream.events()
    while let event = try scanner.next() {
      let node = Int(open[open.count - 1])
      switch Step(event) {
      case .group: nodes[node].groupStart += 1
      case .value:
        if case .reference(let number) = event, let known = self.node(of: number) {
          nodes[known].references += 1
        }
        nodes[node].count += 1
      case .begin(let kind, let number):
        open.append(UInt32(truncatingIfNeeded: nodes.count))
        addNode(kind, number: number, in: node)
        nodes[node].count += 1
      case .end: open.removeLast()
      }
    }
    if isDamageValue { nodes[Int(open[open.count - 1])].count += 1 }
  }

  private mutating func addNode(_ kind: InspectedNode.Kind, number: Int?, in parent: Int) {
    var node = InspectedNode(kind: kind, start: 0, count: 0, groupStart: 0)
    node.parent = UInt32(truncatingIfNeeded: parent)
    node.slot = nodes[parent].count
    node.references = 1
    if let number {
      node.number = UInt32(truncatingIfNeeded: number)
      if number < numbers.count { numbers[number] = UInt32(truncatingIfNeeded: nodes.count) }
      if case .object(let index)? = stream.entry(number) {
        node.classIndex = UInt32(truncatingIfNeeded: index)
      }
    }
    nodes.append(node)
  }

  /// The node of an object that has begun.
  private func node(of number: Int) -> Int? {
    guard case .object? = stream.entry(number), number < numbers.count,
      numbers[number] != InspectedNode.absent
    else { return nil }
    return Int(numbers[number])
  }

  // MARK: Values

  /// Where the next value and group of a node that is open belong.
  private struct Cursor {
    var value: UInt32
    /// The next group in the table, and the one that is being read among those of the node.
    var nextGroup: UInt32
    var group = UInt32.max
    var item: UInt16 = 0
  }

  /// Goes through the nodes in the order in which they were made.
  private mutating func fillTables() throws {
    placeNodes()
    var open: [Cursor] = []
    open.reserveCapacity(depth + 1)
    open.append(cursor(of: 0))
    var next = 1
    var scanner = stream.events()
    while let event = try scanner.next() {
      let last = open.count - 1
      switch Step(event) {
      case .group(let types):
        tables.groups[Int(open[last].nextGroup)] = UInt32(truncatingIfNeeded: types)
        open[last].nextGroup += 1
        open[last].group &+= 1
        open[last].item = 0
      case .value: put(value(event, type: scanner.typeCode), &open[last])
      case .begin:
        put(StreamValue(.node, Int64(next), type: scanner.typeCode), &open[last])
        open.append(cursor(of: next))
        next += 1
      case .end: open.removeLast()
      }
    }
    if isDamageValue {
      // In no group, so that those before it are called as in a whole stream.
      (open[open.count - 1].group, open[open.count - 1].item) = (.max, 0)
      put(StreamValue(.damage, 0, type: 0), &open[open.count - 1])
    }
  }

  private mutating func put(_ value: StreamValue, _ cursor: inout Cursor) {
    tables.values[Int(cursor.value)] = value
    tables.values[Int(cursor.value)].group = cursor.group
    tables.values[Int(cursor.value)].item = cursor.item
    cursor.value += 1
    if cursor.item < .max { cursor.item += 1 }
  }

  private func cursor(of node: Int) -> Cursor {
    Cursor(value: nodes[node].start, nextGroup: nodes[node].groupStart)
  }

  /// Gives each node its part of the tables.
  private mutating func placeNodes() {
    var (values, groups) = (0, 0)
    for node in nodes.indices {
      let groupCount = Int(nodes[node].groupStart)
      nodes[node].start = UInt32(truncatingIfNeeded: values)
      nodes[node].groupStart =
        nodes[node].isContainer ? InspectedNode.absent : UInt32(truncatingIfNeeded: groups)
      values += Int(nodes[node].count)
      groups += groupCount
    }
    tables.values = Array(repeating: StreamValue(.none, 0, type: 0), count: values)
    tables.groups = Array(repeating: 0, count: groups)
  }

  /// What an event says that is neither a bracket nor a new object.
  private func value(_ event: TypedstreamEvent, type: UInt8) -> StreamValue {
    switch event {
    case .byte(let value):
      let number = type == UInt8(ascii: "c") ? Int64(Int8(bitPattern: value)) : Int64(value)
      return StreamValue(.byte, number, type: type)
    case .integer(let value, let form): return StreamValue(.integer, value, type: type, form: form)
    case .float(let value, let form):
      return StreamValue(.float, Int64(value.bitPattern), type: type, form: form)
    case .double(let value, let form):
      return StreamValue(.double, Int64(bitPattern: value.bitPattern), type: type, form: form)
    case .byteArray(let range): return StreamValue(.data, range, type: UInt8(ascii: "["))
    case .bytes(let range): return StreamValue(.bytes, range, type: type)
    case .string(let number): return StreamValue(.symbol, Int64(number), type: type)
    case .newCString(let number, let string): return cString(number, string, type)
    case .archivedClass(let index): return StreamValue(.archivedClass, Int64(index), type: type)
    case .reference(let number): return reference(number, type)
    case .nothing: return StreamValue(.nothing, 0, type: type)
    default: return StreamValue(.none, 0, type: type)
    }
  }

  private func cString(_ number: Int, _ string: Int, _ type: UInt8) -> StreamValue {
    StreamValue(.cString, Int64(number) << 32 | Int64(string), type: type)
  }

  private func reference(_ number: Int, _ type: UInt8) -> StreamValue {
    switch stream.entry(number) {
    case .object?:
      if let node = node(of: number) { return StreamValue(.node, Int64(node), type: type) }
    case .archivedClass(let index)?:
      return StreamValue(.archivedClass, Int64(index), type: type)
    case .cString(let string)?: return cString(number, string, type)
    case nil: break
    }
    return StreamValue(.none, 0, type: type)
  }
}
