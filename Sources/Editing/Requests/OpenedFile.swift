package import PortolanDocuments
package import PortolanKeeping

/// A document and its source.
package struct OpenedFile: Sendable {
  package var path: String
  package var document: Document
  /// Whether `path` is a document that a save may write; else saving needs a new name.
  package var isDocumentFile: Bool
  /// Whether the file is map data of some format, no document.
  package var isData = false
  /// The bookmarks that were kept for such a file.
  package var bookmarks: [Bookmark] = []
  /// Whether coordinates are still to be read from the file.
  package var isPart = false
  /// Whether it was opened together with other files, so that no save writes it.
  package var isOneOfSeveral = false
  /// Whether it is read-only only because somebody else has the lock.
  package var isHeldElsewhere = false
  /// The read-only reason; `nil` if it may be changed.
  package var readOnlyReason: String?
  /// The migrations that it went through.
  package var migration: [Migrations.Step]
  /// The lock holder and the time since, in words; the document is read-only then.
  package var holder: String?
  /// The socket of the lock holder, where the document can be edited together.
  package var holderSocket: String?
  /// On reload: whether the file is still the version last read or saved.
  package var isUnchanged = false
  /// The version read by a reload; the store takes it over when it is accepted.
  package var version: FileVersion?
  /// Oddities of the file, one sentence each.
  package var notices: [String]
  /// Those of them that are told without being asked.
  package var warnings: [String] = []
  /// Left work on it, of editors that crashed or were killed, newest first.
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

extension OpenedFile {
  /// The requests that release a file that is not shown after all: its lock and its left work.
  var givenBack: [any Request] {
    var requests: [any Request] = []
    if isDocumentFile { requests.append(ReleaseRequest(path: path)) }
    if !leftWork.isEmpty { requests.append(LeaveWorkRequest(journals: leftWork.map(\.journal))) }
    return requests
  }
}

/// Layers read from a file to be added to a document; the desk gives them new numbers.
package struct ImportedData: Sendable {
  package var path: String
  /// Layers to be added, from the bottom up.
  package var layers: [any Layer]
  /// Whether their styles were chosen by somebody: they come from a document.
  package var isStyled: Bool
  package var notices: [String]
  /// Those of them that are told without being asked.
  package var warnings: [String] = []
  /// Those of them that tell of faults in the data.
  package var faults: [String] = []
  /// The conflicts of a document, about its own layers.
  package var conflicts: [Conflict] = []
  /// The coordinate system.
  package var coordinateSystem = CoordinateSystem.crs84
  /// Whether they are longitude and latitude; others are planar.
  package var isGeographic = true
  /// Whether the coordinate system is assumed, since the file does not name it.
  package var isSystemAssumed = false
  /// The notice for the user if the coordinates are assumed to be degrees.
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
