internal import Glibc

extension AtomicSave {
  /// Makes the hidden file whole and durable, then the file's version.
  func replace() throws(FileError) -> SaveOutcome {
    var warnings: [SaveWarning] = []
    var isKept = true
    if let existing = target.existing {
      do {
        try copyMetadata(existing)
      } catch {
        isKept = false
        if temporaryFolder == target.folder { warnings.append(.metadataNotKept(error)) }
      }
    } else {
      let mode = options.newFileMode ?? (0o666 & ~fileSystem.creationMask)
      try fileSystem.setMode(temporary, mode)
    }
    try fileSystem.synchronize(temporary)
    try verify(temporary)
    var outcome = SaveOutcome(
      path: target.path, identity: try fileSystem.status(temporary).identity)
    if let existing = target.existing, mustStayInPlace(existing, isKept: isKept) {
      if try overwriteInPlace(existing, &outcome) { return outcome }
    }
    outcome.warnings = warnings
    let file = temporary
    temporary.rawValue = -1
    try fileSystem.close(file)
    try takePlace(&outcome)
    return outcome
  }

  /// Reads a file back, from the disk if the system allows that, and compares it with the written
  /// content.
  func verify(_ file: FileDescriptor) throws(FileError) {
    try? fileSystem.forgetCache(file)
    try fileSystem.seek(file, to: 0)
    var found = ContentDigest()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try fileSystem.read(file, into: buffer)
      if count == 0 { break }
      found.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    guard found == written else {
      throw FileError(call: "read", path: target.path, number: EIO, problem: .readBackDiffers)
    }
  }

  /// Permissions (without suid and sgid), owner, group and attributes of the old version.
  private func copyMetadata(_ existing: FileStatus) throws(FileError) {
    let old = try fileSystem.open(target.name, in: target.folder, .read)
    defer { try? fileSystem.close(old) }
    let names = try attributeNames(old)
    // A folder may give new files its own access list: attributes that the old file had not are
    // removed.
    for name in try attributeNames(temporary)
    where !names.contains(name) && !name.hasPrefix("security.") {
      try fileSystem.removeAttribute(name, of: temporary)
    }
    for name in names {
      do {
        try fileSystem.setAttribute(name, of: temporary, to: fileSystem.attribute(name, of: old))
      } catch {
        // The system sets its own labels by its policy.
        if !name.hasPrefix("security.") { throw error }
      }
    }
    let own = try fileSystem.status(temporary)
    if own.owner != existing.owner || own.group != existing.group {
      try fileSystem.setOwner(
        temporary, owner: own.owner == existing.owner ? nil : existing.owner,
        group: own.group == existing.group ? nil : existing.group)
    }
    try fileSystem.setMode(temporary, existing.mode & 0o777)
  }

  private func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String] {
    do {
      return try fileSystem.attributeNames(file)
    } catch let error where error.number == ENOTSUP || error.number == ENOSYS {
      return []
    }
  }

  private func mustStayInPlace(_ existing: FileStatus, isKept: Bool) -> Bool {
    existing.linkCount > 1 || !isKept || temporaryFolder != target.folder
  }

  /// Exchanges the names, checks the displaced version, and makes the folder durable.
  private func takePlace(_ outcome: inout SaveOutcome) throws(FileError) {
    var expected = target.existing?.identity
    switch expectation {
    case .version(let identity, _):
      if target.existing == nil { outcome.warnings.append(.wasRemoved) }
      expected = identity
    case .foreign: expected = nil
    case .absent, .anything: break
    }
    let swapped = try swap(&outcome, expected)
    if swapped { settleDisplaced(expected, &outcome) }
    synchronizeFolder(&outcome)
    if swapped, outcome.theirs == nil, outcome.former == nil, !removeTemporary() {
      outcome.warnings.append(.leftBehind(path: temporaryPath))
    }
  }

  var temporaryPath: String { FilePath.join(temporaryFolderPath, temporaryName) }

  /// Puts the hidden file in place; `true` when the old version is under the hidden name now.
  private func swap(
    _ outcome: inout SaveOutcome, _ expected: FileIdentity?
  ) throws(FileError) -> Bool {
    var exists = target.existing != nil
    for _ in 0..<4 {
      do {
        try fileSystem.rename(
          temporaryName, to: target.name, in: target.folder, exists ? .exchange : .noReplace)
        return exists
      } catch let error where error.number == ENOENT && exists {
        exists = false
        outcome.warnings.append(.wasRemoved)
      } catch let error where error.number == EEXIST && !exists {
        guard expectation != .absent else {
          throw FileError(call: "rename", path: target.path, number: EEXIST, problem: .exists)
        }
        exists = true
      } catch let error where [EINVAL, ENOSYS, ENOTSUP].contains(error.number) {
        try renamePlainly(&outcome, expected)
        return false
      }
    }
    throw FileError(call: "rename", path: target.path, number: EBUSY)
  }

  /// For file systems that cannot exchange names: check, keep a foreign version, then replace.
  private func renamePlainly(
    _ outcome: inout SaveOutcome, _ expected: FileIdentity?
  ) throws(FileError) {
    let present = try SaveTarget.status(of: target.name, in: target.folder, fileSystem)
    if let present {
      if expectation == .absent {
        throw FileError(call: "rename", path: target.path, number: EEXIST, problem: .exists)
      }
      if present.identity != expected || !holdsExpected(target.name) {
        outcome.theirs = try linkAside(".theirs")
      } else if let name = options.formerVersionName {
        outcome.former = try? linkAside(named: name)
      }
    }
    try fileSystem.rename(temporaryName, to: target.name, in: target.folder, .replace)
  }

  /// Keeps the displaced version if it is not the known one, or if that was requested.
  private func settleDisplaced(_ expected: FileIdentity?, _ outcome: inout SaveOutcome) {
    let displaced = statusWithRetry(temporaryName)
    if expected == nil || displaced?.identity != expected || !holdsExpected(temporaryName) {
      outcome.theirs = moveAside { SaveTarget.numbered(target.name, ".theirs", $0) }
    } else if let name = options.formerVersionName {
      outcome.former = moveAside { SaveTarget.numbered(name, "", $0) }
    }
  }

  /// Whether a file has the content that was read, as far as its mark is known; a file that cannot
  /// be read, at the second try either, counts as another version.
  private func holdsExpected(_ name: String) -> Bool {
    holdsExpected { (mark) throws(FileError) in
      try fileSystem.holds(mark, name, in: target.folder)
    }
  }

  func holdsExpected(_ holds: (ContentMark) throws(FileError) -> Bool) -> Bool {
    guard case .version(_, let mark?) = expectation else { return true }
    return (try? holds(mark)) ?? (try? holds(mark)) ?? false
  }

  /// Renames the displaced version to an unused name; keeps the hidden name when that fails.
  private func moveAside(_ name: (Int) -> String) -> String {
    var failures = 0
    for number in 1...10_000 {
      do {
        try fileSystem.rename(temporaryName, to: name(number), in: target.folder, .noReplace)
        return FilePath.join(target.folderPath, name(number))
      } catch let error where error.number == EEXIST {
        continue
      } catch {
        failures += 1
        if failures > 2 { break }
      }
    }
    return temporaryPath
  }

  private func linkAside(_ suffix: String) throws(FileError) -> String {
    for number in 1...10_000 {
      let name = SaveTarget.numbered(target.name, suffix, number)
      do {
        return try linkAside(named: name)
      } catch let error where error.number == EEXIST {
        continue
      } catch {
        throw FileError(
          call: "link", path: target.path, number: error.number, problem: .changedMeanwhile)
      }
    }
    throw FileError(call: "link", path: target.path, number: EEXIST, problem: .changedMeanwhile)
  }

  private func linkAside(named name: String) throws(FileError) -> String {
    try fileSystem.link(target.name, to: name, in: target.folder)
    return FilePath.join(target.folderPath, name)
  }

  private func statusWithRetry(_ name: String) -> FileStatus? {
    (try? fileSystem.status(name, in: target.folder))
      ?? (try? fileSystem.status(name, in: target.folder))
  }

  func synchronizeFolder(_ outcome: inout SaveOutcome) {
    do {
      try fileSystem.synchronize(target.folder)
    } catch let error where error.number == EINVAL {
      // Some network file systems make names durable by themselves and refuse the call.
    } catch {
      var named = error
      named.path = target.folderPath
      outcome.warnings.append(.durabilityNotConfirmed(named))
    }
  }
}
