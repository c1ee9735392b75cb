/// What stands before each message, and the short signs that are no messages.
///
///     0   4  count of the bytes that follow the header
///     4   1  kind: 1 message, 2 sign of life, 3 cancel, 4 end
///     5   3  0
///     8   8  of a message: the receiver's own request within which it is sent, as its number plus
///            1; 0 for none. Of `cancel`: the number of the sender's request that is given up
///     16  …  a message, or the reason of an end, UTF-8, at most 1,024 bytes
///
/// Numbers are little-endian and without sign.
struct PortFrame: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    case message = 1
    case alive = 2
    case cancel = 3
    case end = 4
  }

  static let headSize = 16
  static let reasonMax = 1_024

  var kind: Kind
  /// The number in the header.
  var number: UInt64 = 0
  var payload: [UInt8] = []

  /// The header.
  var head: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headSize)
    bytes.append(littleEndian: UInt32(clamping: payload.count))
    bytes.append(littleEndian: UInt32(kind.rawValue))
    bytes.append(littleEndian: number)
    return bytes
  }

  /// The header and what follows.
  var bytes: [UInt8] { head + payload }

  /// The end of a connection with its reason.
  static func end(_ reason: String) -> PortFrame {
    PortFrame(kind: .end, payload: Array(reason.utf8.prefix(reasonMax)))
  }
}

/// Makes frames of bytes as they come, however they are cut.
struct PortFrameReader {
  /// The most bytes of a message.
  var messageBytesMax: Int
  /// What has come of a greeting or a header.
  private var head: [UInt8] = []
  /// The frame whose payload comes, and how many bytes of it are missing.
  private var frame: PortFrame?
  private var missing = 0
  private(set) var greeting: PortGreeting?

  init(messageBytesMax: Int) { self.messageBytesMax = messageBytesMax }

  /// How many bytes the frame needs that has begun; `nil` between frames.
  var underWay: Int? {
    if let frame { return frame.payload.count + missing }
    return head.isEmpty && greeting != nil ? nil : 0
  }

  /// What the bytes complete.
  enum Part {
    case greeting(PortGreeting)
    case frame(PortFrame)
  }

  /// Takes the next bytes, and hands each part over that is whole.
  ///
  /// - Throws: the error of `take`, or `PortError` at bytes that break the rules.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ take: (Part) throws(PortError) -> Void
  ) throws(PortError) {
    var place = 0
    while place < bytes.count {
      if greeting == nil {
        place = try readGreeting(bytes, place, take)
      } else if frame == nil {
        place = try readHead(bytes, place, take)
      } else {
        let count = min(missing, bytes.count - place)
        frame?.payload.append(contentsOf: bytes[place..<place + count])
        place += count
        missing -= count
        // A length is only a promise, until a quarter of it has come.
        if let come = frame?.payload.count, missing > 0, missing / 3 <= come {
          frame?.payload.reserveCapacity(come + missing)
        }
        try takeWhole(take)
      }
    }
  }

  private mutating func readGreeting(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ take: (Part) throws(PortError) -> Void
  ) throws(PortError) -> Int {
    let former = head.count
    let room = PortGreeting.headSize + PortGreeting.programMax - former
    head.append(contentsOf: bytes[place...].prefix(max(0, room)))
    guard let (found, size) = try PortGreeting.read(head) else { return bytes.count }
    greeting = found
    head = []
    try take(.greeting(found))
    return place + size - former
  }

  private mutating func readHead(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ take: (Part) throws(PortError) -> Void
  ) throws(PortError) -> Int {
    let count = min(PortFrame.headSize - head.count, bytes.count - place)
    head.append(contentsOf: bytes[place..<place + count])
    guard head.count == PortFrame.headSize else { return place + count }
    let size = Int(head.littleEndian(UInt32.self, at: 0))
    guard let kind = PortFrame.Kind(rawValue: head[4]), head[5...7].allSatisfy({ $0 == 0 }) else {
      throw PortError(.violation, "the other end sent a frame of an unknown kind")
    }
    let most =
      switch kind {
      case .message: messageBytesMax
      case .alive, .cancel: 0
      case .end: PortFrame.reasonMax
      }
    guard size <= most else {
      throw PortError(
        .violation, "the other end announced \(size) bytes where \(most) are taken")
    }
    var begun = PortFrame(kind: kind, number: head.littleEndian(UInt64.self, at: 8))
    // No more than comes soon: the length is only a promise.
    begun.payload.reserveCapacity(min(size, 256 << 10))
    (frame, missing) = (begun, size)
    head.removeAll(keepingCapacity: true)
    try takeWhole(take)
    return place + count
  }

  private mutating func takeWhole(
    _ take: (Part) throws(PortError) -> Void
  ) throws(PortError) {
    guard missing == 0, let whole = frame else { return }
    frame = nil
    try take(.frame(whole))
  }
}
