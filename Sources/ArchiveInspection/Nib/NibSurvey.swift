import PropertyLists

/// Makes the graph of a compiled nib: a node for each object, the first of which is the top.
///
/// Everything is visited once, without recursion. What is broken is noted and shown in its place.
struct NibSurvey {
  private let nib: NibArchive
  private var nodes: [InspectedNode] = []
  private var isVisited: [Bool] = []
  private var stack: [Frame] = []
  private var brokenCount = 0
  private var firstBroken: String?
  private var depth = 0
  /// The numbers of the keys that collections have.
  private let inlinedKey: Int?
  private let elementKey: Int?

  private struct Frame {
    var node: UInt32
    var next: UInt32
    var depth: UInt32
  }

  /// - Throws: `InspectionError` when the header is cut, or the same values belong to far too many
  ///   objects.
  static func archive(_ bytes: [UInt8]) throws -> InspectedArchive {
    var survey = NibSurvey(try NibArchive(bytes))
    return try survey.run()
  }

  private init(_ nib: NibArchive) {
    self.nib = nib
    inlinedKey = nib.keys.indices.first { nib.isKey($0, "NSInlinedValue") }
    elementKey = nib.keys.indices.first { nib.isKey($0, "UINibEncoderEmptyKey") }
  }

  private mutating func run() throws -> InspectedArchive {
    for damage in nib.damage { broken(damage.reason) }
    try makeNodes()
    visit(0, depth: 0)
    walk()
    var orphans: [Int] = []
    for number in nodes.indices where !isVisited[number] {
      orphans.append(number)
      visit(number, depth: 1)
      walk()
    }
    var archive = InspectedArchive(
      header: header, source: .nib(nib), nodes: nodes,
      classes: nib.classNames.indices.map { InspectedClass(chain: nib.chain(ofClass: $0)) }, top: 0,
      nodeOfNumber: nib.objects.indices.map { UInt32(truncatingIfNeeded: $0) })
    archive.orphans = orphans
    archive.brokenCount = brokenCount
    archive.firstBroken = firstBroken
    archive.depth = depth
    return archive
  }

  private var header: InspectionHeader {
    var header = InspectionHeader(format: .nib, byteCount: nib.reader.count)
    header.version = Int64(nib.coderVersion)
    if nib.formatVersion != 1 {
      header.notes.append("the version of the format is \(nib.formatVersion), not 1")
    }
    let end = nib.ends.max() ?? nib.reader.count
    if nib.damage.isEmpty, end < nib.reader.count {
      header.restCount = nib.reader.count - end
      header.notes.append(
        "\(InspectionText.count(header.restCount, "byte")) from byte \(end) on belong to no table")
    }
    return header
  }

  private mutating func broken(_ reason: String) {
    brokenCount += 1
    if firstBroken == nil { firstBroken = reason }
  }

  // MARK: Nodes

  private mutating func makeNodes() throws {
    nodes.reserveCapacity(max(1, nib.objects.count))
    var valuesLeft = 8 * nib.reader.count + 1_000_000
    for (number, object) in nib.objects.enumerated() {
      let there = max(0, min(object.valueCount, nib.valueCount - object.firstValue))
      // What is missing is shown as one broken value.
      let count = there + (object.valueCount > there ? 1 : 0)
      valuesLeft -= count
      guard valuesLeft > 0 else {
        throw InspectionError(
          .unreadable, "the same values belong to many objects: far more values than bytes")
      }
      var node = InspectedNode(
        kind: number == 0 ? .top : .object,
        start: UInt32(truncatingIfNeeded: min(object.firstValue, nib.valueCount)),
        count: UInt32(truncatingIfNeeded: count))
      node.number = UInt32(truncatingIfNeeded: number)
      if object.classNumber < nib.classNames.count {
        node.classIndex = UInt32(truncatingIfNeeded: object.classNumber)
      } else {
        broken("object \(number): class \(object.classNumber) of \(nib.classNames.count)")
      }
      if count > there { broken("object \(number): " + Self.missing(object, nib)) }
      node.isInlined = isInlined(object, count: there) && count == there
      nodes.append(node)
    }
    if nodes.isEmpty { nodes.append(InspectedNode(kind: .top, start: 0, count: 0)) }
    isVisited = Array(repeating: false, count: nodes.count)
  }

  /// Why values of an object are missing.
  static func missing(_ object: NibArchive.Object, _ nib: NibArchive) -> String {
    "\(object.valueCount) values from number \(object.firstValue) on, of \(nib.valueCount)"
  }

  /// Whether an object has the values of a collection: a mark, then elements under one key.
  private func isInlined(_ object: NibArchive.Object, count: Int) -> Bool {
    guard count > 0, nib.keyNumber(ofValue: object.firstValue) == inlinedKey,
      inlinedKey != nil, nib.value(object.firstValue) == .bool(true)
    else { return false }
    for number in object.firstValue + 1..<object.firstValue + count
    where nib.keyNumber(ofValue: number) != elementKey { return false }
    return true
  }

  // MARK: The walk

  private mutating func visit(_ node: Int, depth: UInt32) {
    isVisited[node] = true
    self.depth = max(self.depth, Int(depth))
    if nodes[node].count > 0 {
      stack.append(Frame(node: UInt32(truncatingIfNeeded: node), next: 0, depth: depth))
    }
  }

  private mutating func walk() {
    while let last = stack.indices.last {
      let frame = stack[last]
      guard frame.next < nodes[Int(frame.node)].count else {
        stack.removeLast()
        continue
      }
      stack[last].next += 1
      follow(Int(frame.node), frame.next, depth: frame.depth)
    }
  }

  /// Looks at one value, and at the object that it refers to if that is new.
  private mutating func follow(_ node: Int, _ slot: UInt32, depth: UInt32) {
    let place = Int(nodes[node].start) + Int(slot)
    guard let value = nib.value(place) else { return }
    if let key = nib.keyNumber(ofValue: place), key >= nib.keys.count {
      broken("value \(place): key \(key) of \(nib.keys.count)")
    }
    guard case .object(let child) = value else { return }
    guard child < nib.objects.count else {
      return broken("value \(place): reference to object \(child) of \(nib.objects.count)")
    }
    nodes[child].references += 1
    guard !isVisited[child] else { return }
    nodes[child].parent = UInt32(truncatingIfNeeded: node)
    nodes[child].slot = slot
    visit(child, depth: depth + 1)
  }
}
