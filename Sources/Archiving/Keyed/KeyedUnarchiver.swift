import PortolanMemory
import PropertyLists

/// Makes objects again from a keyed archive, Apple's or our own.
///
///     let unarchiver = try KeyedUnarchiver(bytes, classes: [Circle.self, Square.self])
///     let drawing = try unarchiver.decodeObject(Drawing.self, forKey: "root")
///
/// An archive can only make classes that the reader names: the class that a call asks for, the
/// subclasses in `classes`, and those of a `ClassList`. Objects are made on demand, so that one
/// object out of a large archive costs no more than itself.
public class KeyedUnarchiver: DecodingCoder {
  /// The archive without its classes.
  public let graph: ObjectGraph

  let list: BinaryPropertyList
  private let isPaged: Bool
  let objects: PropertyListReferences
  let table: ClassTable
  let limits: ArchiveLimits
  @exclusivity(unchecked) var stack = StackUse()
  @exclusivity(unchecked) var budget: Int

  /// The first memory of the rows below.
  private let block: RowBlock
  @exclusivity(unchecked) var keys: KeyTable

  /// The objects and values that were made, by node.
  @exclusivity(unchecked) var made: MadeObjects
  @exclusivity(unchecked) var records: [ClassRecord] = []
  /// The types that were asked for, whose names were looked at.
  @exclusivity(unchecked) var checkedNames: GrowingRow<ObjectIdentifier>

  @exclusivity(unchecked) var fields: GrowingRow<Field>
  /// The node that is being decoded, and those that wait for it, outermost first.
  @exclusivity(unchecked) var frame = Frame()
  @exclusivity(unchecked) var outerFrames: GrowingRow<Frame>
  /// The node in the place that was looked at last.
  @exclusivity(unchecked) var placeNode: UInt32 = 0
  /// The arrays and sets whose elements are being made, innermost last.
  @exclusivity(unchecked) var rows = GrowingRow<OpenRow>()
  /// The elements of these that are not in their arrays yet: objects that `made` keeps alive.
  @exclusivity(unchecked) var waiting = GrowingRow<Unmanaged<AnyObject>>()
  /// The elements of these that are replaced by nothing, and those of the row that ended last.
  @exclusivity(unchecked) var gaps: [(row: Int, place: Int)] = []
  @exclusivity(unchecked) var lastGaps: [Int] = []
  /// The places of fields by key number, of nodes with many, by the number of outer frames.
  @exclusivity(unchecked) var fieldIndexes = [Int: [UInt32: Int]]()
  /// The parts kept so far that are not linked yet; `nil` as long as nothing is kept.
  @exclusivity(unchecked) var keptParts: KeptParts?
  /// Decoded values of any class, by node.
  @exclusivity(unchecked) var valueMemos = ValueMemos()
  @exclusivity(unchecked) var pendingReferences: [() throws -> Void] = []
  @exclusivity(unchecked) private var isFinished = false
  /// Whether there is a delegate, which has to see every object.
  @exclusivity(unchecked) private(set) var asksDelegate = false

  /// What a delegate that sees the values inside objects handed out for them; else `nil`.
  @exclusivity(unchecked) private(set) var shownValues: ShownValues?

  /// Types for the names of classes, before the types' own names.
  public var classNames: ArchivedClassNames {
    get { otherNames }
    set {
      otherNames = newValue
      forgetTypes()
    }
  }

  /// The same, for the unarchiver itself.
  @exclusivity(unchecked) private(set) var otherNames = ArchivedClassNames()

  /// Whether an object of an unknown class may be made of one that the archive suggests instead
  /// (`$classhints`), if that one is admitted at the place; it is not, unless asked for.
  public var followsClassHints = false {
    didSet { forgetTypes() }
  }

  /// It is told of decoded objects, and may replace them.
  public weak var delegate: (any KeyedUnarchiverDelegate)? {
    didSet {
      asksDelegate = delegate != nil
      shownValues = delegate?.seesDecodedValues ?? false ? ShownValues() : nil
      forgetTypes()
    }
  }

  /// A field of a node that is being decoded.
  struct Field: BitwiseCopyable {
    var key: UInt32
    var value: PropertyListReference
    /// What the value refers to as a short UID; `Field.noNode` for all else, which is to be read.
    var node: UInt32
    var isRead = false

    /// No number of a node, of which there are fewer than bytes.
    static var noNode: UInt32 { .max }
  }

  /// A node that is being decoded.
  struct Frame: BitwiseCopyable {
    /// The node; 0 for the top level.
    var node: UInt32 = 0
    var firstField = 0
    var fieldCount = 0
    var record = -1
    /// Where the next field is expected.
    var cursor = 0
    /// The field being decoded, for paths.
    var current = -1
    /// The element of that field being decoded, for paths.
    var element = -1
    /// The number of the next value without a key.
    var nextPosition = 0
    var making = Making()
  }

  /// A class described in the archive, and the type that decodes it.
  struct ClassRecord {
    /// Its number in the archive.
    var node: UInt32
    /// The name of the class; those of its superclasses stand in the archive.
    var name: String
    var foundation: FoundationClass?
    /// The last place it was admitted to, and the type it has there.
    var slot: ObjectIdentifier?
    /// The table of that place: while it is there, no other one has its identifier.
    var slotTable: ClassTable?
    var type: (any Coding.Type)?
    var traits = TypeTraits()
  }

  /// A class of Foundation whose objects stand for plain values.
  enum FoundationClass: String {
    case string, data, date, array, set, dictionary
    case oldStyleArray = "array of simple values"

    /// Its kind, in a word for messages.
    var phrase: String {
      switch self {
      case .data: rawValue
      case .array, .oldStyleArray: "an " + rawValue
      default: "a " + rawValue
      }
    }

    init?(_ name: String) {
      // Most names are those of a program's own classes.
      let first = name.withBytes { $0.first }
      guard first == UInt8(ascii: "N") || first == UInt8(ascii: "_") else { return nil }
      switch name {
      case "NSString", "NSMutableString": self = .string
      case "NSData", "NSMutableData": self = .data
      case "NSDate": self = .date
      case "NSArray", "NSMutableArray": self = .array
      case "NSSet", "NSMutableSet": self = .set
      case "NSDictionary", "NSMutableDictionary": self = .dictionary
      case "_NSKeyedCoderOldStyleArray": self = .oldStyleArray
      default: return nil
      }
    }
  }

  /// Opens an archive; `classes` are the subclasses that may stand for a class a call asks for.
  public convenience init(
    _ bytes: [UInt8], classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    try self.init(graph: ObjectGraph(bytes), classes: classes, limits: limits)
  }

  /// Opens a graph.
  public convenience init(
    graph: ObjectGraph, classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    try self.init(.keyed, graph: graph, classes: classes, limits: limits)
  }

  /// The kind of coder: a keyed one, or one for messages of another program.
  let kind: CoderKinds

  init(
    _ kind: CoderKinds, graph: ObjectGraph, classes: [any Coding.Type], limits: ArchiveLimits
  ) throws {
    self.kind = kind
    self.graph = graph
    self.limits = limits
    list = graph.list
    isPaged = graph.list.reader.isPaged
    objects = graph.objects
    table = classes.isEmpty ? ClassTable.empty : ClassTable(classes)
    let (product, overflow) = list.reader.count.multipliedReportingOverflow(
      by: max(1, limits.expansionFactor))
    budget = overflow ? Int.max : product.addingReportingOverflow(limits.expansionBase).partialValue
    // What a small archive takes comes from the allocator's quickest list.
    var block = RowBlock(bytes: 1_024)
    made = MadeObjects(count: objects.count, in: &block)
    keys = KeyTable(references: list.count, in: &block)
    fields = GrowingRow(capacity: 16, in: &block)
    outerFrames = GrowingRow(capacity: 4, in: &block)
    checkedNames = GrowingRow(capacity: 4, in: &block)
    self.block = block
    do {
      records.reserveCapacity(4)
      try pushFields(graph.topKeys, graph.topValues)
      frame.fieldCount = fields.count
    } catch let error as PropertyListError {
      throw ArchiveError(error, path: "$top")
    }
  }

  // Before the block ends, in which they may be.
  deinit { made.removeAll() }

  /// The object under the key `root`.
  @inlinable
  public static func unarchive<Root: Coding>(
    _ type: Root.Type, from bytes: [UInt8], classes: [any Coding.Type] = [],
    limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Root {
    let unarchiver = try KeyedUnarchiver(bytes, classes: classes, limits: limits)
    return try unarchiver.decodeObject(type, forKey: "root")
  }

  /// Keyed archives find values by key.
  public var allowsKeyedCoding: Bool { true }

  public func containsValue(forKey key: String) throws -> Bool {
    try checkOpen()
    return position(of: key) != nil
  }

  /// Ends the decoding: tells the delegate, and refuses every further call.
  ///
  /// There is no need to call it without a delegate.
  public func finishDecoding() throws {
    try checkOpen()
    guard outerFrames.isEmpty else {
      throw ArchiveError(.misuse, path: path(), "an object is still being decoded")
    }
    delegate?.unarchiverWillFinish(self)
    isFinished = true
    fields.truncate(to: 0)
    frame = Frame()
    delegate?.unarchiverDidFinish(self)
  }

  func checkOpen() throws {
    guard isFinished else { return }
    throw ArchiveError(.misuse, "the unarchiver is finished: nothing can be decoded any more")
  }

  // MARK: Fields

  /// Puts the fields of a dictionary on the stack; throws for a key that is there twice.
  func pushFields(_ fieldKeys: PropertyListReferences, _ values: PropertyListReferences) throws {
    keys.beginNode()
    for index in 0..<fieldKeys.count {
      guard let key = list.entry(index, of: fieldKeys),
        let value = list.entry(index, of: values)
      else { throw PropertyListError(.badReference, at: fieldKeys.start, "a bad reference") }
      let number = try keys.number(ofKnown: key) ?? addKey(key)
      guard keys.note(number) else {
        throw PropertyListError(
          .duplicateKey, at: fieldKeys.start, "the key \(keys.text(number)) is there twice")
      }
      // All nodes are looked up in one loop, so that the processor waits for memory once and not
      // for each. In parts of a file only values that are asked for are read.
      let node = isPaged ? nil : list.shortUID(value)
      fields.append(Field(key: number, value: value, node: node ?? Field.noNode))
    }
  }

  @inline(never)
  private func addKey(_ reference: PropertyListReference) throws -> UInt32 {
    try keys.addReference(reference, in: list)
  }

  /// The value under a key in the node that is being decoded, which counts as read from now on.
  @inline(__always)
  func find(_ key: String) throws -> PropertyListReference? { try findField(key)?.value }

  /// The field of a key in the node that is being decoded, which counts as read from now on.
  @inline(__always)
  func findField(_ key: String) throws -> Field? {
    guard let position = position(of: key) else {
      try checkOpen()
      return nil
    }
    return takeField(position)
  }

  /// The value at a place of the node that is being decoded, which counts as read from now on.
  @inline(__always)
  func take(_ position: Int) -> PropertyListReference { takeField(position).value }

  @inline(__always)
  private func takeField(_ position: Int) -> Field {
    frame.current = position
    frame.cursor = position &+ 1
    let place = frame.firstField &+ position
    fields[place].isRead = true
    return fields[place]
  }

  /// The place of a key among the fields; fields are expected in the order of the archive.
  func position(of key: String) -> Int? {
    guard let short = ShortText(key), short.low & 0xFF != 0x24 else {
      return place(of: mangled(key))
    }
    return place(ofShort: short)
  }

  /// The place of a key as it stands in the archive.
  func place(of key: String) -> Int? {
    if let short = ShortText(key) { return place(ofShort: short) }
    return place(isKey: { keys.isLong($0, key) }, number: { keys.number(ofLong: key) })
  }

  @inline(__always)
  private func place(ofShort key: ShortText) -> Int? {
    place(isKey: { keys.isShort($0, key) }, number: { keys.number(of: key) })
  }

  @inline(__always)
  private func place(isKey: (UInt32) -> Bool, number: () -> UInt32?) -> Int? {
    let (first, count) = (frame.firstField, frame.fieldCount)
    if frame.cursor < count, isKey(fields[first &+ frame.cursor].key) { return frame.cursor }
    guard count > 32 else {
      for position in 0..<count where isKey(fields[first &+ position].key) { return position }
      return nil
    }
    return number().flatMap { indexedPlace(of: $0) }
  }

  /// The place of a key in a node with many.
  private func indexedPlace(of number: UInt32) -> Int? {
    let depth = outerFrames.count
    if fieldIndexes[depth] == nil {
      var index: [UInt32: Int] = [:]
      for position in 0..<frame.fieldCount {
        index[fields[frame.firstField + position].key] = position
      }
      fieldIndexes[depth] = index
    }
    return fieldIndexes[depth]?[number]
  }

  /// Counts the memory of decoded values against the limit for the archive's size.
  @inline(__always)
  func charge(_ bytes: Int) throws {
    let (rest, overflow) = budget.subtractingReportingOverflow(bytes)
    guard !overflow, rest >= 0 else {
      throw fault(.tooLarge, nil, "decoding would produce far more than the archive holds")
    }
    budget = rest
  }
}
