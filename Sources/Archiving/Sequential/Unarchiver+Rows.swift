import PortolanMemory
import PropertyLists

// Arrays and sets of objects, made element by element. What is noted of them lies with the
// unarchiver, not on the stack, where it would be at every level of a graph.
extension Unarchiver {
  /// An array or a set, and the place of the element that is being read.
  struct OpenRow {
    /// The collection object; `nil` for one that makes itself.
    var collection: OpenObject?
    var count: Int
    var place = -1
    /// How many objects are being made around it.
    var depth: Int
    /// Where those of its elements begin that wait.
    var firstWaiting: Int
  }

  /// Begins the array or set in the place of the next value; false when there is none.
  @inline(never)
  func beginRow(_ key: String, _ collection: FoundationObject) throws -> Bool {
    guard try beginGroup(UInt8(ascii: "@"), key), let open = try open(collection) else {
      return false
    }
    do {
      let count = try elementCount(of: collection)
      rows.append(
        OpenRow(
          collection: open, count: count, depth: outerFrames.count, firstWaiting: waiting.count))
      return true
    } catch {
      throw closed(open, error)
    }
  }

  /// Begins the elements of the collection object that makes itself.
  func beginRow(ofType code: String) throws {
    let count = try decodeCount(ofType: code)
    rows.append(OpenRow(count: count, depth: outerFrames.count, firstWaiting: waiting.count))
  }

  @inline(never)
  func beginElement<Element: Coding>(_ elements: inout [Element]) throws -> Beginning {
    let row = rows.count - 1
    if rows[row].place < 0 {
      try charge(32 + rows[row].count * MemoryLayout<Element>.stride)
      // Objects wait, and get an array of their own.
      if !(Element.self is AnyObject.Type) { elements.reserveCapacity(rows[row].count) }
    }
    while let slot = try nextElementSlot(Element.self) {
      do {
        if slot.classIndex < 0 {
          if let instance = made.instance(slot.number, of: Element.self) {
            waiting.append(instance.retain())
            continue
          }
          addWaiting(&elements)
          elements.append(try object(Element.self, slot.number))
          continue
        }
        let beginning = try begin(Element.self, slot.number, slot.classIndex)
        if beginning != .bare { return beginning }
        addWaiting(&elements)
        elements.append(try makeOther(Element.self, slot.number, slot.classIndex))
      } catch {
        try passNothing(error)
      }
    }
    addWaiting(&elements)
    if let collection = rows[row].collection { try endCollection(collection) }
    rows.removeLast()
    return .none
  }

  /// Adds the elements of the innermost row that wait, before one that does not.
  @inline(__always)
  private func addWaiting<Element>(_ elements: inout [Element]) {
    let first = rows[rows.count - 1].firstWaiting
    if waiting.count > first { appendWaiting(to: &elements, from: first) }
  }

  @inline(never)
  func addOther<Element: Coding>(_ elements: inout [Element]) throws {
    addWaiting(&elements)
    try addOtherStep(&elements)
  }

  /// The place of the next element of the innermost row; `nil` behind the last.
  private func nextElementSlot<Element: Coding>(_ type: Element.Type) throws -> MakingSlot? {
    let row = rows.count - 1
    guard rows[row].place + 1 < rows[row].count else { return nil }
    rows[row].place += 1
    if rows[row].collection == nil { return try nextSlot(for: type) }
    try nextElement(rows[row].place)
    let slot = try makingSlot(for: type)
    guard slot.number >= 0 else { throw noElement }
    return slot
  }

  /// Nothing: the elements of a sequential archive do not wait for each other's places.
  func leaveGap() {}

  @inline(never)
  func abandonRow(_ error: any Error) -> any Error {
    let row = rows.removeLast()
    dropWaiting(from: row.firstWaiting)
    var error = error
    if outerFrames.count > row.depth {
      // One of its elements is still being made.
      let element = outerFrames.count > row.depth + 1 ? outerFrames[row.depth + 1] : frame
      error = abandon(element.number, row.depth, error)
    }
    return row.collection.map { closed($0, error) } ?? error
  }
}
