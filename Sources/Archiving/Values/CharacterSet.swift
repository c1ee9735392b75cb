extension Cocoa {
  /// A set of characters as it was described: Foundation's `NSCharacterSet`.
  public struct CharacterSet: Coding, FoundationValue {
    /// How the characters are told.
    #if hasAttribute(nonexhaustive)
      @nonexhaustive
    #endif
    public enum Contents: Hashable, Sendable {
      /// A bit for each character: 8192 bytes for the first plane, then for each further plane its
      /// number and 8192 bytes.
      case bitmap([UInt8])
      /// The characters of a string.
      case characters(String)
      /// A run of Unicode scalars.
      case range(Range)
      /// One of Foundation's own sets, by its number.
      case builtin(Int)
    }

    /// How the characters are told.
    public let contents: Contents
    /// Whether all other characters are meant.
    public let isInverted: Bool
    /// Whether it is archived as `NSMutableCharacterSet`.
    public let isMutable: Bool

    /// Makes a character set; `nil` when a bitmap has no possible size, or a range is beyond
    /// Unicode.
    public init?(_ contents: Contents, isInverted: Bool = false, isMutable: Bool = false) {
      switch contents {
      case .bitmap(let bytes):
        let planes = bytes.count - 8192
        guard planes >= 0, planes.isMultiple(of: 8193), planes / 8193 <= 16 else { return nil }
      case .range(let range):
        guard range.end <= 0x11_0000 else { return nil }
      case .characters: break
      case .builtin(let number):
        guard number >= 0 else { return nil }
      }
      self.contents = contents
      self.isInverted = isInverted
      self.isMutable = isMutable
    }
  }
}

extension Cocoa.CharacterSet {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSCharacterSet", formerNames: ["NSMutableCharacterSet"])
  }

  var asObject: Cocoa.Object { .characterSet(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable
      ? ArchivedClass("NSMutableCharacterSet", superclass: "NSCharacterSet") : "NSCharacterSet"
  }

  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else { return try encodeGroups(with: coder) }
    switch contents {
    case .bitmap(let bytes): try coder.encodeBytes(bytes, forKey: "NSBitmap")
    case .characters(let text): try coder.encodeString(text, forKey: "NSStringObject")
    case .range(let range):
      try coder.encodeInt64(Int64(range.location) << 32 | Int64(range.length), forKey: "NSRange")
    case .builtin(let number): try coder.encodeInt(number, forKey: "NSBuiltinID")
    }
    if isInverted { try coder.encodeBool(true, forKey: "NSIsInverted") }
  }

  /// The layout is our own: the kind, its content, and whether it is inverted.
  private func encodeGroups(with coder: any EncodingCoder) throws {
    switch contents {
    case .bitmap(let bytes):
      try coder.encodeInt(0)
      try coder.encodeData(bytes)
    case .characters(let text):
      try coder.encodeInt(1)
      try coder.encodeString(text)
    case .range(let range):
      try coder.encodeInt(2)
      try coder.encodeInt(range.location)
      try coder.encodeInt(range.length)
    case .builtin(let number):
      try coder.encodeInt(3)
      try coder.encodeInt(number)
    }
    try coder.encodeBool(isInverted)
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableCharacterSet")
    let contents: Contents?
    let isInverted: Bool
    if coder.allowsKeyedCoding {
      contents = try Self.contents(from: coder)
      isInverted =
        try coder.decodeBoolIfPresent(forKey: "NSIsInverted")
        ?? coder.decodeBoolIfPresent(forKey: "NSIsInverted2") ?? false
    } else {
      contents = try Self.contents(inOrderFrom: coder)
      isInverted = try coder.decodeBool()
    }
    guard let contents,
      let set = Cocoa.CharacterSet(contents, isInverted: isInverted, isMutable: isMutable)
    else { throw coder.invalidValue("no set of characters", forKey: "NSBitmap") }
    self = set
  }

  private static func contents(from coder: any DecodingCoder) throws -> Contents? {
    for key in ["NSBuiltinID2", "NSBuiltinID"] {
      if let number = try coder.decodeIntIfPresent(forKey: key) { return .builtin(number) }
    }
    if let packed = try coder.decodeInt64IfPresent(forKey: "NSRange") {
      return Cocoa.Range(location: Int(packed >> 32), length: Int(packed & 0xFFFF_FFFF))
        .map { .range($0) }
    }
    for key in ["NSStringObject", "NSString"] {
      if let text = try coder.decodeStringIfPresent(forKey: key) { return .characters(text) }
    }
    for key in ["NSBitmapObject", "NSBitmap"] {
      if let bytes = try coder.decodeDataIfPresent(forKey: key) { return .bitmap(bytes) }
    }
    return nil
  }

  private static func contents(inOrderFrom coder: any DecodingCoder) throws -> Contents? {
    switch try coder.decodeInt() {
    case 0: return .bitmap(try coder.decodeData())
    case 1: return .characters(try coder.decodeString())
    case 2:
      let location = try coder.decodeInt()
      return Cocoa.Range(location: location, length: try coder.decodeInt()).map { .range($0) }
    case 3: return .builtin(try coder.decodeInt())
    default: return nil
    }
  }
}
