import Glibc
import PortolanEditing
import PortolanFiles

/// Copies bytes between standard input and output and a socket, until one side ends.
enum Relay {
  static func run(to path: String) throws(Failure) {
    let socket = try connect(to: path)
    defer { close(socket) }
    signal(SIGPIPE, SIG_IGN)
    var ends = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&ends, 2, -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      if ends[0].revents != 0, !copy(from: 0, to: socket) { return }
      if ends[1].revents != 0, !copy(from: socket, to: 1) { return }
    }
  }

  private static func connect(to path: String) throws(Failure) -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = FilePath.bytes(of: path)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else {
      close(socket)
      throw Failure(
        .output, subject: FilePath.shown(path),
        what: "the path of the socket is too long: set XDG_RUNTIME_DIR to a shorter folder")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return socket }
    let reason = String(cString: strerror(errno))
    close(socket)
    throw Failure(.input, subject: FilePath.shown(path), what: reason)
  }

  /// Copies what there is; `false` at the end.
  private static func copy(from source: Int32, to target: Int32) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
      let count = read(source, buffer.baseAddress, buffer.count)
      if count < 0 { return errno == EINTR || errno == EAGAIN }
      var written = 0
      while written < count {
        let step = write(target, buffer.baseAddress?.advanced(by: written), count - written)
        if step > 0 {
          written += step
        } else if errno == EAGAIN {
          var ready = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return count > 0
    }
  }
}
