import Archiving
import Foundation
import PortolanTestSupport
import Ports
import Testing

/// Connections made to break servers, each through a socket: as they are, which is another framing,
/// and with the same attack in ours.
@Suite(
  "Hostile connections",
  .enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct HostilePortTests {
  /// A line of the manifest.
  struct Attack: CustomTestStringConvertible, Sendable {
    let path: String
    let outcome: String

    var testDescription: String { path }

    static let all: [Attack] = {
      let bytes = (try? Shared.bytes("hostile/MANIFEST.tsv")) ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "\t").map(String.init)
        guard parts.count > 2, parts[1] == "port" else { return nil }
        return Attack(path: parts[0], outcome: parts[2])
      }
    }()
  }

  /// What the attacks ask for. Three of them are signatures of methods, which the manifest wants
  /// ignored or checked: our messages have no place for one.
  final class Document: Vended {
    static let portMethods = PortMethods(Document.self) { list in
      list.on("documentTitle") { _ in "Europe" }
    }
  }

  @Test("There are attacks")
  func count() { #expect(Attack.all.count > 30) }

  @Test(
    "Each is answered, refused or cut off, and the next client is served", arguments: Attack.all)
  func attack(_ attack: Attack) throws {
    let folder = try SocketFolder()
    let path = folder.path + "/document"
    var limits = PortLimits()
    limits.stallLimit = .milliseconds(200)
    limits.greetingLimit = .milliseconds(200)
    let listener = try PortListener(at: path, options: PortOptions(limits: limits)) { _ in
      Document()
    }
    let bytes = try Shared.bytes("hostile/" + attack.path)
    let plain = Raw(path: path)
    plain.send(bytes)
    plain.finish()
    plain.read()
    #expect(try plain.messages().messages.isEmpty, "it is no greeting of ours")
    let raw = Raw(path: path)
    try raw.send(Self.converted(bytes))
    raw.read(milliseconds: attack.outcome == "accept" ? 60_000 : 100) { _ in
      (try? raw.messages().messages.isEmpty) == false
    }
    raw.finish()
    raw.read()
    let messages = try raw.messages().messages
    switch attack.outcome {
    case "accept": #expect(messages.map(\.header.kind) == [.reply])
    case "reject" where !attack.path.contains("-sig-"):
      #expect(!messages.contains { $0.header.kind == .reply }, "\(messages)")
    default: break
    }
    #expect(eventually { listener.connections.isEmpty })
    #expect(try PortConnection(to: path).root.call("documentTitle") == "Europe")
    listener.close("over")
  }

  // MARK: In our framing

  /// The same attack in our bytes: 20 bytes stand before each message there, big-endian.
  static func converted(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place + 20 <= bytes.count, Array(bytes[place..<place + 4]) == Array("MPRT".utf8) {
      let number = big(bytes[place + 8..<place + 16])
      let size = Int(big(bytes[place + 16..<place + 20]))
      let payload = Array(bytes[(place + 20)...].prefix(size))
      let sequence = Int(clamping: number)
      switch bytes[place + 5] {
      case 1:
        result += Raw.greeting(version: UInt16(bytes[place + 4]), oldest: UInt16(bytes[place + 4]))
      case 2, 3:
        let message = try Self.message(payload, sequence, isReply: bytes[place + 5] == 3) ?? payload
        result += Raw.frame(1, 0, message, size: payload.count < size ? UInt32(size * 2) : nil)
      case 5: result += try release(payload)
      case 6: result += Raw.frame(2)
      case let kind: result += Raw.frame(kind)
      }
      place += 20 + size
    }
    // What is not in their framing either goes as it is.
    return place == 0 ? bytes : result
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The invocation in a payload as a message of ours; `nil` for what is none.
  private static func message(
    _ payload: [UInt8], _ sequence: Int, isReply: Bool
  ) throws -> [UInt8]? {
    guard let unarchiver = try? KeyedUnarchiver(payload),
      let call = try? unarchiver.decodeObject(Invocation.self, forKey: "root")
    else { return nil }
    // By hand: a sound sender writes no such headers.
    let archiver = KeyedArchiver()
    try archiver.encodeString(isReply ? "reply" : "request", forKey: "kind")
    try archiver.encodeInt(sequence, forKey: "sequence")
    if !isReply {
      // Their root is 1.
      try archiver.encodeInt(call.target == 1 ? 0 : call.target, forKey: "target")
      try archiver.encodeString(call.selector, forKey: "method")
    }
    for argument in call.arguments { try archiver.encodeObject(argument) }
    return try archiver.finish()
  }

  private static func release(_ payload: [UInt8]) throws -> [UInt8] {
    let list = try PropertyListSerialization.propertyList(from: Data(payload), format: nil)
    let facts = try #require(list as? [String: Int])
    let number = facts["handle"] == 1 ? 0 : UInt64(clamping: facts["handle"] ?? 0)
    let archiver = try PortArchiver.release(
      [PortRelease(number: number, count: facts["count"] ?? 0)], sequence: 1,
      objects: PortObjects())
    return Raw.frame(1, 0, try archiver.finish())
  }

  /// The object that their messages hold.
  struct Invocation: Coding {
    var target: Int
    var selector: String
    var arguments: [UnknownObject]

    static var archivedClass: ArchivedClass { "PortInvocation" }
    func encode(with coder: any EncodingCoder) throws {}
    init(coder: any DecodingCoder) throws {
      target = try coder.decodeInt(forKey: "target")
      selector = try coder.decodeString(forKey: "selector")
      arguments = try coder.decodeObjects(UnknownObject.self, forKey: "args")
    }
  }
}
