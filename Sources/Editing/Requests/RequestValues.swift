package import PortolanDocuments
package import PortolanInterchange
package import PortolanKeeping
package import PortolanRendering
package import PortolanTerminals

/// A document to be written.
package struct SaveRequest: Sendable {
  package var path: String
  /// With the camera in its map view.
  package var document: Document
  /// What `saved` gives back, so that later edits stay unsaved.
  package var revision: Int
  /// Whether another file of that name may be overwritten.
  package var overwrites: Bool
  /// Whether to save although another program wrote the file meanwhile, or has it open.
  package var isForced = false
  /// Whether what the file has no place for is left out.
  package var acceptsLosses = false
  /// Whether the editor is left when it is saved.
  package var quits = false
  package var versions = VersionKeeping.all
  /// The path under which the document is open; `nil` if it has none.
  package var openPath: String?
  /// Whether the document is somebody's work although a verb writes it.
  package var isPersonal = false
}

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

/// What is to be done with an earlier version of a document.
package struct VersionRequest: Sendable {
  package enum Use: Sendable {
    /// Take it as the document.
    case restore
    /// Tell what differs from this document.
    case compare(Document)
    /// Write it, byte by byte as it was saved.
    case write(path: String, overwrites: Bool)
  }

  /// The document.
  package var path: String
  package var number: Int
  package var use: Use
  /// Whether it is written although somebody else has the document open.
  package var isForced = false
}

/// Work that was left, to be listed, told, written or given up.
package struct RecoverRequest: Sendable {
  /// The document; `nil` lists what there is, the empty path is documents without a name.
  package var path: String?
  /// The name of the one journal that is meant; `nil` means the newest of the document.
  package var journal: String?
  /// Where the recovered document is written; `nil` only tells what differs.
  package var output: String?
  /// Whether the work is given up, after it was written if it is.
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
  package var features: Set<FeatureReference>?
  /// What of them is written, and by which rules.
  package var options: ExportOptions
  package var overwrites: Bool
}

/// A picture of the map to be written in some format.
package struct RenderRequest: Sendable {
  /// `-` is standard output.
  package var path: String
  package var format: any PictureFormat
  package var document: Document
  /// Where the map looks; as large as the picture without its legend.
  package var camera: Camera
  /// The whole picture.
  package var size: CellSize
  package var glyphs: GlyphSet
  package var colour: ColourChoice
  package var hasLabels: Bool
  package var hasLegend: Bool
  package var hasScaleBar: Bool
  package var overwrites: Bool
}
