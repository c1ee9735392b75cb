import PortolanMemory
import PropertyLists

// Going into nodes and out again.
extension KeyedUnarchiver {
  /// Puts a node's fields on the stack, in front of those of its owner.
  ///
  /// Leave again with `leave(_:)`, whether the decoding succeeds or throws.
  ///
  /// - Returns: how many nodes are being decoded around it.
  @inline(never)
  func enter(_ node: UInt32) throws -> Int {
    let (depth, first) = (outerFrames.count, fields.count)
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
      let record = try recordIndex(fieldsFrom: first, reference)
      outerFrames.append(frame)
      frame = Frame(
        node: node, firstField: first, fieldCount: fields.count &- first, record: record)
      return depth
    } catch {
      let located = locatedError(error)
      fields.truncate(to: first)
      throw located
    }
  }

  /// Throws before the stacks end, or when objects are nested deeper than allowed.
  ///
  /// - Returns: whether the object must be made on the further stack.
  @inline(__always)
  func checkRoom(_ node: UInt32) throws -> Bool {
    switch roomForObject() {
    case .enough: return false
    case .further: return true
    case .ended: throw tooDeep(node)
    }
  }

  @inline(never)
  private func tooDeep(_ node: UInt32) -> ArchiveError {
    fault(.tooDeep, try? body(of: node), limits.depthReason(outerFrames.count, "reads"))
  }

  /// Takes a node's fields off the stack, with those of nodes within it.
  func leave(_ depth: Int) {
    if frame.fieldCount > 32 { fieldIndexes[outerFrames.count] = nil }
    if outerFrames.count > depth &+ 1 {
      frame = outerFrames[depth &+ 1]
      outerFrames.truncate(to: depth &+ 1)
    }
    guard outerFrames.count > depth else { return }
    fields.truncate(to: frame.firstField)
    frame = outerFrames.removeLast()
  }

  /// Reads a node's fields with `read`, which gets the number of its class record.
  func within<Result>(_ node: UInt32, _ read: (Int) throws -> Result) throws -> Result {
    let isFurther = try checkRoom(node)
    let depth = try enter(node)
    do {
      let record = frame.record
      let result = try isFurther ? onFurtherStack { try read(record) } : read(record)
      leave(depth)
      return result
    } catch {
      let located = locatedError(error)
      leave(depth)
      throw located
    }
  }

  /// A fault of the property list with the place at which it showed; any other error as it is.
  @inline(never)
  func locatedError(_ error: any Error) -> any Error {
    guard let fault = error as? PropertyListError else { return error }
    return located(fault)
  }

  /// The node that a value refers to; `nil` for "none".
  @inline(__always)
  func nodeNumber(_ reference: PropertyListReference) throws -> UInt32? {
    let node = plainNode(reference)
    return node != 0 ? node : try checkedNodeNumber(reference)
  }

  /// The node that a value refers to in the usual way; 0 for all else, which is to be checked.
  @inline(__always)
  func plainNode(_ reference: PropertyListReference) -> UInt32 {
    list.shortUID(reference).map { plainNode(ofUID: $0) } ?? 0
  }

  /// The same of the UID that stands there.
  @inline(__always)
  func plainNode(ofUID node: UInt32) -> UInt32 {
    guard UInt(node) < UInt(bitPattern: made.count) else { return 0 }
    if made[Int(node)] != 0 { return node }
    // Only a string of five characters can be `$null`.
    guard node != 0, let body = list.entry(Int(node), of: objects),
      let place = list.place(of: body), let marker = list.marker(at: place), marker != 0x55,
      marker != 0x5F
    else { return 0 }
    return node
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
    let (value, node) = (fields[place].value, fields[place].node)
    let uid = try node != Field.noNode ? node : list.uid(value)
    guard let uid, UInt(uid) < UInt(bitPattern: objects.count) else {
      throw fault(.corrupt, value, "$class must refer to the record of a class")
    }
    if case .record(let index) = Memo(made[Int(uid)]) { return index }
    let name = try graph.className(NodeID(rawValue: uid))
    records.append(ClassRecord(node: uid, name: name, foundation: FoundationClass(name)))
    made[Int(uid)] = Memo.record(records.count - 1).word
    return records.count - 1
  }
}
