internal import Glibc

extension FileSystem {
  /// Saves bytes at a path, atomically and durably: see `AtomicSave`.
  package func save(
    _ bytes: [UInt8], to path: String, expecting expectation: SaveExpectation,
    options: SaveOptions = SaveOptions()
  ) throws(FileError) -> SaveOutcome {
    let save = try AtomicSave(to: path, expecting: expectation, options: options, in: self)
    try save.write(bytes)
    return try save.commit()
  }

  /// Creates a folder and those above it; existing ones stay unchanged.
  package func makeDirectories(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
    do {
      try makeDirectory(path, mode: mode)
    } catch let error where error.number == EEXIST {
      return
    } catch let error where error.number == ENOENT && FilePath.folder(of: path) != path {
      try makeDirectories(FilePath.folder(of: path), mode: mode)
      try makeDirectory(path, mode: mode)
    }
  }

  /// Writes all of the bytes, in as many calls as needed.
  package func writeAll(
    _ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try write(file, rest)
      guard count > 0 else { throw FileError(call: "write", path: "", number: EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Copies from a file's offset to its end.
  func copyAll(from source: FileDescriptor, to destination: FileDescriptor) throws(FileError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try read(source, into: buffer)
      if count == 0 { return }
      try writeAll(destination, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
