import PropertyLists

/// An object or container as a value: what stands in its place when an archive is resolved.
struct ValueShape {
  enum Form {
    case null
    /// A value without parts.
    case leaf(InspectedValue)
    /// Words that need no escapes: a date, a UUID.
    case words(String)
    case decimal(String)
    /// Seconds since 2001, where the calendar has no text for them.
    case seconds(Double)
    case array, set, orderedSet, countedSet
    /// Keys and values in turn.
    case dictionary
    /// Values called by their labels, as in a property list.
    case record
    case attributedText(InspectedValue)
    /// An object of another class, with what is known of its meaning in words.
    case object(name: String, words: String?)
    /// An object that cannot be read whole, and why.
    case broken(String)
  }

  var form: Form
  var parts = ValueParts()
  /// The places of the parts, where they are neither all of a node nor its last ones.
  var places: [Int] = []
  /// The attributes of a text and the lengths of their runs, in units of UTF-16.
  var runs: [(attributes: InspectedValue, length: Int)] = []
}

/// Where the parts of a value stand, in a few bytes: there is one for each level of an archive.
struct ValueParts {
  enum Kind: UInt8 {
    case none
    /// The values of a node from a place on.
    case row
    /// Keys in one node, values in another.
    case pairs
    /// Keys and values in turn, from a place of a node on.
    case turns
    /// The values of a node at some places.
    case places
    /// The attributes of a text.
    case runs
  }

  var kind = Kind.none
  var node: UInt32 = 0
  /// The first place, the node of the values, or the number of a kept list.
  var second: UInt32 = 0
  var count: UInt32 = 0

  init() {}

  init(_ kind: Kind, of node: Int, _ second: Int, count: Int) {
    self.kind = kind
    self.node = UInt32(truncatingIfNeeded: node)
    self.second = UInt32(truncatingIfNeeded: second)
    self.count = UInt32(clamping: count)
  }
}

/// Finds out how the objects of an archive are written as values.
struct ValueShaper {
  let archive: InspectedArchive
  private let kinds: [ValueClass]
  private let isKeyed: Bool

  init(_ archive: InspectedArchive) {
    self.archive = archive
    kinds = archive.classes.map { ValueClass(name: $0.name) }
    isKeyed = !archive.isSequential
  }

  /// The value that a node is.
  func shape(of node: Int) -> ValueShape {
    let record = archive.nodes[node]
    switch record.kind {
    case .null: return ValueShape(form: .null)
    case .bare: return ValueShape(form: .leaf(archive.value(0, of: node)))
    case .broken: return ValueShape(form: .broken("an object that cannot be read"))
    case .classRecord: return fields(.object(name: "$class", words: nil), node)
    case .array, .structure: return row(.array, node)
    case .set: return row(.set, node)
    case .top: return fields(.record, node)
    case .dictionary:
      // A part of an object has no number; an object with one has lost its class.
      guard archive.number(of: node) != nil else { return fields(.record, node) }
      return fields(.broken("an object without a class"), node)
    case .object: break
    }
    let index = Int(record.classIndex)
    guard index < kinds.count else {
      return fields(.broken("an object whose class cannot be read"), node)
    }
    if let shape = known(kinds[index], node) { return shape }
    let summary = kinds[index] == .other ? nil : archive.knownForm(of: node)?.summary
    let words = kinds[index] == .words ? told(summary) : Self.words(summary)
    return fields(.object(name: archive.classes[index].shownName, words: words), node)
  }

  /// What is said of an object beside its fields.
  private func told(_ summary: KnownForm.Summary?) -> String? {
    if case .text(let text)? = summary { archive.shortText(text) } else { Self.words(summary) }
  }

  private static func words(_ summary: KnownForm.Summary?) -> String? {
    if case .words(let words)? = summary, !words.isEmpty { words } else { nil }
  }

  private func fields(_ form: ValueShape.Form, _ node: Int) -> ValueShape { row(form, node) }

  private func row(_ form: ValueShape.Form, _ node: Int, from first: Int = 0) -> ValueShape {
    let count = max(0, archive.valueCount(of: node) - first)
    return ValueShape(form: form, parts: ValueParts(.row, of: node, first, count: count))
  }

  private func places(_ form: ValueShape.Form, _ node: Int, _ places: [Int]) -> ValueShape {
    ValueShape(
      form: form, parts: ValueParts(.places, of: node, 0, count: places.count), places: places)
  }

  // MARK: Known classes

  /// The value of an object of a class that is known; `nil` when it is not as that class writes it.
  private func known(_ kind: ValueClass, _ node: Int) -> ValueShape? {
    switch kind {
    case .other, .words: nil
    case .null: ValueShape(form: .null)
    case .text, .data: leaf(node)
    case .date: date(node)
    case .uuid:
      Self.words(archive.knownForm(of: node)?.summary).map { ValueShape(form: .words($0)) }
    case .url: url(node)
    case .number: number(node)
    case .decimal: decimal(node)
    case .array: collection(.array, node)
    case .set: collection(.set, node)
    case .orderedSet: collection(.orderedSet, node) ?? orderedSet(node)
    case .countedSet: countedSet(node)
    case .dictionary: dictionary(node)
    case .attributedText: attributedText(node)
    }
  }

  private func leaf(_ node: Int) -> ValueShape? {
    switch archive.knownForm(of: node)?.summary {
    case .text(let value)?, .data(let value)?: ValueShape(form: .leaf(value))
    default: nil
    }
  }

  private func decimal(_ node: Int) -> ValueShape? {
    switch archive.knownForm(of: node)?.summary {
    case .words(let words)?: ValueShape(form: .decimal(words))
    case .text(let text)?: archive.shortText(text).map { ValueShape(form: .decimal($0)) }
    default: decimalText(node)
    }
  }

  /// GNUstep writes a decimal number as its text.
  private func decimalText(_ node: Int) -> ValueShape? {
    guard !isKeyed, archive.valueCount(of: node) == 1 else { return nil }
    return archive.shortText(archive.value(0, of: node)).map { ValueShape(form: .decimal($0)) }
  }

  private func date(_ node: Int) -> ValueShape? {
    let value =
      isKeyed
      ? archive.value(forKey: "NS.time", in: node)
      : archive.valueCount(of: node) == 1 ? archive.value(0, of: node) : nil
    guard let seconds = archive.real(value) else { return nil }
    return ValueShape(form: ValueText.date(seconds).map { .words($0) } ?? .seconds(seconds))
  }

  /// A URL without a base is its text.
  private func url(_ node: Int) -> ValueShape? {
    guard let form = archive.knownForm(of: node), form.extra.isEmpty,
      case .text(let text)? = form.summary
    else { return nil }
    return ValueShape(form: .leaf(text))
  }

  private func number(_ node: Int) -> ValueShape? {
    if let (value, _) = archive.singleNumber(node) { return ValueShape(form: .leaf(value)) }
    guard !isKeyed, archive.valueCount(of: node) == 2,
      let type = archive.shortText(archive.value(0, of: node))
    else { return nil }
    let value = archive.value(1, of: node)
    switch (type, value) {
    case ("c", .integer(0)), ("B", .integer(0)): return ValueShape(form: .leaf(.bool(false)))
    case ("c", .integer(1)), ("B", .integer(1)): return ValueShape(form: .leaf(.bool(true)))
    case ("Q", .integer(let value)):
      return ValueShape(form: .leaf(.unsigned(UInt64(bitPattern: value))))
    case (_, .integer), (_, .float), (_, .double): return ValueShape(form: .leaf(value))
    default: return nil
    }
  }

  // MARK: Collections

  private func collection(_ form: ValueShape.Form, _ node: Int) -> ValueShape? {
    switch archive.knownForm(of: node)?.elements {
    case .row(let container)?: return row(form, container)
    case .tail(let first)?: return row(form, node, from: first)
    default: return nil
    }
  }

  private func dictionary(_ node: Int) -> ValueShape? {
    switch archive.knownForm(of: node)?.elements {
    case .pairs(let keys, let values)?:
      let count = 2 * archive.valueCount(of: keys)
      return ValueShape(
        form: .dictionary, parts: ValueParts(.pairs, of: keys, values, count: count))
    case .pairTail(let first)?:
      let count = archive.valueCount(of: node) - first
      return ValueShape(
        form: .dictionary, parts: ValueParts(.turns, of: node, first, count: max(0, count)))
    default: return nil
    }
  }

  /// `NS.object.0`, `NS.object.1` …
  private func orderedSet(_ node: Int) -> ValueShape? {
    guard isKeyed else {
      let count = archive.valueCount(of: node)
      let isWhole = count > 0 && archive.whole(archive.value(0, of: node)) == Int64(count - 1)
      return isWhole ? row(.orderedSet, node, from: 1) : nil
    }
    guard let elements = numbered("NS.object.", node),
      elements.count == archive.valueCount(of: node)
    else { return nil }
    return places(.orderedSet, node, elements)
  }

  /// `NS.object0`, `NS.count0`, `NS.object1` …
  private func countedSet(_ node: Int) -> ValueShape? {
    guard isKeyed else {
      let count = archive.valueCount(of: node)
      guard count % 2 == 1, archive.whole(archive.value(0, of: node)) == Int64(count / 2) else {
        return nil
      }
      return places(.countedSet, node, Array(1..<count))
    }
    guard let count = archive.whole(archive.value(forKey: "NS.count", in: node)),
      let elements = numbered("NS.object", node), let counts = numbered("NS.count", node),
      elements.count == counts.count, Int(exactly: count) == elements.count
    else { return nil }
    return places(.countedSet, node, zip(elements, counts).flatMap { [$0, $1] })
  }

  /// The places of the values under a key with the numbers from 0 on behind it; `nil` where one is
  /// missing.
  private func numbered(_ key: String, _ node: Int) -> [Int]? {
    var found: [(number: Int, place: Int)] = []
    for place in 0..<archive.valueCount(of: node) {
      guard case .key(let name) = archive.label(place, of: node), name.hasPrefix(key),
        let number = Int(name.dropFirst(key.count))
      else { continue }
      found.append((number, place))
    }
    found.sort { $0.number < $1.number }
    return found.indices.allSatisfy { found[$0].number == $0 } ? found.map(\.place) : nil
  }

  // MARK: Attributed strings

  private func attributedText(_ node: Int) -> ValueShape? {
    guard case .attributedString(_, let text, let runs)? = archive.portableValue(of: node),
      let resolved = archive.resolved(text), archive.isText(resolved)
    else { return nil }
    let sum = runs.reduce(0) { $0.addingReportingOverflow($1.length).partialValue }
    guard sum >= 0, sum <= archive.utf16Count(of: resolved) else { return nil }
    return ValueShape(
      form: .attributedText(resolved),
      parts: ValueParts(.runs, of: node, 0, count: runs.count), runs: runs)
  }
}

/// The classes whose objects are values, by name.
enum ValueClass {
  case other
  /// Told in words beside the fields.
  case words
  case null, text, data, date, url, uuid, number, decimal, array, set, orderedSet, countedSet
  case dictionary, attributedText

  init(name: String) {
    switch name {
    case "NSNull": self = .null
    case "NSString", "NSMutableString": self = .text
    case "NSData", "NSMutableData": self = .data
    case "NSDate": self = .date
    case "NSURL": self = .url
    case "NSUUID": self = .uuid
    case "NSNumber": self = .number
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": self = .decimal
    case "NSArray", "NSMutableArray", "List": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSOrderedSet", "NSMutableOrderedSet": self = .orderedSet
    case "NSCountedSet": self = .countedSet
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    case "NSAttributedString", "NSMutableAttributedString": self = .attributedText
    default:
      let isWords = name.hasPrefix("NS") || ["UIColor", "UIFont", "Font"].contains(name)
      self = isWords ? .words : .other
    }
  }
}

extension InspectedArchive {
  /// How many units of UTF-16 a text has; 0 where the value is none.
  func utf16Count(of value: InspectedValue) -> Int {
    switch value {
    case .utf16(let range): range.count / 2
    case .ascii(let range), .bytes(let range), .symbol(let range), .cString(let range):
      reader.withBytes(in: range) { bytes in
        bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
      } ?? 0
    default: 0
    }
  }
}
