package import PortolanFiles
package import PortolanKeeping
package import PortolanTerminals

/// An event of the desk: from the terminal, or from outside work.
package enum Event: Sendable {
  case terminal(TerminalEvent)
  /// The progress of a job, from 0 to 1.
  case progress(JobID, fraction: Double)
  /// The end of a job.
  case replied(JobID, Reply)
  /// Another program wrote or removed a document's file.
  case changedOnDisk(path: String, FileChange)
  /// Another user wants to edit a document that is open here.
  case wanted(path: String, by: LockHolder)
  /// The lock on a document that was held elsewhere is free now.
  case freed(path: String)
  /// A remark beside the reply of a request.
  case remark(String)
  /// The state of the journal.
  case autosave(OpenDocument.ID, AutosaveState)
  /// Pictures of maps at rest.
  case drawn([PaneID: StillMap])
  /// The finer base maps were looked for.
  case foundBase(FinerBase)

  /// Whether no person caused what it does to a document.
  var isFromOutside: Bool {
    switch self {
    case .changedOnDisk, .freed, .autosave: true
    case .replied(_, let reply): reply.isFromOutside
    default: false
    }
  }
}
