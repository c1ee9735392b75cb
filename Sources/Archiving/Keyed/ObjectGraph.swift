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
    mutating func note(_ key: String, _ value: PropertyListReference) -> Bool {
      func note(_ entry: inout PropertyListReference?) -> Bool {
        guard entry == nil else { return false }
        entry = value
        return true
      }
      switch key {
      case "$version": return note(&version)
      case "$archiver": return note(&archiver)
      case "$top": return note(&top)
      case "$objects": return note(&objects)
      default: return others.insert(ExactKey(key)).inserted
      }
    }
  }

  init(_ list: BinaryPropertyList) throws {
    guard case .dictionary(let keys, let values) = try list.object(list.top) else {
      throw ArchiveError(.notAnArchive, "a property list, but not an archive: no dictionary on top")
    }
    var entries = Entries()
    for index in 0..<keys.count {
      let key = try list.key(list.reference(index, of: keys))
      guard entries.note(key, try list.reference(index, of: values)) else {
        throw ArchiveError(.corrupt, path: "$", "the key \(key) is there twice")
      }
    }
    guard let version = entries.version, let archiver = entries.archiver,
      let top = entries.top, let objects = entries.objects
    else {
      throw ArchiveError(
        .notAnArchive,
        "a property list, but not an archive: $version, $archiver, $top or $objects is missing")
    }
    guard try list.object(version) == .integer(100_000) else {
      throw ArchiveError(
        .unsupportedVersion, path: "$version", "a keyed archive has the version 100000")
    }
    let name = try list.object(archiver)
    guard name.isText, try list.string(name) == "NSKeyedArchiver" else {
      throw ArchiveError(
        .notAnArchive, path: "$archiver", "written by another archiver than NSKeyedArchiver")
    }
    guard case .dictionary(let topKeys, let topValues) = try list.object(top) else {
      throw ArchiveError(.corrupt, path: "$top", "expected a dictionary")
    }
    guard case .array(let nodes) = try list.object(objects), nodes.count > 0 else {
      throw ArchiveError(.corrupt, path: "$objects", "expected an array of at least one object")
    }
    guard nodes.count < 1 << 29 else {
      throw ArchiveError(.tooLarge, path: "$objects", "\(nodes.count) objects are too many")
    }
    guard try list.isNullString(list.reference(0, of: nodes)) else {
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
    guard case .ascii(let range) = try object(reference), range.count == 5 else { return false }
    return reader.withBytes(in: range) { $0.elementsEqual("$null".utf8) } ?? false
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
      default: .corrupt
      }
    self.init(code, path: path, offset: error.offset, error.reason)
  }
}
