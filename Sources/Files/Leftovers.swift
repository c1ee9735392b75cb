extension AtomicSave {
  /// Removes hidden files that saves of a document left behind when their process was killed.
  ///
  /// Only files of our own that no running save holds, and that nothing has touched for ten
  /// minutes: between its last steps a save of another process holds no lock.
  ///
  /// - Parameter now: nanoseconds since 1970.
  /// - Returns: the paths that were removed.
  @discardableResult
  package static func removeLeftovers(
    of path: String, now: Int64, in fileSystem: any FileSystem
  ) -> [String] {
    guard let target = try? SaveTarget(resolving: path, in: fileSystem) else { return [] }
    defer { try? fileSystem.close(target.folder) }
    let names = (try? fileSystem.names(in: target.folderPath)) ?? []
    var removed: [String] = []
    for name in names where isHidden(name, of: target) {
      guard let status = try? fileSystem.status(name, in: target.folder),
        status.kind == .regular, status.owner == fileSystem.user, status.linkCount == 1,
        now.subtractingReportingOverflow(status.changed).partialValue > 600_000_000_000,
        isFree(name, target, fileSystem),
        (try? fileSystem.remove(name, in: target.folder)) != nil
      else { continue }
      removed.append(FilePath.join(target.folderPath, name))
    }
    return removed
  }

  private static func isHidden(_ name: String, of target: SaveTarget) -> Bool {
    guard name.hasSuffix(".tmp") else { return false }
    let middle = name.dropLast(4).split(separator: ".", omittingEmptySubsequences: false).last
    guard let middle, !middle.isEmpty,
      middle.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber) })
    else { return false }
    return name == target.hiddenName(".\(middle).tmp")
  }

  private static func isFree(
    _ name: String, _ target: SaveTarget, _ fileSystem: any FileSystem
  ) -> Bool {
    guard let file = try? fileSystem.open(name, in: target.folder, .readWrite) else {
      return false
    }
    defer { try? fileSystem.close(file) }
    return (try? fileSystem.lock(file)) == true
  }
}
