package import PortolanDocuments
package import PortolanInterchange
package import PortolanKeeping
package import PortolanPrinting

/// A document to be written.
package struct SaveRequest: Sendable {
  package var path: String
  /// With the camera in its map view.
  package var document: Document
  /// The revision, which the reply returns so that later edits stay unsaved.
  package var revision: Int
  /// Whether another file of that name may be overwritten.
  package var overwrites: Bool
  /// Whether to save although another program has written the file meanwhile, or has it open.
  package var isForced = false
  /// Whether to leave out what the file's format does not keep.
  package var acceptsLosses = false
  /// Whether to quit after the save.
  package var quits = false
  package var versions = VersionKeeping.all
  /// The path under which the document is open; `nil` if it has none.
  package var openPath: String?
  /// Whether the document is older than its file, which another program has changed.
  package var isOutdated = false
  /// Whether the document counts as a person's work although a verb writes it.
  package var isPersonal = false
}

/// A refused save: the file has changed since it was read.
package struct SaveConflict: Hashable, Sendable {
  package var path: String
  /// The time of the file's change, in words.
  package var time: String
  /// Whether the save was to quit afterwards.
  package var quits: Bool
  /// Whether the save accepted the losses of the format.
  package var acceptsLosses = false
  /// Whether that change was known: the document was older than its file.
  package var isOutdated = false
}

/// A refused save: the file's format does not keep all of the document.
package struct SaveLoss: Hashable, Sendable {
  package var path: String
  /// The losses, one phrase each.
  package var losses: [String]
  package var isForced: Bool
  /// Whether the save was to quit afterwards.
  package var quits: Bool

  var failure: Failure {
    Failure(
      .unsupported, subject: path,
      what: "has no place for " + losses.joined(separator: "; ")
        + ": save NAME.doc keeps all, save --lossy leaves it out")
  }
}

/// An operation on an earlier version of a document.
package struct VersionRequest: Sendable {
  package enum Use: Sendable {
    /// Replace the document by it.
    case restore
    /// Compare it with this document.
    case compare(Document)
    /// Write its bytes.
    case write(path: String, overwrites: Bool)
  }

  /// The document.
  package var path: String
  package var number: Int
  package var use: Use
  /// Whether to write although somebody else has the document open.
  package var isForced = false
}

/// An operation on left work: list, show, write or discard it.
package struct RecoverRequest: Sendable {
  /// The document; `nil` lists all left work, the empty path stands for unnamed documents.
  package var path: String?
  /// The name of one journal; `nil` means the newest of the document.
  package var journal: String?
  /// The output for the recovered document; `nil` only shows the differences.
  package var output: String?
  /// Whether to discard the work, after writing it if requested.
  package var discards: Bool
  package var overwrites: Bool
  package var versions = VersionKeeping.all
}

/// Features to be written in some format.
package struct ExportRequest: Sendable {
  /// `-` is standard output.
  package var path: String
  package var format: any Exporter
  package var document: Document
  /// The layers to write, from the bottom up.
  package var layers: [LayerID]
  /// Only these features, if any are given.
  package var features: FeatureChoice?
  /// The parts and the rules of the export.
  package var options: ExportOptions
  package var overwrites: Bool
  /// The coordinate system to convert into; `nil` converts nothing.
  package var target: CoordinateSystem?
  /// The areas along which features are cut before.
  var cut: OperandShapes?
  /// At most so many features of a layer.
  var limit: Int?
}

/// A picture of the map to be written.
package struct RenderRequest: Sendable {
  /// `-` is standard output.
  package var path: String
  package var picture: PictureRequest
  /// The map behind the data.
  package var base = BaseChoice.none
  package var overwrites: Bool
  /// Why nothing of the data is in the picture; `nil` if something is.
  package var emptiness: String?
}
