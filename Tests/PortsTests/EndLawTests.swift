import Archiving
import Foundation
import PortolanTestSupport
import Ports
import Synchronization
import Testing

@Suite("Laws of the end")
struct EndLawTests {
  private final class Ledger: Vended, Sendable {
    let sizes = Mutex<[Int]>([])
    static let portMethods = PortMethods(Ledger.self) { list in
      list.on("note") { (ledger, text: String) in
        ledger.sizes.withLock { $0.append(text.utf8.count) }
      }
    }
  }

  /// The streams of a connection, and the descriptors of its other end.
  private struct Line {
    var streams: PortStreams
    var input: Int32
    var output: Int32
    private static let size: Int32 = 1 << 20

    static func sockets() throws -> Line {
      let (one, two) = try PortStreams.pair()
      var size = size
      setsockopt(one.output, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      return Line(streams: two, input: one.input, output: one.output)
    }

    static func pipes() throws -> Line {
      var (out, back): ([Int32], [Int32]) = ([0, 0], [0, 0])
      try #require(pipe(&out) == 0 && pipe(&back) == 0)
      let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ
      try #require(fcntl(out[1], setPipeSize, size) > 0)
      return Line(
        streams: PortStreams(input: out[0], output: back[1]), input: back[0], output: out[1])
    }

    /// Writes until there is no room for 200 milliseconds; returns how many bytes were taken.
    func write(_ bytes: [UInt8], waits: Bool) -> Int {
      var sent = 0
      while sent < bytes.count {
        var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, waits ? 200 : 0) > 0, entry.revents == Int16(POLLOUT) else { break }
        // That much a pipe and a socket with room take at once.
        let count = Glibc.write(
          output, Array(bytes[sent..<min(sent + 4096, bytes.count)]), min(4096, bytes.count - sent))
        guard count > 0 else { break }
        sent += count
      }
      return sent
    }

    func end() {
      close(input)
      if output != input { close(output) }
    }
  }

  @Test(
    "What the other end sent before it ended is delivered, whoever writes to it meanwhile",
    arguments: Seeds.some(6), [true, false])
  func delivered(seed: UInt64, pipes: Bool) throws {
    var random = SeededGenerator(seed: seed)
    for begins in [true, false] {
      let line = try pipes ? Line.pipes() : Line.sockets()
      var (bytes, ends, sizes) = (Raw.greeting(), [Int](), [Int]())
      let total = Int.random(in: 200_000..<900_000, using: &random)
      while bytes.count < total {
        let size = Int.random(in: 0..<60_000, using: &random)
        bytes += try Raw.request("note", sizes.count + 1, oneway: true) {
          try $0.encodeObject(String(repeating: "x", count: size))
        }
        sizes.append(size)
        ends.append(bytes.count)
      }
      let ledger = Ledger()
      let connect = { try PortConnection(line.streams, root: ledger) }
      // Either all has arrived when the connection begins, or it arrives as others write.
      let early = begins ? try connect() : nil
      let isOver = Mutex(false)
      let pause = UInt32.random(in: 0..<300, using: &random)
      if let early {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
              try? early.root.send("note", "y")
              usleep(pause)
            }
          }
        }
      }
      let sent = line.write(bytes, waits: begins)
      line.end()
      let connection = try early ?? connect()
      try? connection.root.send("note", "y")
      #expect(eventually { connection.end?.code == .peerGone })
      isOver.withLock { $0 = true }
      let expected = zip(sizes, ends).filter { $0.1 <= sent }.map(\.0)
      #expect(begins ? sent == bytes.count : sent > 60_000)
      #expect(eventually { ledger.sizes.withLock { $0.count } >= expected.count })
      #expect(ledger.sizes.withLock { $0 } == expected, "seed \(seed)")
    }
  }
}
