import PortolanMemory
import PropertyLists

// Arrays and sets of objects, made element by element. What is noted of them lies with the
// unarchiver, not on the stack, where it would be at every level of a graph.
extension KeyedUnarchiver {
  public func decodeObjects<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object] {
    guard try beginsRow(of: type, key) else { return try requiredObjects(type, key) }
    var elements: [Object] = []
    do {
      while true {
        let beginning = try beginElement(&elements)
        if beginning == .none { return elements }
        if beginning == .plain {
          try endElement(Object(coder: self), in: &elements)
        } else {
          try addOther(&elements)
        }
      }
    } catch {
      throw abandonRow(error)
    }
  }

  @inline(never)
  private func requiredObjects<Object: Coding>(
    _ type: Object.Type, _ key: String
  ) throws -> [Object] {
    try present(decodeObjectsIfPresent(type, forKey: key), key)
  }

  /// Begins the array under a key, if its elements can be made one by one and handed out so.
  @inline(never)
  private func beginsRow<Object: Coding>(of type: Object.Type, _ key: String) throws -> Bool {
    try !showsValues && !outerFrames.isEmpty && !isStandard(type) && beginRow(key)
  }

  public func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element] {
    guard try beginsElements(type) else { return try standardElements(type) }
    var elements: [Element] = []
    do {
      while true {
        let beginning = try beginElement(&elements)
        if beginning == .none { return elements }
        if beginning == .plain {
          try endElement(Element(coder: self), in: &elements)
        } else {
          try addOther(&elements)
        }
      }
    } catch {
      throw abandonRow(error)
    }
  }

  /// Begins the elements of a collection, if they can be made one by one.
  @inline(never)
  private func beginsElements<Object: Coding>(_ type: Object.Type) throws -> Bool {
    if isText(type) || isStandard(type) { return false }
    try beginRequiredRow("NS.objects")
    return true
  }

  // MARK: Steps

  /// Begins the array or set under a key; false when there is none.
  @inline(never)
  func beginRow(_ key: String, _ expected: FoundationClass = .array) throws -> Bool {
    guard var open = try openRow(key, expected) else { return false }
    open.depth = outerFrames.count
    open.firstWaiting = waiting.count
    rows.append(open)
    return true
  }

  /// Begins the array under a key, which must be there.
  func beginRequiredRow(_ key: String) throws {
    guard try beginRow(key) else { throw valueNotFound(forKey: key) }
  }

  @inline(never)
  func beginElement<Element: Coding>(_ elements: inout [Element]) throws -> Beginning {
    let row = rows.count &- 1
    if rows[row].place < 0 {
      try charge(rows[row].row.count * MemoryLayout<Element>.stride)
      // Objects wait, and get an array of their own.
      if !(Element.self is AnyObject.Type) { elements.reserveCapacity(rows[row].row.count) }
    }
    while let node = try nextNode(of: row, &elements) {
      if isMade(Element.self, node) {
        if let instance = made.instance(Int(node), of: Element.self) {
          waiting.append(instance.retain())
          continue
        }
        try add(&elements) { try known(Element.self, node) }
        continue
      }
      let beginning = try begin(Element.self, Int(node), ())
      if beginning != .bare { return beginning }
      try add(&elements) { try makeOther(Element.self, Int(node), ()) }
    }
    addWaiting(&elements)
    close(endedRow().collection)
    return .none
  }

  /// Adds the elements of the innermost row that wait, before one that does not.
  @inline(__always)
  private func addWaiting<Element>(_ elements: inout [Element]) {
    let first = rows[rows.count &- 1].firstWaiting
    if waiting.count > first { appendWaiting(to: &elements, from: first) }
  }

  private func add<Element>(
    _ elements: inout [Element], _ make: () throws -> Element
  ) throws {
    addWaiting(&elements)
    do {
      elements.append(try make())
    } catch {
      try passNothing(error)
      leaveGap()
    }
  }

  @inline(__always)
  private func nextNode<Element: Coding>(
    of row: Int, _ elements: inout [Element]
  ) throws -> UInt32? {
    let place = rows[row].place &+ 1
    if let value = list.entry(place, of: rows[row].row) {
      let node = plainNode(value)
      if node != 0 {
        rows[row].place = place
        frame.element = place
        return node
      }
    }
    return try nextOther(of: row, &elements)
  }

  /// The node of the next element of a row that holds also elements without a node: those are
  /// appended on the way.
  @inline(never)
  private func nextOther<Element: Coding>(
    of row: Int, _ elements: inout [Element]
  ) throws -> UInt32? {
    var open = rows[row]
    defer { rows[row] = open }
    return try next(of: &open) { value in
      guard let element = try inlineElement(Element.self, value) else { return false }
      addWaiting(&elements)
      elements.append(element)
      return true
    }
  }

  @inline(never)
  func addOther<Element: Coding>(_ elements: inout [Element]) throws {
    addWaiting(&elements)
    try addOtherStep(&elements)
  }

  func leaveGap() {
    let row = rows.count &- 1
    gaps.append((row, rows[row].place))
  }

  @inline(never)
  func abandonRow(_ error: any Error) -> any Error {
    let open = endedRow()
    guard outerFrames.count > open.depth else { return closed(open.collection, error) }
    // One of its elements is still being made.
    let element = outerFrames.count > open.depth &+ 1 ? outerFrames[open.depth &+ 1] : frame
    return closed(open.collection, abandon(Int(element.node), open.depth, error))
  }

  private func endedRow() -> OpenRow {
    let open = rows.removeLast()
    dropWaiting(from: open.firstWaiting)
    lastGaps = gaps.isEmpty ? [] : gaps.filter { $0.row == rows.count }.map(\.place)
    if !lastGaps.isEmpty { gaps.removeLast(lastGaps.count) }
    return open
  }
}
