import Glibc

/// The descriptors 0, 1 and 2 at the start of the program.
enum StandardDescriptors {
  /// Fills closed ones, so that no document is ever opened under one of their numbers.
  ///
  /// A closed input is filled with one that cannot be read, a closed output with one that cannot be
  /// written: their users get the system's error for a closed descriptor.
  static func fillClosed() {
    let fillers: [(descriptor: Int32, flags: Int32)] = [
      (0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY),
    ]
    for filler in fillers where fcntl(filler.descriptor, F_GETFD) == -1 {
      let opened = open("/dev/null", filler.flags)
      if opened >= 0 && opened != filler.descriptor {
        _ = dup2(opened, filler.descriptor)
        _ = close(opened)
      }
    }
  }

  /// The columns of a terminal, 80 where it does not report them; `nil` if it is none.
  ///
  /// Whoever takes it for a file would send it what it must not act on.
  static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
