package import Documents
import Keeping
package import Terminals

/// Something that happens to the desk: what the terminal tells, and how wishes turned out.
package enum Event: Sendable {
  case terminal(TerminalEvent)
  /// A file was read: it takes the place of the document.
  case opened(JobID, OpenedFile)
  /// Data was read: its layers come on top of the document's.
  case imported(JobID, ImportedData)
  /// The document was written; the revision is that of the effect. A save that the disk did not
  /// confirm may still be taken back by a power cut.
  case saved(JobID, path: String, revision: Int, notice: String?, isConfirmed: Bool = true)
  /// The document was not written: another program wrote its file since it was read.
  case conflicted(JobID, SaveConflict)
  /// An earlier version of the document was read.
  case restored(JobID, number: Int, Document)
  /// A text to be looked at.
  case page(JobID, title: String, text: String)
  /// Another program wrote or removed a document's file.
  case changedOnDisk(path: String, FileChange)
  /// Somebody else wants to edit a document that is open here; who.
  case wanted(path: String, by: String)
  /// Nobody has a document open any more that could only be read.
  case freed(path: String)
  /// Something went wrong beside what was asked for.
  case remark(String)
  /// An export or a picture was written; the text says what.
  case finished(JobID, notice: String)
  /// What was asked for was not done; nothing was changed.
  case failed(JobID, message: String)
  case progress(JobID, fraction: Double)
  /// Lines of a script that was read.
  case script(JobID, name: String, text: String)
  /// How the keeping of edits goes.
  case autosave(AutosaveState)
  /// Work of documents without a name that was left, the newest first.
  case foundWork(JobID, [LeftWork])
}

extension Event {
  /// The job that this is the last word on.
  var answeredJob: JobID? {
    switch self {
    case .opened(let job, _), .imported(let job, _), .saved(let job, _, _, _, _),
      .finished(let job, _), .failed(let job, _), .script(let job, _, _), .conflicted(let job, _),
      .restored(let job, _, _), .page(let job, _, _), .foundWork(let job, _):
      job
    case .terminal, .progress, .autosave, .changedOnDisk, .wanted, .freed, .remark:
      nil
    }
  }
}

/// What another program did to a document's file.
package enum FileChange: Hashable, Sendable {
  case written, removed
}

/// A save that was not done because the file is another one than was read.
package struct SaveConflict: Hashable, Sendable {
  package var path: String
  /// When the file was written, in words.
  package var time: String
  /// Whether the editor was to be left afterwards.
  package var quits: Bool
}

/// A document and where it came from.
package struct OpenedFile: Sendable {
  package var path: String
  package var document: Document
  /// Whether `path` is a document that a save may write; else saving needs a new name.
  package var isDocumentFile: Bool
  /// Why it must not be changed; `nil` if it may.
  package var readOnlyReason: String?
  /// How it was lifted from an older version of the format.
  package var migration: [Migrations.Step]
  /// Who else has it open and since when, in words; it can only be read then.
  package var holder: String?
  /// Whether the file of the open document was read again.
  package var isReload = false
  /// Whether it is then the version that was read or saved last.
  package var isUnchanged = false
  /// What was odd, one sentence each.
  package var notices: [String]
  /// Work on it that was left by editors which ended too early, the newest first.
  package var leftWork: [LeftWork] = []

  package init(
    path: String, document: Document, isDocumentFile: Bool, readOnlyReason: String? = nil,
    migration: [Migrations.Step] = [], notices: [String] = []
  ) {
    self.path = path
    self.document = document
    self.isDocumentFile = isDocumentFile
    self.readOnlyReason = readOnlyReason
    self.migration = migration
    self.notices = notices
  }
}

/// Layers read from a file to be added to a document; the desk gives them new numbers.
package struct ImportedData: Sendable {
  package var path: String
  /// Layers to be added, from the bottom up.
  package var layers: [any Layer]
  /// Whether somebody chose how they look: they come from a document.
  package var isStyled: Bool
  package var notices: [String]
  /// What the coordinates are.
  package var coordinateSystem = CoordinateSystem.crs84
  /// Whether they are longitude and latitude; others are planar.
  package var isGeographic = true
  /// Whether the file leaves that open.
  package var isSystemAssumed = false
  /// What people should know where they are taken as degrees then.
  package var assumption: String?

  package init(
    path: String, layers: [any Layer], isStyled: Bool = false, notices: [String] = []
  ) {
    self.path = path
    self.layers = layers
    self.isStyled = isStyled
    self.notices = notices
  }
}
