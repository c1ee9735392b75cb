import PropertyLists

extension TypedstreamCursor {
  /// The item in the place of an object, class or C string.
  enum Slot: Equatable {
    case none
    /// It appears for the first time; the cursor is behind its head.
    case new(Int)
    case known(Int)
  }

  /// The reference in a place, or the number of a new item there.
  @inline(__always)
  mutating func slot(_ kind: TypedstreamTables.Entry) throws -> Slot {
    let place = offset
    let head = try head()
    if head == TypedstreamHead.none { return .none }
    if head == TypedstreamHead.new {
      guard isNumbered else {
        lastNumber = tables.add(kind, at: place)
        return .new(lastNumber)
      }
      guard let number = tables.number(at: place, hint: lastNumber &+ 1) else {
        throw fault("an object without a number", at: place)
      }
      lastNumber = number
      return .new(number)
    }
    offset = place
    let number = try integer() &+ TypedstreamHead.referenceBase
    guard number >= 0, number < tables.items.count else {
      throw fault("reference to object \(number) of \(tables.items.count)", at: place)
    }
    return .known(Int(number))
  }

  /// A C string: its number and that of its text.
  mutating func cString() throws -> (slot: Slot, string: Int) {
    let place = offset
    let slot = try slot(.cString(string: 0))
    switch slot {
    case .none: return (slot, 0)
    case .known(let number):
      guard case .cString(let string)? = tables.entry(number) else {
        throw fault("object \(number) is no C string", at: place)
      }
      return (slot, string)
    case .new(let number):
      guard let string = try numberedString() else { throw fault("a new C string that is none") }
      if !isNumbered { tables.set(.cString(string: string), of: number) }
      return (slot, string)
    }
  }

  /// A class with its superclasses: its place in `classes`; `nil` for none.
  @inline(__always)
  mutating func classChain() throws -> Int? {
    let head = reader.byte(at: offset) ?? 0
    if head >= TypedstreamHead.firstSmall,
      case .archivedClass(let index)? = tables.entry(Int(head) &- 0x92)
    {
      offset &+= 1
      return index
    }
    return isNumbered ? try numberedChain() : try newChain()
  }

  /// A chain in a stream whose classes are known: read over.
  private mutating func numberedChain() throws -> Int? {
    var first: Int?
    while true {
      let place = offset
      switch try slot(.archivedClass(0)) {
      case .none: return first
      case .known(let number), .new(let number):
        guard case .archivedClass(let index)? = tables.entry(number) else {
          throw fault("object \(number) is no class", at: place)
        }
        first = first ?? index
        if reader.byte(at: place) != TypedstreamHead.new { return first }
        _ = try numberedString()
        _ = try integer()
      }
    }
  }

  private mutating func newChain() throws -> Int? {
    let firstNew = tables.classes.count
    var end: Int?
    chain: while true {
      let place = offset
      let index = tables.classes.count
      switch try slot(.archivedClass(index)) {
      case .none: break chain
      case .known(let number):
        guard case .archivedClass(let index)? = tables.entry(number) else {
          throw fault("object \(number) is no class", at: place)
        }
        guard index < firstNew else { throw fault("a class that is its own superclass", at: place) }
        end = index
        break chain
      case .new(let number):
        guard let name = try numberedString() else { throw fault("a class without a name") }
        let version = try integer()
        if index > firstNew { tables.classes[index - 1].superclass = index }
        tables.classes.append(
          TypedstreamClass(name: name, version: Int(version), number: number))
        guard index - firstNew < Self.classDepthMax else {
          throw ArchiveError(.tooDeep, offset: place, "a class with too many superclasses")
        }
        guard index < TypedstreamTables.classesMax else {
          throw ArchiveError(.tooLarge, offset: place, "far more classes than a stream needs")
        }
      }
    }
    guard tables.classes.count > firstNew else { return end }
    tables.classes[tables.classes.count - 1].superclass = end
    var depth = end.map { tables.classes[$0].depth + 1 } ?? 0
    for index in (firstNew..<tables.classes.count).reversed() {
      tables.classes[index].depth = depth
      depth += 1
    }
    guard depth <= Self.classDepthMax else {
      throw ArchiveError(.tooDeep, offset: offset, "a class with too many superclasses")
    }
    return firstNew
  }
}
