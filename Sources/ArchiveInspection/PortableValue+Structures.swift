/// Structures and C values that are objects.
extension InspectedArchive {
  func keyedGeometry(_ node: Int) -> PortableValue? {
    func numbers(_ key: String) -> [Double]? {
      guard let text = shortText(value(forKey: key, in: node)) else { return nil }
      let parts = text.split { "{}, ".contains($0) }.map { Double($0) }
      return parts.allSatisfy { $0?.isFinite ?? false } ? parts.compactMap { $0 } : nil
    }
    switch whole(value(forKey: "NS.special", in: node)) {
    case 1?:
      return numbers("NS.pointval").flatMap { $0.count == 2 ? .geometry(.point, $0) : nil }
    case 2?: return numbers("NS.sizeval").flatMap { $0.count == 2 ? .geometry(.size, $0) : nil }
    case 3?: return numbers("NS.rectval").flatMap { $0.count == 4 ? .geometry(.rect, $0) : nil }
    case 4?:
      guard let location = whole(value(forKey: "NS.rangeval.location", in: node)),
        let length = whole(value(forKey: "NS.rangeval.length", in: node))
      else { return nil }
      return .range(location: location, length: length)
    case 12?:
      let numbers = ["top", "left", "bottom", "right"].compactMap {
        real(value(forKey: "NS.edgeval." + $0, in: node))
      }
      return numbers.count == 4 ? .geometry(.insets, numbers) : nil
    default: return nil
    }
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

  /// What a structure is, in a line.
  static func words(of kind: PortableValue.Geometry, _ numbers: [Double]) -> String {
    let texts = numbers.map { InspectionText.number($0) }
    guard kind == .rect, texts.count == 4 else {
      return "\(kind.rawValue) {\(texts.joined(separator: ", "))}"
    }
    return "rect {{\(texts[0]), \(texts[1])}, {\(texts[2]), \(texts[3])}}"
  }

  /// A C value with its type code before it; `nil` when it is none.
  func words(ofScalar value: InspectedValue, type: String) -> String? {
    numberWords(value).map { "\(type) \($0)" }
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
