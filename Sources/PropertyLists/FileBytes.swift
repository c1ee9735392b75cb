import PortolanCMemory

/// The bytes of a regular file, read in parts and never mapped: another program that cuts the file
/// off causes an error and no signal.
///
///     let file = try FileBytes(path: "large.archive")
///     let list = try BinaryPropertyList(ByteReader(file))
///
/// The file is open as long as the object lives. Its size and its times of change are noted when it
/// is opened; `checkUnchanged()` compares them.
public final class FileBytes: RandomAccessSource {
  /// The path as it was given.
  public let path: String
  private let file: Int32
  private let state: portolan_file_state

  /// Opens a file; it never waits, and refuses folders, pipes and devices.
  ///
  /// - Throws: `unreadable` if it cannot be opened, or is no regular file.
  public init(path: String) throws(PropertyListError) {
    // The system would take what is before it for the path.
    guard !path.utf8.contains(0) else {
      throw PropertyListError(.unreadable, "a path that holds NUL names no file")
    }
    let file = path.withCString { portolan_open_file($0) }
    guard file >= 0 else { throw Self.failure("open", -file) }
    do throws(PropertyListError) {
      let state = try Self.state(of: file)
      guard state.is_regular != 0, Int(exactly: state.size) != nil else {
        throw PropertyListError(.unreadable, "cannot be read in parts: it is no regular file")
      }
      (self.path, self.file, self.state) = (path, file, state)
    } catch {
      portolan_close_file(file)
      throw error
    }
  }

  deinit { portolan_close_file(file) }

  public var byteCount: Int { Int(state.size) }

  public func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    guard let start = target.baseAddress else { return }
    let count = portolan_read_file(file, start, target.count, Int64(offset))
    guard count >= 0 else { throw Self.failure("read", Int32(truncatingIfNeeded: -count), offset) }
    guard count == target.count else {
      throw PropertyListError(
        .unreadable, at: offset + Int(count), "the file was cut off while it was read")
    }
  }

  /// Throws `unreadable` if the file was written since it was opened.
  ///
  /// A save that puts a new file in its place leaves the open one as it is.
  public func checkUnchanged() throws {
    let now = try Self.state(of: file)
    guard now.size == state.size, now.modified_seconds == state.modified_seconds,
      now.modified_nanoseconds == state.modified_nanoseconds
    else { throw PropertyListError(.unreadable, "the file was changed while it was read") }
  }

  private static func state(of file: Int32) throws(PropertyListError) -> portolan_file_state {
    var state = portolan_file_state()
    let result = portolan_state_of_file(file, &state)
    guard result == 0 else { throw failure("fstat", -result) }
    return state
  }

  private static func failure(
    _ call: String, _ number: Int32, _ offset: Int? = nil
  ) -> PropertyListError {
    let words = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { room -> String in
      guard let start = room.baseAddress else { return "" }
      portolan_error_words(number, start, room.count)
      return String(cString: start)
    }
    return PropertyListError(.unreadable, at: offset, "cannot be read: \(call): \(words)")
  }
}
