internal import Glibc
internal import PortolanCSystem

/// The wake-up pipe: its reader sleeps until any thread writes to it.
///
/// Closed with its last handle, so that no thread writes into a file that reuses its number.
final class WakePipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard portolan_pipe(&ends) == 0 else {
      throw TerminalError.system("pipe")
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func wake() {
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// Reads everything that was written; returns the bytes, in order.
  static func drain(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(descriptor, &buffer, 256)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }
}
