/// A file as readers of formats see it: its name, its bytes, and the files beside it.
///
/// The bytes of a file that was read are shared with its readers, never copied; a file beside it is
/// read when a reader asks for it, whole or in parts.
package struct FileSource: Sendable {
  /// Its path; `-` without one, which has no files beside it.
  package let path: String
  private let content: Content

  private enum Content: Sendable {
    case memory([UInt8], beside: (any FileSystem)?)
    case file(any FileSystem)
  }

  /// The most bytes of one file.
  package static let bytesMax = 4 << 30

  /// - Parameter files: where the files beside it are; `nil` if there are none.
  package init(_ bytes: [UInt8], path: String = "-", in files: (any FileSystem)? = nil) {
    self.path = path
    content = .memory(bytes, beside: path == "-" || FilePath.isDescriptor(path) ? nil : files)
  }

  /// A file that is read when its bytes are asked for.
  package init(path: String, in files: any FileSystem) {
    self.path = path
    content = .file(files)
  }

  /// All of its bytes.
  package func bytes() throws(FileError) -> [UInt8] {
    switch content {
    case .memory(let bytes, _): bytes
    case .file(let files): try files.read(path, limit: Self.bytesMax)
    }
  }

  /// Its first bytes, at most `FileHead.count`.
  package func head() throws(FileError) -> ArraySlice<UInt8> {
    try bytes(in: 0..<FileHead.count)[...]
  }

  /// The bytes from an offset on; fewer where the file ends.
  package func bytes(in range: Range<Int>) throws(FileError) -> [UInt8] {
    switch content {
    case .memory(let bytes, _): return Array(bytes[range.clamped(to: 0..<bytes.count)])
    case .file(let files):
      let file = try files.open(path, in: nil, .read)
      defer { try? files.close(file) }
      return try FileReader.withPath(path) { () throws(FileError) in
        let status = try files.status(file)
        try FileReader.refuseUnlessRegular(status, path)
        let range = range.clamped(to: 0..<max(0, Int(clamping: status.identity.size)))
        try files.seek(file, to: Int64(range.lowerBound))
        let reader = FileReader(fileSystem: files, path: path, limit: Self.bytesMax)
        return try reader.chunk(of: file, room: range.count).bytes
      }
    }
  }

  /// Its bytes in order, in pieces.
  package func readPieces(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    switch content {
    case .memory(let bytes, _): try bytes.withUnsafeBytes(body)
    case .file(let files): try files.readPieces(of: path, body)
    }
  }

  /// The file of the same name with another ending, in small letters or capitals; `nil` if there is
  /// none.
  package func sibling(_ ending: String) throws(FileError) -> FileSource? {
    let files: any FileSystem
    switch content {
    case .memory(_, let beside?), .file(let beside): files = beside
    case .memory: return nil
    }
    let folder = FilePath.folder(of: path)
    let stem = FilePath.withoutEnding(FilePath.name(of: path))
    let names = try files.names(in: folder)
    let endings = [ending, ending.uppercased()]
    let name =
      endings.lazy.map { "\(stem).\($0)" }.first { names.contains($0) }
      ?? names.first {
        FilePath.withoutEnding($0) == stem && FilePath.ending(of: $0) == ending.lowercased()
      }
    return name.map { FileSource(path: FilePath.join(folder, $0), in: files) }
  }
}
