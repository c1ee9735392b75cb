extension FileSystem {
  /// Reads a regular file piece by piece, so that its size does not matter.
  ///
  /// - Parameter body: called with each piece; what it throws ends the reading.
  package func readPieces(
    of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let file = try open(path, in: nil, .read)
    defer { try? close(file) }
    try FileReader.withPath(path) { () throws(FileError) in
      try FileReader.refuseUnlessRegular(try status(file), path)
    }
    try readPieces(file, name: path, body)
  }

  /// Reads a stream, such as standard input, piece by piece to its end.
  package func readPieces(
    _ file: FileDescriptor, name: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    while true {
      let count = try FileReader.withPath(name) { () throws(FileError) in
        try read(file, into: room)
      }
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: room[..<min(count, room.count)]))
    }
  }
}
