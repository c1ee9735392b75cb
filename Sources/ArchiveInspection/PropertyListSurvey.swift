import PropertyLists

/// Goes once through a property list, and through the objects if it is a keyed archive.
///
/// Without recursion: the way down is kept in an array. Everything is visited once, in the order
/// in which it is met from the top; the work is bounded by the bytes that are there.
struct PropertyListSurvey {
  private let list: BinaryPropertyList
  private let faults: PropertyListFaults
  private var header: InspectionHeader
  private var nodes: [InspectedNode] = []
  private var containers: [UInt32]
  private var isVisited: [Bool] = []
  /// By their references: the keys that are known to be text, and the texts of the long ones.
  private var isKeyChecked: [Bool]
  private var longKeys: [PropertyListReference: String] = [:]
  private var classes: [InspectedClass] = []
  private var classOfRecord: [UInt32: UInt32] = [:]
  private var records: ClassRecords
  private var objects: PropertyListReferences?
  private var extraEntries: [(key: String, value: PropertyListReference)] = []
  private var stack: [Frame] = []
  private var edgesLeft: Int
  private var brokenCount = 0
  private var firstBroken: String?
  private var firstBrokenKey: String?
  private var depth = 0

  private struct Frame {
    var node: UInt32
    var next: UInt32
    var end: UInt32
    var depth: UInt32
  }

  /// Surveys a whole list.
  static func archive(
    _ list: BinaryPropertyList, _ header: InspectionHeader,
    _ faults: PropertyListFaults = PropertyListFaults()
  ) throws -> InspectedArchive {
    var survey = PropertyListSurvey(list, header, faults)
    return try survey.run()
  }

  private init(
    _ list: BinaryPropertyList, _ header: InspectionHeader, _ faults: PropertyListFaults
  ) {
    self.list = list
    self.header = header
    self.faults = faults
    records = ClassRecords(list)
    containers = Array(repeating: InspectedNode.absent, count: list.count)
    isKeyChecked = Array(repeating: false, count: list.count)
    edgesLeft = 8 * list.reader.count + 1_000_000
  }

  private mutating func run() throws -> InspectedArchive {
    for note in faults.notes { broken(note) }
    let top = try addTop()
    let objectCount = objects?.count ?? 0
    try walk(from: top)
    var orphans: [Int] = []
    for number in 1..<max(1, objectCount) where !isVisited[number] {
      classify(number)
      switch nodes[number].kind {
      case .classRecord: continue
      case .null where nodes[number].references == 0: continue
      default: break
      }
      orphans.append(number)
      try walk(from: number)
    }
    for number in nodes.indices where nodes[number].kind == .classRecord { try walk(from: number) }
    for entry in extraEntries { try walkContainer(entry.value) }
    let source = InspectedArchive.Source.list(list, containers: containers)
    let numbers = (0..<UInt32(objectCount)).map { $0 }
    var archive = InspectedArchive(
      header: header, source: source, nodes: nodes, classes: classes, top: top,
      nodeOfNumber: numbers)
    archive.orphans = orphans
    archive.faults = faults
    archive.longKeys = longKeys
    archive.firstBrokenKey = firstBrokenKey
    archive.extraEntries = extraEntries.map {
      ($0.key, archive.inspect($0.value, list, containers))
    }
    archive.brokenCount = brokenCount
    archive.firstBroken = firstBroken
    archive.depth = depth
    return archive
  }

  // MARK: The top

  /// Makes the nodes of all objects, if there are any, and the one that holds the roots.
  private mutating func addTop() throws -> Int {
    guard let entries = KeyedEntries(list), let top = entries.top, let row = entries.objects else {
      return addPlainTop()
    }
    header.note(entries)
    extraEntries = entries.others
    guard row.count <= 8 * list.count + 1_000_000 else {
      throw InspectionError(
        .unreadable, "\(row.count) objects in a list of \(list.count): far too many")
    }
    objects = row
    nodes.reserveCapacity(row.count + 1)
    for number in 0..<row.count {
      var node = InspectedNode(
        kind: .broken, start: (try? list.reference(number, of: row)) ?? InspectedNode.absent)
      node.number = UInt32(truncatingIfNeeded: number)
      nodes.append(node)
    }
    isVisited = Array(repeating: false, count: nodes.count)
    if row.count > 0 { classify(0) }
    let index = container(top)
    nodes[index].kind = .top
    return index
  }

  private mutating func addPlainTop() -> Int {
    switch try? list.object(list.top) {
    case .array?, .set?, .dictionary?: return container(list.top)
    default:
      do { _ = try list.object(list.top) } catch {
        if list.wideRange(list.top) == nil { broken(reason(error, at: list.top)) }
      }
      nodes.append(InspectedNode(kind: .bare, start: list.top))
      isVisited.append(false)
      return 0
    }
  }

  // MARK: The walk

  /// Goes through a container that stands outside of the objects.
  private mutating func walkContainer(_ reference: PropertyListReference) throws {
    switch try? list.object(reference) {
    case .array?, .set?, .dictionary?:
      let node = container(reference)
      nodes[node].references += 1
      if !isVisited[node] { try walk(from: node) }
    default: break
    }
  }

  private mutating func walk(from node: Int) throws {
    visit(node, depth: 1)
    while var frame = stack.popLast() {
      guard frame.next < frame.end else { continue }
      let slot = frame.next
      frame.next += 1
      stack.append(frame)
      edgesLeft -= 1
      guard edgesLeft > 0 else {
        throw InspectionError(
          .unreadable, "the same bytes are used over and over: far more elements than bytes")
      }
      follow(Int(frame.node), slot, depth: frame.depth)
    }
  }

  private mutating func visit(_ node: Int, depth: UInt32) {
    isVisited[node] = true
    if nodes[node].kind != .top { classify(node) }
    let count: Int
    switch try? list.object(nodes[node].start) {
    case .array(let row)?, .set(let row)?: count = row.count
    case .dictionary(let keys, _)?:
      count = keys.count - (nodes[node].count == InspectedNode.absent ? 0 : 1)
    default: return
    }
    if nodes[node].kind == .broken { return }
    self.depth = max(self.depth, Int(depth))
    stack.append(
      Frame(
        node: UInt32(truncatingIfNeeded: node), next: 0, end: UInt32(truncatingIfNeeded: count),
        depth: depth))
  }

  /// Looks at one value, and at what it leads to if that is new.
  private mutating func follow(_ node: Int, _ slot: UInt32, depth: UInt32) {
    let record = nodes[node]
    var reference = list.top
    do {
      let place = Int(slot >= record.count ? slot + 1 : slot)
      switch try list.object(record.start) {
      case .array(let row), .set(let row): reference = try list.reference(place, of: row)
      case .dictionary(let keys, let values):
        checkKey(place, of: keys)
        reference = try list.reference(place, of: values)
      default: return
      }
      let child: Int
      switch try list.object(reference) {
      case .uid(let uid) where objects != nil:
        guard Int(uid) < objects?.count ?? 0 else {
          throw PropertyListError(.badReference, "reference to object \(uid)")
        }
        if uid == 0 { return }
        child = Int(uid)
      case .array, .set, .dictionary: child = container(reference)
      default: return
      }
      nodes[child].references += 1
      guard !isVisited[child] else { return }
      nodes[child].parent = UInt32(truncatingIfNeeded: node)
      nodes[child].slot = slot
      visit(child, depth: nodes[child].isContainer ? depth : depth + 1)
    } catch {
      if !isWide(slot, of: record) { broken(reason(error, at: reference)) }
    }
  }

  /// Whether a value is a whole number of more than eight bytes, which is read where it is shown.
  private func isWide(_ slot: UInt32, of record: InspectedNode) -> Bool {
    let row: PropertyListReferences
    switch try? list.object(record.start) {
    case .array(let values)?, .set(let values)?, .dictionary(_, let values)?: row = values
    default: return false
    }
    let place = Int(slot >= record.count ? slot + 1 : slot)
    return (try? list.reference(place, of: row)).flatMap { list.wideRange($0) } != nil
  }

  /// Notes a key that cannot be read or is no text, and keeps a long one.
  private mutating func checkKey(_ place: Int, of keys: PropertyListReferences) {
    do {
      let reference = try list.reference(place, of: keys)
      guard !isKeyChecked[Int(reference)] else { return }
      let key = try list.object(reference)
      switch key {
      case .ascii(let range)
      where range.count <= InspectedArchive.shortKeyMax && list.isASCII(range):
        isKeyChecked[Int(reference)] = true
      case .ascii(let range), .utf16(let range):
        // Keys may lie over each other.
        edgesLeft -= range.count / 64
        guard let text = try list.string(key) else {
          return brokenKey("a key with half a surrogate pair")
        }
        if range.count > InspectedArchive.shortKeyMax {
          edgesLeft -= range.count
          longKeys[reference] = text
        }
        isKeyChecked[Int(reference)] = true
      default: brokenKey("a key that is no string but a value of the kind \(key.kindName)")
      }
    } catch {
      brokenKey("\(error)")
    }
  }

  /// Why an object cannot be read: of a list in text, what is wrong there.
  private func reason(_ error: any Error, at reference: PropertyListReference) -> String {
    faults.leaves[reference] ?? "\(error)"
  }

  private mutating func brokenKey(_ reason: String) {
    broken(reason)
    if firstBrokenKey == nil { firstBrokenKey = reason }
  }

  private mutating func broken(_ reason: String) {
    brokenCount += 1
    if firstBroken == nil { firstBroken = reason }
  }

  /// The node of a container, which is made when it is new.
  private mutating func container(_ reference: PropertyListReference) -> Int {
    let known = containers[Int(reference)]
    if known != InspectedNode.absent { return Int(known) }
    containers[Int(reference)] = UInt32(truncatingIfNeeded: nodes.count)
    let kind: InspectedNode.Kind =
      switch try? list.object(reference) {
      case .array?: .array
      case .set?: .set
      case .dictionary?: .dictionary
      default: .broken
      }
    nodes.append(InspectedNode(kind: kind, start: reference))
    isVisited.append(false)
    return nodes.count - 1
  }

  // MARK: Objects

  /// Finds out what an object is, and its class.
  private mutating func classify(_ number: Int) {
    guard number < objects?.count ?? 0 else { return }
    let start = nodes[number].start
    do {
      let head = try ObjectHead(start, in: list)
      nodes[number].kind = head.kind
      if let archivedClass = head.archivedClass {
        nodes[number].count = UInt32(truncatingIfNeeded: archivedClass.place)
        nodes[number].classIndex = try classIndex(archivedClass.reference)
      } else if head.kind == .dictionary {
        broken(ObjectHead.withoutClass(number))
      }
    } catch {
      if list.wideRange(start) == nil {
        broken("$objects[\(number)]: \(reason(error, at: start))")
      } else {
        nodes[number].kind = .bare
      }
    }
  }

  /// The class that `$class` refers to; `absent` where it refers to none.
  private mutating func classIndex(_ reference: PropertyListReference) throws -> UInt32 {
    guard case .uid(let uid) = try list.object(reference), let objects,
      Int(uid) < objects.count
    else {
      broken("$class: expected a reference to a class")
      return InspectedNode.absent
    }
    nodes[Int(uid)].references += 1
    if let known = classOfRecord[uid] { return known }
    let described = records.archivedClass(nodes[Int(uid)].start, number: Int(uid))
    if described == nil {
      // What it is instead is found when it is gone to: it may lead to itself.
      broken("$objects[\(uid)]: expected the description of a class")
    } else {
      nodes[Int(uid)].kind = .classRecord
      isVisited[Int(uid)] = true
    }
    let index =
      described == nil ? InspectedNode.absent : UInt32(truncatingIfNeeded: classes.count)
    classOfRecord[uid] = index
    if let described { classes.append(described) }
    return index
  }
}
