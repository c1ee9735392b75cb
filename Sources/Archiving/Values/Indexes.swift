import PropertyLists

extension Cocoa {
  /// Whole numbers as ranges: Foundation's `NSIndexSet` and `NSMutableIndexSet`.
  public struct IndexSet: Coding, FoundationValue {
    /// The ranges, ascending and apart from each other.
    public let ranges: [Range]
    /// Whether it is archived as `NSMutableIndexSet`.
    public let isMutable: Bool

    /// Makes an index set; `nil` when a range is empty or the ranges do not ascend.
    public init?(_ ranges: [Range] = [], isMutable: Bool = false) {
      var end = 0
      for range in ranges {
        guard range.length > 0, range.location >= end else { return nil }
        end = range.end
      }
      self.ranges = ranges
      self.isMutable = isMutable
    }

    /// How many indexes there are.
    public var count: Int { ranges.reduce(0) { $0 + $1.length } }
  }

  /// A way down a tree, one index for each level: Foundation's `NSIndexPath`.
  public struct IndexPath: Coding, FoundationValue {
    /// The indexes, none of them negative.
    public let indexes: [Int]

    /// Makes an index path; `nil` when an index is negative.
    public init?(_ indexes: [Int]) {
      guard indexes.allSatisfy({ $0 >= 0 }) else { return nil }
      self.indexes = indexes
    }
  }
}

extension Cocoa.IndexSet {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSIndexSet", formerNames: ["NSMutableIndexSet"])
  }

  var asObject: Cocoa.Object { .indexSet(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable ? ArchivedClass("NSMutableIndexSet", superclass: "NSIndexSet") : "NSIndexSet"
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(ranges.count, forKey: "NSRangeCount")
    guard let first = ranges.first else { return }
    if ranges.count == 1 {
      try coder.encodeInt(first.location, forKey: "NSLocation")
      return try coder.encodeInt(first.length, forKey: "NSLength")
    }
    var bytes: [UInt8] = []
    for range in ranges {
      Varints.append(range.location, to: &bytes)
      Varints.append(range.length, to: &bytes)
    }
    try coder.encodeObject(Cocoa.MutableData(bytes), forKey: "NSRangeData")
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableIndexSet")
    let count = try coder.decodeInt(forKey: "NSRangeCount")
    var numbers: [Int] = []
    if count == 1 {
      numbers = [
        try coder.decodeInt(forKey: "NSLocation"), try coder.decodeInt(forKey: "NSLength"),
      ]
    } else if count != 0 {
      let bytes = try coder.decodeObject(Cocoa.MutableData.self, forKey: "NSRangeData").bytes
      let (expected, overflow) = count.multipliedReportingOverflow(by: 2)
      guard !overflow, let found = Varints.numbers(in: bytes), found.count == expected else {
        throw coder.invalidValue(
          "expected \(counted(count, "pair")) of numbers", forKey: "NSRangeData")
      }
      numbers = found
    }
    let ranges = stride(from: 0, to: numbers.count, by: 2).compactMap {
      Cocoa.Range(location: numbers[$0], length: numbers[$0 + 1])
    }
    guard ranges.count == count, let set = Cocoa.IndexSet(ranges, isMutable: isMutable) else {
      throw coder.invalidValue("the ranges do not ascend", forKey: "NSRangeCount")
    }
    self = set
  }
}

extension Cocoa.IndexPath {
  public static var archivedClass: ArchivedClass { "NSIndexPath" }

  var asObject: Cocoa.Object { .indexPath(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(indexes.count, forKey: "NSIndexPathLength")
    guard let first = indexes.first else { return }
    if indexes.count == 1 { return try coder.encodeInt(first, forKey: "NSIndexPathValue") }
    var bytes: [UInt8] = []
    for index in indexes { Varints.append(index, to: &bytes) }
    try coder.encodeObject(Cocoa.MutableData(bytes), forKey: "NSIndexPathData")
  }

  public init(coder: any DecodingCoder) throws {
    let count = try coder.decodeInt(forKey: "NSIndexPathLength")
    var indexes: [Int] = []
    if count == 1 {
      indexes = [try coder.decodeInt(forKey: "NSIndexPathValue")]
    } else if count != 0 {
      let bytes = try coder.decodeObject(Cocoa.MutableData.self, forKey: "NSIndexPathData").bytes
      indexes = Self.indexes(in: bytes, count: count) ?? []
    }
    guard indexes.count == count, let path = Cocoa.IndexPath(indexes) else {
      throw coder.invalidValue("expected \(count) indexes", forKey: "NSIndexPathLength")
    }
    self = path
  }

  private static func indexes(in bytes: [UInt8], count: Int) -> [Int]? {
    if let numbers = Varints.numbers(in: bytes), numbers.count == count { return numbers }
    // GNUstep: eight bytes for each, the most significant first.
    guard bytes.count.isMultiple(of: 8), bytes.count / 8 == count else { return nil }
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
