import PortolanMemory
import PropertyLists

// Going into nodes and out again.
extension KeyedUnarchiver {
  /// The state to restore after a node.
  struct Mark {
    var fieldCount: Int
    var depth: Int
  }

  /// Puts a node's fields on the stack, in front of those of its owner.
  ///
  /// Leave again with `leave(_:)`, whether the decoding succeeds or throws.
  @inline(never)
  func enter(_ node: UInt32) throws -> Mark {
    let mark = Mark(fieldCount: fields.count, depth: outerFrames.count)
    do {
      let reference = try body(of: node)
      guard let place = list.place(of: reference) else {
        throw fault(.corrupt, reference, "an object outside the archive")
      }
      if let rows = list.shortDictionary(at: place) {
        try pushFields(rows.keys, rows.values)
      } else {
        let object = try list.object(at: place)
        guard case .dictionary(let keys, let values) = object else {
          throw fault(.typeMismatch, reference, "expected an object, found \(object.kindName)")
        }
        try pushFields(keys, values)
      }
      let record = try recordIndex(fieldsFrom: mark.fieldCount, reference)
      outerFrames.append(frame)
      frame = Frame(
        node: node, firstField: mark.fieldCount, fieldCount: fields.count &- mark.fieldCount,
        record: record)
      return mark
    } catch {
      let located = locatedError(error)
      fields.truncate(to: mark.fieldCount)
      throw located
    }
  }

  /// Throws before the stack ends, or when objects are nested deeper than allowed.
  @inline(__always)
  func checkRoom(_ node: UInt32) throws {
    guard outerFrames.count < limits.depthMax, stackRoom() > limits.stackReserve else {
      throw tooDeep(node)
    }
  }

  @inline(never)
  private func tooDeep(_ node: UInt32) -> ArchiveError {
    fault(.tooDeep, try? body(of: node), limits.depthReason(outerFrames.count, "reads"))
  }

  /// Takes a node's fields off the stack.
  func leave(_ mark: Mark) {
    if frame.fieldCount > 32 { fieldIndexes[outerFrames.count] = nil }
    fields.truncate(to: mark.fieldCount)
    if outerFrames.count > mark.depth &+ 1 { outerFrames.truncate(to: mark.depth &+ 1) }
    if outerFrames.count > mark.depth { frame = outerFrames.removeLast() }
  }

  /// Reads a node's fields with `read`, which gets the number of its class record.
  func within<Result>(_ node: UInt32, _ read: (Int) throws -> Result) throws -> Result {
    try checkRoom(node)
    let mark = try enter(node)
    do {
      let result = try read(frame.record)
      leave(mark)
      return result
    } catch {
      let located = locatedError(error)
      leave(mark)
      throw located
    }
  }

  /// A fault of the property list with the place at which it showed; any other error as it is.
  @inline(never)
  func locatedError(_ error: any Error) -> any Error {
    guard let fault = error as? PropertyListError else { return error }
    return ArchiveError(fault, path: path())
  }

  /// The node that a value refers to; `nil` for "none".
  @inline(__always)
  func nodeNumber(_ reference: PropertyListReference) throws -> UInt32? {
    if let node = list.shortUID(reference), Int(node) < made.count {
      if made[Int(node)] != 0 { return node }
      if node == 0 { return nil }
      // Only a string of five characters can be `$null`.
      if let body = list.entry(Int(node), of: objects), let place = list.place(of: body),
        let marker = list.reader.byte(at: place), marker != 0x55, marker != 0x5F
      {
        return node
      }
    }
    return try checkedNodeNumber(reference)
  }

  private func checkedNodeNumber(_ reference: PropertyListReference) throws -> UInt32? {
    let object = try list.resolved(reference)
    guard case .uid(let node) = object else {
      throw fault(
        .typeMismatch, reference, "expected a reference to an object, found \(object.kindName)")
    }
    guard Int(node) < objects.count else {
      throw fault(.corrupt, reference, "reference to object \(node) of \(objects.count)")
    }
    if node == 0 { return nil }
    return try list.isNullString(body(of: node)) ? nil : node
  }

  /// The property-list object of a node.
  @inline(__always)
  func body(of node: UInt32) throws -> PropertyListReference {
    guard let body = list.entry(Int(node), of: objects) else {
      throw fault(.corrupt, nil, "object \(node) of \(objects.count) is a bad reference")
    }
    return body
  }

  /// The class record that the fields just pushed refer to.
  func recordIndex(fieldsFrom first: Int, _ reference: PropertyListReference) throws -> Int {
    // Writers put `$class` last or first.
    var place = fields.count &- 1
    while place >= first {
      if fields[place].key == KeyTable.classKey { break }
      place &-= 1
    }
    guard place >= first else { throw fault(.corrupt, reference, "an object without $class") }
    let value = fields[place].value
    let uid = try list.shortUID(value) ?? list.uid(value)
    guard let uid, Int(uid) < objects.count else {
      throw fault(.corrupt, value, "$class must refer to the record of a class")
    }
    if case .record(let index) = Memo(made[Int(uid)]) { return index }
    let name = try graph.className(NodeID(rawValue: uid))
    records.append(ClassRecord(node: uid, name: name, foundation: FoundationClass(name)))
    made[Int(uid)] = Memo.record(records.count - 1).word
    return records.count - 1
  }
}
