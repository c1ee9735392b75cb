import PropertyLists

/// A typedstream (`NSArchiver`'s format) seen without any class.
///
/// It is opened by one pass over the bytes, which checks everything and numbers the shared
/// items. After that any object is looked up at once, and an event reader goes through the whole
/// stream or one object. The stream never changes.
///
///     let stream = try Typedstream(bytes)
///     var scanner = stream.events()
///     while let event = try scanner.next() { … }
public final class Typedstream: Sendable {
  /// Which end of a number comes first.
  public let byteOrder: TypedstreamByteOrder
  /// The version of the system that wrote it: 1000 since OPENSTEP 4, less before.
  public let systemVersion: Int
  /// The classes in the order in which they appear.
  public var classes: [TypedstreamClass] { cursor.tables.classes }

  /// Behind the header, with complete tables.
  let cursor: TypedstreamCursor

  /// Where a stream stops that was opened up to its first damage.
  package let damage: Damage?

  /// The unreadable part of a stream: everything from an offset on.
  package struct Damage: Sendable {
    /// Why it cannot be read.
    package var reason: String
    /// The byte at which the step begins that failed.
    package var offset: Int
    /// Whether only whole groups come before it, so that it may be no part of the archive.
    package var isBehindGroups: Bool
    /// How many steps come before it.
    var stepCount: Int
  }

  /// Opens a stream; the bytes are kept, not copied.
  public convenience init(_ bytes: [UInt8]) throws {
    var scanner = try TypedstreamScanner(bytes)
    let start = scanner.offset
    try scanner.readToEnd()
    self.init(scanner, start: start, damage: nil)
  }

  /// Opens a stream up to its first damage; its events end there, with objects still open.
  ///
  /// - Throws: `ArchiveError` when its header cannot be read.
  package convenience init(upToDamage bytes: [UInt8]) throws {
    var scanner = try TypedstreamScanner(bytes)
    let start = scanner.offset
    var damage: Damage?
    var stepCount = 0
    var place = start
    var isBehindGroups = true
    do {
      while true {
        place = scanner.offset
        isBehindGroups = scanner.isBehindGroups
        guard try scanner.next() != nil else { break }
        stepCount += 1
      }
    } catch let error as ArchiveError {
      damage = Damage(
        reason: error.description, offset: place, isBehindGroups: isBehindGroups,
        stepCount: stepCount)
      scanner.endObjects(at: place)
    }
    self.init(scanner, start: start, damage: damage)
  }

  private init(_ scanner: TypedstreamScanner, start: Int, damage: Damage?) {
    byteOrder = scanner.byteOrder
    systemVersion = scanner.systemVersion
    self.damage = damage
    var cursor = scanner.cursor
    cursor.offset = start
    cursor.isNumbered = true
    cursor.lastNumber = -1
    self.cursor = cursor
  }

  /// The version of the format, which is always 4.
  public var streamerVersion: Int { 4 }

  /// The bytes of the stream.
  public var bytes: [UInt8] { cursor.reader.bytes }

  /// How many shared strings there are.
  public var stringCount: Int { cursor.tables.stringStarts.count }

  /// How many objects, classes and C strings there are, which are counted together.
  public var objectCount: Int { cursor.tables.items.count }

  /// The item of a number.
  public enum Entry: Hashable, Sendable {
    /// An object, with the place of its class in `classes`.
    case object(classIndex: Int)
    /// A class, with its place in `classes`.
    case archivedClass(Int)
    /// A C string, with the number of its shared string.
    case cString(string: Int)
  }

  /// The item of a number; `nil` when there is no such number.
  public func entry(_ number: Int) -> Entry? {
    switch cursor.tables.entry(number) {
    case .object(let index): .object(classIndex: index)
    case .archivedClass(let index): .archivedClass(index)
    case .cString(let string): .cString(string: string)
    case nil: nil
    }
  }

  /// The bytes of a shared string.
  public func string(_ number: Int) -> [UInt8] { cursor.bytes(ofString: number) }

  /// Where the bytes of a shared string lie.
  public func range(ofString number: Int) -> Range<Int> { cursor.range(ofString: number) }

  /// The text of a shared string, whose bytes are taken for Latin 1 where they are not UTF-8.
  ///
  /// - Parameters:
  ///   - number: the string's number among the shared strings.
  ///   - limit: the number of bytes to read of it; by default all.
  public func text(ofString number: Int, atMost limit: Int = .max) -> String {
    let range = range(ofString: number).prefix(max(0, limit))
    let bytes = cursor.reader.withBytes(in: range) { [UInt8]($0) } ?? []
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The names of a class and its superclasses, the class first.
  public func chain(ofClass index: Int) -> [String] {
    classIndexes(from: index).map { text(ofString: classes[$0].name) }
  }

  /// The places of a class and its superclasses.
  func classIndexes(from index: Int) -> [Int] {
    var indexes: [Int] = []
    var next: Int? = index
    while let index = next, index >= 0, index < classes.count {
      indexes.append(index)
      next = classes[index].superclass
    }
    return indexes
  }

  /// The version with which a class was written; `nil` when the stream has no such class.
  public func version(forClassName name: String) -> Int? {
    classes.first { string($0.name).elementsEqual(name.utf8) }?.version
  }

  /// All groups of the stream.
  public func events() -> TypedstreamScanner {
    var scanner = TypedstreamScanner(
      cursor, byteOrder: byteOrder, systemVersion: systemVersion)
    scanner.stepsLeft = damage?.stepCount ?? .max
    return scanner
  }

  /// The groups of one object: its beginning, its groups and its end.
  ///
  /// Throws `.valueNotFound` when there is no object of the number.
  public func events(ofObject number: Int) throws -> TypedstreamScanner {
    guard case .object? = entry(number) else {
      throw ArchiveError(.valueNotFound, "there is no object \(number)")
    }
    return TypedstreamScanner(cursor, object: number, of: self)
  }

  /// The place of an object in the bytes, from its head up to its end.
  public func range(ofObject number: Int) -> Range<Int>? {
    guard case .object? = cursor.tables.entry(number) else { return nil }
    let item = cursor.tables.items[number]
    return Int(item.start)..<Int(item.end)
  }
}
