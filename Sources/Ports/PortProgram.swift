internal import PortolanCSockets
import Synchronization

/// Another program, started here, whose standard input and output are a connection.
///
///     let program = try PortProgram(["ssh", "host", "maps", "--stdio"])
///     let connection = try PortConnection(program.streams)
///
/// Its standard error is this program's. It is to be waited for: `wait` or `deinit` does so.
public final class PortProgram: Sendable {
  /// Its standard input and output, for one connection.
  public let streams: PortStreams
  /// The number of the process.
  public let process: Int32
  private let status = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// - Parameter arguments: its name, which is looked for in `PATH`, and its arguments; no shell.
  /// - Throws: `PortError` of the code `notFound` or `system`.
  public init(_ arguments: [String]) throws {
    guard !arguments.isEmpty, !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw PortError(.misuse, "no program to start")
    }
    let (own, other) = try PortStreams.pair()
    defer { other.close() }
    let texts = arguments.map { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
      for (index, byte) in text.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
      copy[text.utf8.count] = 0
      return copy
    }
    defer { for text in texts { text.deallocate() } }
    let list: [UnsafeMutablePointer<CChar>?] = texts + [nil]
    let result = list.withUnsafeBufferPointer {
      portolan_program_start($0.baseAddress, other.input)
    }
    guard result > 0 else {
      own.close()
      if result == -2 { throw PortError(.notFound, "there is no program \(arguments[0])") }
      throw PortError(system: result, arguments[0])
    }
    (streams, process) = (own, result)
  }

  deinit {
    if hasEnded { return }
    portolan_program_end(process, 1)
    _ = wait()
  }

  /// Whether the program has ended.
  public var hasEnded: Bool { look() != nil }

  /// Asks the program to end (SIGTERM), or ends it at once (SIGKILL).
  public func end(atOnce: Bool = false) {
    if !hasEnded { portolan_program_end(process, atOnce ? 1 : 0) }
  }

  /// Waits for its end: the exit code, or 128 and the number of the signal that ended it.
  public func wait() -> Int {
    if !hasEnded { portolan_program_wait(process) }
    guard let status = look() else { return 255 }
    return status & 0x7F == 0 ? Int(status >> 8) & 0xFF : 128 + Int(status & 0x7F)
  }

  private func look() -> Int32? {
    status.withLock { known in
      if let known { return known }
      var found: Int32 = 0
      let result = portolan_program_ended(process, &found)
      if result == 0 { return nil }
      known = result > 0 ? found : 255 << 8
      return known
    }
  }
}
