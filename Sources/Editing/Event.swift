package import PortolanKeeping
package import PortolanTerminals

/// Something that happens to the desk: what the terminal tells, and how outside work goes.
package enum Event: Sendable {
  case terminal(TerminalEvent)
  /// How far a job is, from 0 to 1.
  case progress(JobID, fraction: Double)
  /// The end of a job.
  case replied(JobID, Reply)
  /// Another program wrote or removed a document's file.
  case changedOnDisk(path: String, FileChange)
  /// Another user wants to edit a document that is open here.
  case wanted(path: String, by: String)
  /// A document that was locked elsewhere is free now.
  case freed(path: String)
  /// Something to tell beside what was asked for.
  case remark(String)
  /// The state of the journal.
  case autosave(OpenDocument.ID, AutosaveState)
}
