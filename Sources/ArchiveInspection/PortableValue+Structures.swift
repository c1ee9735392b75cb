/// How keyed archives write structures, C values and decimal numbers.
extension PortableValue {
  /// The fields of an object with a range; `NS.special` has the number 4 then.
  static let rangeKeys = ["NS.rangeval.location", "NS.rangeval.length"]

  /// The keys whose fields are all that the value is.
  var keys: [String] {
    switch self {
    case .geometry(let kind, _): ["NS.special"] + kind.keys
    case .range: ["NS.special"] + Self.rangeKeys
    case .scalar: ["$0", "$1"]
    case .decimal:
      ["exponent", "length", "negative", "compact", "mantissa.bo", "mantissa"].map { "NS." + $0 }
    default: []
    }
  }
}

extension PortableValue.Geometry {
  /// The number under `NS.special`.
  var code: Int64 {
    switch self {
    case .point: 1
    case .size: 2
    case .rect: 3
    case .insets: 12
    }
  }

  /// The key of a text that has all numbers, or those of each number.
  var keys: [String] {
    self == .insets
      ? ["top", "left", "bottom", "right"].map { "NS.edgeval." + $0 } : ["NS.\(rawValue)val"]
  }

  /// The numbers in braces.
  func text(_ numbers: [Double]) -> String {
    let texts = numbers.map { InspectionText.number($0) }
    guard self == .rect, texts.count == 4 else { return "{\(texts.joined(separator: ", "))}" }
    return "{{\(texts[0]), \(texts[1])}, {\(texts[2]), \(texts[3])}}"
  }
}

/// Structures and C values that are objects.
extension InspectedArchive {
  func keyedGeometry(_ node: Int) -> PortableValue? {
    let code = whole(value(forKey: "NS.special", in: node))
    if code == 4 {
      let numbers = PortableValue.rangeKeys.compactMap { whole(value(forKey: $0, in: node)) }
      return numbers.count == 2 ? .range(location: numbers[0], length: numbers[1]) : nil
    }
    guard let kind = PortableValue.Geometry.allCases.first(where: { $0.code == code }) else {
      return nil
    }
    let values = kind.keys.map { value(forKey: $0, in: node) }
    let numbers =
      values.count == 1 ? Self.numbers(shortText(values[0])) : values.compactMap { real($0) }
    return numbers.count == kind.count ? .geometry(kind, numbers) : nil
  }

  /// The numbers between braces, commas and blanks; none where one is none.
  private static func numbers(_ text: String?) -> [Double] {
    let parts = (text ?? "").split { "{}, ".contains($0) }.map { Double($0) ?? .nan }
    return parts.allSatisfy(\.isFinite) ? parts : []
  }

  func sequentialGeometry(_ node: Int) -> PortableValue? {
    guard valueCount(of: node) == 2, let type = shortText(value(0, of: node)),
      let kind = Self.geometry(ofType: type)
    else { return nil }
    var leaves: [InspectedValue] = []
    var work = [value(1, of: node)]
    while let next = work.popLast(), leaves.count <= 4 {
      if case .node(let structure) = next, nodes[structure].kind == .structure {
        work += (0..<min(5, valueCount(of: structure))).map { value($0, of: structure) }.reversed()
      } else {
        leaves.append(next)
      }
    }
    guard let kind else {
      guard leaves.count == 2, case .integer(let location) = leaves[0],
        case .integer(let length) = leaves[1]
      else { return nil }
      return .range(location: location, length: length)
    }
    let numbers = leaves.compactMap { real($0) }
    guard leaves.count == kind.count, numbers.count == kind.count, numbers.allSatisfy(\.isFinite)
    else { return nil }
    return .geometry(kind, numbers)
  }

  /// What a type string of a structure stands for; inside, `nil` is a range.
  ///
  /// The names are those of OPENSTEP and of today's systems.
  private static func geometry(ofType type: String) -> PortableValue.Geometry?? {
    switch type.dropFirst().prefix(while: { $0 != "=" }) {
    case "CGPoint", "_NSPoint", "NSPoint": .some(.point)
    case "CGSize", "_NSSize", "NSSize": .some(.size)
    case "CGRect", "_NSRect", "NSRect": .some(.rect)
    case "NSEdgeInsets": .some(.insets)
    case "_NSRange", "NSRange": .some(nil)
    default: nil
    }
  }

  // MARK: C values

  /// A value under a type of one code, which both kinds of archive can hold as it is.
  func keyedScalar(_ node: Int) -> PortableValue? {
    guard valueCount(of: node) == 2, let type = shortText(value(forKey: "$0", in: node)),
      let number = value(forKey: "$1", in: node)
    else { return nil }
    return Self.scalar(number, type)
  }

  func sequentialScalar(_ node: Int) -> PortableValue? {
    guard valueCount(of: node) == 2, let type = shortText(value(0, of: node)) else { return nil }
    return Self.scalar(value(1, of: node), type)
  }

  private static func scalar(_ number: InspectedValue, _ type: String) -> PortableValue? {
    func isIn(_ range: ClosedRange<Int64>, _ value: Int64) -> PortableValue? {
      range.contains(value) ? .scalar(number, type: type) : nil
    }
    switch (type, number) {
    case ("c", .integer(let value)): return isIn(-128...127, value)
    case ("C", .integer(let value)): return isIn(0...255, value)
    case ("s", .integer(let value)): return isIn(-32_768...32_767, value)
    case ("S", .integer(let value)): return isIn(0...65_535, value)
    case ("i", .integer(let value)): return isIn(Int64(Int32.min)...Int64(Int32.max), value)
    case ("I", .integer(let value)): return isIn(0...Int64(UInt32.max), value)
    case ("q", .integer), ("d", .double), ("f", .float), ("B", .bool):
      return .scalar(number, type: type)
    case ("B", .integer(let value)):
      return value == 0 || value == 1 ? .scalar(.bool(value == 1), type: type) : nil
    case ("f", .double(let value)):
      // XML has no real numbers of four bytes.
      return Float(exactly: value).map { .scalar(.float($0), type: type) }
    default: return nil
    }
  }

  // MARK: Words

  /// What a structure, a C value or a decimal number is, in a line; `nil` for other values.
  func words(of value: PortableValue) -> String? {
    switch value {
    case .geometry(let kind, let numbers): "\(kind.rawValue) \(kind.text(numbers))"
    case .range(let location, let length): "range {\(location), \(length)}"
    case .scalar(let number, let type): numberWords(number).map { "\(type) \($0)" }
    case .decimal(let exponent, let words, let length, let isNegative, _):
      Self.decimal(
        words: words, length: Int64(length), exponent: Int64(exponent), isNegative: isNegative)
    default: nil
    }
  }

  /// A number or truth value as it is shown; `nil` for other values.
  func numberWords(_ value: InspectedValue) -> String? {
    switch value {
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .wide(let range): digits(ofWide: range)
    case .double(let value): InspectionText.number(value)
    case .float(let value): InspectionText.number(value)
    default: nil
    }
  }
}
