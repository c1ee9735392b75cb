package import Documents
package import Interchange
package import Keeping
package import Rendering
package import Terminals

/// What the desk wants from the outside; a world carries it out and answers with an event.
package enum Effect: Sendable {
  /// Read a file in place of the document: answer `opened` or `failed`.
  case open(JobID, path: String)
  /// Read the document's file again: answer `opened` or `failed`.
  case reload(JobID, path: String)
  /// Let others have a document: it is not edited here any more.
  case close(path: String)
  /// List the earlier versions of a document: answer `page` or `failed`.
  case listVersions(JobID, path: String, isJSON: Bool)
  /// Read or write an earlier version: answer `restored`, `page`, `finished` or `failed`.
  case useVersion(JobID, VersionRequest)
  /// Read a file for its layers: answer `imported` or `failed`. The name is the new layer's.
  case importData(JobID, path: String, layerName: String?)
  /// Write the document: answer `saved` or `failed`.
  case save(JobID, SaveRequest)
  /// Write features: answer `finished` or `failed`.
  case export(JobID, ExportRequest)
  /// Write a picture of the map: answer `finished` or `failed`.
  case render(JobID, RenderRequest)
  /// Read a script: answer `script` or `failed`.
  case runScript(JobID, path: String)
  /// Look for work of documents without a name that was left: answer `foundWork`.
  case findWork(JobID)
  /// Let go of journals that stay where they are.
  case leaveWork([LeftJournal])
  /// Remove a journal that was given up.
  case discardWork(LeftJournal)
  /// Tell of work that was left, or write it: answer `finished` or `failed`.
  case recover(JobID, RecoverRequest)
  /// Show, convert or compare archives: answer `finished` or `failed`.
  case archive(JobID, ArchiveRequest)
  /// Stop a job; its answer, if one still comes, is passed over.
  case cancel(JobID)
  case quit(code: Int32)
  case suspend
  /// Send the whole picture again.
  case redraw
  case beep
  case setClipboard(String)
  /// Show a text: on standard output, or in the editor as a page of its own.
  case print(String)
}

extension Effect {
  /// The work that is asked for; `nil` for wishes that are carried out at once.
  package var job: JobID? {
    switch self {
    case .open(let job, _), .importData(let job, _, _), .save(let job, _), .reload(let job, _),
      .export(let job, _), .render(let job, _), .archive(let job, _), .runScript(let job, _),
      .listVersions(let job, _, _), .useVersion(let job, _), .findWork(let job),
      .recover(let job, _):
      job
    case .close, .leaveWork, .discardWork, .cancel, .quit, .suspend, .redraw, .beep,
      .setClipboard, .print:
      nil
    }
  }
}

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
  /// Whether the editor is left when it is saved.
  package var quits = false
  package var versions = VersionKeeping.all
  /// Whether the document is somebody's work although a verb writes it.
  package var isPersonal = false
}

/// What a save keeps among the earlier versions.
package enum VersionKeeping: Hashable, Sendable {
  /// What it writes, and what it replaces if no version has that.
  case all
  /// Only what it replaces: what it writes can be made again.
  case replaced
  case none
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
