internal import Glibc
internal import PortolanCSystem

/// Collects the output of curses for a frame, so that it goes to the terminal in one piece.
///
/// Curses writes at every move of the cursor, a hundred times for a moved map, and past the guard
/// of the terminal. Meanwhile its descriptor leads to a file in memory.
final class FrameCollector {
  private let cursesDescriptor: Int32
  private let terminal: Int32
  private let store: Int32

  init(cursesDescriptor: Int32, terminal: Int32) throws(TerminalError) {
    store = portolan_memory_file("portolan-frame")
    guard store >= 0 else { throw TerminalError.system("memfd_create") }
    (self.cursesDescriptor, self.terminal) = (cursesDescriptor, terminal)
  }

  deinit { close(store) }

  /// The output of curses while `draw` runs.
  func collect(_ draw: () -> Void) -> [UInt8] {
    lead(to: store)
    draw()
    lead(to: terminal)
    defer {
      ftruncate(store, 0)
      lseek(store, 0, SEEK_SET)
    }
    let count = Int(lseek(store, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let read = pread(
          store, buffer.baseAddress?.advanced(by: initialized), count - initialized,
          off_t(initialized))
        if read > 0 { initialized += read } else if read == 0 || errno != EINTR { break }
      }
    }
  }

  private func lead(to target: Int32) {
    while dup2(target, cursesDescriptor) == -1, errno == EINTR {}
  }
}
