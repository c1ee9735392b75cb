import PortolanMemory
import PropertyLists

/// Makes objects again from a typedstream, Apple's or our own (Cocoa's `NSUnarchiver`).
///
///     let unarchiver = try Unarchiver(bytes, classes: [Circle.self, Square.self])
///     let drawing = try unarchiver.decodeObject(Drawing.self)
///
/// Opening reads over the whole stream and checks it. After that, groups are decoded in their order
/// with the types with which they were encoded; keys are used in messages only. A stream can only
/// make classes that the reader names: the class of a call, the subclasses in `classes`, and
/// those of a `ClassList`. An object must read all its groups, unless it calls
/// `skipRemainingValues()`.
public final class Unarchiver: DecodingCoder {
  /// The stream without its classes.
  public let stream: Typedstream

  let table: ClassTable
  let limits: ArchiveLimits
  @exclusivity(unchecked) var stack = StackUse()
  let textEncoding: TextEncoding
  @exclusivity(unchecked) var budget: Int
  @exclusivity(unchecked) var cursor: TypedstreamCursor
  /// The type codes of the shared strings whose references take one byte from 92 on.
  let nearTypes: [UInt8]

  /// The objects and values that were made, by number.
  @exclusivity(unchecked) var made: MadeObjects
  @exclusivity(unchecked) var records: [ClassRecord]
  /// The types that were asked for, whose names were looked at.
  @exclusivity(unchecked) var checkedNames: Set<ObjectIdentifier> = []
  @exclusivity(unchecked) var otherNames: [String: String] = [:]

  /// The object that is being made, and those that wait for it, outermost first.
  @exclusivity(unchecked) var frame = Frame()
  @exclusivity(unchecked) var outerFrames = GrowingRow<Frame>()
  /// The keys in frames that are no short texts, by the number of outer frames.
  @exclusivity(unchecked) var longKeys: [Int: String] = [:]
  /// What was found in the place of an object that was looked at last.
  @exclusivity(unchecked) var placeSlot: MakingSlot = (-1, -1)
  /// The arrays and sets whose elements are being made, innermost last.
  @exclusivity(unchecked) var rows: [OpenRow] = []
  /// The elements of these that are not in their arrays yet: objects that `made` keeps alive.
  @exclusivity(unchecked) var waiting = GrowingRow<Unmanaged<AnyObject>>()
  /// Decoded values of any class, by node.
  @exclusivity(unchecked) var valueMemos = ValueMemos()
  @exclusivity(unchecked) var pendingReferences: [() throws -> Void] = []
  /// The parts kept so far that are not linked yet; `nil` as long as nothing is kept.
  @exclusivity(unchecked) var keptParts: KeptParts?

  /// Types for the names of classes, before the types' own names.
  public var classNames = ArchivedClassNames() {
    didSet { for index in records.indices { records[index].slot = nil } }
  }

  /// How the text of string objects is encoded.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum TextEncoding: Hashable, Sendable {
    /// UTF-8; in streams of NEXTSTEP 3 and before, other bytes are of the NEXTSTEP encoding.
    case automatic
    /// UTF-8 and nothing else.
    case utf8
    /// The NEXTSTEP encoding, as early streams of OPENSTEP have it.
    case nextstep
  }

  /// An object that is being made.
  struct Frame: BitwiseCopyable {
    /// Its number; -1 outside of all objects.
    var number = -1
    var classIndex = -1
    /// The value being decoded, for paths: its key, its place in the object and in an array; the
    /// key is `.other` for one that is listed apart.
    var key = ShortText(constant: "")
    var position = -1
    var element = -1
    /// Whether values that are left are skipped.
    var skipsRest = false
    var making = Making()
  }

  /// A class of the stream, and the type that decodes it.
  struct ClassRecord {
    let name: String
    let foundation: FoundationObject?
    /// The type of its objects where the call names none.
    let valueType: (any FoundationValue.Type)?
    /// The last place it was admitted to, and the type it has there.
    var slot: ObjectIdentifier?
    /// The table of that place: while it is there, no other one has its identifier.
    var slotTable: ClassTable?
    var type: (any Coding.Type)?
    var traits = TypeTraits()

    init(_ name: String) {
      self.name = name
      foundation = FoundationObject(name)
      valueType = FoundationClasses.type(named: name)
    }
  }

  /// Opens an archive; `classes` are the subclasses that may stand for a class a call asks for.
  public convenience init(
    _ bytes: [UInt8], classes: [any Coding.Type] = [], textEncoding: TextEncoding = .automatic,
    limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    self.init(
      stream: try Typedstream(bytes), classes: classes, textEncoding: textEncoding, limits: limits)
  }

  /// Opens a stream that was read over.
  public init(
    stream: Typedstream, classes: [any Coding.Type] = [], textEncoding: TextEncoding = .automatic,
    limits: ArchiveLimits = ArchiveLimits()
  ) {
    self.stream = stream
    self.limits = limits
    self.textEncoding = textEncoding
    table = ClassTable(classes)
    cursor = stream.cursor
    let tables = stream.cursor.tables
    nearTypes = tables.stringStarts.indices.prefix(110).map { tables.typeCode($0) }
    let (product, overflow) = stream.bytes.count.multipliedReportingOverflow(
      by: max(1, limits.expansionFactor))
    budget = overflow ? Int.max : product.addingReportingOverflow(limits.expansionBase).partialValue
    made = MadeObjects(count: stream.objectCount)
    // Of tiny values, the tables to find them again are the most.
    budget -= max(0, tables.byteCount + 4 * made.count - 4 * stream.bytes.count)
    records = Self.records(stream)
    outerFrames.reserveCapacity(16)
  }

  /// The classes of a stream; those of one name share its text.
  private static func records(_ stream: Typedstream) -> [ClassRecord] {
    var known: [Int: ClassRecord] = [:]
    return stream.classes.map { archived in
      if let record = known[archived.name] { return record }
      let record = ClassRecord(stream.text(ofString: archived.name))
      known[archived.name] = record
      return record
    }
  }

  /// The only object of an archive.
  public static func unarchive<Root: Coding>(
    _ type: Root.Type, from bytes: [UInt8], classes: [any Coding.Type] = [],
    limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Root {
    let unarchiver = try Unarchiver(bytes, classes: classes, limits: limits)
    let root = try unarchiver.decodeObject(type)
    guard unarchiver.isAtEnd else {
      throw unarchiver.fault(.corrupt, "there are values after the root object")
    }
    return root
  }

  /// Values are found by their order only.
  public var allowsKeyedCoding: Bool { false }

  /// Whether nothing is left outside of objects.
  public var isAtEnd: Bool { outerFrames.isEmpty && cursor.offset >= stream.bytes.count }

  /// The version of the system that wrote the stream: 1000 since OPENSTEP 4, less before.
  public var systemVersion: Int { stream.systemVersion }

  /// The version with which a class was written; `nil` when the stream has no such class.
  public func version(forClassName name: String) -> Int? {
    if let version = stream.version(forClassName: name) { return version }
    let archived = otherNames.first { $0.value == name }?.key
    return archived.flatMap { stream.version(forClassName: $0) }
  }

  /// Whether the object that is being made has another value; its key is not known.
  public func containsValue(forKey key: String) throws -> Bool { !isAtEndOfValues }

  /// Passes over the values of the object being made that it has not read and will not read.
  ///
  /// For a class that reads the fields of a newer version of it. Call it last.
  public func skipRemainingValues() { frame.skipsRest = true }

  /// Treats a class of the stream as one of another name.
  ///
  /// Tell so before an object of the class is decoded.
  public func decodeClassName(_ archived: String, asClassName name: String) {
    otherNames[archived] = name
    for index in records.indices
    where stream.text(ofString: stream.classes[index].name) == archived {
      records[index] = ClassRecord(name)
    }
  }

  /// Puts another object in the place of one that was decoded, for later references to it.
  public func replaceObject(_ object: AnyObject, with other: AnyObject) {
    made.replace(object, with: other)
  }

  /// Counts the memory of decoded values against the limit for the stream's size.
  @inline(__always)
  func charge(_ bytes: Int) throws {
    let (rest, overflow) = budget.subtractingReportingOverflow(bytes)
    guard !overflow, rest >= 0 else {
      throw fault(.tooLarge, "decoding would produce far more than the stream holds")
    }
    budget = rest
  }
}
