import Archiving
import Foundation
import Ports
import Synchronization
import Testing

@Suite("Sockets and names")
struct ListenerTests {
  @Test("A service is found by its name, serves several clients, and leaves nothing behind")
  func names() throws {
    let folder = try SocketFolder()
    let services = PortServices(folder: folder.path)
    #expect(services.names().isEmpty)
    let listener = try services.listen("map") { _ in Map("Europe") }
    #expect(services.names() == ["map"])
    #expect(try folder.mode() == 0o700 && folder.mode("map") == 0o600)
    let clients = try (0..<3).map { _ in try services.connect("map") }
    for client in clients {
      #expect(client.peer?.process == getpid() && client.peer?.isOwnUser == true)
      #expect(try client.root.call("title") == "Europe")
      try client.root.call("rename", "Asia")
    }
    #expect(listener.connections.count == 3)
    clients[0].close()
    #expect(eventually { listener.connections.count == 2 })
    listener.close("good night")
    #expect(eventually { clients.allSatisfy { $0.end != nil } })
    #expect(clients[1].end?.reason.hasSuffix("good night") == true)
    #expect(!folder.exists("map") && !folder.exists("map.lock"))
    #expect(services.names().isEmpty)
    #expect(throws: PortError.self) { try services.connect("map") }
  }

  @Test("What killed programs left is removed, what lives is not")
  func cleared() throws {
    let folder = try SocketFolder()
    let services = PortServices(folder: folder.path)
    let listener = try services.listen("map") { _ in Map("Europe") }
    for name in ["old", "old.lock", "other.lock"] {
      #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
    }
    // A file that is no socket is somebody's.
    services.clear()
    #expect(folder.exists("old") && !folder.exists("old.lock") && !folder.exists("other.lock"))
    #expect(folder.exists("map") && folder.exists("map.lock"))
    #expect(try services.connect("map").root.call("title") == "Europe")
    listener.close()
  }

  @Test("Sockets with long paths are made and found")
  func longPath() throws {
    let folder = try SocketFolder()
    let path = folder.path + "/" + String(repeating: "d", count: 120)
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let listener = try PortListener(at: path + "/map") { _ in Map("Europe") }
    #expect(try PortConnection(to: path + "/map").root.call("title") == "Europe")
    listener.close()
  }

  @Test("A living service keeps its name; what a killed one left is replaced")
  func replaced() throws {
    let folder = try SocketFolder()
    let path = folder.path + "/map"
    let first = try PortListener(at: path) { _ in Map("first") }
    let refused = #expect(throws: PortError.self) {
      try PortListener(at: path) { _ in Map("second") }
    }
    #expect(refused?.code == .inUse)
    #expect(try PortConnection(to: path).root.call("title") == "first")
    first.close()
    // A killed program leaves both files; nobody holds the lock.
    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(left, $0, size) }
    }
    close(left)
    try Data().write(to: URL(fileURLWithPath: path + ".lock"))
    #expect(folder.exists("map"))
    #expect(throws: PortError.self) { try PortConnection(to: path) }
    let second = try PortListener(at: path) { _ in Map("second") }
    #expect(try PortConnection(to: path).root.call("title") == "second")
    second.close()
  }

  @Test("A folder that others may enter is refused; other files are not removed")
  func folders() throws {
    let folder = try SocketFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    let error = #expect(throws: PortError.self) {
      try PortListener(at: folder.path + "/map") { _ in nil }
    }
    #expect(error?.code == .notAllowed)
    chmod(folder.path, 0o700)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/map"))
    #expect(throws: PortError.self) { try PortListener(at: folder.path + "/map") { _ in nil } }
    #expect(FileManager.default.contents(atPath: folder.path + "/map") == Data("mine".utf8))
    #expect(!folder.exists("map.lock"))
  }

  @Test("A client can be turned away, and only so many are taken")
  func turnedAway() throws {
    let folder = try SocketFolder()
    let taken = Mutex(0)
    let listener = try PortListener(at: folder.path + "/map", connectionsMax: 2) { _ in
      taken.withLock { $0 += 1 }
      return Map("Europe")
    }
    let clients = try (0..<2).map { _ in try PortConnection(to: folder.path + "/map") }
    let third = #expect(throws: (any Error).self) {
      let third = try PortConnection(to: folder.path + "/map")
      try third.root.call("title")
    }
    #expect("\(third ?? PortError(.closed, ""))".contains("2 programs are connected"))
    #expect(try clients.map { try $0.root.call("title") as String } == ["Europe", "Europe"])
    listener.close("over")
    let none = try PortListener(at: folder.path + "/none") { _ in nil }
    #expect(throws: PortError.self) {
      try PortConnection(to: folder.path + "/none").root.call("title")
    }
    none.close()
  }

  @Test("A mailbox runs the calls of all clients on the thread that empties it")
  func mailbox() throws {
    let folder = try SocketFolder()
    let gate = DispatchSemaphore(value: 0)
    let mailbox = PortQueue(mailbox: { gate.signal() })
    let options = PortOptions(queue: mailbox)
    let listener = try PortListener(at: folder.path + "/map", options: options) { _ in
      Map("Europe")
    }
    let titles = Mutex<[String]>([])
    let path = folder.path + "/map"
    for _ in 0..<2 {
      Thread.detachNewThread {
        let title = try? PortConnection(to: path).root.call("title") as String
        titles.withLock { $0.append(title ?? "none") }
      }
    }
    let deadline = Date() + 10
    while titles.withLock({ $0.count }) < 2, Date() < deadline {
      if gate.wait(timeout: .now() + 0.01) == .success { mailbox.runPending() }
    }
    #expect(titles.withLock { $0 } == ["Europe", "Europe"])
    listener.close()
  }
}
