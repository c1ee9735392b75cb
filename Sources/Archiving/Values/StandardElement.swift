import PropertyLists

/// A string or number of the standard library.
///
/// A collection asks the type of its elements once, and then handles all of them in a loop of that
/// type. The collections have no type here (`Any`), so that no element is boxed; a collection of
/// other elements gives `nil`. What is not written as usual goes the way of all objects.
protocol StandardElement: FoundationValue {
  /// The places of values by their order.
  static func order(of values: Any) -> [Int]?

  /// The nodes of values, new ones or those of strings that are there already.
  static func nodes(of values: Any, in coder: KeyedArchiver) throws -> [UInt32]?
  /// Writes the number of values under a type, and each in a group of its own; false when they are
  /// of another type.
  static func write(_ values: Any, ofType type: String, to coder: Archiver) throws -> Bool

  /// Reads the array under a key as `KeyedUnarchiver.Elements`; `nil` when it is absent.
  static func elements(in coder: KeyedUnarchiver, forKey key: String) throws -> Any?
  /// Reads values, each in a group of its own, as an array.
  static func elements(in coder: Unarchiver, count: Int) throws -> Any

  // The steps of one value:

  /// Whether a value comes before another.
  static func precedes(_ first: Self, _ second: Self) -> Bool
  /// The node of the value.
  func node(in coder: KeyedArchiver) throws -> UInt32
  /// Writes the value in the place of an object.
  func write(to coder: Archiver) throws
  /// The value of an object without class; `nil` when it is written otherwise.
  static func bare(
    _ object: PropertyListObject, of node: UInt32, in coder: KeyedUnarchiver
  ) throws -> Self?
  /// The value that a number of a property list is; `nil` for none.
  static func number(_ object: PropertyListObject) -> Self?
  /// Reads the object whose class was just read; `nil` when it is written otherwise.
  static func plain(in coder: Unarchiver) throws -> Self?
}

extension StandardElement {
  static func order(of values: Any) -> [Int]? {
    guard let values = values as? [Self] else { return nil }
    return values.indices.sorted { precedes(values[$0], values[$1]) }
  }

  static func nodes(of values: Any, in coder: KeyedArchiver) throws -> [UInt32]? {
    guard let values = values as? [Self] else { return nil }
    _ = coder.classIndex(of: Self.self)
    return try values.map { try $0.node(in: coder) }
  }

  static func write(_ values: Any, ofType type: String, to coder: Archiver) throws -> Bool {
    guard let values = values as? [Self] else { return false }
    _ = coder.classIndex(of: Self.self)
    try coder.encodeCount(values.count, ofType: type)
    for value in values {
      coder.writer.beginGroup(code: UInt8(ascii: "@"))
      try value.write(to: coder)
    }
    return true
  }

  static func elements(in coder: KeyedUnarchiver, forKey key: String) throws -> Any? {
    try coder.elements(
      key, of: Self.self, inline: { try coder.inlineElement(Self.self, $0) },
      head: { row in coder.numbers(row) { number($0) } },
      { node in
        if let body = coder.list.entry(Int(node), of: coder.objects),
          let object = try? coder.list.object(body),
          let value = try bare(object, of: node, in: coder)
        {
          return value
        }
        return try coder.object(Self.self, node)
      })
  }

  static func elements(in coder: Unarchiver, count: Int) throws -> Any {
    try (0..<count).compactMap { _ in
      try coder.elementInPlace(Self.self) { try plain(in: coder) }
    }
  }
}

extension StandardNumber {
  func node(in coder: KeyedArchiver) throws -> UInt32 {
    coder.addNode(body: coder.body(of: asNumber))
  }

  func write(to coder: Archiver) throws { try coder.write(number: asNumber) }

  static func bare(
    _ object: PropertyListObject, of node: UInt32, in coder: KeyedUnarchiver
  ) -> Self? { number(object) }

  static func number(_ object: PropertyListObject) -> Self? {
    Cocoa.Number(object: object).flatMap { Self($0) }
  }

  static func plain(in coder: Unarchiver) throws -> Self? {
    try coder.plainNumber().flatMap { Self($0) }
  }
}

extension StandardNumber where Self: Comparable {
  static func precedes(_ first: Self, _ second: Self) -> Bool { first < second }
}

extension Bool {
  static func precedes(_ first: Bool, _ second: Bool) -> Bool { !first && second }
}

extension String: StandardElement {
  static func precedes(_ first: String, _ second: String) -> Bool { first < second }

  func node(in coder: KeyedArchiver) throws -> UInt32 { try coder.node(ofString: self) }

  func write(to coder: Archiver) { coder.write(string: self) }

  static func bare(
    _ object: PropertyListObject, of node: UInt32, in coder: KeyedUnarchiver
  ) throws -> String? {
    object.isText ? try coder.string(ofNode: node) : nil
  }

  static func number(_ object: PropertyListObject) -> String? { nil }

  static func plain(in coder: Unarchiver) throws -> String? { try coder.plainString() }
}
