import PortolanMemory
import PropertyLists

/// The forms of property lists in which keyed archives are written.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ArchiveFormat: Hashable, Sendable {
  /// Apple's binary form, small and quick.
  case binary
  /// Text for reading by people; it cannot hold strings that are not valid Unicode.
  case xml
}

/// Writes a graph of objects as a keyed archive in Apple's binary form, or in XML.
///
///     let archiver = KeyedArchiver()
///     try archiver.encodeObject(document, forKey: "root")
///     try archiver.encodeInt(3, forKey: "formatVersion")
///     let bytes = try archiver.finish()
///
/// The archive of equal graphs is the same, byte for byte. After an error the archiver is of no
/// more use; `finish()` then throws it again.
public class KeyedArchiver: EncodingCoder {
  @exclusivity(unchecked) var writer: BinaryPropertyListWriter

  /// The first memory of the rows below.
  private let block: RowBlock
  /// The property-list objects of each node: the reference to it and its body.
  @exclusivity(unchecked) var nodes: GrowingRow<Node>
  /// The record of each class met so far.
  @exclusivity(unchecked) var classes: [ClassEntry] = []
  /// The entries by type and by name, kept from the time there are more than a few.
  @exclusivity(unchecked) var classOfType = [ObjectIdentifier: Int]()
  /// The type whose entry was asked for last, which is most often the one asked for next.
  @exclusivity(unchecked) var lastType: (identity: ObjectIdentifier?, index: Int) = (nil, 0)
  @exclusivity(unchecked) var classesByName = [String: [Int]]()
  @exclusivity(unchecked) var identities: IdentityTable
  @exclusivity(unchecked) var identifiedValues = [AnyHashable: UInt32]()
  @exclusivity(unchecked) var keptNodes = [KeptNode: UInt32]()
  /// The archives that kept nodes come from.
  @exclusivity(unchecked) var keptArchives = [ObjectIdentifier: ValueCopier]()
  /// Nodes reserved for a known object, and the value written if nothing encodes it.
  @exclusivity(unchecked) var fallbacks: [(number: UInt32, node: NodeID, archive: KeptArchive)] = []
  /// Numbers that kept objects have in the place of those that they were read with.
  @exclusivity(unchecked) var keptNumbers = [UInt32: [String: Int]]()

  /// The fields of the objects that are being encoded, innermost last.
  @exclusivity(unchecked) var pending: GrowingRow<PropertyListEntry>
  @exclusivity(unchecked) var frame = Frame(firstField: 0, classIndex: -1)
  @exclusivity(unchecked) var outerFrames: GrowingRow<Frame>

  /// The nodes of the elements of the collections that are being encoded, innermost last.
  @exclusivity(unchecked) var rows: [[UInt32]] = []
  /// The node of the object that was encoded last.
  @exclusivity(unchecked) var placeNode: UInt32 = 0

  /// The keys of objects with many, by depth: from which field up to which they are in the set.
  @exclusivity(unchecked) private var keySets =
    [Int: (first: Int, end: Int, keys: Set<PropertyListReference>)]()

  let limits: ArchiveLimits
  @exclusivity(unchecked) var stack = StackUse()
  let nullBody: PropertyListReference
  let classKey: PropertyListReference
  private let topReference: PropertyListReference
  @exclusivity(unchecked) var failure: (any Error)?
  @exclusivity(unchecked) private var isFinished = false
  /// The bytes of the archive where they may be asked for more than once.
  package var keptArchive: [UInt8]?

  /// The replacements of objects that were asked for one.
  @exclusivity(unchecked) var replacements = [ObjectIdentifier: Replacement]()
  /// The identity that the value has which is written next.
  @exclusivity(unchecked) var nextToken: Replacement.Token?
  /// Whether there is more to do for every object: a delegate, or the archive is finished.
  @exclusivity(unchecked) private(set) var asksFirst = false

  /// Whether the delegate sees the values inside objects too.
  @exclusivity(unchecked) private(set) var showsValues = false

  /// The form in which the archive is written.
  public var outputFormat = ArchiveFormat.binary

  /// Other names for classes; set them before the first object is encoded.
  public var classNames = ArchivedClassNames()

  /// It is told of encoded objects, and may replace them.
  public weak var delegate: (any KeyedArchiverDelegate)? {
    didSet {
      asksFirst = delegate != nil || isFinished || kind == .port
      showsValues = delegate?.seesEncodedValues ?? false
    }
  }

  /// The reservation of a node.
  struct Node: BitwiseCopyable {
    var uid: PropertyListReference
    var body: PropertyListReference
  }

  /// An object that is being encoded.
  struct Frame: BitwiseCopyable {
    var firstField: Int
    /// The class, whose fields are expected in the same order as last time; -1 on top.
    var classIndex: Int
    /// The number of the next value without a key.
    var nextPosition = 0
    /// The node of the object.
    var number: UInt32 = 0
  }

  /// A class that has a record in the archive, or will have one.
  struct ClassEntry {
    var type: ObjectIdentifier?
    var name: String
    var ancestors: [String]
    var node: UInt32 = 0
    var isObject = false
    var isIdentified = false
    var isSubstituting = false
    var isUnknown = false
    var isFoundation = false
    var isClassSubstituting = false
    var isRestricted = false
    /// The type, if its name is its own and no other type's, and why it is not.
    var claimant: (any Coding.Type)?
    var nameFault: String?
    /// Whether any of these is so.
    var isSpecial = false
    /// Whether the name is another than the class's own, so that the superclasses are left out.
    var isRenamed = false
    var fallbackNames: [String] = []
    /// The keys of the last instance, in order, to find them again without a search.
    var keys: [KnownKey] = []
  }

  /// A key that the last instance of a class had at a place.
  struct KnownKey {
    var text: String
    var isASCII: Bool
    var reference: PropertyListReference
  }

  /// A node of another archive that is written back.
  struct KeptNode: Hashable {
    var graph: ObjectIdentifier
    var node: NodeID
  }

  /// The kind of coder: a keyed one, or one that sends objects to another program.
  let kind: CoderKinds

  /// Makes an archiver.
  public convenience init(limits: ArchiveLimits = ArchiveLimits()) {
    self.init(.keyed, limits: limits)
  }

  init(_ kind: CoderKinds, limits: ArchiveLimits) {
    self.kind = kind
    self.limits = limits
    asksFirst = kind == .port
    var block = RowBlock(bytes: 512)
    nodes = GrowingRow(capacity: 16, in: &block)
    pending = GrowingRow(capacity: 16, in: &block)
    outerFrames = GrowingRow(capacity: 4, in: &block)
    identities = IdentityTable(in: &block)
    self.block = block
    writer = BinaryPropertyListWriter(capacity: 48)
    classes.reserveCapacity(4)
    topReference = writer.reserve()
    nullBody = writer.addString("$null")
    classKey = writer.addString("$class")
    nodes.append(Node(uid: writer.addUID(0), body: nullBody))
  }

  // Before the block ends, in which they may be.
  deinit { identities.removeAll() }

  /// The archive of one object or value under the key `root`.
  @inlinable
  public static func archive(
    _ root: some Coding, limits: ArchiveLimits = ArchiveLimits()
  ) throws -> [UInt8] {
    let archiver = KeyedArchiver(limits: limits)
    try archiver.encodeObject(root, forKey: "root")
    return try archiver.finish()
  }

  /// Keyed archives find values by key.
  public var allowsKeyedCoding: Bool { true }

  // Stand here because port coders override them.

  public func encodeBycopyObject<Object: Coding>(_ object: Object?) throws {
    try encodeObject(object)
  }

  public func encodeByrefObject<Object: Coding>(_ object: Object?) throws {
    try encodeObject(object)
  }

  public func encodeBycopyObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    try encodeObject(object, forKey: key)
  }

  public func encodeByrefObject<Object: Coding>(_ object: Object?, forKey key: String) throws {
    try encodeObject(object, forKey: key)
  }

  /// Ends the archive and gives its bytes; nothing can be encoded afterwards.
  public func finish() throws -> [UInt8] {
    if let failure { throw failure }
    guard outerFrames.isEmpty else {
      throw ArchiveError(.misuse, path: path(""), "an object is still being encoded")
    }
    try checkOpen()
    try delegate?.archiverWillFinish(self)
    if let failure { throw failure }
    try writeFallbacks()
    (isFinished, asksFirst) = (true, true)
    let bytes = try finishedBytes()
    delegate?.archiverDidFinish(self)
    return bytes
  }

  /// Throws when the archive is finished.
  func checkOpen() throws {
    guard isFinished else { return }
    throw ArchiveError(.misuse, "the archive is finished: nothing can be encoded any more")
  }

  private func finishedBytes() throws -> [UInt8] {
    let top = writer.reserve()
    writer.setDictionary(top, pending, from: 0)
    let objects = writer.reserve()
    writer.setArray(objects, count: nodes.count) { nodes[$0].body }
    // The layout needs as much memory again; the tables that led to the nodes are of no more use.
    identities.removeAll()
    pending.truncate(to: 0)
    // The keys come before the values, as Apple numbers them.
    let version = writer.addString("$version")
    let archiver = writer.addString("$archiver")
    let topKey = writer.addString("$top")
    let objectsKey = writer.addString("$objects")
    addPending(version, writer.addInteger(100_000))
    addPending(archiver, writer.addString("NSKeyedArchiver"))
    addPending(topKey, top)
    addPending(objectsKey, objects)
    writer.setDictionary(topReference, pending, from: 0)
    do {
      let bytes = try writer.finish(top: topReference)
      guard outputFormat == .xml else { return bytes }
      return try BinaryPropertyList(bytes).xml()
    } catch {
      throw ArchiveError(error, path: "")
    }
  }

  static let rootClass = ["NSObject"]

  // MARK: Nodes

  /// Takes the next number in `$objects` for a body.
  func addNode(body: PropertyListReference) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(Node(uid: writer.addUID(number), body: body))
    return number
  }

  /// The node of a string, which equal strings share.
  func node(ofString text: String) throws -> UInt32 {
    if text == "$null" { return try boxedNull() }
    let string = writer.addNotedString(text)
    if string.note != 0 { return string.note }
    let node = addNode(body: string.reference)
    writer.note(node, ofString: string.number)
    return node
  }

  /// The text `$null` would be read as "none", so it is boxed as Apple does.
  private func boxedNull() throws -> UInt32 {
    try collection("NSString") {
      try addField("NS.string", writer.addString("$null"))
    }
  }

  /// Encodes an object of a Foundation class whose fields `body` adds.
  func collection(_ name: String, _ body: () throws -> Void) throws -> UInt32 {
    let classIndex = classIndex(named: name, ancestors: Self.rootClass)
    let number = addNode(body: writer.reserve())
    try encodeFields(of: number, classIndex: classIndex, body)
    return number
  }

  /// Adds the fields of a node with `body`, then the class, and fills the node's body.
  func encodeFields(of number: UInt32, classIndex: Int, _ body: () throws -> Void) throws {
    beginFields(classIndex)
    do {
      try body()
    } catch {
      throw failed(error)
    }
    endFields(of: number)
  }

  /// Begins an object; its fields follow those of its owners.
  @inline(__always)
  func beginFields(_ classIndex: Int) {
    outerFrames.append(frame)
    frame = Frame(firstField: pending.count, classIndex: classIndex)
  }

  /// Ends an object: adds its class and fills the node's body.
  func endFields(of number: UInt32) {
    let record = classRecord(frame.classIndex)
    addPending(classKey, nodes[Int(record)].uid)
    let first = frame.firstField
    if pending.count &- first > Self.listedKeys { keySets[outerFrames.count] = nil }
    writer.setDictionary(nodes[Int(number)].body, pending, from: first)
    pending.truncate(to: first)
    frame = outerFrames.removeLast()
  }

  /// Notes the first error; nothing can be finished after it.
  func failed(_ error: any Error) -> any Error {
    failure = failure ?? error
    return error
  }

  // MARK: Fields

  /// Adds a field to the object that is being encoded.
  func addField(_ key: String, _ value: PropertyListReference) throws {
    let position = pending.count &- frame.firstField
    let reference = try keyReference(key, at: position)
    guard !isEncoded(reference) else {
      throw failed(
        ArchiveError(.duplicateKey, path: path(key), "a key is encoded twice into one object"))
    }
    addPending(reference, value)
  }

  /// Adds an entry to the dictionary that is being collected.
  @inline(__always)
  func addPending(_ key: PropertyListReference, _ value: PropertyListReference) {
    pending.append(PropertyListEntry(key: key, value: value))
  }

  /// Whether the object that is being encoded has a key already.
  func isEncoded(_ key: PropertyListReference) -> Bool {
    let first = frame.firstField
    if pending.count &- first > Self.listedKeys { return isEncodedAmongMany(key) }
    for place in first..<pending.count where pending[place].key == key { return true }
    return false
  }

  /// Up to this many keys of an object are searched one by one.
  private static let listedKeys = 48

  private func isEncodedAmongMany(_ key: PropertyListReference) -> Bool {
    let depth = outerFrames.count
    let first = frame.firstField
    if keySets[depth]?.first != first { keySets[depth] = (first, first, []) }
    guard var set = keySets.removeValue(forKey: depth) else { return false }
    // Only additions since the last question are counted.
    for place in set.end..<pending.count { set.keys.insert(pending[place].key) }
    set.end = pending.count
    let isEncoded = set.keys.contains(key)
    keySets[depth] = set
    return isEncoded
  }

  @inline(__always)
  private func keyReference(_ key: String, at position: Int) throws -> PropertyListReference {
    guard frame.classIndex >= 0 else {
      try checkOpen()
      return writer.addString(mangled(key))
    }
    if position < classes[frame.classIndex].keys.count {
      let known = classes[frame.classIndex].keys[position]
      if known.text == key, known.isASCII { return known.reference }
    }
    return newKeyReference(key, at: position)
  }

  private func newKeyReference(_ key: String, at position: Int) -> PropertyListReference {
    let added = writer.addKey(mangled(key))
    let known = KnownKey(text: key, isASCII: added.isASCII, reference: added.reference)
    let index = frame.classIndex
    if position < classes[index].keys.count {
      classes[index].keys[position] = known
    } else if position == classes[index].keys.count, position < 256 {
      if position == 0 { classes[index].keys.reserveCapacity(8) }
      classes[index].keys.append(known)
    }
    return known.reference
  }

  /// Where in the graph the encoding stands, for messages; without a key, the object itself.
  func path(_ key: String) -> String {
    var frames = (0..<outerFrames.count).map { outerFrames[$0] }
    frames.append(frame)
    let names = frames.filter { $0.classIndex >= 0 }.prefix(32).map { classes[$0.classIndex].name }
    return (["$top"] + names + (key.isEmpty ? [] : [key])).joined(separator: ".")
  }
}

/// A client's key as it is stored: one that begins with `$` gets one more.
func mangled(_ key: String) -> String {
  key.utf8.first == 0x24 ? "$" + key : key
}
