/// The kind and addresses of a message, before its arguments or results.
public struct PortHeader: Hashable, Sendable {
  /// The kinds of messages.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Asks an object to do something; its arguments follow.
    case request
    /// A reply; its result and its further values follow.
    case reply
    /// Answers a request that went wrong; a `PortFailure` follows.
    case failure
    /// Gives references back; no answer is expected.
    case release
  }

  /// The kind of message.
  public var kind: Kind
  /// The number that ties a reply to its request.
  public var sequence: Int
  /// The receiver's object of a request; `nil` in other messages.
  public var target: UInt64?
  /// The selector of a request; `nil` in other messages.
  public var method: String?
  /// Whether nobody waits for an answer.
  public var isOneway: Bool

  /// The longest name of a method, in bytes of UTF-8.
  public static let methodMax = 1_024

  /// Describes a message.
  public init(
    _ kind: Kind, sequence: Int, target: UInt64? = nil, method: String? = nil,
    isOneway: Bool = false
  ) {
    self.kind = kind
    self.sequence = sequence
    self.target = target
    self.method = method
    self.isOneway = isOneway
  }

  /// A request.
  public static func request(
    _ method: String, of target: UInt64 = PortObjects.rootNumber, sequence: Int,
    isOneway: Bool = false
  ) -> PortHeader {
    PortHeader(.request, sequence: sequence, target: target, method: method, isOneway: isOneway)
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(kind.rawValue, forKey: "kind")
    try coder.encodeInt(sequence, forKey: "sequence")
    guard kind == .request else { return }
    try coder.encodeInt(Int(clamping: target ?? PortObjects.rootNumber), forKey: "target")
    try coder.encodeString(method ?? "", forKey: "method")
    if isOneway { try coder.encodeBool(true, forKey: "oneway") }
  }

  init(coder: any DecodingCoder) throws {
    let word = try coder.decodeString(forKey: "kind")
    guard let kind = Kind(rawValue: word) else {
      throw coder.invalidValue("no kind of message", forKey: "kind")
    }
    self.init(kind, sequence: try coder.decodeInt(forKey: "sequence"))
    guard sequence >= 0 else {
      throw coder.invalidValue("messages are counted from 0", forKey: "sequence")
    }
    guard kind == .request else { return }
    guard let target = UInt64(exactly: try coder.decodeInt(forKey: "target")) else {
      throw coder.invalidValue("a number of an object is not negative", forKey: "target")
    }
    let method = try coder.decodeString(forKey: "method")
    guard !method.isEmpty, method.utf8.count <= Self.methodMax else {
      throw coder.invalidValue("no name of a method", forKey: "method")
    }
    self.target = target
    self.method = method
    isOneway = try coder.decodeBoolIfPresent(forKey: "oneway") ?? false
  }
}

/// A failure of the other program, in its words.
public struct PortFailure: Coding, Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public var name: String
  /// The failure in words.
  public var reason: String
  /// Further facts.
  public var details: [String: String]

  /// Describes a failure.
  public init(name: String, reason: String, details: [String: String] = [:]) {
    self.name = name
    self.reason = reason
    self.details = details
  }

  /// The reason, with the place among the arguments where it is known.
  public var description: String {
    let place = details["path"].map { $0.isEmpty ? "" : $0 + ": " } ?? ""
    return place + (reason.isEmpty ? name : reason)
  }

  /// A failure is archived as an `NSException`.
  public static let archivedClass: ArchivedClass = "NSException"

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "NS.name")
    try coder.encodeString(reason, forKey: "NS.reason")
    try coder.encodeStringDictionary(details, forKey: "NS.userinfo")
  }

  public init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "NS.name")
    reason = try coder.decodeStringIfPresent(forKey: "NS.reason") ?? ""
    details = try coder.decodeStringDictionaryIfPresent(forKey: "NS.userinfo") ?? [:]
  }
}
