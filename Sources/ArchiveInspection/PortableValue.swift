/// A value of Foundation's, or a colour, that both kinds of archive can hold.
enum PortableValue {
  case string(InspectedValue, isMutable: Bool)
  /// A number, with the type code of a sequential archive.
  case number(InspectedValue, type: String)
  case data(Range<Int>, isMutable: Bool)
  case date(Double)
  case null
  case url(base: InspectedValue, text: InspectedValue)
  /// An array or set, by the name of its class.
  case collection(String, [InspectedValue])
  case dictionary(isMutable: Bool, [(key: InspectedValue, value: InspectedValue)])
  case attributedString(
    isMutable: Bool, text: InspectedValue, runs: [(attributes: InspectedValue, length: Int)])
  /// Points, sizes, rectangles and insets.
  case geometry(Geometry, [Double])
  case range(location: Int64, length: Int64)
  /// A C value as an object, with its type code.
  case scalar(InspectedValue, type: String)
  case colour(PortableColour)
  case decimal(exponent: Int, words: [UInt16], length: Int, isNegative: Bool, isCompact: Bool)

  /// The classes of such values.
  static let classNames: Set<String> = [
    "NSString", "NSMutableString", "NSNumber", "NSData", "NSMutableData", "NSDate", "NSNull",
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary", "NSMutableDictionary",
    "NSURL", "NSAttributedString", "NSMutableAttributedString", "NSValue",
    "NSDecimalNumberPlaceholder", "NSColor",
  ]

  enum Geometry: String, CaseIterable {
    case point, size, rect, insets

    /// How many numbers it has.
    var count: Int { self == .rect || self == .insets ? 4 : 2 }
  }
}

extension InspectedArchive {
  /// The value that a node is; `nil` when it is none of Foundation's that both kinds can hold.
  func portableValue(of node: Int) -> PortableValue? {
    switch record(of: node).kind {
    case .bare: return portableBare(value(0, of: node))
    case .object: break
    default: return nil
    }
    guard let name = archivedClass(of: node)?.name, let form = knownForm(of: node),
      name != "NSColor" || hasOnlyColour(node)
    else { return nil }
    let isMutable = name.hasPrefix("NSMutable")
    switch name {
    case "NSString", "NSMutableString":
      guard case .text(let text)? = form.summary, form.extra.isEmpty else { return nil }
      return .string(text, isMutable: isMutable)
    case "NSData", "NSMutableData":
      guard case .data(.data(let range))? = form.summary, form.extra.isEmpty else { return nil }
      return .data(range, isMutable: isMutable)
    case "NSNull": return .null
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
      guard form.extra.isEmpty else { return nil }
      return .collection(name, elements(form.elements, of: node))
    case "NSDictionary", "NSMutableDictionary":
      guard form.extra.isEmpty else { return nil }
      return .dictionary(isMutable: isMutable, pairs(form.elements, of: node))
    default: return portableLeaf(name, node, isMutable)
    }
  }

  private func portableBare(_ value: InspectedValue) -> PortableValue? {
    switch value {
    case .ascii, .utf16: .string(value, isMutable: false)
    case .data(let range): .data(range, isMutable: false)
    case .date(let seconds): .date(seconds)
    case .bool: .number(value, type: "c")
    case .integer: .number(value, type: "q")
    case .unsigned: .number(value, type: "Q")
    case .double: .number(value, type: "d")
    case .float: .number(value, type: "f")
    default: nil
    }
  }

  private func portableLeaf(_ name: String, _ node: Int, _ isMutable: Bool) -> PortableValue? {
    let isKeyed = !isSequential
    let count = valueCount(of: node)
    switch name {
    case "NSDate":
      guard count == 1, let seconds = real(value(0, of: node)) else { return nil }
      return .date(seconds)
    case "NSNumber":
      guard !isKeyed, count == 2, let type = shortText(value(0, of: node)) else { return nil }
      return .number(value(1, of: node), type: type)
    case "NSURL":
      if isKeyed {
        guard let text = value(forKey: "NS.relative", in: node), count <= 2 else { return nil }
        return .url(base: value(forKey: "NS.base", in: node) ?? .none, text: text)
      }
      return count == 3
        ? .url(base: value(1, of: node), text: value(2, of: node))
        : .url(base: .none, text: value(1, of: node))
    case "NSAttributedString", "NSMutableAttributedString":
      return isKeyed ? keyedRuns(node, isMutable) : sequentialRuns(node, isMutable)
    case "NSValue":
      return isKeyed
        ? keyedGeometry(node) ?? keyedScalar(node)
        : sequentialGeometry(node) ?? sequentialScalar(node)
    case "NSColor": return colour(of: node).map { .colour($0) }
    case "NSDecimalNumberPlaceholder":
      return isKeyed ? keyedPortableDecimal(node) : sequentialPortableDecimal(node)
    default: return nil
    }
  }

  /// Whether a colour has no field beside those that both kinds of archive know.
  private func hasOnlyColour(_ node: Int) -> Bool {
    guard !isSequential, let colour = colour(of: node) else { return true }
    let count = PortableColour.keys(of: colour).count
    guard case .named = colour else { return valueCount(of: node) == count }
    return valueCount(of: node) == count + (index(ofKey: "NSColor", in: node) == nil ? 0 : 1)
  }

  // MARK: Elements

  func elements(_ elements: KnownForm.Elements, of node: Int) -> [InspectedValue] {
    switch elements {
    case .row(let row): (0..<valueCount(of: row)).map { value($0, of: row) }
    case .tail(let first): (first..<max(first, valueCount(of: node))).map { value($0, of: node) }
    default: []
    }
  }

  /// An element of a list; `nil` where the elements are no list.
  private func element(
    _ index: Int, of elements: KnownForm.Elements, in node: Int
  ) -> InspectedValue? {
    switch elements {
    case .row(let row): value(index, of: row)
    case .tail(let first): value(first + index, of: node)
    default: nil
    }
  }

  func pairs(
    _ elements: KnownForm.Elements, of node: Int
  ) -> [(key: InspectedValue, value: InspectedValue)] {
    switch elements {
    case .pairs(let keys, let values):
      (0..<valueCount(of: keys)).map { (value($0, of: keys), value($0, of: values)) }
    case .pairTail(let first):
      stride(from: first, to: valueCount(of: node) - 1, by: 2).map {
        (value($0, of: node), value($0 + 1, of: node))
      }
    default: []
    }
  }

  // MARK: Attributed strings

  private func keyedRuns(_ node: Int, _ isMutable: Bool) -> PortableValue? {
    guard let text = value(forKey: "NSString", in: node) else { return nil }
    guard let attributes = value(forKey: "NSAttributes", in: node) else {
      return .attributedString(isMutable: isMutable, text: text, runs: [])
    }
    guard let info = value(forKey: "NSAttributeInfo", in: node) else {
      guard let resolved = resolved(text), let length = self.text(of: resolved)?.text.utf16.count
      else { return nil }
      return .attributedString(isMutable: isMutable, text: text, runs: [(attributes, length)])
    }
    guard case .node(let list) = attributes, let form = knownForm(of: list),
      let range = dataRange(info), let numbers = Self.variableNumbers(slice(range)),
      numbers.count.isMultiple(of: 2)
    else { return nil }
    let count = elementCount(form.elements, of: list) ?? 0
    var runs: [(attributes: InspectedValue, length: Int)] = []
    for place in stride(from: 0, to: numbers.count, by: 2) {
      guard let length = Int(exactly: numbers[place]), let index = Int(exactly: numbers[place + 1]),
        index < count, length <= Int(UInt32.max),
        let attributes = element(index, of: form.elements, in: list)
      else { return nil }
      runs.append((attributes, length))
    }
    return .attributedString(isMutable: isMutable, text: text, runs: runs)
  }

  private func sequentialRuns(_ node: Int, _ isMutable: Bool) -> PortableValue? {
    var runs: [(attributes: InspectedValue, length: Int)] = []
    var known: [Int64: InspectedValue] = [:]
    var place = 1
    while place < valueCount(of: node) {
      guard let number = whole(value(place, of: node)),
        let length = whole(value(place + 1, of: node)), length >= 0
      else { return nil }
      place += 2
      if known[number] == nil {
        guard place < valueCount(of: node) else { return nil }
        known[number] = value(place, of: node)
        place += 1
      }
      runs.append((known[number] ?? .none, Int(length)))
    }
    return .attributedString(isMutable: isMutable, text: value(0, of: node), runs: runs)
  }

  // MARK: Decimal numbers

  func keyedPortableDecimal(_ node: Int) -> PortableValue? {
    guard let exponent = whole(value(forKey: "NS.exponent", in: node)),
      let length = whole(value(forKey: "NS.length", in: node)), (0...8).contains(length),
      case .bool(let isNegative)? = value(forKey: "NS.negative", in: node),
      let range = dataRange(value(forKey: "NS.mantissa", in: node)), range.count == 16,
      (-128...127).contains(exponent)
    else { return nil }
    let bytes = slice(range)
    let isBig = whole(value(forKey: "NS.mantissa.bo", in: node)) == 2
    let words = (0..<8).map { place -> UInt16 in
      let pair = (UInt16(bytes[place * 2]), UInt16(bytes[place * 2 + 1]))
      return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return .decimal(
      exponent: Int(exponent), words: words, length: Int(length), isNegative: isNegative,
      isCompact: value(forKey: "NS.compact", in: node) == .bool(true))
  }

  func sequentialPortableDecimal(_ node: Int) -> PortableValue? {
    guard valueCount(of: node) == 6, let exponent = whole(value(0, of: node)),
      let length = whole(value(1, of: node)), (0...8).contains(length),
      (-128...127).contains(exponent), case .node(let row) = value(5, of: node),
      valueCount(of: row) == 8
    else { return nil }
    return .decimal(
      exponent: Int(exponent),
      words: (0..<8).map { UInt16(truncatingIfNeeded: whole(value($0, of: row)) ?? 0) },
      length: Int(length), isNegative: whole(value(2, of: node)) != 0,
      isCompact: whole(value(3, of: node)) != 0)
  }
}
