import Archiving

/// Writes the Foundation values of a keyed archive as a typedstream, without recursion.
struct TypedstreamComposer {
  private let archive: InspectedArchive
  private var writer = TypedstreamWriter()
  /// The number in the stream of each node that has begun; -1 for others.
  private var numbers: [Int]
  private var typeNumbers: [String: Int] = [:]
  private var work: [Step] = []

  private enum Step {
    case object(InspectedValue)
    /// An object inside a group that has begun.
    case inner(InspectedValue)
    case beginGroup(String)
    case end
    /// A group of numbers.
    case group(String, [Int64])
  }

  init(_ archive: InspectedArchive) {
    self.archive = archive
    numbers = Array(repeating: -1, count: archive.nodes.count)
  }

  mutating func compose() throws -> [UInt8] {
    guard archive.header.format == .keyed else {
      throw InspectionError(
        .unsupported, "a property list that is no archive has no objects for a typedstream")
    }
    let count = archive.valueCount(of: archive.top)
    guard count == 1 else {
      throw InspectionError(
        .unsupported,
        "there are \(count) roots (\(rootNames)), and a typedstream has no names for them: only "
          + "one can go")
    }
    work.append(.object(archive.value(0, of: archive.top)))
    while let step = work.popLast() {
      switch step {
      case .object(let value):
        writer.beginGroup("@")
        try write(value)
      case .inner(let value): try write(value)
      case .beginGroup(let types): writer.beginGroup(types)
      case .end: writer.endObject()
      case .group(let types, let values):
        writer.beginGroup(types)
        for (type, value) in zip(types.utf8, values) { writer.writeInteger(value, type: type) }
      }
      guard writer.bytes.count <= archive.rewrittenByteCountMax else {
        throw InspectionError(
          .unsupported,
          "as a typedstream, which repeats what objects share, it would take over "
            + "\(archive.rewrittenByteCountMax) bytes")
      }
    }
    return writer.bytes
  }

  private var rootNames: String {
    let names = (0..<archive.valueCount(of: archive.top)).prefix(4).map {
      archive.fieldName($0, of: archive.top)
    }
    return (names + (archive.valueCount(of: archive.top) > 4 ? ["…"] : [])).joined(separator: ", ")
  }

  /// Writes an object, or none, into the group that has begun.
  private mutating func write(_ value: InspectedValue) throws {
    switch value {
    case .none: return writer.writeNone()
    case .node(let node):
      if archive.nodes[node].kind == .null { return writer.writeNone() }
      if numbers[node] >= 0 { return writer.writeReference(numbers[node]) }
      guard let portable = archive.portableValue(of: node) else {
        throw archive.cannotGo(value, at: archive.path(of: node), into: "typedstream")
      }
      work.append(.end)
      try begin(portable, node)
    default: throw archive.cannotGo(value, at: "a value inside a collection", into: "typedstream")
    }
  }

  private mutating func begin(_ portable: PortableValue, _ node: Int) throws {
    func object(_ name: String) { numbers[node] = writer.beginObject(FoundationChains.of(name)) }
    switch portable {
    case .string(let text, let isMutable):
      object(isMutable ? "NSMutableString" : "NSString")
      guard let found = archive.text(of: text), !found.isRepaired else {
        throw InspectionError(
          .unsupported, "\(archive.path(of: node)): the text is not valid Unicode")
      }
      writer.beginGroup("+")
      writer.writeBytes(Array(found.text.utf8))
    case .number(let value, let type):
      object("NSNumber")
      writeNumber(value, type)
    case .data(let range, let isMutable):
      object(isMutable ? "NSMutableData" : "NSData")
      writer.beginGroup("i")
      writer.writeInteger(Int64(range.count))
      writer.beginGroup("[\(range.count)c]")
      writer.writeByteArray(archive.slice(range))
    case .date(let seconds):
      object("NSDate")
      writer.beginGroup("d")
      writer.writeDouble(seconds)
    case .null: object("NSNull")
    case .url(let base, let text):
      object("NSURL")
      writer.beginGroup("c")
      writer.writeByte(base == .none ? 0 : 1)
      work.append(.object(text))
      if base != .none { work.append(.object(base)) }
    case .collection(let name, let elements):
      object(name)
      work += elements.reversed().map { .object($0) }
      work.append(.group(name.hasSuffix("Set") ? "I" : "i", [Int64(elements.count)]))
    case .dictionary(let isMutable, let pairs):
      object(isMutable ? "NSMutableDictionary" : "NSDictionary")
      for pair in pairs.reversed() { work += [.object(pair.value), .object(pair.key)] }
      work.append(.group("i", [Int64(pairs.count)]))
    case .attributedString(let isMutable, let text, let runs):
      object(isMutable ? "NSMutableAttributedString" : "NSAttributedString")
      work += steps(of: runs).reversed()
      work.append(.object(text))
    case .geometry(let kind, let numbers):
      object("NSValue")
      writeGeometry(kind, numbers)
    case .range(let location, let length):
      object("NSValue")
      writeType("{_NSRange=QQ}")
      writer.beginGroup("{_NSRange=QQ}")
      writer.writeInteger(location)
      writer.writeInteger(length)
    case .scalar(let value, let type):
      object("NSValue")
      writeNumber(value, type)
    case .colour(let colour):
      object("NSColor")
      write(colour)
    case .decimal(let exponent, let words, let length, let isNegative, let isCompact):
      object("NSDecimalNumberPlaceholder")
      writeDecimal(exponent, words, length, isNegative, isCompact)
    }
  }

  // MARK: Values

  private mutating func writeType(_ type: String) {
    writer.beginGroup("*")
    if let known = typeNumbers[type] {
      writer.writeReference(known)
    } else {
      typeNumbers[type] = writer.writeNewCString(Array(type.utf8))
    }
  }

  private mutating func writeNumber(_ value: InspectedValue, _ type: String) {
    writeType(type)
    writer.beginGroup(type)
    switch value {
    case .bool(let value): writer.writeByte(value ? 1 : 0)
    case .integer(let value) where ["c", "C", "B"].contains(type):
      writer.writeByte(UInt8(truncatingIfNeeded: value))
    case .integer(let value): writer.writeInteger(value, type: type.utf8.first ?? UInt8(ascii: "q"))
    case .unsigned(let value): writer.writeInteger(Int64(bitPattern: value))
    case .float(let value): writer.writeFloat(value)
    case .double(let value): writer.writeDouble(value)
    default: writer.writeInteger(0)
    }
  }

  private func steps(of runs: [(attributes: InspectedValue, length: Int)]) -> [Step] {
    var known: [InspectedValue: Int64] = [:]
    var steps: [Step] = []
    for run in runs {
      if let number = known[run.attributes] {
        steps.append(.group("iI", [number, Int64(run.length)]))
      } else {
        let number = Int64(known.count + 1)
        known[run.attributes] = number
        steps += [.group("iI", [number, Int64(run.length)]), .object(run.attributes)]
      }
    }
    return steps
  }

  private mutating func writeGeometry(_ kind: PortableValue.Geometry, _ numbers: [Double]) {
    let type =
      switch kind {
      case .point: "{CGPoint=dd}"
      case .size: "{CGSize=dd}"
      case .rect: "{CGRect={CGPoint=dd}{CGSize=dd}}"
      case .insets: "{NSEdgeInsets=dddd}"
      }
    writeType(type)
    writer.beginGroup(type)
    for number in numbers { writer.writeDouble(number) }
  }

  private mutating func write(_ colour: PortableColour) {
    writer.beginGroup("c")
    switch colour {
    case .components(let space, let numbers):
      writer.writeByte(UInt8(truncatingIfNeeded: space))
      writer.beginGroup(String(repeating: "f", count: numbers.count))
      for number in numbers { writer.writeFloat(Float(number)) }
    case .named(let catalogue, let name, let fallback):
      writer.writeByte(6)
      work += [.inner(fallback), .inner(name), .inner(catalogue), .beginGroup("@@@")]
    }
  }

  private mutating func writeDecimal(
    _ exponent: Int, _ words: [UInt16], _ length: Int, _ isNegative: Bool, _ isCompact: Bool
  ) {
    writer.beginGroup("i")
    writer.writeInteger(Int64(exponent))
    writer.beginGroup("S")
    writer.writeInteger(Int64(length), type: UInt8(ascii: "S"))
    for flag in [isNegative, isCompact] {
      writer.beginGroup("C")
      writer.writeByte(flag ? 1 : 0)
    }
    writer.beginGroup("I")
    writer.writeInteger(8)
    writer.beginGroup("[8S]")
    for word in words { writer.writeInteger(Int64(word), type: UInt8(ascii: "S")) }
  }
}

/// The superclasses of Foundation's value classes, with their versions in sequential archives.
enum FoundationChains {
  static func of(_ name: String) -> [(name: String, version: Int)] {
    let version = name == "NSString" || name == "NSMutableString" ? 1 : 0
    var chain = [(name, version)]
    switch name {
    case "NSNumber": chain.append(("NSValue", 0))
    default:
      guard name.hasPrefix("NSMutable") else { break }
      chain.append(("NS" + name.dropFirst("NSMutable".count), version))
    }
    return chain + [("NSObject", 0)]
  }
}
