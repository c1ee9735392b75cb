import Archiving
import Foundation
import Ports

/// The other end of a connection as bytes, which may be anything.
final class Raw {
  private let descriptor: Int32
  private(set) var received: [UInt8] = []

  init(_ streams: PortStreams) { descriptor = streams.input }

  /// Connects to a listener.
  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
  }

  deinit { close(descriptor) }

  /// Sends what there is room for within a while; `false` when the other end has gone or reads
  /// nothing.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&entry, 1, 300) <= 0 { return false }
      } else {
        return false
      }
    }
    return true
  }

  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
  func finishReading() { shutdown(descriptor, Int32(SHUT_RD)) }

  /// Reads up to the end, until something holds of the bytes, or nothing comes for a while.
  @discardableResult
  func read(
    milliseconds: Int32 = 10_000, until holds: ([UInt8]) -> Bool = { _ in false }
  ) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !holds(received) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, milliseconds) > 0 else { break }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return received
  }

  static func greeting(
    version: UInt16 = 1, oldest: UInt16 = 1, alive: UInt32 = 0, program: String = "raw 1.0"
  ) -> [UInt8] {
    Array("PORTOLAN".utf8) + little(version) + little(oldest) + little(alive)
      + little(UInt32(64 << 20)) + little(UInt32(program.utf8.count)) + Array(program.utf8)
  }

  static func frame(
    _ kind: UInt8, _ number: UInt64 = 0, _ payload: [UInt8] = [], size: UInt32? = nil
  ) -> [UInt8] {
    little(size ?? UInt32(payload.count)) + [kind, 0, 0, 0] + little(number) + payload
  }

  static func request(
    _ method: String, of target: UInt64 = 0, _ sequence: Int = 1, oneway: Bool = false,
    objects: PortObjects = PortObjects(), _ encode: (PortArchiver) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let archiver = try PortArchiver(
      .request(method, of: target, sequence: sequence, isOneway: oneway), objects: objects)
    try encode(archiver)
    return frame(1, 0, try archiver.finish())
  }

  static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// The messages received so far, and the reason of the end if there was one.
  func messages() throws -> (messages: [PortUnarchiver], end: String?) {
    guard received.count >= 24 else { return ([], nil) }
    var place = 24 + Int(received[20])
    var (messages, end): ([PortUnarchiver], String?) = ([], nil)
    let objects = PortObjects()
    while place + 16 <= received.count {
      let size = received[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard place + 16 + size <= received.count else { break }
      let payload = Array(received[place + 16..<place + 16 + size])
      if received[place + 4] == 1 {
        messages.append(try PortUnarchiver(payload, objects: objects))
      } else if received[place + 4] == 4 {
        end = String(decoding: payload, as: UTF8.self)
      }
      place += 16 + size
    }
    return (messages, end)
  }
}
