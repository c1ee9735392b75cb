package import PortolanDocuments
import PortolanFiles
import PortolanGraphics
package import PortolanKeeping

/// A document that is open: its history, and what is known of its file.
///
/// Opening makes a new value, so that nothing of the document before can stay behind.
package struct OpenDocument: Sendable {
  /// The number of an open document; no other one of the process ever has it.
  package struct ID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
  }

  package internal(set) var id: ID
  /// The document with its past and its future.
  package internal(set) var history: History<Document>
  /// The document file that `:w` writes; `nil` until it has a name.
  package internal(set) var path: String?
  /// Whether that file is map data, no document.
  package internal(set) var isData = false
  /// The file that the data came from, when that is not a document.
  package internal(set) var source: String?
  /// What was odd in the files that were read, one sentence each.
  package var notices: [String] = []
  /// How the document was lifted from an older version of the format when it was opened.
  package internal(set) var migration: [Migrations.Step] = []
  /// Why nothing may be changed or saved under this name; `nil` if it may.
  package internal(set) var readOnlyReason: String?

  /// Unsaved work of editors that ended early; each is decided on in turn.
  package internal(set) var leftWork: [LeftWork] = []
  /// Data of other files that were named with this one, added when the left work is decided on.
  var waitingData: [ImportedData] = []
  /// Such data that was added: recovered work gets its layers once more.
  var addedData: [ImportedData] = []
  /// The journal that this document was recovered from.
  package internal(set) var recovered: RecoveredJournal?
  /// Whether edits are kept in case the program ends before they are saved.
  package internal(set) var autosave = AutosaveState.idle

  /// What is wrong with the file on disk, in a word or two for the title; `nil` if nothing is.
  package internal(set) var trouble: String?
  /// Whether the disk confirmed the last save; if not, a power cut may still take it back.
  package internal(set) var isSaveConfirmed = true
  /// Whether a read-only document is reloaded whenever its file changes.
  package internal(set) var isWatching = false
  /// The job of a long edit; nothing else is edited before it ends.
  var pendingEdit: JobID?
  /// Whether a save keeps the layout as it is, since one pane of it alone was opened.
  var keepsLayout = false
  /// Quit as soon as the save under way is done.
  var quitsAfterSave = false

  /// The box that a planar map's square shows; kept while the document grows.
  var planeReference: Box

  package init(id: ID, document: Document, path: String? = nil) {
    self.id = id
    history = History(document)
    self.path = path
    planeReference = document.extent
  }

  /// A document that was read.
  init(id: ID, _ opened: OpenedFile) {
    self.init(id: id, document: opened.document, path: opened.isDocumentFile ? opened.path : nil)
    isData = opened.isData && opened.isDocumentFile
    source = opened.path
    notices = opened.notices
    migration = opened.migration
    readOnlyReason = opened.readOnlyReason
  }

  /// The name of the file or of its source.
  package var title: String {
    let path = path ?? source ?? ""
    let name = path.isEmpty ? "" : FilePath.name(of: path)
    return name.isEmpty ? "untitled" : name
  }

  /// Whether closing it would lose edits or a draft.
  package var hasUnsavedWork: Bool { history.isEdited || history.present.draft != nil }

  /// Whether a path names its file.
  func isFile(_ path: String) -> Bool { FilePath.isSame(path, self.path) }
}
