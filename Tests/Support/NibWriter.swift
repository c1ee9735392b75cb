/// Writes compiled nibs by hand, sound or broken as a test wants them.
package struct NibWriter: Sendable {
  /// A value of an object.
  package enum Value: Hashable, Sendable {
    case int8(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case bool(Bool)
    case float(UInt32)
    case double(UInt64)
    case data([UInt8])
    case none
    case object(UInt32)
    /// Any type with any bytes behind it.
    case other(UInt8, [UInt8])
  }

  /// An object with its fields in their order.
  package struct Object: Hashable, Sendable {
    package var name: String
    package var fields: [(key: String, value: Value)] {
      get { zip(keys, values).map { ($0, $1) } }
      set { (keys, values) = (newValue.map(\.key), newValue.map(\.value)) }
    }
    private var keys: [String] = []
    private var values: [Value] = []

    package init(_ name: String, _ fields: [(key: String, value: Value)]) {
      self.name = name
      self.fields = fields
    }

    /// A string as nibs have it.
    package static func string(_ text: String) -> Object {
      Object("NSString", [("NS.bytes", .data(Array(text.utf8)))])
    }

    /// A collection of objects as nibs have it.
    package static func collection(_ name: String, _ numbers: [UInt32]) -> Object {
      let elements = numbers.map { (key: "UINibEncoderEmptyKey", value: Value.object($0)) }
      return Object(name, [("NSInlinedValue", .bool(true))] + elements)
    }
  }

  package var objects: [Object]
  /// The classes to take in place of others, by their names.
  package var fallbacks: [String: [String]] = [:]
  package var versions: (UInt32, UInt32) = (1, 10)

  package init(_ objects: [Object]) { self.objects = objects }

  /// The file.
  package var bytes: [UInt8] {
    var keys: [String] = []
    var names: [String] = []
    var tables: [[UInt8]] = [[], [], [], []]
    var valueCount = 0
    func number(_ text: String, _ list: inout [String]) -> Int {
      if let known = list.firstIndex(of: text) { return known }
      list.append(text)
      return list.count - 1
    }
    for object in objects {
      tables[0] += Self.variable(number(object.name, &names)) + Self.variable(valueCount)
      tables[0] += Self.variable(object.fields.count)
      valueCount += object.fields.count
      for (key, value) in object.fields {
        tables[2] += Self.variable(number(key, &keys)) + Self.encoded(value)
      }
    }
    for name in fallbacks.values.joined().sorted() { _ = number(name, &names) }
    for key in keys { tables[1] += Self.variable(key.utf8.count) + Array(key.utf8) }
    for name in names {
      let others = fallbacks[name] ?? []
      tables[3] += Self.variable(name.utf8.count + 1) + Self.variable(others.count)
      for other in others { tables[3] += Self.little(UInt64(number(other, &names)), 4) }
      tables[3] += Array(name.utf8) + [0]
    }
    var file = Array("NIBArchive".utf8)
    file += Self.little(UInt64(versions.0), 4) + Self.little(UInt64(versions.1), 4)
    var offset = 50
    for (table, count) in zip(tables, [objects.count, keys.count, valueCount, names.count]) {
      file += Self.little(UInt64(count), 4) + Self.little(UInt64(offset), 4)
      offset += table.count
    }
    return file + tables.joined()
  }

  /// A number of seven bits a byte; the last has its high bit set.
  package static func variable(_ number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F))
      rest >>= 7
    }
    return bytes + [UInt8(rest) | 0x80]
  }

  private static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func encoded(_ value: Value) -> [UInt8] {
    switch value {
    case .int8(let value): [0, UInt8(bitPattern: value)]
    case .int16(let value): [1] + little(UInt64(truncatingIfNeeded: value), 2)
    case .int32(let value): [2] + little(UInt64(truncatingIfNeeded: value), 4)
    case .int64(let value): [3] + little(UInt64(bitPattern: value), 8)
    case .bool(let value): [value ? 5 : 4]
    case .float(let bits): [6] + little(UInt64(bits), 4)
    case .double(let bits): [7] + little(bits, 8)
    case .data(let bytes): [8] + variable(bytes.count) + bytes
    case .none: [9]
    case .object(let number): [10] + little(UInt64(number), 4)
    case .other(let type, let bytes): [type] + bytes
    }
  }

  // MARK: Samples

  /// A small window with a button: every type of value, shared parts and a cycle.
  package static var window: NibWriter {
    var writer = NibWriter([
      Object(
        "NSObject",
        [("UINibTopLevelObjectsKey", .object(1)), ("count", .int8(2)), ("names", .object(7))]),
      .collection("NSArray", [2, 3]),
      Object(
        "UIWindow",
        [
          ("UISubviews", .object(4)), ("UITitle", .object(5)), ("UIAlpha", .float(0x3F00_0000)),
          ("UITag", .int64(-3)), ("UIDelegate", .none), ("UIWidth", .double(0x4074_0000_0000_0000)),
        ]),
      Object(
        "_TtC5MyApp6Button",
        [
          ("UITitle", .object(5)), ("UISuperview", .object(2)), ("UITag", .int16(300)),
          ("UIBounds", .data([6, 0, 0, 0, 0])), ("UIHidden", .bool(false)),
          ("UIEvents", .int32(1 << 20)),
        ]),
      .collection("NSMutableArray", [3]),
      .string("Grüße"),
      Object("NSNumber", [("NS.intval", .int16(1_000))]),
      .collection("NSDictionary", [5, 6]),
    ])
    writer.fallbacks = ["_TtC5MyApp6Button": ["UIButton", "UIView"]]
    return writer
  }
}
