import PortolanMemory
public import PropertyLists

/// The number of an object in a keyed archive: its place in `$objects`. Number 0 is "none".
public struct NodeID: RawRepresentable, Hashable, Sendable, Comparable {
  /// The place in `$objects`.
  public let rawValue: UInt32

  /// Names the object at a place.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (first: NodeID, second: NodeID) -> Bool { first.rawValue < second.rawValue }
}

/// A keyed archive seen without any class: numbered nodes with a class chain and named fields.
///
/// Inspection, conversion, comparison and migration work on it. Nothing is decoded ahead:
/// the graph is a view of the archive's bytes and looks an object up when it is asked for, so that
/// opening costs the same for any size. It never changes; `GraphRewriter` makes another one.
public final class ObjectGraph: Sendable {
  /// The property list that the archive is written in.
  public let list: BinaryPropertyList

  /// The `$objects` array.
  let objects: PropertyListReferences

  /// The `$top` dictionary.
  let topKeys: PropertyListReferences
  let topValues: PropertyListReferences

  /// Opens a keyed archive: in the binary form the bytes are kept and not copied, in the XML form
  /// they are transcoded into it.
  public convenience init(_ bytes: [UInt8]) throws {
    do {
      try self.init(list: BinaryPropertyList(reading: bytes))
    } catch let error as PropertyListError {
      if Typedstream.begins(bytes) {
        throw ArchiveError(.notAnArchive, offset: 0, "a typedstream, which Unarchiver reads")
      }
      throw ArchiveError(error, path: "")
    }
  }

  /// Opens a keyed archive that is read in parts: only what is looked at is read, and at most 4 MiB
  /// of it are kept.
  ///
  /// An archive in XML is read whole.
  ///
  /// - Throws: `unreadable` where bytes of the source cannot be read.
  public convenience init(source: some RandomAccessSource) throws {
    let reader = ByteReader(source)
    do {
      guard BinaryPropertyList.isBinary(reader) else {
        try self.init(reader.copyOfAll())
        return
      }
      try self.init(list: BinaryPropertyList(reader))
    } catch {
      if let failure = reader.failure {
        throw ArchiveError(PropertyListError(unreadable: failure), path: "")
      }
      guard let error = error as? PropertyListError else { throw error }
      throw ArchiveError(error, path: "")
    }
  }

  private init(list: BinaryPropertyList) throws {
    let envelope = try Envelope(list)
    self.list = list
    objects = envelope.objects
    topKeys = envelope.topKeys
    topValues = envelope.topValues
  }

  /// How many nodes there are, "none" included.
  public var nodeCount: Int { objects.count }
}

/// The four entries that every keyed archive has at its top.
private struct Envelope {
  var objects: PropertyListReferences
  var topKeys: PropertyListReferences
  var topValues: PropertyListReferences

  private struct Entries {
    var version: PropertyListReference?
    var archiver: PropertyListReference?
    var top: PropertyListReference?
    var objects: PropertyListReference?
    var others: Set<ExactKey> = []

    /// Notes an entry; false when it is there already.
    mutating func note(
      _ key: PropertyListReference, _ value: PropertyListReference, in list: BinaryPropertyList
    ) throws(PropertyListError) -> Bool {
      func note(_ entry: inout PropertyListReference?) -> Bool {
        guard entry == nil else { return false }
        entry = value
        return true
      }
      switch try list.shortKey(key) {
      case ShortText(constant: "$version"): return note(&version)
      case ShortText(constant: "$archiver"): return note(&archiver)
      case ShortText(constant: "$top"): return note(&top)
      case ShortText(constant: "$objects"): return note(&objects)
      default: break
      }
      return others.insert(ExactKey(try list.key(key))).inserted
    }
  }

  init(_ list: BinaryPropertyList) throws {
    guard let (keys, values) = try list.dictionary(list.top) else {
      throw ArchiveError(.notAnArchive, "a property list, but not an archive: no dictionary on top")
    }
    var entries = Entries()
    for index in 0..<keys.count {
      let key = try list.row(keys, at: index)
      guard try entries.note(key, list.row(values, at: index), in: list) else {
        throw ArchiveError(.corrupt, path: "$", "the key \(try list.key(key)) is there twice")
      }
    }
    guard let version = entries.version, let archiver = entries.archiver,
      let top = entries.top, let objects = entries.objects
    else {
      throw ArchiveError(
        .notAnArchive,
        "a property list, but not an archive: $version, $archiver, $top or $objects is missing")
    }
    guard try list.number(version) == .integer(100_000) else {
      throw ArchiveError(
        .unsupportedVersion, path: "$version", "a keyed archive has the version 100000")
    }
    guard
      try list.shortText(of: archiver) == ShortText(constant: "NSKeyedArchiver")
        || list.text(archiver) == "NSKeyedArchiver"
    else {
      throw ArchiveError(
        .notAnArchive, path: "$archiver", "written by another archiver than NSKeyedArchiver")
    }
    guard let (topKeys, topValues) = try list.dictionary(top) else {
      throw ArchiveError(.corrupt, path: "$top", "expected a dictionary")
    }
    guard let nodes = try list.array(objects), nodes.count > 0 else {
      throw ArchiveError(.corrupt, path: "$objects", "expected an array of at least one object")
    }
    guard nodes.count < 1 << 29 else {
      throw ArchiveError(.tooLarge, path: "$objects", "\(nodes.count) objects are too many")
    }
    guard try list.isNullString(list.row(nodes, at: 0)) else {
      throw ArchiveError(.corrupt, path: "$objects[0]", "expected the string $null")
    }
    (self.objects, self.topKeys, self.topValues) = (nodes, topKeys, topValues)
  }
}

extension PropertyListObject {
  /// Whether it is a string of either kind.
  var isText: Bool {
    switch self {
    case .ascii, .utf16: true
    default: false
    }
  }
}

extension BinaryPropertyList {
  /// The reference at a place of a row; throws for one outside.
  @inline(__always)
  func row(
    _ row: PropertyListReferences, at index: Int
  ) throws(PropertyListError) -> PropertyListReference {
    if let entry = entry(index, of: row) { return entry }
    return try reference(index, of: row)
  }

  /// The rows of a dictionary; `nil` for other objects.
  @inline(__always)
  func dictionary(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> (keys: PropertyListReferences, values: PropertyListReferences)? {
    if let place = place(of: reference), let rows = shortDictionary(at: place) { return rows }
    guard case .dictionary(let keys, let values) = try object(reference) else { return nil }
    return (keys, values)
  }

  /// The row of an array; `nil` for other objects.
  @inline(__always)
  func array(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListReferences? {
    if let row = shortArray(reference) { return row }
    guard case .array(let row) = try object(reference) else { return nil }
    return row
  }

  /// An object that is most often a small number.
  @inline(__always)
  func number(_ reference: PropertyListReference) throws(PropertyListError) -> PropertyListObject {
    if let place = place(of: reference), let number = shortNumber(at: place) { return number }
    return try object(reference)
  }

  /// The text of a string; `nil` for other objects and for invalid Unicode.
  func text(_ reference: PropertyListReference) throws(PropertyListError) -> String? {
    if let place = place(of: reference), let range = shortASCII(at: place) {
      return try ascii(range)
    }
    let object = try object(reference)
    return object.isText ? try string(object) : nil
  }

  /// The text of a string of up to fifteen bytes of ASCII; `nil` for anything else.
  @inline(__always)
  func shortText(of reference: PropertyListReference) -> ShortText? {
    guard let place = place(of: reference) else { return nil }
    return shortText(at: place)
  }

  /// The same of the string that begins at an offset.
  @inline(__always)
  func shortText(at offset: Int) -> ShortText? {
    guard let range = shortASCII(at: offset) else { return nil }
    return reader.withBytes(in: range) { ShortText($0) } ?? nil
  }

  /// A dictionary's key as a short text; `.other` for a longer one, and for others than ASCII.
  @inline(__always)
  func shortKey(_ reference: PropertyListReference) throws(PropertyListError) -> ShortText {
    if let text = shortText(of: reference) { return text }
    return ShortText(try key(reference)) ?? .other
  }

  /// The text of a dictionary's key.
  func key(_ reference: PropertyListReference) throws(PropertyListError) -> String {
    if let place = place(of: reference), let range = shortASCII(at: place) {
      return try ascii(range)
    }
    let object = try self.object(reference)
    guard object.isText else {
      throw PropertyListError(
        .badKey, at: try offset(of: reference),
        "a key must be a string, this one is \(object.kindName)")
    }
    guard let text = try string(object) else {
      throw PropertyListError(
        .badText, at: try offset(of: reference), "a key that is not valid Unicode")
    }
    return text
  }

  /// The kind of an object; a dictionary with the one key `CF$UID` is the reference in it.
  func resolved(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListObject {
    let object = try self.object(reference)
    guard case .dictionary(let keys, let values) = object, keys.count == 1 else { return object }
    return try uid(keys, values).map { .uid($0) } ?? object
  }

  /// The number of a reference object; `nil` for other objects.
  func uid(_ reference: PropertyListReference) throws(PropertyListError) -> UInt32? {
    if case .uid(let number) = try resolved(reference) { number } else { nil }
  }

  /// The number in a dictionary of the one key `CF$UID`; `nil` for others.
  ///
  /// XML has no other references, and some programs write such dictionaries in the binary form too.
  @inline(never)
  private func uid(
    _ keys: PropertyListReferences, _ values: PropertyListReferences
  ) throws(PropertyListError) -> UInt32? {
    guard case .ascii(let range) = try object(reference(0, of: keys)),
      reader.withBytes(in: range, { $0.elementsEqual("CF$UID".utf8) }) == true,
      case .integer(let number) = try object(reference(0, of: values))
    else { return nil }
    return UInt32(exactly: number)
  }

  /// Whether an object is the string `$null`, which stands for "none".
  func isNullString(_ reference: PropertyListReference) throws(PropertyListError) -> Bool {
    if let text = shortText(of: reference) { return text == ShortText(constant: "$null") }
    // Spelt in an unusual way, or something else.
    guard case .ascii(let range) = try object(reference) else { return false }
    return reader.withBytes(in: range) { ShortText($0) == ShortText(constant: "$null") } ?? false
  }
}

extension ArchiveError {
  /// The same fault in the terms of an archive, at a place of the graph.
  init(_ error: PropertyListError, path: String) {
    let code: Code =
      switch error.code {
      case .notAPropertyList, .wrongKind: .notAnArchive
      case .unsupportedVersion: .unsupportedVersion
      case .tooLarge: .tooLarge
      case .tooDeep: .tooDeep
      case .unreadable: .unreadable
      default: .corrupt
      }
    self.init(code, path: path, offset: error.offset, error.reason)
  }
}
