internal import Glibc
internal import PortolanCSystem

/// The system's own files.
package struct RealFileSystem: FileSystem {
  package init() {}

  package func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor {
    let flags =
      switch mode {
      case .read: O_RDONLY | O_NONBLOCK | O_NOCTTY
      case .waiting: O_RDONLY | O_NOCTTY
      case .directory: O_RDONLY | O_DIRECTORY
      case .createNew: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      case .readWrite: O_RDWR | O_NONBLOCK | O_NOCTTY
      case .lock: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      case .append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      }
    let number = try call("open", name) {
      FilePath.withBytes(of: name) {
        portolan_open(directory?.rawValue ?? AT_FDCWD, $0, flags | O_CLOEXEC, 0o600)
      }
    }
    return FileDescriptor(rawValue: number)
  }

  package func close(_ file: FileDescriptor) throws(FileError) {
    // A process that is just being started has a duplicate until it runs its program: that must not
    // keep a lock.
    _ = portolan_unlock(file.rawValue)
    // An interrupted close has closed the file; repeating it could close another thread's.
    if Glibc.close(file.rawValue) == -1, errno != EINTR {
      throw FileError(call: "close", path: "", number: errno)
    }
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    // The system reads at most 2 GiB less a page at once.
    try call("read", "") { Glibc.read(file.rawValue, buffer.baseAddress, buffer.count) }
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try call("pread", "") {
      Glibc.pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  package func write(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int {
    try call("write", "") { Glibc.write(file.rawValue, bytes.baseAddress, bytes.count) }
  }

  package func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError) {
    _ = try call("lseek", "") { Glibc.lseek(file.rawValue, off_t(offset), SEEK_SET) }
  }

  package func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError) {
    _ = try call("ftruncate", "") { ftruncate(file.rawValue, off_t(size)) }
  }

  package func synchronize(_ file: FileDescriptor) throws(FileError) {
    _ = try call("fsync", "") { fsync(file.rawValue) }
  }

  package func forgetCache(_ file: FileDescriptor) throws(FileError) {
    let number = posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
    if number != 0 { throw FileError(call: "posix_fadvise", path: "", number: number) }
  }

  package func lock(_ file: FileDescriptor) throws(FileError) -> Bool {
    if portolan_lock(file.rawValue, 1) == 0 { return true }
    if errno == EAGAIN || errno == EACCES { return false }
    throw FileError(call: "fcntl", path: "", number: errno)
  }

  package func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool {
    try call("fcntl", "") { portolan_is_locked(file.rawValue) } != 0
  }

  package var time: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return FileStatus.nanoseconds(now)
  }

  package var seconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec)
  }

  package var creationMask: UInt32 { portolan_creation_mask() }

  package var user: UInt32 { geteuid() }

  /// Repeats a call while signals interrupt it, and throws when it fails.
  func call<Number: SignedInteger>(
    _ name: String, _ path: String, _ body: () -> Number
  ) throws(FileError) -> Number {
    while true {
      let result = body()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw FileError(call: name, path: path, number: number) }
    }
  }
}
