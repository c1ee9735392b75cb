/// The first bytes of each end, before any message.
///
///     0   8  "PORTOLAN"
///     8   2  the version of the protocol, 1
///     10  2  the oldest version that the sender speaks too
///     12  4  milliseconds after which the sender gives a sign of life; 0: never
///     16  4  the most bytes of a message that the sender takes
///     20  4  count of the bytes that follow, at most 256
///     24  …  the sender's program and version, UTF-8
///
/// Numbers are little-endian and without sign.
struct PortGreeting: Hashable, Sendable {
  static let magic = Array("PORTOLAN".utf8)
  static let headSize = 24
  static let programMax = 256
  /// The version that this library speaks.
  static let ownVersion: UInt16 = 1

  var version = Self.ownVersion
  var oldest = Self.ownVersion
  /// Milliseconds.
  var keepAlive: UInt32
  var messageBytesMax: UInt32
  var program: String

  init(limits: PortLimits, program: String) {
    keepAlive = UInt32(clamping: limits.keepAlive.map { max(1, $0.milliseconds) } ?? 0)
    messageBytesMax = UInt32(clamping: limits.messageBytesMax)
    self.program = String(decoding: program.utf8.prefix(Self.programMax), as: UTF8.self)
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    let text = Array(program.utf8.prefix(Self.programMax))
    bytes.append(littleEndian: version)
    bytes.append(littleEndian: oldest)
    bytes.append(littleEndian: keepAlive)
    bytes.append(littleEndian: messageBytesMax)
    bytes.append(littleEndian: UInt32(clamping: text.count))
    return bytes + text
  }

  /// The greeting that begins the bytes, and its size; `nil` as long as bytes are missing.
  ///
  /// - Throws: `PortError` of the code `otherVersion` as soon as it can be none.
  static func read(_ bytes: [UInt8]) throws(PortError) -> (greeting: PortGreeting, size: Int)? {
    guard zip(bytes, magic).allSatisfy(==) else {
      throw PortError(.otherVersion, "the other end does not speak the protocol of Ports")
    }
    guard bytes.count >= headSize else { return nil }
    let count = Int(bytes.littleEndian(UInt32.self, at: 20))
    guard count <= programMax else {
      throw PortError(.otherVersion, "the other end's name has \(count) bytes")
    }
    guard bytes.count >= headSize + count else { return nil }
    var greeting = PortGreeting(limits: PortLimits(), program: "")
    greeting.version = bytes.littleEndian(UInt16.self, at: 8)
    greeting.oldest = bytes.littleEndian(UInt16.self, at: 10)
    greeting.keepAlive = bytes.littleEndian(UInt32.self, at: 12)
    greeting.messageBytesMax = bytes.littleEndian(UInt32.self, at: 16)
    let text = String(decoding: bytes[headSize..<headSize + count], as: UTF8.self)
    greeting.program = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
    return (greeting, headSize + count)
  }

  /// Whether a text of the other end must not reach a terminal with this in it.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  /// Checks that both speak a common version.
  ///
  /// - Throws: `PortError` of the code `otherVersion`, which says what to install.
  func check(against own: PortGreeting) throws(PortError) {
    if oldest <= own.version, own.oldest <= version { return }
    let other = program.isEmpty ? "the other program" : program
    let isNewer = version > own.version
    throw PortError(
      .otherVersion,
      "\(other) speaks version \(version) of the protocol, \(own.program) version \(own.version): "
        + (isNewer
          ? "install the program of \(other) here too" : "install \(own.program) there too"))
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// A number at a place that is within the bytes; 0 where it is not.
  func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
    let size = MemoryLayout<Number>.size
    guard place >= 0, place <= count - size else { return 0 }
    return withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }
}
