import PropertyLists

/// Makes objects again from a keyed archive, Apple's or our own.
///
///     let unarchiver = try KeyedUnarchiver(bytes, classes: [Circle.self, Square.self])
///     let drawing = try unarchiver.decodeObject(Drawing.self, forKey: "root")
///
/// An archive can only make what the reader names: the class that a call asks for, the subclasses
/// in `classes`, and what a `ClassList` admits. Objects are made when they are asked for, so that
/// one object out of a large archive costs no more than itself.
public final class KeyedUnarchiver: DecodingCoder {
  /// The archive without its classes.
  public let graph: ObjectGraph

  let list: BinaryPropertyList
  let objects: PropertyListReferences
  let table: ClassTable
  let limits: ArchiveLimits
  var budget: Int

  var keys = KeyTable()
  /// Per key number, the node in which it was met last, to find keys that are there twice.
  var keyStamps: [UInt32] = []
  var stamp: UInt32 = 0

  /// What has become of each node: a `Memo` in one word.
  var memos: [UInt32]
  var madeObjects: [AnyObject] = []
  var madeValues: [Any] = []
  var strings: [String] = []
  var records: [ClassRecord] = []

  var fields: [Field] = []
  var frames: [Frame] = []
  var pendingReferences: [() throws -> Void] = []

  /// A field of a node that is being decoded.
  struct Field {
    var key: UInt32
    var value: PropertyListReference
    var isRead = false
  }

  /// A node that is being decoded.
  struct Frame {
    /// The node; 0 for the top level.
    var node: UInt32
    var firstField: Int
    var fieldCount: Int
    var record: Int
    /// Where the next field is expected.
    var cursor = 0
    /// The field being decoded, for paths.
    var current = -1
    /// The element of that field being decoded, for paths.
    var element = -1
    /// The places of the fields by key number, for nodes with many.
    var index: [UInt32: Int]?
  }

  /// A class that the archive describes, and what it is taken for.
  struct ClassRecord {
    var chain: [String]
    /// The last place it was admitted to, and the type it has there.
    var slot: ObjectIdentifier?
    var type: (any Coding.Type)?
    var traits = TypeTraits()
  }

  /// What has to be known of a type to make an instance.
  struct TypeTraits {
    var isObject = false
    var isAwaking = false
    var isUnknown = false
  }

  /// Opens an archive; `classes` are the subclasses that may stand for a class a call asks for.
  public convenience init(
    _ bytes: [UInt8], classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    try self.init(graph: ObjectGraph(bytes), classes: classes, limits: limits)
  }

  /// Opens a graph.
  public init(
    graph: ObjectGraph, classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    self.graph = graph
    self.limits = limits
    list = graph.list
    objects = graph.objects
    table = ClassTable(classes)
    let (product, overflow) = list.reader.count.multipliedReportingOverflow(
      by: max(1, limits.expansionFactor))
    budget = overflow ? Int.max : product.addingReportingOverflow(limits.expansionBase).partialValue
    memos = Array(repeating: 0, count: objects.count)
    do {
      try pushFields(graph.topKeys, graph.topValues)
      frames.append(Frame(node: 0, firstField: 0, fieldCount: fields.count, record: -1))
    } catch let error as PropertyListError {
      throw ArchiveError(error, path: "$top")
    }
  }

  /// The object under the key `root`.
  public static func unarchive<Root: Coding>(
    _ type: Root.Type, from bytes: [UInt8], classes: [any Coding.Type] = [],
    limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Root {
    try KeyedUnarchiver(bytes, classes: classes, limits: limits).decodeObject(
      type, forKey: "root")
  }

  /// Keyed archives find values by key.
  public var allowsKeyedCoding: Bool { true }

  public func containsValue(forKey key: String) throws -> Bool {
    position(of: key) != nil
  }

  // MARK: Fields

  /// Puts the fields of a dictionary on the stack; throws for a key that is there twice.
  func pushFields(_ fieldKeys: PropertyListReferences, _ values: PropertyListReferences) throws {
    stamp &+= 1
    for index in 0..<fieldKeys.count {
      let number = try keys.number(of: list.reference(index, of: fieldKeys), in: list)
      while keyStamps.count <= Int(number) { keyStamps.append(0) }
      guard keyStamps[Int(number)] != stamp else {
        throw PropertyListError(
          .duplicateKey, at: fieldKeys.start, "the key \(keys.names[Int(number)]) is there twice")
      }
      keyStamps[Int(number)] = stamp
      fields.append(Field(key: number, value: try list.reference(index, of: values)))
    }
  }

  /// The value under a key in the node that is being decoded, which counts as read from now on.
  @inline(__always)
  func find(_ key: String) -> PropertyListReference? {
    guard let position = position(of: key) else { return nil }
    let top = frames.count - 1
    frames[top].current = position
    frames[top].cursor = position + 1
    let place = frames[top].firstField + position
    fields[place].isRead = true
    return fields[place].value
  }

  /// The place of a key among the fields; fields are expected in the order of the archive.
  private func position(of key: String) -> Int? {
    if key.utf8.first == 0x24 { return search(mangled(key)) }
    let frame = frames[frames.count - 1]
    if frame.cursor < frame.fieldCount {
      let number = fields[frame.firstField + frame.cursor].key
      if matches(number, key) { return frame.cursor }
    }
    return search(key)
  }

  private func matches(_ number: UInt32, _ key: String) -> Bool {
    // Equal in Swift's sense and of equal length in code units: canonical twins differ in length
    // or, where they do not, in their bytes.
    let name = keys.names[Int(number)]
    return name == key && name.utf8.count == key.utf8.count
      && (name.utf8.count < 16 || name.utf8.elementsEqual(key.utf8))
  }

  private func search(_ key: String) -> Int? {
    let frame = frames[frames.count - 1]
    guard frame.fieldCount > 32 else {
      for position in 0..<frame.fieldCount
      where matches(fields[frame.firstField + position].key, key) {
        return position
      }
      return nil
    }
    guard let number = keys.number(of: key) else { return nil }
    if frame.index == nil {
      var index: [UInt32: Int] = [:]
      for position in 0..<frame.fieldCount {
        index[fields[frame.firstField + position].key] = position
      }
      frames[frames.count - 1].index = index
    }
    return frames[frames.count - 1].index?[number]
  }

  /// Counts what decoding produces against what the archive justifies.
  @inline(__always)
  func charge(_ bytes: Int) throws {
    let (rest, overflow) = budget.subtractingReportingOverflow(bytes)
    guard !overflow, rest >= 0 else {
      throw fault(.tooLarge, nil, "decoding would produce far more than the archive holds")
    }
    budget = rest
  }
}
