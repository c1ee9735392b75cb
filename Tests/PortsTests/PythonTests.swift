import Archiving
import Foundation
import Ports
import Testing

@Suite("A second implementation, in Python", .enabled(if: Peer.python != nil))
struct PythonTests {
  private func serving(_ body: (PortListener, String) throws -> Void) throws {
    let folder = try SocketFolder()
    let listener = try PortListener(at: folder.path + "/map") { _ in Map("Europe") }
    try body(listener, folder.path + "/map")
    listener.close("over")
  }

  @Test("It connects, calls, is called back, holds a distant object and gives it back")
  func talk() throws {
    try serving { listener, path in
      let lines = try Peer("talk", path).lines()
      #expect(
        lines == [
          #"{"title": "Europe", "sum": 42}"#,
          #"{"title": "Asia", "echo": [1, 2, 3]}"#,
          #"{"middle": [2.0, 3.0], "none": null}"#,
          #"{"visit": "they said hello Asia", "seen": ["Asia"]}"#,
          #"{"name": "NotFound", "reason": "no such map", "path": "$top.$0"}"#,
          #"{"name": "NoMethod"}"#,
          #"{"place": "Oslo", "home": "Oslo", "vended": 1}"#,
          #"{"title": "Asia"}"#,
        ])
      #expect(eventually { listener.connections.isEmpty })
    }
  }

  @Test("It loses a distant object when the connection is ended")
  func hold() throws {
    try serving { listener, path in
      let peer = try Peer("hold", path)
      #expect(peer.line() == #"{"held": "Oslo"}"#)
      let connection = try #require(listener.connections.first)
      #expect(connection.vendedCount == 2 && connection.peerProgram == "ports.py 1.0")
      connection.close("the map is closed")
      #expect(peer.lines() == [#"{"ended": "the map is closed"}"#, #"{"lost": true}"#])
    }
  }

  @Test("Another version is refused")
  func version() throws {
    try serving { _, path in
      let line = try Peer("version", path).line()
      #expect(line.contains("version 1"))
    }
  }

  @Test("Its end by kill -9 is noticed at once, and a stopped one by the time limit")
  func signals() throws {
    try serving { listener, path in
      let peer = try Peer("wait", path)
      #expect(peer.line() == #"{"ready": "Oslo"}"#)
      let connection = try #require(listener.connections.first)
      let before = ContinuousClock.now
      peer.signal(SIGKILL)
      #expect(eventually { connection.end != nil })
      #expect(connection.end?.code == .peerGone)
      #expect(ContinuousClock.now - before < .seconds(1))
      let stopped = try Peer("wait", path)
      #expect(stopped.line() == #"{"ready": "Oslo"}"#)
      stopped.signal(SIGSTOP)
      let other = try #require(listener.connections.first { $0.end == nil })
      let error = #expect(throws: PortError.self) {
        try other.root.call("anything", timeLimit: .milliseconds(50))
      }
      #expect(error?.code == .timeLimit)
      #expect(try PortConnection(to: path).root.call("title") == "Europe")
    }
  }
}
