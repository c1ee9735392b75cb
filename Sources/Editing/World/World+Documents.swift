import Documents
import Files
import Interchange
import Synchronization

/// Documents as files.
extension World {
  /// What is known of a document's file since it was read or written.
  struct KnownFile: Sendable {
    /// The version for the next save; `nil` for a file that was not there.
    var identity: FileIdentity?
    /// The older format that it is in; the first save keeps it beside the new one.
    var migratedFrom: Int?
  }

  func decodeDocument(_ bytes: [UInt8], name: String) throws(Failure) -> DocumentArchive.Opened {
    do {
      return try DocumentFile.open(bytes)
    } catch {
      var what = error.what
      if !error.remedy.isEmpty { what += ": " + error.remedy }
      throw Failure(error.code == .newerVersion ? .unsupported : .input, subject: name, what: what)
    }
  }

  /// Writes a document; answers what the user should know.
  func save(_ request: SaveRequest) throws(Failure) -> String? {
    let known = known.withLock { $0[request.path] }
    let expectation: SaveExpectation =
      if let known {
        known.identity.map { .version($0) } ?? .absent
      } else {
        request.overwrites ? .anything : .absent
      }
    var options = SaveOptions()
    if let version = known?.migratedFrom {
      options.formerVersionName = FilePath.name(of: request.path) + ".v\(version)"
    }
    let outcome: SaveOutcome
    do {
      outcome = try writing.withLock { _ in
        try DocumentFile.save(
          request.document, to: request.path, expecting: expectation, options: options, in: files)
      }
    } catch let error as DocumentFileError {
      if case .file(let error) = error.code { throw .writing(request.path, error) }
      let what = [error.what, error.remedy].filter { !$0.isEmpty }.joined(separator: ": ")
      throw Failure(.output, subject: request.path, what: what)
    } catch {
      throw Failure(.output, subject: request.path, what: "\(error)")
    }
    self.known.withLock { $0[request.path] = KnownFile(identity: outcome.identity) }
    return notice(of: outcome)
  }

  private func notice(of outcome: SaveOutcome) -> String? {
    var notices: [String] = []
    if let former = outcome.former { notices.append("the former version is kept as \(former)") }
    if let theirs = outcome.theirs {
      notices.append("another program had changed it: its version is \(theirs)")
    }
    for warning in outcome.warnings {
      switch warning {
      case .durabilityNotConfirmed(let error):
        notices.append("written, but the disk did not confirm it: \(error.what)")
      case .metadataNotKept(let error):
        notices.append("owner or permissions could not all be kept: \(error.what)")
      case .wasRemoved: notices.append("the file had been removed, and is there again")
      case .leftBehind(let path): notices.append("could not remove \(path)")
      }
    }
    return notices.isEmpty ? nil : notices.joined(separator: "; ")
  }
}
