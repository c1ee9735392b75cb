package import PortolanDocuments

/// A save that was not done because the file is another one than was read.
package struct SaveConflict: Hashable, Sendable {
  package var path: String
  /// When the file was written, in words.
  package var time: String
  /// Whether the editor was to be left afterwards.
  package var quits: Bool
  /// Whether what the file has no place for was to be left out.
  package var acceptsLosses = false
}

/// A save that was not done because the file has no place for some of the document.
package struct SaveLoss: Hashable, Sendable {
  package var path: String
  /// One phrase each.
  package var losses: [String]
  package var isForced: Bool
  /// Whether the editor was to be left afterwards.
  package var quits: Bool

  var failure: Failure {
    Failure(
      .unsupported, subject: path,
      what: "has no place for " + losses.joined(separator: "; ")
        + ": save NAME.doc keeps all, save --lossy leaves it out")
  }
}

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
