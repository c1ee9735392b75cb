import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func valueNotFound(forKey key: String) -> ArchiveError {
    ArchiveError(.valueNotFound, path: path(to: key), "there is no value")
  }

  public func invalidValue(_ reason: String, forKey key: String) -> ArchiveError {
    ArchiveError(.invalidValue, path: path(to: key), reason)
  }

  /// An error at the value that is being decoded.
  func fault(
    _ code: ArchiveError.Code, _ reference: PropertyListReference? = nil, _ reason: String
  ) -> ArchiveError {
    if let failure = list.reader.failure {
      return ArchiveError(PropertyListError(unreadable: failure), path: path())
    }
    let offset = reference.flatMap { try? list.offset(of: $0) }
    return ArchiveError(code, path: path(), offset: offset, reason)
  }

  func placedError(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError {
    fault(code, nil, reason)
  }

  /// Runs a decoding step; faults of the property list get the place at which they showed.
  @inline(__always)
  func located<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PropertyListError {
      throw located(error)
    }
  }

  /// A fault of the property list with the place at which it showed; what cannot be read looks like
  /// a fault of its own.
  @inline(never)
  func located(_ error: PropertyListError) -> ArchiveError {
    ArchiveError(
      list.reader.failure.map { PropertyListError(unreadable: $0) } ?? error, path: path())
  }

  /// The place of the value that is being decoded, such as `$top.root.layers[3].name`.
  func path() -> String {
    var path = "$top"
    for depth in 0..<outerFrames.count { append(outerFrames[depth], to: &path) }
    append(frame, to: &path)
    return path
  }

  func path(to key: String) -> String {
    var path = "$top"
    for depth in 0..<outerFrames.count { append(outerFrames[depth], to: &path) }
    return path + "." + key
  }

  private func append(_ frame: Frame, to path: inout String) {
    // A path of thousands of parts helps nobody: the beginning tells where, the rest is cut.
    guard path.utf8.count < 1_000 else {
      if !path.hasSuffix("…") { path += "…" }
      return
    }
    guard frame.current >= 0 else { return }
    path += "." + keys.text(fields[frame.firstField + frame.current].key)
    if frame.element >= 0 { path += "[\(frame.element)]" }
  }
}
