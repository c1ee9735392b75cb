/// How the values of an archive are written.
public struct ValueOptions: Hashable, Sendable {
  /// The characters that stand for bytes.
  public enum DataForm: String, CaseIterable, Sendable {
    /// The 64 signs of RFC 4648, with `=` at the end.
    case base64
    /// Two small hexadecimal digits a byte.
    case hex
  }

  /// How data are written.
  public var dataForm = DataForm.base64
  /// Whether archives inside data are written as values too.
  public var isNested = false
  /// The 32 bytes of the file's SHA-256; `nil` leaves it out.
  public var digest: [UInt8]?

  /// Data in base64, nested archives as data, no checksum.
  public init() {}
}

/// Where values are written, and what was met on the way.
struct ValueSink {
  var output: TextOutput
  /// How many bytes of archives inside data may still be read.
  var nestedBytesLeft: Int
  /// The first broken place that was written.
  var firstBroken: String?

  /// - Parameter byteCount: the size of the file in bytes.
  init(_ output: TextOutput, byteCount: Int) {
    self.output = output
    nestedBytesLeft = Self.nestedByteCountMax(byteCount)
  }

  /// Begins anew with another file of so many bytes.
  mutating func restart(byteCount: Int) {
    nestedBytesLeft = Self.nestedByteCountMax(byteCount)
    firstBroken = nil
  }

  private static func nestedByteCountMax(_ byteCount: Int) -> Int {
    (1 << 20) + 16 * min(byteCount, .max >> 8)
  }

  mutating func noteBroken(_ reason: String) {
    if firstBroken == nil { firstBroken = reason }
  }

  /// Notes a text that is not written as it stands in the archive.
  mutating func note(_ text: InspectedArchive.Text) {
    if let fault = text.fault { noteBroken(fault) }
  }
}
