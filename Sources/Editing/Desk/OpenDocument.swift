package import PortolanDocuments
import PortolanFiles
import PortolanGraphics
package import PortolanKeeping

/// An open document: its history, and the state of its file.
///
/// Opening makes a new value, so that no state of an earlier document remains.
package struct OpenDocument: Sendable {
  /// The number of an open document, unique in the process.
  package struct ID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
  }

  package internal(set) var id: ID
  /// The document with its undo and redo steps.
  package internal(set) var history: History<Document> {
    didSet {
      if history.present.revision != extentRevision { takeExtent() }
    }
  }
  /// The document file that `:w` writes; `nil` until it has a name.
  package internal(set) var path: String?
  /// Whether that file is map data, no document archive.
  package internal(set) var isData = false
  /// The bookmarks that such a file has no room for; the next save as a document takes them in.
  package internal(set) var bookmarks: [Bookmark] = []
  /// The source file of the data, when that is not a document.
  package internal(set) var source: String?
  /// Whether it was shown before all coordinates were read from its file.
  var isPart = false
  /// The job that reads them.
  var restJob: JobID?
  /// Whether it was opened together with other files, so that none of them is written.
  var isOneOfSeveral = false
  /// Oddities of the files that were read, one sentence each.
  package var notices: [String] = []
  /// The migrations that the document went through when it was opened.
  package internal(set) var migration: [Migrations.Step] = []
  /// Why nothing may be changed or saved under this name; `nil` if it may be.
  package internal(set) var readOnlyReason: String?
  /// Whether that is only because somebody else has it open.
  var isHeldElsewhere = false
  /// The socket of the program that has it, where it can be edited together.
  var holderSocket: String?

  /// Left work of editors that crashed or were killed; the user decides on each in turn.
  package internal(set) var leftWork: [LeftWork] = []
  /// Data of other files named with this one, added after the decision on the left work.
  var waitingData: [ImportedData] = []
  /// Data added in this way: recovered work gets its layers once more.
  var addedData: [ImportedData] = []
  /// The journal that this document was recovered from.
  package internal(set) var recovered: RecoveredJournal?
  /// Whether unsaved edits are journalled.
  package internal(set) var autosave = AutosaveState.idle

  /// The trouble with the file on disk, in a word or two for the title; `nil` if there is none.
  package internal(set) var trouble: String?
  /// The version that has the changes of other programs to the file.
  var basis = FileBasis.any
  /// Whether the disk confirmed the last save; if not, a power cut may still undo it.
  package internal(set) var isSaveConfirmed = true
  /// Whether a read-only document is reloaded whenever its file changes.
  package internal(set) var isWatching = false
  /// The job of a long edit, which blocks other edits until it ends.
  var pendingEdit: JobID?
  /// Replies that edit the document after that one.
  var waitingReplies: [WaitingReply] = []
  /// Whether a save keeps the document's layout, since only one pane of it was opened.
  var keepsLayout = false
  /// The revision that was exported or drawn last.
  var writtenRevision: Int?
  /// Whether to quit after the save under way.
  var quitsAfterSave = false

  /// The document's box when it was opened: the zooms of its views and bookmarks on a planar map
  /// count from that.
  var planeReference: Box
  /// The box of the present document, which a planar map needs for each of its cameras.
  private(set) var extent: Box
  /// The revision that has this box.
  private var extentRevision: Int

  package init(id: ID, document: Document, path: String? = nil) {
    let history = History(document)
    self.id = id
    self.history = history
    self.path = path
    planeReference = document.extent
    extent = planeReference
    extentRevision = history.present.revision
  }

  /// Takes another history, whose revisions are others.
  mutating func replaceHistory(by other: History<Document>) {
    history = other
    takeExtent()
  }

  private mutating func takeExtent() {
    extent = history.value.extent
    extentRevision = history.present.revision
  }

  /// Opens a document that was read.
  init(id: ID, _ opened: OpenedFile) {
    self.init(id: id, document: opened.document, path: opened.isDocumentFile ? opened.path : nil)
    isData = opened.isData && opened.isDocumentFile
    bookmarks = opened.bookmarks
    source = opened.path
    isPart = opened.isPart
    isOneOfSeveral = opened.isOneOfSeveral
    isHeldElsewhere = opened.isHeldElsewhere
    holderSocket = opened.holderSocket
    notices = opened.notices
    migration = opened.migration
    readOnlyReason = opened.readOnlyReason
  }

  /// Whether it is read-only only because somebody else has it open.
  package var isHeldByOther: Bool { isHeldElsewhere }

  /// The name of the file or of its source.
  package var title: String {
    let path = path ?? source ?? ""
    let name = path.isEmpty ? "" : FilePath.name(of: path)
    return name.isEmpty ? "untitled" : name
  }

  /// Whether closing it would lose edits, a draft or a long edit under way.
  package var hasUnsavedWork: Bool {
    history.isEdited || history.present.draft != nil || pendingEdit != nil
  }

  /// Whether closing it would lose edits that no export or picture shows either.
  var losesEdits: Bool {
    history.isEdited && history.present.revision != writtenRevision || pendingEdit != nil
  }

  /// What its closing at the end of a script would lose; `nil` for nothing.
  var lossAtEnd: Failure? {
    if let draft = history.present.draft {
      return Failure(
        .usage, subject: title,
        what: "the \(draft.kind.rawValue) of \(CountText.vertices(draft.vertexCount)) is not "
          + "finished when the script ends: finish adds it, discard-draft gives it up")
    }
    guard losesEdits else { return nil }
    let way = path == nil ? "save NAME.doc or export -o FILE" : "save"
    return Failure(
      .findings, subject: path ?? title,
      what: "the script's edits are neither saved nor exported: \(way) writes them")
  }

  /// Whether the document is older than its file, so that a save would undo another program's
  /// changes.
  var isOlderThanFile: Bool {
    switch basis {
    case .any: false
    case .version(let serial): !history.follows(serial: serial)
    case .noVersion: true
    }
  }

  /// Whether a path names its file.
  func isFile(_ path: String) -> Bool { FilePath.isSame(path, self.path) }
}

/// The versions of a document that have all changes of other programs to its file.
enum FileBasis: Hashable, Sendable {
  case any
  /// The version of this serial, which was read from the changed file unasked, and those after it.
  case version(Int)
  /// None: the work was recovered, and the file had been changed since.
  case noVersion
}
