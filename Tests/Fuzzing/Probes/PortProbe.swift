import Archiving
import Glibc
import Ports
import PropertyLists

/// What a program may send that is connected: bytes behind a sound greeting, or in place of it
/// where the first byte is odd.
///
/// Whatever comes, the connection ends when the bytes do, and holds nothing afterwards; every reply
/// answers a request.
func probePorts(_ bytes: [UInt8]) {
  guard let (streams, other) = try? PortStreams.pair() else { return }
  defer { other.close() }
  var limits = PortLimits()
  limits.messageBytesMax = 1 << 20
  limits.timeLimit = .milliseconds(20)
  guard
    let connection = try? PortConnection(
      streams, root: ProbeTarget(), options: PortOptions(limits: limits))
  else { return streams.close() }
  let isBare = bytes.first.map { $0 & 1 == 1 } ?? false
  var sent = isBare ? [] : Array("PORTOLAN".utf8) + [1, 0, 1, 0] + [UInt8](repeating: 0, count: 6)
  // At most 1 MiB in a message; no name.
  if !isBare { sent += [16, 0, 0, 0, 0, 0] }
  sent += bytes.dropFirst()
  var place = 0
  while place < sent.count {
    let count = sent[place...].withUnsafeBytes {
      send(other.output, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { break }
    place += count
  }
  shutdown(other.output, Int32(SHUT_WR))
  let received = readAll(other.input)
  expect(received.starts(with: Array("PORTOLAN".utf8)), "no greeting")
  var milliseconds = 0
  while connection.end == nil || connection.vendedCount > 0, milliseconds < 10_000 {
    usleep(1_000)
    milliseconds += 1
  }
  expect(connection.end != nil, "the connection lives without its other end")
  expect(connection.vendedCount == 0, "objects are held after the end")
  expect(connection.underWay == (0, 0), "calls are under way after the end")
}

private func readAll(_ descriptor: Int32) -> [UInt8] {
  var received: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return received }
    received += buffer[..<count]
  }
}

/// An object with a method of each kind.
private final class ProbeTarget: Vended {
  var kept: [PortAnswer] = []
  var others: [DistantObject] = []

  static let portMethods = PortMethods(ProbeTarget.self) { list in
    list.on("name") { _ in "target" }
    list.on("add") { (_, first: Int, second: Int) in first &+ second }
    list.on("keep") { (target, other: DistantObject) in target.others.append(other) }
    list.on("echo") { (_, texts: [String]) in texts }
    list.on("make") { _ in ProbeTarget() }
    list.on("call") { (_, other: DistantObject) throws in try other.call("name") }
    list.onCall("later") { target, call in target.kept.append(call.later()) }
    list.onCall("any") { _, call in
      call.reply(try call.nextIfPresent(Cocoa.Object.self))
    }
  }
}
