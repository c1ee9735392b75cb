import Archiving
import PropertyLists

/// Goes once through a typedstream and puts its objects and values into tables.
///
/// Values of what is still open wait in one array, so that those of one node come to stand
/// together however deep objects are nested.
struct TypedstreamSurvey {
  private let stream: Typedstream
  private var nodes: [InspectedNode] = []
  private var numbers: [UInt32]
  private var tables = StreamTables()
  private var waiting: [StreamValue] = []
  private var waitingGroups: [UInt32] = []
  private var open: [Frame] = []
  private var depth = 0

  private struct Frame {
    var node: Int
    var valueStart: Int
    var groupStart: Int
    var group: UInt32
    var item: UInt32
  }

  static func archive(_ bytes: [UInt8]) throws -> InspectedArchive {
    var survey = TypedstreamSurvey(try Typedstream(bytes))
    return try survey.run()
  }

  private init(_ stream: Typedstream) {
    self.stream = stream
    numbers = Array(repeating: InspectedNode.absent, count: stream.objectCount)
  }

  private mutating func run() throws -> InspectedArchive {
    begin(.top)
    var scanner = stream.events()
    while let event = try scanner.next() { take(event, type: scanner.typeCode) }
    end()
    var header = InspectionHeader(format: .typedstream, byteCount: stream.bytes.count)
    header.version = Int64(stream.streamerVersion)
    header.byteOrder = stream.byteOrder == .littleEndian ? "little" : "big"
    header.systemVersion = stream.systemVersion
    var archive = InspectedArchive(
      header: header, source: .stream(stream, tables), nodes: nodes, classes: classes(), top: 0,
      nodeOfNumber: numbers)
    archive.depth = depth
    return archive
  }

  /// How many names of a chain are kept, and how many bytes of each.
  private static let chainMax = 32
  private static let nameMax = 160

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

  // MARK: Steps

  private mutating func take(_ event: TypedstreamEvent, type: UInt8) {
    switch event {
    case .beginGroup(let types): beginGroup(types)
    case .byte(let value):
      let number = type == UInt8(ascii: "c") ? Int64(Int8(bitPattern: value)) : Int64(value)
      add(StreamValue(.byte, number, type: type))
    case .integer(let value, let form): add(StreamValue(.integer, value, type: type, form: form))
    case .float(let value, let form):
      add(StreamValue(.float, Int64(value.bitPattern), type: type, form: form))
    case .double(let value, let form):
      add(StreamValue(.double, Int64(bitPattern: value.bitPattern), type: type, form: form))
    case .byteArray(let range): add(StreamValue(.data, range, type: UInt8(ascii: "[")))
    case .bytes(let range): add(StreamValue(.bytes, range, type: type))
    case .string(let number): add(StreamValue(.symbol, Int64(number), type: type))
    case .newCString(let number, let string): addCString(number, string, type)
    case .archivedClass(let index): add(StreamValue(.archivedClass, Int64(index), type: type))
    case .beginObject(let number): beginObject(number, type)
    case .endObject, .endArray, .endStructure: end()
    case .reference(let number): addReference(number, type)
    case .none: add(StreamValue(.none, 0, type: type))
    case .beginArray: beginContainer(.array, type)
    case .beginStructure: beginContainer(.structure, type)
    case .nothing: add(StreamValue(.nothing, 0, type: type))
    }
  }

  private mutating func beginGroup(_ types: Int) {
    guard !open.isEmpty else { return }
    waitingGroups.append(UInt32(truncatingIfNeeded: types))
    open[open.count - 1].group &+= 1
    open[open.count - 1].item = 0
  }

  private mutating func add(_ value: StreamValue) {
    var value = value
    if let frame = open.last {
      value.group = frame.group
      value.item = UInt16(clamping: frame.item)
      open[open.count - 1].item &+= 1
    }
    waiting.append(value)
  }

  private mutating func addCString(_ number: Int, _ string: Int, _ type: UInt8) {
    add(StreamValue(.cString, Int64(number) << 32 | Int64(string), type: type))
  }

  private mutating func addReference(_ number: Int, _ type: UInt8) {
    switch stream.entry(number) {
    case .object?:
      guard number < numbers.count, numbers[number] != InspectedNode.absent else { break }
      let node = Int(numbers[number])
      nodes[node].references += 1
      return add(StreamValue(.node, Int64(node), type: type))
    case .archivedClass(let index)?:
      return add(StreamValue(.archivedClass, Int64(index), type: type))
    case .cString(let string)?: return addCString(number, string, type)
    case nil: break
    }
    add(StreamValue(.none, 0, type: type))
  }

  private mutating func beginObject(_ number: Int, _ type: UInt8) {
    let node = nodes.count
    add(StreamValue(.node, Int64(node), type: type))
    begin(.object)
    nodes[node].number = UInt32(truncatingIfNeeded: number)
    if number < numbers.count { numbers[number] = UInt32(truncatingIfNeeded: node) }
    if case .object(let index)? = stream.entry(number) {
      nodes[node].classIndex = UInt32(truncatingIfNeeded: index)
    }
  }

  private mutating func beginContainer(_ kind: InspectedNode.Kind, _ type: UInt8) {
    add(StreamValue(.node, Int64(nodes.count), type: type))
    begin(kind)
  }

  private mutating func begin(_ kind: InspectedNode.Kind) {
    var node = InspectedNode(kind: kind, start: 0, count: 0)
    if let parent = open.last {
      // The value that stands for it was added last.
      node.parent = UInt32(truncatingIfNeeded: parent.node)
      node.slot = UInt32(truncatingIfNeeded: waiting.count - parent.valueStart - 1)
      node.references = 1
    }
    open.append(
      Frame(
        node: nodes.count, valueStart: waiting.count, groupStart: waitingGroups.count,
        group: .max, item: 0))
    depth = max(depth, open.count - 1)
    nodes.append(node)
  }

  /// Moves the values of what ends from those that wait into the table.
  private mutating func end() {
    guard let frame = open.popLast() else { return }
    nodes[frame.node].start = UInt32(truncatingIfNeeded: tables.values.count)
    nodes[frame.node].count = UInt32(truncatingIfNeeded: waiting.count - frame.valueStart)
    tables.values += waiting[frame.valueStart...]
    waiting.removeLast(waiting.count - frame.valueStart)
    guard !nodes[frame.node].isContainer else { return }
    nodes[frame.node].groupStart = UInt32(truncatingIfNeeded: tables.groups.count)
    tables.groups += waitingGroups[frame.groupStart...]
    waitingGroups.removeLast(waitingGroups.count - frame.groupStart)
  }
}
