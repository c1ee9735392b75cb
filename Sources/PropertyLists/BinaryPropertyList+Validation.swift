extension BinaryPropertyList {
  /// How deep containers may be nested.
  public static let depthMax = 512

  /// Checks everything that can be reached from the top.
  ///
  /// Every object is checked once, however often it is referred to. Throws for everything that
  /// `object(_:)` throws, for keys that are no strings or are there twice, for a container that
  /// holds itself, and for nesting beyond `depthMax`.
  public func validate() throws(PropertyListError) {
    try validate(top)
  }

  /// Checks everything that can be reached from an object.
  public func validate(_ reference: PropertyListReference) throws(PropertyListError) {
    var walk = Validation(list: self)
    try walk.run(from: reference)
  }
}

/// A depth-first walk with a stack of its own.
private struct Validation {
  let list: BinaryPropertyList

  /// The height of each container that is done; `open` while it is being walked.
  private var heights: [PropertyListReference: Int] = [:]
  private var stack: [Level] = []
  private static let open = -1

  private struct Level {
    var reference: PropertyListReference
    var children: PropertyListReferences
    var next = 0
    var height = 1
  }

  init(list: BinaryPropertyList) { self.list = list }

  mutating func run(from reference: PropertyListReference) throws(PropertyListError) {
    try enter(reference)
    while let level = stack.last {
      guard level.next < level.children.count else {
        leave(level)
        continue
      }
      stack[stack.count - 1].next += 1
      try enter(list.reference(level.next, of: level.children))
    }
  }

  private mutating func leave(_ level: Level) {
    heights[level.reference] = level.height
    stack.removeLast()
    guard let parent = stack.indices.last else { return }
    stack[parent].height = max(stack[parent].height, level.height + 1)
  }

  private mutating func enter(_ reference: PropertyListReference) throws(PropertyListError) {
    let object = try list.object(reference)
    switch object {
    case .array(let row), .set(let row):
      try open(reference, row)
    case .dictionary(let keys, let values):
      if heights[reference] == nil { try checkKeys(keys) }
      try open(reference, values)
    case .ascii(let range):
      _ = try list.ascii(range)
    default:
      break
    }
  }

  private mutating func open(
    _ reference: PropertyListReference, _ children: PropertyListReferences
  ) throws(PropertyListError) {
    if let height = heights[reference] {
      guard height != Self.open else {
        throw PropertyListError(
          .cycle, at: try list.offset(of: reference), "a container that holds itself")
      }
      if let parent = stack.indices.last {
        stack[parent].height = max(stack[parent].height, height + 1)
      }
      try checkDepth(stack.count + height, reference)
      return
    }
    try checkDepth(stack.count + 1, reference)
    heights[reference] = Self.open
    stack.append(Level(reference: reference, children: children))
  }

  private func checkDepth(
    _ depth: Int, _ reference: PropertyListReference
  ) throws(PropertyListError) {
    guard depth <= BinaryPropertyList.depthMax else {
      throw PropertyListError(
        .tooDeep, at: try list.offset(of: reference),
        "containers nested deeper than \(BinaryPropertyList.depthMax)")
    }
  }

  private func checkKeys(_ keys: PropertyListReferences) throws(PropertyListError) {
    var seen: Set<[UInt8]> = []
    for index in 0..<keys.count {
      let reference = try list.reference(index, of: keys)
      let object = try list.object(reference)
      let range: Range<Int>
      switch object {
      case .ascii(let bytes): range = bytes
      case .utf16(let bytes): range = bytes
      default:
        throw PropertyListError(
          .badKey, at: try list.offset(of: reference),
          "a key must be a string, this one is \(object.kindName)")
      }
      // The kind goes first, so that no ASCII key equals the bytes of a UTF-16 one.
      var exact: [UInt8] = [object.isASCII ? 0 : 1]
      list.reader.withBytes(in: range) { exact.append(contentsOf: $0) }
      guard seen.insert(exact).inserted else {
        throw PropertyListError(
          .duplicateKey, at: try list.offset(of: reference), "a dictionary has a key twice")
      }
    }
  }
}

extension PropertyListObject {
  fileprivate var isASCII: Bool {
    if case .ascii = self { return true }
    return false
  }
}
