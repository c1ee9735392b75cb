import PortolanFiles

/// The real file system without something that others lack.
private protocol Limited: FileSystem {
  var base: RealFileSystem { get }
}

/// A file system that cannot exchange names, as some network ones cannot.
struct NoExchange: Limited {
  var base: RealFileSystem

  func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError) {
    guard mode == .replace else { throw FileError(call: "rename", path: "", number: 22) }
    try base.rename(name, to: newName, in: directory, mode)
  }
}

/// A file system with a folder that takes no new files; root could not be refused by permissions.
struct ClosedFolder: Limited {
  var base: RealFileSystem
  var folder: String

  func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor {
    if mode == .createNew, let directory, let closed = try? base.status(folder, in: nil),
      try base.status(directory).identity.inode == closed.identity.inode
    {
      throw FileError(call: "open", path: name, number: 13)
    }
    if mode == .lock, FilePath.folder(of: name) == folder, !base.exists(name) {
      throw FileError(call: "open", path: name, number: 13)
    }
    return try base.open(name, in: directory, mode)
  }
}

/// A file system whose clock is another.
struct OtherClock: Limited {
  var base: RealFileSystem
  var seconds: Int64

  var time: Int64 { seconds &* 1_000_000_000 }
}

/// A disk that takes every write and gives back one byte of them changed.
struct LyingDisk: Limited {
  var base: RealFileSystem

  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    let count = try base.read(file, into: buffer)
    if count > 3 { buffer[3] ^= 0x20 }
    return count
  }

  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    let count = try base.read(file, into: buffer, at: offset)
    if count > 3 { buffer[3] ^= 0x20 }
    return count
  }
}

extension Limited {
  func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor { try base.open(name, in: directory, mode) }
  func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError) { try base.rename(name, to: newName, in: directory, mode) }
  func close(_ file: FileDescriptor) throws(FileError) { try base.close(file) }
  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int { try base.read(file, into: buffer) }
  func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int { try base.read(file, into: buffer, at: offset) }
  func write(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int { try base.write(file, bytes) }
  func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError) {
    try base.seek(file, to: offset)
  }
  func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError) {
    try base.truncate(file, to: size)
  }
  func synchronize(_ file: FileDescriptor) throws(FileError) { try base.synchronize(file) }
  func status(_ file: FileDescriptor) throws(FileError) -> FileStatus { try base.status(file) }
  func status(
    _ name: String, in directory: FileDescriptor?
  ) throws(FileError) -> FileStatus { try base.status(name, in: directory) }
  func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError) {
    try base.setMode(file, mode)
  }
  func setOwner(_ file: FileDescriptor, owner: UInt32?, group: UInt32?) throws(FileError) {
    try base.setOwner(file, owner: owner, group: group)
  }
  func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String] {
    try base.attributeNames(file)
  }
  func attribute(_ name: String, of file: FileDescriptor) throws(FileError) -> [UInt8] {
    try base.attribute(name, of: file)
  }
  func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError) { try base.setAttribute(name, of: file, to: value) }
  func link(
    _ name: String, to newName: String, in directory: FileDescriptor
  ) throws(FileError) { try base.link(name, to: newName, in: directory) }
  func remove(_ name: String, in directory: FileDescriptor?) throws(FileError) {
    try base.remove(name, in: directory)
  }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    try base.makeDirectory(path, mode: mode)
  }
  func names(in path: String) throws(FileError) -> [String] { try base.names(in: path) }
  func realPath(_ path: String) throws(FileError) -> String { try base.realPath(path) }
  func readLink(_ path: String) throws(FileError) -> String { try base.readLink(path) }
  func lock(_ file: FileDescriptor) throws(FileError) -> Bool { try base.lock(file) }
  func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool { try base.isLocked(file) }
  func forgetCache(_ file: FileDescriptor) throws(FileError) { try base.forgetCache(file) }
  func removeAttribute(_ name: String, of file: FileDescriptor) throws(FileError) {
    try base.removeAttribute(name, of: file)
  }
  var time: Int64 { base.time }
  var creationMask: UInt32 { base.creationMask }
  var user: UInt32 { base.user }
}
