package import PortolanDocuments
package import PortolanKeeping

/// A document and where it came from.
package struct OpenedFile: Sendable {
  package var path: String
  package var document: Document
  /// Whether `path` is a document that a save may write; else saving needs a new name.
  package var isDocumentFile: Bool
  /// Whether the file is map data of some format, no document.
  package var isData = false
  /// Why it must not be changed; `nil` if it may.
  package var readOnlyReason: String?
  /// How it was lifted from an older version of the format.
  package var migration: [Migrations.Step]
  /// Who else has it open and since when, in words; it can only be read then.
  package var holder: String?
  /// Whether the file of the open document is still the version that was read or saved last.
  package var isUnchanged = false
  /// The version that was read while the document was open; the store knows it when it is accepted.
  package var version: FileVersion?
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

extension OpenedFile {
  /// What gives a file back that is not shown after all: its lock, and the work that was left.
  ///
  /// - Parameter isOpen: whether a document of a path is open, which keeps its lock.
  func givenBack(isOpen: (String) -> Bool) -> [any Request] {
    var requests: [any Request] = []
    if isDocumentFile, !isOpen(path) { requests.append(ReleaseRequest(path: path)) }
    if !leftWork.isEmpty { requests.append(LeaveWorkRequest(journals: leftWork.map(\.journal))) }
    return requests
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
