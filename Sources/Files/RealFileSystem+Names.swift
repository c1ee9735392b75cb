internal import Glibc
internal import PortolanCSystem

extension RealFileSystem {
  package func status(_ file: FileDescriptor) throws(FileError) -> FileStatus {
    var info = stat()
    _ = try call("fstat", "") { fstat(file.rawValue, &info) }
    return FileStatus(info)
  }

  package func status(
    _ name: String, in directory: FileDescriptor?
  ) throws(FileError) -> FileStatus {
    var info = stat()
    _ = try call("stat", name) {
      FilePath.withBytes(of: name) {
        fstatat(directory?.rawValue ?? AT_FDCWD, $0, &info, AT_SYMLINK_NOFOLLOW)
      }
    }
    return FileStatus(info)
  }

  package func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError) {
    _ = try call("fchmod", "") { fchmod(file.rawValue, mode) }
  }

  package func setOwner(
    _ file: FileDescriptor, owner: UInt32?, group: UInt32?
  ) throws(FileError) {
    _ = try call("fchown", "") { fchown(file.rawValue, owner ?? .max, group ?? .max) }
  }

  package func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError) {
    let place = directory.rawValue
    _ = try call("rename", newName) {
      FilePath.withBytes(of: name) { name in
        FilePath.withBytes(of: newName) { newName in
          switch mode {
          case .replace:
            renameat(place, name, place, newName)
          case .noReplace:
            portolan_rename(place, name, place, newName, UInt32(PORTOLAN_RENAME_NOREPLACE))
          case .exchange:
            portolan_rename(place, name, place, newName, UInt32(PORTOLAN_RENAME_EXCHANGE))
          }
        }
      }
    }
  }

  package func link(
    _ name: String, to newName: String, in directory: FileDescriptor
  ) throws(FileError) {
    let place = directory.rawValue
    _ = try call("link", newName) {
      FilePath.withBytes(of: name) { name in
        FilePath.withBytes(of: newName) { linkat(place, name, place, $0, 0) }
      }
    }
  }

  package func remove(_ name: String, in directory: FileDescriptor?) throws(FileError) {
    _ = try call("unlink", name) {
      FilePath.withBytes(of: name) { unlinkat(directory?.rawValue ?? AT_FDCWD, $0, 0) }
    }
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    _ = try call("mkdir", path) { FilePath.withBytes(of: path) { mkdir($0, mode) } }
  }

  package func names(in path: String) throws(FileError) -> [String] {
    guard let stream = FilePath.withBytes(of: path, { opendir($0) }) else {
      throw FileError(call: "opendir", path: path, number: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileError(call: "readdir", path: path, number: errno) }
        return names.sorted()
      }
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        FilePath.text(of: $0.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  package func realPath(_ path: String) throws(FileError) -> String {
    guard let bytes = FilePath.withBytes(of: path, { realpath($0, nil) }) else {
      throw FileError(call: "realpath", path: path, number: errno)
    }
    defer { free(bytes) }
    return FilePath.text(of: UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
  }

  package func readLink(_ path: String) throws(FileError) -> String {
    let capacity = Int(PATH_MAX)
    var bytes = [CChar](repeating: 0, count: capacity)
    let count = try call("readlink", path) {
      FilePath.withBytes(of: path) { readlink($0, &bytes, capacity) }
    }
    return FilePath.text(of: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  package func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String] {
    let bytes = try attributeBytes("flistxattr") { portolan_attribute_names(file.rawValue, $0, $1) }
    return bytes.split(separator: 0).map { FilePath.text(of: $0) }
  }

  package func attribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) -> [UInt8] {
    try attributeBytes("fgetxattr") { buffer, count in
      FilePath.withBytes(of: name) { portolan_attribute(file.rawValue, $0, buffer, count) }
    }
  }

  package func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError) {
    _ = try call("fsetxattr", "") {
      FilePath.withBytes(of: name) { portolan_set_attribute(file.rawValue, $0, value, value.count) }
    }
  }

  package func removeAttribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) {
    _ = try call("fremovexattr", "") {
      FilePath.withBytes(of: name) { portolan_remove_attribute(file.rawValue, $0) }
    }
  }

  /// Reads the length, then the bytes, and repeats if they grow in between.
  private func attributeBytes(
    _ name: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileError) -> [UInt8] {
    for _ in 0..<8 {
      let length = try call(name, "") { body(nil, 0) }
      if length == 0 { return [] }
      var bytes = [CChar](repeating: 0, count: length)
      let count = bytes.withUnsafeMutableBufferPointer { body($0.baseAddress, length) }
      if count >= 0 { return bytes.prefix(count).map { UInt8(bitPattern: $0) } }
      if errno != ERANGE { break }
    }
    throw FileError(call: name, path: "", number: errno)
  }
}

extension FileStatus {
  init(_ info: stat) {
    let kind: Kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
    self.init(
      identity: FileIdentity(
        device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: Int64(info.st_size),
        modified: FileStatus.nanoseconds(info.st_mtim)),
      kind: kind, mode: info.st_mode & 0o7777, owner: info.st_uid, group: info.st_gid,
      linkCount: Int(info.st_nlink), changed: FileStatus.nanoseconds(info.st_ctim))
  }

  static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
      &+ Int64(time.tv_nsec)
  }
}
