import Glibc

/// The output of a program, and its exit code.
package struct ProgramOutput: Sendable {
  package var output: [UInt8]
  package var errors: [UInt8]
  /// The exit code; 128 and the number of a signal that ended it.
  package var status: Int32

  /// Why a program did not run, or wrote too much.
  package struct Refusal: Error, Sendable {
    package var what: String
  }

  /// Runs a program that is found by its name; it has no input.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments, none with a NUL; no shell reads them.
  ///   - limit: the most bytes of output.
  package static func of(
    _ words: [String], limit: Int = 1 << 30
  ) throws(Refusal) -> ProgramOutput {
    guard let program = words.first, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw Refusal(what: "an argument cannot be given to a program")
    }
    let out = try closedOnRun()
    let err: [Int32]
    do throws(Refusal) {
      err = try closedOnRun()
    } catch {
      for end in out { close(end) }
      throw error
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, out[1], 1)
    posix_spawn_file_actions_adddup2(&actions, err[1], 2)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let result = posix_spawnp(&child, program, &actions, nil, &arguments, environ)
    close(out[1])
    close(err[1])
    guard result == 0 else {
      close(out[0])
      close(err[0])
      throw Refusal(what: result == ENOENT ? "\(program) is not installed" : "it cannot be run")
    }
    let texts = read(out[0], err[0], limit)
    close(out[0])
    close(err[0])
    if texts == nil { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard let texts else { throw Refusal(what: "\(program) wrote too much") }
    let signal = status & 0x7F
    return ProgramOutput(
      output: texts.0, errors: texts.1,
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
  }

  /// A pipe that other programs do not inherit.
  private static func closedOnRun() throws(Refusal) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Refusal(what: "no pipe can be made") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// Reads two pipes until both end; `nil` beyond the limit.
  private static func read(
    _ first: Int32, _ second: Int32, _ limit: Int
  ) -> ([UInt8], [UInt8])? {
    var texts: [[UInt8]] = [[], []]
    var ends = [
      pollfd(fd: first, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second, events: Int16(POLLIN), revents: 0),
    ]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ends.contains(where: { $0.fd >= 0 }) {
      guard poll(&ends, 2, -1) >= 0 || errno == EINTR else { return (texts[0], texts[1]) }
      for index in ends.indices where ends[index].fd >= 0 && ends[index].revents != 0 {
        let count = Glibc.read(ends[index].fd, &buffer, buffer.count)
        if count > 0 {
          texts[index] += buffer[..<count]
          if texts[index].count > limit { return nil }
        } else if count == 0 || errno != EINTR {
          ends[index].fd = -1
        }
      }
    }
    return (texts[0], texts[1])
  }
}
