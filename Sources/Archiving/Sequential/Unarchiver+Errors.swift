import PortolanMemory
import PropertyLists

extension Unarchiver {
  public func valueNotFound(forKey key: String) -> ArchiveError {
    ArchiveError(.valueNotFound, path: path(to: key), offset: cursor.offset, "there is no value")
  }

  public func valueNotFound() -> ArchiveError { fault(.valueNotFound, "there is no value") }

  public func invalidValue(_ reason: String, forKey key: String) -> ArchiveError {
    ArchiveError(.invalidValue, path: path(to: key), reason)
  }

  /// An error at the value that is being decoded.
  @inline(never)
  func fault(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError {
    ArchiveError(code, path: path(), offset: cursor.offset, reason)
  }

  func placedError(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError {
    fault(code, reason)
  }

  /// Runs a step of the cursor; its errors get the place at which they showed.
  @inline(__always)
  func located<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw placed(error)
    }
  }

  @inline(never)
  func placed(_ error: any Error) -> any Error {
    guard var error = error as? ArchiveError, error.path.isEmpty else { return error }
    error.path = path()
    return error
  }

  /// The place of the value that is being decoded, such as `group 0.layers[3].name`.
  func path() -> String {
    var path = ""
    appendOuterFrames(to: &path)
    append(frame, key(of: frame, outerFrames.count), to: &path)
    return path
  }

  private func path(to key: String) -> String {
    var path = ""
    appendOuterFrames(to: &path)
    append(frame, key, to: &path)
    return path
  }

  private func appendOuterFrames(to path: inout String) {
    for depth in 0..<outerFrames.count {
      append(outerFrames[depth], key(of: outerFrames[depth], depth), to: &path)
    }
  }

  /// The key of the value that is being decoded in a frame with so many outer ones.
  private func key(of frame: Frame, _ depth: Int) -> String {
    frame.key == .other ? longKeys[depth] ?? "" : frame.key.string
  }

  private func append(_ frame: Frame, _ key: String, to path: inout String) {
    // A path of thousands of parts helps nobody: the beginning tells where, the rest is cut.
    guard path.utf8.count < 1_000 else {
      if !path.hasSuffix("…") { path += "…" }
      return
    }
    if frame.number < 0 {
      path += "group \(max(0, frame.position))"
    } else if frame.position < 0, key.isEmpty {
      path += "(\(records[frame.classIndex].name))"
    } else {
      path += "." + (key.isEmpty ? "$\(max(0, frame.position))" : key)
    }
    if frame.element >= 0 { path += "[\(frame.element)]" }
  }
}
