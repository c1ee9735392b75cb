public import PropertyLists

// Archives that are read in parts: only what is looked at.
extension KeyedUnarchiver {
  /// Opens the archive in a file and reads it in parts: decoding one object takes the time and the
  /// memory of that object, and at most 4 MiB besides, however large the archive is.
  ///
  ///     let unarchiver = try KeyedUnarchiver(path: "large.archive")
  ///     let legend = try unarchiver.decodeObject(Legend.self, forKey: "legend")
  ///     try unarchiver.checkSource()
  ///
  /// Data stays in the file until it is asked for (`archivedData(forKey:)`). The file is open as
  /// long as the unarchiver, and is not mapped. Call `checkSource()` when all is decoded: another
  /// program may have written the file meanwhile. An archive in XML is read whole.
  ///
  /// - Throws: `unreadable` if the file cannot be opened or read.
  public convenience init(
    path: String, classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    let file: FileBytes
    do {
      file = try FileBytes(path: path)
    } catch {
      throw ArchiveError(error, path: "")
    }
    try self.init(source: file, classes: classes, limits: limits)
  }

  /// Opens an archive in a source of your own, as `init(path:classes:limits:)` does.
  public convenience init(
    source: some RandomAccessSource, classes: [any Coding.Type] = [],
    limits: ArchiveLimits = ArchiveLimits()
  ) throws {
    try self.init(graph: ObjectGraph(source: source), classes: classes, limits: limits)
  }

  /// Throws `unreadable` if bytes of the source could not be read, or may have changed since the
  /// archive was opened; never for an archive in memory.
  public func checkSource() throws {
    do {
      try list.reader.checkSource()
    } catch {
      throw ArchiveError(PropertyListError(unreadable: error), path: "")
    }
  }

  /// The object under a key of the archive in a file, of which only that object is read.
  ///
  /// - Throws: `unreadable` too if the file cannot be read, or is changed meanwhile.
  public static func unarchive<Root: Coding>(
    _ type: Root.Type, at path: String, forKey key: String = "root",
    classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Root {
    let unarchiver = try KeyedUnarchiver(path: path, classes: classes, limits: limits)
    let object = try unarchiver.decodeObject(type, forKey: key)
    try unarchiver.checkSource()
    return object
  }
}
