/// An interrupted save in place: the standby file beside the file holds the whole new version.
///
/// A file with several names is overwritten in place; if the process dies meanwhile, the file may
/// be torn, but the new version is whole under a hidden name. The next open of the document looks
/// for it.
package struct InterruptedSave: Sendable {
  /// The document.
  package var path: String
  /// The path of the whole new version.
  package var intentPath: String

  /// Looks for an interrupted save of a document; only a file of our own is accepted.
  ///
  /// - Parameter fallbackFolder: the folder of the copy if the document's folder takes no new
  ///   files.
  package static func find(
    for path: String, fallbackFolder: String? = nil, in fileSystem: any FileSystem
  ) -> InterruptedSave? {
    guard let target = try? SaveTarget(resolving: path, in: fileSystem) else { return nil }
    defer { try? fileSystem.close(target.folder) }
    for folder in [target.folderPath, fallbackFolder].compactMap({ $0 }) {
      let intent = FilePath.join(folder, intentName(target))
      guard let status = try? fileSystem.status(intent, in: nil), status.kind == .regular,
        status.owner == fileSystem.user, status.linkCount == 1,
        // A running save has it locked.
        let file = try? fileSystem.open(intent, in: nil, .read)
      else { continue }
      defer { try? fileSystem.close(file) }
      if (try? fileSystem.isLocked(file)) == true { continue }
      return InterruptedSave(path: target.path, intentPath: intent)
    }
    return nil
  }

  /// Writes the new version into the document, makes it durable and removes the copy.
  package func finish(in fileSystem: any FileSystem) throws(FileError) {
    try FileReader.withPath(path) { () throws(FileError) in
      let intent = try fileSystem.open(intentPath, in: nil, .read)
      defer { try? fileSystem.close(intent) }
      let file = try fileSystem.open(path, in: nil, .readWrite)
      defer { try? fileSystem.close(file) }
      try fileSystem.copyAll(from: intent, to: file)
      try fileSystem.truncate(file, to: fileSystem.status(intent).identity.size)
      try fileSystem.synchronize(file)
      try fileSystem.remove(intentPath, in: nil)
    }
  }

  /// The name of the copy, unique by the document's whole path.
  static func intentName(_ target: SaveTarget) -> String {
    target.hiddenName(".\(PathHash.text(of: target.path)).intent")
  }
}
