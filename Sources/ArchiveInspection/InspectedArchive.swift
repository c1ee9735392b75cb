import Archiving
package import PropertyLists

/// Any archive as flat tables of nodes, without its classes: what inspection and comparison read.
///
/// A node is an object, or a container inside one; it is called by its place in `nodes`. Opening
/// goes once through everything that can be reached, counts who refers to whom, and notes what is
/// broken instead of stopping at it. In a property list values are read where they lie; a
/// sequential archive has them in one flat array.
public struct InspectedArchive: Sendable {
  /// Where values are read from.
  enum Source: Sendable {
    case list(BinaryPropertyList, containers: [UInt32])
    case stream(Typedstream, StreamTables)
    case nib(NibArchive)
    case items(GNUstepArchive, ItemTables)
  }

  /// What the archive says of itself.
  public internal(set) var header: InspectionHeader
  let source: Source
  /// The nodes of a list that was not gone through; `nil` where `nodes` has them.
  var unsurveyed: UnsurveyedList?
  /// How much may be written about it.
  var limits = InspectionLimits()
  /// Why it is not known where the objects of a GNUstep archive end; `nil` where it is known.
  var unresolved: String?
  /// Its objects, and the containers inside them; none of an archive that was not gone through.
  public internal(set) var nodes: [InspectedNode]
  /// The classes that it describes; of an archive that was not gone through those met so far.
  public var classes: [InspectedClass] { unsurveyed?.classes ?? surveyedClasses }
  private let surveyedClasses: [InspectedClass]
  /// The node that holds the roots.
  public internal(set) var top: Int
  /// The node of each object by its number; `absent` where there is none.
  var nodeOfNumber: [UInt32]
  /// The texts of the keys of a list that have more than `shortKeyMax` bytes, by their references:
  /// each may stand in very many dictionaries.
  var longKeys: [PropertyListReference: String] = [:]
  static let shortKeyMax = 1_024
  /// What could not be read of a list in text.
  var faults: PropertyListFaults?
  /// Nodes that cannot be reached from the top, in their order.
  public internal(set) var orphans: [Int] = []
  /// What stands in the outermost dictionary beside the entries that every keyed archive has.
  var extraEntries: [(key: String, value: InspectedValue)] = []
  /// How many places are broken.
  public internal(set) var brokenCount = 0
  /// The first broken place, in words.
  public internal(set) var firstBroken: String?
  /// The first key of a list that cannot be read, in words.
  var firstBrokenKey: String?
  /// How many levels of objects there are.
  public internal(set) var depth = 0

  /// Reads an archive of any kind that is known.
  ///
  /// What is broken is noted in `brokenCount`, and shown in its place. A GNUstep archive does not
  /// tell where its objects end. If it has an object of a class that is not one of Foundation's
  /// value classes, all its objects are values of `top`, each with the items up to the next one.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - limits: how much is read, and written about it.
  /// - Throws: `InspectionError` when it is none, or broken beyond reading; or when its objects
  ///   would take far more memory than it has bytes.
  public init(_ bytes: [UInt8], limits: InspectionLimits = InspectionLimits()) throws {
    try Self.check(bytes.count, limits)
    self = try Self(graphOf: bytes)
    self.limits = limits
  }

  /// Reads an archive of any kind that is known, however long.
  ///
  /// - Parameter isRaw: whether it will be shown by `RawWriter` only, which needs no nodes of a
  ///   sequential archive.
  /// - Throws: `InspectionError`.
  package init(graphOf bytes: [UInt8], isRaw: Bool = false) throws {
    do {
      if Self.isTypedstream(bytes) {
        self = try isRaw ? TypedstreamSurvey.raw(bytes) : TypedstreamSurvey.archive(bytes)
        return
      }
      if GNUstepArchive.recognises(bytes) {
        self = try isRaw ? GNUstepSurvey.raw(bytes) : GNUstepSurvey.archive(bytes)
        return
      }
      if NibArchive.recognises(bytes) {
        self = try NibSurvey.archive(bytes)
        return
      }
      if BookmarkReader.recognises(bytes.prefix(16)) {
        self = try BookmarkReader.archive(bytes)
        return
      }
      self = try Self.list(bytes)
    } catch let error as PropertyListError {
      throw InspectionError(.unreadable, error.description)
    } catch let error as ArchiveError {
      throw InspectionError(.unreadable, error.description)
    }
  }

  init(
    header: InspectionHeader, source: Source, nodes: [InspectedNode], classes: [InspectedClass],
    top: Int, nodeOfNumber: [UInt32]
  ) {
    self.header = header
    self.source = source
    self.nodes = nodes
    surveyedClasses = classes.map { $0.named() }
    self.top = top
    self.nodeOfNumber = nodeOfNumber
  }

  /// What is said of a file that is of no known kind: how it begins tells most often what it is.
  static func noArchive(_ bytes: [UInt8]) -> InspectionError {
    if bytes.isEmpty {
      return InspectionError(.unreadable, "is empty: give an archive or a property list")
    }
    let isText = bytes.prefix(24).allSatisfy { $0 >= 0x20 && $0 < 0x7F || (9...13).contains($0) }
    let head =
      isText
      ? "“\(InspectionText.escaped(String(decoding: bytes.prefix(24), as: UTF8.self)))”"
      : "the bytes " + InspectionText.hexadecimal(bytes.prefix(8), groups: 4)
    return InspectionError(
      .unreadable,
      "is neither an archive (keyed, typedstream, GNUstep, NIBArchive) nor a property list or "
        + "bookmark: it begins with " + head)
  }

  private static func isTypedstream(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 13 && bytes[1] == 11
      && (bytes[2..<13].elementsEqual("streamtyped".utf8)
        || bytes[2..<13].elementsEqual("typedstream".utf8))
  }

  /// All bytes of the file, or of its binary form.
  package var reader: ByteReader {
    switch source {
    case .list(let list, _): list.reader
    case .stream(let stream, _): ByteReader(stream.bytes)
    case .nib(let nib): nib.reader
    case .items(_, let tables): tables.reader
    }
  }

  /// Whether values have places and types in place of names.
  var isSequential: Bool {
    switch source {
    case .stream, .items: true
    case .list, .nib: false
    }
  }

  /// Whether containers are values, which sharing tells nothing about.
  var isPlainList: Bool { header.format == .propertyList || header.format == .bookmark }

  // MARK: Nodes

  /// The class of a node; `nil` when it has none.
  public func archivedClass(of node: Int) -> InspectedClass? {
    let index = Int(record(of: node).classIndex)
    if let unsurveyed { return unsurveyed.archivedClass(index) }
    return index < surveyedClasses.count ? surveyedClasses[index] : nil
  }

  /// What an object of a keyed archive has in place of its class; `nil` where the class is known.
  package func brokenClass(of node: Int) -> InspectedValue? {
    let record = record(of: node)
    guard record.kind == .object, archivedClass(of: node) == nil,
      case .list(let list, let containers) = source,
      case .dictionary(_, let values)? = try? list.object(record.start),
      let reference = try? list.reference(Int(record.count), of: values)
    else { return nil }
    return inspect(reference, list, containers)
  }

  /// The number of a node in the archive; `nil` when it has none.
  public func number(of node: Int) -> Int? {
    let number = record(of: node).number
    return number == InspectedNode.absent ? nil : Int(number)
  }

  /// The node of a number; `nil` when there is none.
  public func node(numbered number: Int) -> Int? {
    guard number >= 0, number < objectCount else { return nil }
    if unsurveyed != nil { return number }
    let node = nodeOfNumber[number]
    return node == InspectedNode.absent ? nil : Int(node)
  }

  /// How many values a node has; a bare one has one.
  public func valueCount(of node: Int) -> Int {
    let record = record(of: node)
    switch source {
    case .stream, .nib, .items: return Int(record.count)
    case .list(let list, _):
      switch record.kind {
      case .null, .broken: return 0
      case .bare: return 1
      default: break
      }
      switch try? list.object(record.start) {
      case .array(let row)?, .set(let row)?: return row.count
      case .dictionary(let keys, _)?:
        return keys.count - (record.count == InspectedNode.absent ? 0 : 1)
      default: return 1
      }
    }
  }

  /// A value of a node.
  public func value(_ index: Int, of node: Int) -> InspectedValue {
    let record = record(of: node)
    switch source {
    case .stream(let stream, let tables):
      let place = Int(record.start) + index
      guard index >= 0, index < Int(record.count), place < tables.values.count else {
        return .broken("no value \(index)")
      }
      return tables.values[place].value(in: stream)
    case .nib(let nib): return nibValue(index, of: record, nib)
    case .items(_, let tables): return tables.value(index, of: record)
    case .list(let list, let containers):
      do {
        switch try list.object(record.start) {
        case .array(let row), .set(let row):
          return inspect(try list.reference(index, of: row), list, containers)
        case .dictionary(_, let values):
          let place = index >= Int(record.count) ? index + 1 : index
          return inspect(try list.reference(place, of: values), list, containers)
        case let leaf: return Self.leaf(leaf) ?? .broken("a container")
        }
      } catch {
        if let range = list.wideRange(record.start) { return .wide(range) }
        return broken(faults?.leaves[record.start] ?? error.description)
      }
    }
  }

  /// How a value of a node is called.
  public func label(_ index: Int, of node: Int) -> InspectedLabel {
    let record = record(of: node)
    switch source {
    case .stream(let stream, let tables):
      return tables.label(index, of: record, in: stream)
    case .nib(let nib): return nibLabel(index, of: record, nib)
    case .items(_, let tables): return tables.label(index, of: record, among: nodes)
    case .list(let list, _):
      guard case .dictionary(let keys, _)? = try? list.object(record.start) else {
        return .index(index)
      }
      let place = index >= Int(record.count) ? index + 1 : index
      guard let key = try? list.reference(place, of: keys) else { return .key("?") }
      return .key(keyText(key, list))
    }
  }

  /// The index of the value under a key; `nil` when there is none.
  public func index(ofKey key: String, in node: Int) -> Int? {
    if case .nib(let nib) = source { return nibIndex(ofKey: key, in: record(of: node), nib) }
    guard case .list(let list, _) = source,
      case .dictionary(let keys, _)? = try? list.object(start(of: node))
    else { return nil }
    let classSlot = Int(record(of: node).count)
    for place in 0..<keys.count where place != classSlot {
      guard let reference = try? list.reference(place, of: keys), list.isText(reference, key)
      else { continue }
      return place > classSlot ? place - 1 : place
    }
    return nil
  }

  /// The value under a key; `nil` when there is none.
  public func value(forKey key: String, in node: Int) -> InspectedValue? {
    index(ofKey: key, in: node).map { value($0, of: node) }
  }

  // MARK: Property lists

  /// A value of a property list: a reference of an archive and a container are nodes.
  func inspect(
    _ reference: PropertyListReference, _ list: BinaryPropertyList, _ containers: [UInt32]
  ) -> InspectedValue {
    do {
      switch try list.object(reference) {
      case .uid(let uid) where header.format == .keyed:
        if uid == 0 { return .none }
        guard Int(uid) < objectCount else {
          return broken("reference to object \(uid) of \(objectCount)")
        }
        return .node(Int(uid))
      case .array, .set, .dictionary:
        if let unsurveyed { return .node(unsurveyed.node(of: reference)) }
        let node = containers[Int(reference)]
        return node == InspectedNode.absent ? .broken("a container out of reach") : .node(Int(node))
      case let object: return Self.leaf(object) ?? .null
      }
    } catch {
      if let range = list.wideRange(reference) { return .wide(range) }
      return broken(faults?.leaves[reference] ?? error.description)
    }
  }

  /// A value without children; `nil` for containers.
  static func leaf(_ object: PropertyListObject) -> InspectedValue? {
    switch object {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .double(let value): .double(value)
    case .float(let value): .float(value)
    case .date(let value): .date(value)
    case .data(let range): .data(range)
    case .ascii(let range): .ascii(range)
    case .utf16(let range): .utf16(range)
    case .uid(let uid): .uid(uid)
    case .array, .set, .dictionary: nil
    }
  }

  /// A key as text; keys that are none show what they are.
  private func keyText(_ reference: PropertyListReference, _ list: BinaryPropertyList) -> String {
    if let known = longKeys[reference] { return known }
    guard let object = try? list.object(reference), let leaf = Self.leaf(object) else {
      unsurveyed?.note("a key that cannot be read")
      return "?"
    }
    // Nothing has the texts of long keys where the list was not gone through.
    if let text = text(of: leaf, limit: unsurveyed == nil ? Self.shortKeyMax : .max) {
      return text.text
    }
    unsurveyed?.note("a key that is no string but a value of the kind \(object.kindName)")
    return "(\(object.kindName))"
  }

  // MARK: Text

  /// A text, cut after some units.
  public struct Text: Hashable, Sendable {
    /// The text, up to where it is cut.
    public internal(set) var text: String
    /// The length of the whole: bytes, or units of UTF-16.
    public internal(set) var count: Int
    /// Whether it is longer than was asked for.
    public internal(set) var isCut: Bool
    /// Whether the bytes are no valid text and were repaired.
    public internal(set) var isRepaired = false
    /// What is wrong with a text that was repaired; C strings do not tell their encoding.
    var fault: String?
  }

  /// The text of a value that is one; `nil` for other values and for bytes that are no UTF-8.
  ///
  /// - Parameters:
  ///   - value: a value of this archive.
  ///   - limit: how much of it, in bytes or units of UTF-16; the character at the limit is whole.
  public func text(of value: InspectedValue, limit: Int = .max) -> Text? {
    switch value {
    case .ascii(let range), .bytes(let range), .symbol(let range), .cString(let range):
      let part = wholeCharacters(of: range, limit)
      let isCut = part.count < range.count
      let bytes = slice(part)
      if let text = String(validating: bytes, as: UTF8.self) {
        return Text(text: text, count: range.count, isCut: isCut)
      }
      if case .bytes = value { return nil }
      let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      var fault: String?
      if case .ascii = value { fault = "bytes above 127 in a text of ASCII, read as Latin-1" }
      return Text(
        text: text, count: range.count, isCut: isCut, isRepaired: true, fault: fault)
    case .utf16(let range):
      let bytes = slice(wholePairs(of: range, limit))
      let isCut = bytes.count < range.count
      let units = (0..<bytes.count / 2).map {
        UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1])
      }
      let text = String(validating: units, as: UTF16.self)
      return Text(
        text: text ?? String(decoding: units, as: UTF16.self), count: range.count / 2,
        isCut: isCut, isRepaired: text == nil,
        fault: text == nil ? "half a surrogate pair in a text, U+FFFD in its place" : nil)
    default: return nil
    }
  }

  /// The first bytes of a text in UTF-8, up to the end of the character at the limit.
  private func wholeCharacters(of range: Range<Int>, _ limit: Int) -> Range<Int> {
    guard range.count > limit else { return range }
    var end = range.lowerBound + max(0, limit)
    // A character has at most three bytes behind its first.
    let last = min(end + 3, range.upperBound)
    while end < last, let byte = reader.byte(at: end), byte & 0xC0 == 0x80 { end += 1 }
    return range.lowerBound..<end
  }

  /// The first units of a text in UTF-16; both of a pair that the limit would divide.
  private func wholePairs(of range: Range<Int>, _ limit: Int) -> Range<Int> {
    guard range.count / 2 > limit else { return range }
    let end = range.lowerBound + 2 * max(0, limit)
    let isDivided = end > range.lowerBound && (reader.byte(at: end - 2) ?? 0) & 0xFC == 0xD8
    return range.lowerBound..<(isDivided ? end + 2 : end)
  }

  /// The digits of a whole number of sixteen bytes.
  func digits(ofWide range: Range<Int>, isSigned: Bool = true) -> String {
    let bits = slice(range).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return isSigned ? String(Int128(truncatingIfNeeded: bits)) : String(bits)
  }

  /// The first bytes of a place of the file, such as those of data.
  public func slice(_ range: Range<Int>, _ limit: Int = .max) -> [UInt8] {
    let end = range.lowerBound + min(range.count, max(0, limit))
    return reader.withBytes(in: range.lowerBound..<end) { [UInt8]($0) } ?? []
  }
}

extension BinaryPropertyList {
  /// The place of the sixteen bytes of a whole number that needs more than eight; `nil` for others.
  func wideRange(_ reference: PropertyListReference) -> Range<Int>? {
    guard let offset = try? offset(of: reference), reader.byte(at: offset) == 0x14,
      offset + 17 <= tableOffset
    else { return nil }
    // One that needs no more is read as any number is.
    if case .some = try? object(at: offset) { return nil }
    return offset + 1..<offset + 17
  }

  /// Whether an object is a string of exactly this ASCII text.
  func isText(_ reference: PropertyListReference, _ text: String) -> Bool {
    guard case .ascii(let range)? = try? object(reference), range.count == text.utf8.count else {
      return false
    }
    return reader.withBytes(in: range) { $0.elementsEqual(text.utf8) } ?? false
  }
}
