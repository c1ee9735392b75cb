extension AtomicSave {
  /// Removes hidden files that saves of a document left behind when their process was killed.
  ///
  /// Only files of our own that no running save has locked. Without the document's lock they must
  /// be ten minutes old as well: between its last steps a save of another process holds no lock.
  /// Such a file may be the only copy of a version: one that was being saved, or one that another
  /// program wrote meanwhile. So it is passed to `keep` first.
  ///
  /// - Parameters:
  ///   - isExclusive: whether the caller holds the document's lock.
  ///   - keep: called with the path of each; a file for which it returns `false` stays.
  /// - Returns: the removed paths.
  @discardableResult
  package static func removeLeftovers(
    of path: String, now: Int64, isExclusive: Bool = false, in fileSystem: any FileSystem,
    keep: (String) -> Bool = { _ in true }
  ) -> [String] {
    guard let target = try? SaveTarget(resolving: path, in: fileSystem) else { return [] }
    defer { try? fileSystem.close(target.folder) }
    let names = (try? fileSystem.names(in: target.folderPath)) ?? []
    var removed: [String] = []
    for name in names where isHidden(name, of: target) {
      guard let status = try? fileSystem.status(name, in: target.folder),
        status.kind == .regular, status.linkCount == 1,
        status.owner == fileSystem.user || status.owner == target.existing?.owner,
        isExclusive
          || now.subtractingReportingOverflow(status.changed).partialValue > 600_000_000_000,
        isFree(name, target, fileSystem), keep(FilePath.join(target.folderPath, name)),
        (try? fileSystem.remove(name, in: target.folder)) != nil
      else { continue }
      removed.append(FilePath.join(target.folderPath, name))
    }
    return removed
  }

  private static func isHidden(_ name: String, of target: SaveTarget) -> Bool {
    guard FilePath.ending(of: name) == "tmp",
      let middle = name.unicodeScalars.dropLast(4).split(
        separator: ".", omittingEmptySubsequences: false
      ).last, !middle.isEmpty,
      middle.allSatisfy({ ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    else { return false }
    return FilePath.isSame(name, target.hiddenName(".\(String(middle)).tmp"))
  }

  static func isFree(
    _ name: String, _ target: SaveTarget, _ fileSystem: any FileSystem
  ) -> Bool {
    guard let file = try? fileSystem.open(name, in: target.folder, .readWrite) else {
      return false
    }
    defer { try? fileSystem.close(file) }
    return (try? fileSystem.lock(file)) == true
  }
}
