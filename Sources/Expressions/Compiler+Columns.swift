/// Conditions of attributes and fixed values, for all rows of a block at once: without a call and a
/// value for each row.
///
/// A truth is a byte, as `Truth` has it: `and` is the least of two, `or` the greatest. A block with
/// a value of another type than its condition takes is left to the way row by row, which counts it.
extension Compiler {
  /// The truth of each row; `nil` where it has to be found row by row.
  func truths(_ node: Node) -> [UInt8]? {
    switch node.kind {
    case .not(let operand): return truths(operand)?.map { 2 &- $0 }
    case .all(let nodes): return joined(nodes) { min($0, $1) }
    case .any(let nodes): return joined(nodes) { max($0, $1) }
    case .comparison(let sign, let left, let right):
      if case .attribute(let name) = left.kind, case .literal(let value) = right.kind {
        return truths(of: name, sign, value)
      }
      if case .attribute(let name) = right.kind, case .literal(let value) = left.kind {
        return truths(of: name, sign.mirrored, value)
      }
      guard let left = numbers(left), let right = numbers(right) else { return nil }
      return NumberTruths.of(left, sign, right)
    case .between(let operand, let low, let high): return truths(of: operand, from: low, to: high)
    case .oneOf(let operand, let nodes): return truths(of: operand, among: nodes)
    case .like(let operand, let pattern):
      guard case .attribute(let name) = operand.kind else { return nil }
      return texts(name) { pattern.matches($0) }
    case .matches(let operand, let pattern):
      guard case .attribute(let name) = operand.kind else { return nil }
      var matcher = PatternMatcher(pattern)
      return texts(name) { matcher.matches($0) }
    case .isNull(let operand):
      guard case .attribute(let name) = operand.kind else { return nil }
      guard let column = rows.packedColumn(name) else { return every(.yes) }
      return column.kinds.map { Truth($0 < PackedColumn.Kind.no).rawValue }
    case .literal(.truth(let isTrue)): return every(Truth(isTrue))
    case .attribute, .literal, .quality, .negation, .arithmetic, .call, .aggregate, .relation,
      .distance:
      return nil
    }
  }

  private func every(_ truth: Truth) -> [UInt8] {
    [UInt8](repeating: truth.rawValue, count: rows.rowCount)
  }

  @inline(__always)
  private func joined(_ nodes: [Node], _ join: (UInt8, UInt8) -> UInt8) -> [UInt8]? {
    guard let first = nodes.first, var found = truths(first) else { return nil }
    for node in nodes.dropFirst() {
      guard let next = truths(node), next.count == found.count else { return nil }
      NumberTruths.join(&found, next, join)
    }
    return found
  }

  // MARK: Leaves

  private func truths(of name: String, _ sign: ComparisonSign, _ value: Value) -> [UInt8]? {
    switch value {
    case .number(let wanted):
      guard let double = wanted.exactDouble else { return nil }
      if case .numbers(let numbers)? = rows.vector(name) {
        return NumberTruths.of(numbers, sign, double)
      }
      // The results for less than, equal to and greater than the wanted number.
      let truths = [-1, 0, 1].map { Truth(sign.holds($0)).rawValue }
      let (less, equal, greater) = (truths[0], truths[1], truths[2])
      return numbers(name) {
        $0 < double ? less : $0 == double ? equal : greater
      } exact: {
        Truth(sign.holds(Number.order($0, wanted))).rawValue
      }
    case .text(let wanted):
      return wanted.withBytes { wanted in
        texts(name) { sign.holds(Bytes.order($0, wanted)) }
      }
    case .null, .truth: return nil
    }
  }

  private func truths(of operand: Node, from low: Node, to high: Node) -> [UInt8]? {
    guard case .literal(.number(let low)) = low.kind,
      case .literal(.number(let high)) = high.kind, let least = low.exactDouble,
      let greatest = high.exactDouble
    else { return nil }
    guard case .attribute(let name) = operand.kind else {
      return numbers(operand).map { NumberTruths.of($0, from: least, to: greatest) }
    }
    if case .numbers(let numbers)? = rows.vector(name) {
      return NumberTruths.of(numbers, from: least, to: greatest)
    }
    return numbers(name) {
      Truth($0 >= least && $0 <= greatest).rawValue
    } exact: {
      Truth(Number.order($0, low) >= 0 && Number.order($0, high) <= 0).rawValue
    }
  }

  private func truths(of operand: Node, among nodes: [Node]) -> [UInt8]? {
    guard nodes.count <= Self.listMax else { return nil }
    var listed: [Number] = []
    var words: [Text] = []
    for node in nodes {
      switch node.kind {
      case .literal(.number(let number)): listed.append(number)
      case .literal(.text(let text)): words.append(text)
      default: return nil
      }
    }
    let doubles = listed.compactMap(\.exactDouble)
    guard case .attribute(let name) = operand.kind else {
      guard words.isEmpty, doubles.count == listed.count else { return nil }
      return numbers(operand).map { NumberTruths.of($0, among: doubles) }
    }
    if listed.isEmpty {
      return texts(name) { text in
        words.contains { $0.withBytes { Bytes.order($0, text) == 0 } }
      }
    }
    guard words.isEmpty, doubles.count == listed.count else { return nil }
    if case .numbers(let numbers)? = rows.vector(name) {
      return NumberTruths.of(numbers, among: doubles)
    }
    return numbers(name) { number in
      Truth(doubles.contains(number)).rawValue
    } exact: { number in
      Truth(listed.contains { Number.order($0, number) == 0 }).rawValue
    }
  }

  // MARK: Numbers

  /// The number of each row, NaN where there is none: of a column, or computed from some; `nil`
  /// where it has to be found row by row.
  private func numbers(_ node: Node) -> [Double]? {
    switch node.kind {
    case .attribute(let name):
      guard let column = rows.packedColumn(name) else {
        return [Double](repeating: .nan, count: rows.rowCount)
      }
      guard column.types == .number,
        case .numbers(let numbers) = rows.vector(name) ?? ColumnVector(column)
      else { return nil }
      return numbers
    case .literal(.number(let number)):
      return number.exactDouble.map { [Double](repeating: $0, count: rows.rowCount) }
    case .negation(let operand): return numbers(operand)?.map { -$0 }
    case .arithmetic(let sign, let left, let right):
      guard let left = numbers(left), let right = numbers(right) else { return nil }
      return NumberTruths.computed(left, sign, right)
    default: return nil
    }
  }

  // MARK: Columns

  /// The truths of a column of numbers.
  ///
  /// - Parameters:
  ///   - truth: takes a number of at most 15 digits as the double nearest to it.
  ///   - exact: takes any other number.
  @inline(__always)
  private func numbers(
    _ name: String, _ truth: (Double) -> UInt8, exact: (Number) -> UInt8
  ) -> [UInt8]? {
    values(name, PackedColumn.Kind.number...PackedColumn.Kind.number) { text in
      if let double = Number.short(text) { return truth(double) }
      return Number(text).map(exact)
    }
  }

  /// The truths of a column of texts; few different ones are asked once each.
  @inline(__always)
  private func texts(_ name: String, _ holds: (UnsafeBufferPointer<UInt8>) -> Bool) -> [UInt8]? {
    if case .texts(let codes, let places)? = rows.vector(name),
      let column = rows.packedColumn(name)
    {
      let truths = column.bytes.withUnsafeBufferPointer { bytes in
        [Truth.unknown.rawValue]
          + places.map { Truth(holds(UnsafeBufferPointer(rebasing: bytes[$0]))).rawValue }
      }
      return truths.withUnsafeBufferPointer { truths in codes.map { truths[Int($0)] } }
    }
    return values(name, PackedColumn.Kind.text...PackedColumn.Kind.json) {
      Truth(holds($0)).rawValue
    }
  }

  /// The truths of a column of some kinds: unknown where there is no value, and `nil` if a value is
  /// of another kind.
  @inline(__always)
  private func values(
    _ name: String, _ kinds: ClosedRange<UInt8>,
    _ truth: (UnsafeBufferPointer<UInt8>) -> UInt8?
  ) -> [UInt8]? {
    guard let column = rows.packedColumn(name) else { return every(.unknown) }
    var fits = true
    let truths = [UInt8](unsafeUninitializedCapacity: column.kinds.count) { room, count in
      count = column.kinds.count
      column.eachText { row, kind, text in
        var found: UInt8? = kind < PackedColumn.Kind.no ? Truth.unknown.rawValue : nil
        if kinds.contains(kind) { found = truth(text) }
        if found == nil { fits = false }
        room[row] = found ?? Truth.unknown.rawValue
      }
    }
    return fits ? truths : nil
  }
}

extension Number {
  /// The same as a double, if that is no other number.
  var exactDouble: Double? {
    switch canonical {
    case .whole(let whole): whole.magnitude <= 1 << 53 ? Double(whole) : nil
    case .real(let real): real
    }
  }

  /// The double nearest to a decimal of at most 15 digits; `nil` for all other texts.
  ///
  /// A whole number of so many digits is exact, and its quotient by an exact power of ten is
  /// rounded once.
  @inline(__always)
  static func short(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = text.first == UInt8(ascii: "-") ? 1 : 0
    guard text.count - index <= 16 else { return nil }
    let isNegative = index > 0
    var mantissa: Int64 = 0
    var digits = 0
    var whole = -1
    while index < text.count {
      let byte = text[index]
      if byte &- 0x30 < 10 {
        mantissa = mantissa &* 10 &+ Int64(byte &- 0x30)
        digits &+= 1
      } else if byte == UInt8(ascii: "."), whole < 0 {
        whole = digits
      } else {
        return nil
      }
      index &+= 1
    }
    guard digits > 0, digits <= 15, whole != 0, whole != digits else { return nil }
    let magnitude = whole < 0 ? Double(mantissa) : Double(mantissa) / powers[digits - whole]
    return isNegative ? -magnitude : magnitude
  }
}
