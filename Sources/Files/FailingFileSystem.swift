internal import Synchronization

/// A file system that fails on demand: call number n, once or from there on, with an error number.
///
/// Counts the calls, so that a test can fail the first, the second … until a run succeeds without a
/// failure.
package final class FailingFileSystem: FileSystem {
  /// The calls that fail.
  package enum Plan: Hashable, Sendable {
    case never
    /// Only call `number`, counted from 1.
    case once(number: Int)
    /// Call `number` and all after it.
    case from(number: Int)
    /// Every call of this name, such as `fsync`.
    case every(call: String)
  }

  private struct State {
    var count = 0
    var failureCount = 0
    var calls: [String] = []
  }

  private let base: any FileSystem
  private let plan: Plan
  private let number: Int32
  private let before: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter before: called with the name of each call before it is made; may take its time.
  package init(
    _ base: any FileSystem, plan: Plan = .never, number: Int32 = 0,
    before: @escaping @Sendable (_ call: String) -> Void = { _ in }
  ) {
    self.base = base
    self.plan = plan
    self.number = number
    self.before = before
  }

  /// The number of calls.
  package var callCount: Int { state.withLock { $0.count } }
  /// The number of calls that failed on demand.
  package var failureCount: Int { state.withLock { $0.failureCount } }
  /// The names of the calls, in order.
  package var calls: [String] { state.withLock { $0.calls } }

  private func count(_ call: String, _ path: String = "") throws(FileError) {
    before(call)
    let fails = state.withLock { state in
      state.count += 1
      state.calls.append(call)
      let fails =
        switch plan {
        case .never: false
        case .once(let number): state.count == number
        case .from(let number): state.count >= number
        case .every(let name): call == name
        }
      if fails { state.failureCount += 1 }
      return fails
    }
    if fails { throw FileError(call: call, path: path, number: number) }
  }

  package func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor {
    try count("open", name)
    return try base.open(name, in: directory, mode)
  }

  package func close(_ file: FileDescriptor) throws(FileError) {
    // A close that reports an error has still closed the file.
    try base.close(file)
    try count("close")
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    try count("read")
    return try base.read(file, into: buffer)
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try count("read")
    return try base.read(file, into: buffer, at: offset)
  }

  package func write(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int {
    try count("write")
    return try base.write(file, bytes)
  }

  package func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError) {
    try count("lseek")
    try base.seek(file, to: offset)
  }

  package func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError) {
    try count("ftruncate")
    try base.truncate(file, to: size)
  }

  package func synchronize(_ file: FileDescriptor) throws(FileError) {
    try count("fsync")
    try base.synchronize(file)
  }

  package func forgetCache(_ file: FileDescriptor) throws(FileError) {
    try count("posix_fadvise")
    try base.forgetCache(file)
  }

  package func status(_ file: FileDescriptor) throws(FileError) -> FileStatus {
    try count("fstat")
    return try base.status(file)
  }

  package func status(
    _ name: String, in directory: FileDescriptor?
  ) throws(FileError) -> FileStatus {
    try count("stat", name)
    return try base.status(name, in: directory)
  }

  package func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError) {
    try count("fchmod")
    try base.setMode(file, mode)
  }

  package func setOwner(
    _ file: FileDescriptor, owner: UInt32?, group: UInt32?
  ) throws(FileError) {
    try count("fchown")
    try base.setOwner(file, owner: owner, group: group)
  }

  package func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String] {
    try count("flistxattr")
    return try base.attributeNames(file)
  }

  package func attribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) -> [UInt8] {
    try count("fgetxattr")
    return try base.attribute(name, of: file)
  }

  package func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError) {
    try count("fsetxattr")
    try base.setAttribute(name, of: file, to: value)
  }

  package func removeAttribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) {
    try count("fremovexattr")
    try base.removeAttribute(name, of: file)
  }

  package func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError) {
    try count("rename", newName)
    try base.rename(name, to: newName, in: directory, mode)
  }

  package func link(
    _ name: String, to newName: String, in directory: FileDescriptor
  ) throws(FileError) {
    try count("link", newName)
    try base.link(name, to: newName, in: directory)
  }

  package func remove(_ name: String, in directory: FileDescriptor?) throws(FileError) {
    try count("unlink", name)
    try base.remove(name, in: directory)
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    try count("mkdir", path)
    try base.makeDirectory(path, mode: mode)
  }

  package func names(in path: String) throws(FileError) -> [String] {
    try count("readdir", path)
    return try base.names(in: path)
  }

  package func realPath(_ path: String) throws(FileError) -> String {
    try count("realpath", path)
    return try base.realPath(path)
  }

  package func readLink(_ path: String) throws(FileError) -> String {
    try count("readlink", path)
    return try base.readLink(path)
  }

  package func lock(_ file: FileDescriptor) throws(FileError) -> Bool {
    try count("fcntl")
    return try base.lock(file)
  }

  package func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool {
    try count("fcntl")
    return try base.isLocked(file)
  }

  package var time: Int64 { base.time }

  package var seconds: Int64 { base.seconds }
  package var creationMask: UInt32 { base.creationMask }
  package var user: UInt32 { base.user }
}
