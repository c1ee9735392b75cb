import PropertyLists

/// Writes the Foundation values of a typedstream as a keyed archive, without recursion.
struct KeyedComposer: ~Copyable {
  private let archive: InspectedArchive
  private var writer = BinaryPropertyListWriter()
  /// The number in `$objects` of each node that was met; 0 for others.
  private var numbers: [UInt32]
  /// What stands in `$objects`.
  private var bodies: [PropertyListReference] = []
  private var records: [String: UInt32] = [:]
  private var work: [Int] = []

  init(_ archive: InspectedArchive) {
    self.archive = archive
    numbers = Array(repeating: 0, count: archive.nodes.count)
  }

  mutating func compose() throws -> [UInt8] {
    let top = writer.reserve()
    bodies.append(writer.addString("$null"))
    let count = archive.valueCount(of: archive.top)
    let roots = writer.reserve()
    var keys: [PropertyListReference] = []
    var values: [PropertyListReference] = []
    for index in 0..<count {
      keys.append(writer.addString(count == 1 ? "root" : "$\(index)"))
      values.append(try uid(archive.value(index, of: archive.top), at: "/\(index)"))
    }
    writer.setDictionary(roots, keys: keys, values: values)
    var next = 0
    while next < work.count {
      try write(work[next])
      next += 1
    }
    let objects = writer.reserve()
    writer.setArray(objects, bodies)
    writer.setDictionary(
      top, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, objects,
      ])
    return try writer.finish(top: top)
  }

  /// A reference to a node, which is written later.
  private mutating func uid(
    _ value: InspectedValue, at place: String
  ) throws -> PropertyListReference {
    switch value {
    case .none: return writer.addUID(0)
    case .node(let node):
      if numbers[node] == 0 {
        numbers[node] = UInt32(truncatingIfNeeded: bodies.count)
        bodies.append(0)
        work.append(node)
      }
      return writer.addUID(numbers[node])
    default: throw archive.cannotGo(value, at: place, into: "keyed archive")
    }
  }

  private mutating func write(_ node: Int) throws {
    let place = archive.path(of: node)
    guard let portable = archive.portableValue(of: node) else {
      throw archive.cannotGo(.node(node), at: place, into: "keyed archive")
    }
    bodies[Int(numbers[node])] = try body(portable, place)
  }

  private mutating func body(
    _ portable: PortableValue, _ place: String
  ) throws -> PropertyListReference {
    switch portable {
    case .string(let value, let isMutable):
      guard let text = archive.text(of: value), !text.isRepaired else {
        throw InspectionError(.unsupported, "\(place): the text is not valid Unicode")
      }
      // The text `$null` alone would be read as no object.
      if !isMutable, text.text != "$null" { return writer.addString(text.text) }
      return object(
        isMutable ? "NSMutableString" : "NSString", [("NS.string", writer.addString(text.text))])
    case .number(let value, let type): return try number(value, type, place)
    case .data(let range, let isMutable):
      let data = writer.addData(archive.slice(range))
      return isMutable ? object("NSMutableData", [("NS.data", data)]) : data
    case .date(let seconds): return object("NSDate", [("NS.time", writer.addDouble(seconds))])
    case .null: return object("NSNull", [])
    case .url(let base, let text):
      return object(
        "NSURL", [("NS.base", try uid(base, at: place)), ("NS.relative", try uid(text, at: place))])
    case .collection(let name, let elements):
      return object(name, [("NS.objects", try array(elements, place))])
    case .dictionary(let isMutable, let pairs):
      return object(
        isMutable ? "NSMutableDictionary" : "NSDictionary",
        [
          ("NS.keys", try array(pairs.map(\.key), place)),
          ("NS.objects", try array(pairs.map(\.value), place)),
        ])
    case .attributedString(let isMutable, let text, let runs):
      return try attributedString(isMutable, text, runs, place)
    case .geometry(let kind, let numbers): return geometry(kind, numbers)
    case .range(let location, let length):
      return object(
        "NSValue",
        zip(PortableValue.rangeKeys, [location, length]).map {
          ($0, bare(writer.addInteger($1)))
        } + [("NS.special", writer.addInteger(4))])
    case .scalar(let value, let type):
      return object(
        "NSValue", [("$0", bare(writer.addString(type))), ("$1", try number(value, "", place))])
    case .colour(let colour): return try self.colour(colour, place)
    case .decimal(let exponent, let words, let length, let isNegative, let isCompact):
      let mantissa = words.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
      let fields = [
        writer.addInteger(Int64(exponent)), writer.addInteger(Int64(length)),
        writer.addBool(isNegative), writer.addBool(isCompact), writer.addInteger(1),
        writer.addData(mantissa),
      ]
      return object("NSDecimalNumberPlaceholder", zip(portable.keys, fields).map { ($0, $1) })
    }
  }

  // MARK: Parts

  private mutating func object(
    _ name: String, _ fields: [(key: String, value: PropertyListReference)]
  ) -> PropertyListReference {
    let record = writer.addUID(record(of: name))
    let body = writer.reserve()
    writer.setDictionary(
      body, keys: fields.map { writer.addString($0.key) } + [writer.addString("$class")],
      values: fields.map(\.value) + [record])
    return body
  }

  private mutating func record(of name: String) -> UInt32 {
    if let known = records[name] { return known }
    var chain = FoundationChains.of(name).map(\.name)
    if name == "NSDecimalNumberPlaceholder" {
      chain = [name, "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
    }
    let names = chain.map { writer.addString($0) }
    let classes = writer.reserve()
    writer.setArray(classes, names)
    let body = writer.reserve()
    writer.setDictionary(
      body, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [names[0], classes])
    records[name] = UInt32(truncatingIfNeeded: bodies.count)
    bodies.append(body)
    return UInt32(truncatingIfNeeded: bodies.count - 1)
  }

  private mutating func array(
    _ values: [InspectedValue], _ place: String
  ) throws -> PropertyListReference {
    let elements = try values.map { try uid($0, at: place) }
    let array = writer.reserve()
    writer.setArray(array, elements)
    return array
  }

  private mutating func number(
    _ value: InspectedValue, _ type: String, _ place: String
  ) throws -> PropertyListReference {
    switch (type, value) {
    case ("c", .integer(0)), ("B", .integer(0)): writer.addBool(false)
    case ("c", .integer(1)), ("B", .integer(1)): writer.addBool(true)
    case ("Q", .integer(let value)): writer.addUnsigned(UInt64(bitPattern: value))
    case (_, .bool(let value)): writer.addBool(value)
    case (_, .integer(let value)): writer.addInteger(value)
    case (_, .float(let value)): writer.addFloat(value)
    case (_, .double(let value)): writer.addDouble(value)
    default:
      throw InspectionError(
        .unsupported, "\(place): a number of the type \(type) cannot go into a keyed archive")
    }
  }

  private mutating func attributedString(
    _ isMutable: Bool, _ text: InspectedValue,
    _ runs: [(attributes: InspectedValue, length: Int)], _ place: String
  ) throws -> PropertyListReference {
    var fields = [("NSString", try uid(text, at: place))]
    if runs.count == 1, let run = runs.first {
      fields.append(("NSAttributes", try uid(run.attributes, at: place)))
    } else if runs.count > 1 {
      var distinct: [InspectedValue] = []
      var places: [InspectedValue: Int] = [:]
      var info: [UInt8] = []
      for run in runs {
        if places[run.attributes] == nil {
          places[run.attributes] = distinct.count
          distinct.append(run.attributes)
        }
        Self.append(run.length, to: &info)
        Self.append(places[run.attributes] ?? 0, to: &info)
      }
      let list = object("NSMutableArray", [("NS.objects", try array(distinct, place))])
      let data = object("NSMutableData", [("NS.data", writer.addData(info))])
      bodies += [list, data]
      fields.append(("NSAttributes", writer.addUID(UInt32(truncatingIfNeeded: bodies.count - 2))))
      fields.append(
        ("NSAttributeInfo", writer.addUID(UInt32(truncatingIfNeeded: bodies.count - 1))))
    }
    return object(isMutable ? "NSMutableAttributedString" : "NSAttributedString", fields)
  }

  /// Seven bits a byte, the least significant first.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A reference to an object that stands for itself.
  private mutating func bare(_ object: PropertyListReference) -> PropertyListReference {
    bodies.append(object)
    return writer.addUID(UInt32(truncatingIfNeeded: bodies.count - 1))
  }

  private mutating func geometry(
    _ kind: PortableValue.Geometry, _ numbers: [Double]
  ) -> PropertyListReference {
    let fields: [(key: String, value: PropertyListReference)] =
      kind.keys.count == 1
      ? [(kind.keys[0], bare(writer.addString(kind.text(numbers))))]
      : zip(kind.keys, numbers).map { ($0, writer.addDouble($1)) }
    return object("NSValue", fields + [("NS.special", writer.addInteger(kind.code))])
  }

  private mutating func colour(
    _ colour: PortableColour, _ place: String
  ) throws -> PropertyListReference {
    switch colour {
    case .named(let catalogue, let name, let fallback):
      return object(
        "NSColor",
        [
          ("NSColorSpace", writer.addInteger(6)),
          ("NSCatalogName", try uid(catalogue, at: place)),
          ("NSColorName", try uid(name, at: place)), ("NSColor", try uid(fallback, at: place)),
        ])
    case .components(let space, let numbers):
      // An alpha of 1 is left out; the numbers are of four bytes and as short as they read back.
      let shown = numbers.last == 1 ? numbers.dropLast() : numbers[...]
      let text = shown.map { InspectionText.number(Float($0)) }.joined(separator: " ")
      return object(
        "NSColor",
        [
          ("NSColorSpace", writer.addInteger(Int64(space))),
          (PortableColour.key(ofSpace: space), writer.addData(Array(text.utf8) + [0])),
        ])
    }
  }
}
