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
  /// The names of classes by their strings.
  private var knownNames: [PropertyListReference: (text: String, isCut: Bool)] = [:]
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
    guard let entries = Entries(list), let top = entries.top, let row = entries.objects else {
      return addPlainTop()
    }
    header.format = .keyed
    note(entries)
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

  /// The entries of a keyed archive's top.
  private struct Entries {
    var top: PropertyListReference?
    var objects: PropertyListReferences?
    var version: PropertyListObject?
    var archiver: PropertyListObject?
    var others: [(key: String, value: PropertyListReference)] = []

    init?(_ list: BinaryPropertyList) {
      guard case .dictionary(let keys, let values)? = try? list.object(list.top),
        keys.count < 64
      else { return nil }
      for place in 0..<keys.count {
        guard let key = try? list.reference(place, of: keys),
          let value = try? list.reference(place, of: values)
        else { continue }
        let object = try? list.object(value)
        if list.isText(key, "$top") {
          if case .dictionary? = object { top = value }
        } else if list.isText(key, "$objects") {
          if case .array(let row)? = object { objects = row }
        } else if list.isText(key, "$version") {
          version = object
        } else if list.isText(key, "$archiver") {
          archiver = object
        } else if let object = try? list.object(key) {
          others.append(((try? list.string(object)).flatMap { $0 } ?? "?", value))
        }
      }
    }
  }

  private mutating func note(_ entries: Entries) {
    if case .integer(let version)? = entries.version { header.version = version }
    if let archiver = entries.archiver { header.archiver = try? list.string(archiver) }
    header.otherEntries = entries.others.map(\.key)
    extraEntries = entries.others
    if header.version != 100_000 {
      header.notes.append("$version is not 100000: no reader of Apple accepts this archive")
    }
    if header.archiver != "NSKeyedArchiver" {
      header.notes.append("$archiver is not NSKeyedArchiver: many readers refuse this archive")
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
      let object = try list.object(start)
      guard case .dictionary(let keys, let values) = object else {
        nodes[number].kind =
          switch object {
          // No archiver writes these among its objects.
          case .array: .array
          case .set: .set
          default: list.isText(start, "$null") ? .null : .bare
          }
        return
      }
      for place in 0..<keys.count {
        let key = try list.reference(place, of: keys)
        if list.isText(key, "$class") {
          nodes[number].kind = .object
          nodes[number].count = UInt32(truncatingIfNeeded: place)
          nodes[number].classIndex = try classIndex(list.reference(place, of: values))
          return
        }
        if list.isText(key, "$classname") { nodes[number].kind = .classRecord }
      }
      if nodes[number].kind != .classRecord {
        nodes[number].kind = .dictionary
        broken("$objects[\(number)]: an object without $class")
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
    let described = describedClass(record: nodes[Int(uid)].start, number: Int(uid))
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

  /// How many names of a chain are kept, and how many characters of each: those of generic types of
  /// Swift have hundreds.
  private static let chainMax = 32
  private static let nameMax = 1_024

  /// The class that a record describes; `nil` where it describes none.
  private mutating func describedClass(
    record: PropertyListReference, number: Int
  ) -> InspectedClass? {
    guard case .dictionary(let keys, let values)? = try? list.object(record) else { return nil }
    var name: String?
    var archived = InspectedClass(chain: [], number: number)
    for place in 0..<keys.count {
      guard let key = try? list.reference(place, of: keys),
        let value = try? list.reference(place, of: values)
      else { continue }
      if list.isText(key, "$classname") {
        name = self.name(value, &archived.isCut)
      } else if list.isText(key, "$classes") {
        archived.chain = names(value, &archived.isCut)
        if archived.chain.isEmpty { archived.isCut = true }
      } else if list.isText(key, "$classhints") {
        archived.hints = names(value, &archived.isCut)
        if archived.hints.isEmpty { archived.isCut = true }
      } else {
        archived.isCut = true
      }
    }
    guard let name else { return nil }
    if archived.chain.first != name {
      if !archived.chain.isEmpty { archived.isCut = true }
      archived.chain.insert(name, at: 0)
    }
    return archived
  }

  /// The texts of an array.
  private mutating func names(_ array: PropertyListReference, _ isCut: inout Bool) -> [String] {
    guard case .array(let row)? = try? list.object(array) else { return [] }
    if row.count > Self.chainMax { isCut = true }
    var names: [String] = []
    for place in 0..<min(row.count, Self.chainMax) {
      guard let reference = try? list.reference(place, of: row),
        let name = name(reference, &isCut)
      else {
        isCut = true
        continue
      }
      names.append(name)
    }
    return names
  }

  /// The text of a name; each is made once, for many classes may share it.
  private mutating func name(_ reference: PropertyListReference, _ isCut: inout Bool) -> String? {
    if let known = knownNames[reference] {
      if known.isCut { isCut = true }
      return known.text
    }
    var isLong = false
    guard let text = readName(reference, &isLong) else { return nil }
    knownNames[reference] = (text, isLong)
    if isLong { isCut = true }
    return text
  }

  private func readName(_ reference: PropertyListReference, _ isCut: inout Bool) -> String? {
    switch try? list.object(reference) {
    case .ascii(let range)?:
      isCut = range.count > Self.nameMax
      let end = range.lowerBound + min(range.count, Self.nameMax)
      return list.reader.withBytes(in: range.lowerBound..<end) {
        String(decoding: $0, as: UTF8.self)
      }
    case .utf16(let range)?:
      isCut = range.count / 2 > Self.nameMax
      let end = range.lowerBound + min(range.count / 2, Self.nameMax) * 2
      let bytes = list.reader.withBytes(in: range.lowerBound..<end) { [UInt8]($0) } ?? []
      let units = (0..<bytes.count / 2).map {
        UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }
}
