extension Cocoa {
  /// A URL as its text, relative to others or not: Foundation's `NSURL`. It is never opened.
  public struct URL: Coding, FoundationValue {
    /// The text, relative to the first base.
    public let relative: String
    /// Its base URLs, nearest first; none when it is absolute.
    let bases: [String]

    /// How many bases a chain may have.
    static let baseCountMax = 16

    /// Makes an absolute URL.
    public init(_ text: String) {
      relative = text
      bases = []
    }

    /// Makes a URL relative to another; `nil` when that has 16 bases already.
    public init?(_ relative: String, relativeTo base: URL) {
      guard base.bases.count < Self.baseCountMax else { return nil }
      self.relative = relative
      bases = [base.relative] + base.bases
    }

    /// Its base URL; `nil` when it is absolute.
    public var base: URL? {
      bases.first.map { URL(relative: $0, bases: [String](bases.dropFirst())) }
    }

    private init(relative: String, bases: [String]) {
      self.relative = relative
      self.bases = bases
    }
  }

  /// Sixteen bytes that are like no others: Foundation's `NSUUID`.
  public struct UUID: Coding, FoundationValue, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Makes a UUID of its first eight bytes and its last eight.
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Makes a UUID of 16 bytes; `nil` for another number of bytes.
    public init?(bytes: [UInt8]) {
      guard bytes.count == 16 else { return nil }
      high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
      low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads the form `346FF5A7-DFB6-6909-668C-0C63945E8F77`.
    public init?(_ description: String) {
      let groups = description.split(separator: "-", omittingEmptySubsequences: false)
      guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
      var bytes: [UInt8] = []
      var half: UInt8?
      for character in groups.joined() {
        guard character.isASCII, let digit = character.hexDigitValue else { return nil }
        if let first = half {
          bytes.append(first << 4 | UInt8(digit))
          half = nil
        } else {
          half = UInt8(digit)
        }
      }
      self.init(bytes: bytes)
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
      [high, low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
      }
    }

    public var description: String {
      var text = ""
      for (place, byte) in bytes.enumerated() {
        if place == 4 || place == 6 || place == 8 || place == 10 { text += "-" }
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.utf8.count < 2 ? "0" + digits : digits
      }
      return text
    }
  }
}

extension Cocoa.URL {
  public static var archivedClass: ArchivedClass { "NSURL" }

  var asObject: Cocoa.Object { .url(self) }

  public func encode(with coder: any EncodingCoder) throws {
    if coder.allowsKeyedCoding {
      try coder.encodeObject(base, forKey: "NS.base")
    } else {
      try coder.encodeValues([.integer(base == nil ? 0 : 1)], ofTypes: "c")
      if let base { try coder.encodeObject(base) }
    }
    try coder.encodeString(relative, forKey: "NS.relative")
  }

  public init(coder: any DecodingCoder) throws {
    let base: Cocoa.URL?
    if coder.allowsKeyedCoding {
      base = try coder.decodeObjectIfPresent(Cocoa.URL.self, forKey: "NS.base")
    } else if case .integer(0) = try coder.decodeValues(ofTypes: "c").first {
      base = nil
    } else {
      base = try coder.decodeObject(Cocoa.URL.self)
    }
    let relative = try coder.decodeString(forKey: "NS.relative")
    guard let base else {
      self.init(relative)
      return
    }
    guard let url = Cocoa.URL(relative, relativeTo: base) else {
      throw coder.invalidValue("more bases than \(Self.baseCountMax)", forKey: "NS.base")
    }
    self = url
  }
}

extension Cocoa.UUID {
  public static var archivedClass: ArchivedClass { "NSUUID" }

  var asObject: Cocoa.Object { .uuid(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeBytes(bytes, forKey: "NS.uuidbytes")
  }

  public init(coder: any DecodingCoder) throws {
    // GNUstep has another key.
    let key =
      try coder.allowsKeyedCoding && !coder.containsValue(forKey: "NS.uuidbytes")
      && coder.containsValue(forKey: "uuid") ? "uuid" : "NS.uuidbytes"
    guard let uuid = Cocoa.UUID(bytes: try coder.decodeBytes(forKey: key)) else {
      throw coder.invalidValue("a UUID has 16 bytes", forKey: key)
    }
    self = uuid
  }
}
