import Foundation
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanEditing

/// Programs that are no editor, at sockets where one is looked for.
@Suite struct NoHostTests {
  /// A program that sends each client some bytes, and then is silent or ends the connection.
  private final class Stranger: Sendable {
    let path: String
    private let listener: Int32
    private let clients = Clients()

    private final class Clients: Sendable {
      let open = Mutex<[Int32]>([])
    }

    init(sending bytes: [UInt8], ends: Bool) throws {
      let folder = FileManager.default.temporaryDirectory.path
      path = "\(folder)/portolan-stranger-\(UUID().uuidString.prefix(8))"
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let listener = listener
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
      }
      try #require(isBound && listen(listener, 4) == 0)
      Thread.detachNewThread { [clients] in
        while true {
          let client = accept(listener, nil, nil)
          if client < 0 {
            // Closed here alone: another listener might get its number before the next call.
            close(listener)
            return
          }
          _ = bytes.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          if ends { close(client) } else { clients.open.withLock { $0.append(client) } }
        }
      }
    }

    deinit {
      shutdown(listener, Int32(SHUT_RDWR))
      for client in clients.open.withLock({ $0 }) { close(client) }
      unlink(path)
    }
  }

  /// A greeting of the protocol, with a time between signs of life.
  private static func greeting(version: UInt16 = 1, alive: UInt32) -> [UInt8] {
    func little(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let name = Array("other 1".utf8)
    return Array("PORTOLAN".utf8) + little(version) + little(version) + little(alive)
      + little(UInt32(1 << 20)) + little(UInt32(name.count)) + name
  }

  /// What each sends, whether it ends the connection then, and words about it.
  static let strangers: [([UInt8], Bool, String)] = [
    (Array("HTTP/1.1 200 OK\r\n".utf8), false, "does not speak the protocol"),
    ([], false, "does not answer"), ([], true, "ended the connection"),
    (greeting(alive: 0), false, "no signs of life"),
    (greeting(alive: 3_600_000), false, "no signs of life"),
    (greeting(version: 9, alive: 1_000), false, "install"),
    (greeting(alive: 1_000), true, "ended"),
  ]

  @Test(arguments: strangers)
  func `Another program at a socket is told with its name, within seconds`(
    bytes: [UInt8], ends: Bool, words: String
  ) throws {
    let stranger = try Stranger(sending: bytes, ends: ends)
    let begun = ContinuousClock.now
    let failure = #expect(throws: Failure.self) {
      try HostConnection(to: stranger.path).run(RemoteLines(text: "where\n", path: nil))
    }
    #expect(ContinuousClock.now - begun < .seconds(5))
    #expect(failure?.code == .input)
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    if words != "ended" {
      #expect(failure?.description.contains("stranger") == true, "\(failure?.description ?? "")")
    }
  }

  @Test func `Seeded bytes in the place of a greeting are refused`() throws {
    for seed in UInt64(1)...6 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 8...400, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let stranger = try Stranger(sending: bytes, ends: Bool.random(using: &random))
      #expect(throws: Failure.self) { try HostConnection(to: stranger.path) }
    }
  }
}
