import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting

/// Saving.
extension Desk {
  /// The advice at the end of the read-only reason of a document that cannot be saved at all.
  static let exportAdvice = ":export writes its layers"

  /// Requests a save of the document.
  mutating func save(
    _ path: String?, overwrites: Bool, thenQuits: Bool, acceptsLosses: Bool = false,
    versions: VersionKeeping = .all
  ) throws {
    guard let target = path ?? file.path else { throw noName }
    try requireRead()
    if let reason = file.readOnlyReason, path == nil || FilePath.isSame(path, file.path) {
      let advice =
        reason.hasSuffix(Self.exportAdvice) ? "" : "; :w NAME.doc saves under another name"
      throw EditingError(.refused, "read-only: \(reason)\(advice)")
    }
    if target == "-", !isHeadless {
      throw EditingError(.refused, "- is standard output, which is the screen here: :w NAME.doc")
    }
    let isData = isSavedAsData(target)
    if !isData, let way = Self.otherWay(to: target) {
      throw EditingError(.refused, "a document is saved as NAME.doc" + way)
    }
    file.quitsAfterSave = thenQuits
    // Panes and viewpoints are no data.
    var document = self.document
    if !isData {
      let arranged = arranged()
      for (id, view) in arranged.views { session.panes[id]?.view = view }
      pane.view = arranged.views[pane.id] ?? pane.view
      document = arranged.document
    }
    request(
      SaveRequest(
        path: target, document: document, revision: history.present.revision,
        overwrites: overwrites || FilePath.isSame(target, file.path), isForced: overwrites,
        acceptsLosses: acceptsLosses, quits: thenQuits,
        versions: session.keepsVersions ? versions : .none,
        openPath: file.path,
        isOutdated: FilePath.isSame(target, file.path) && file.isOlderThanFile))
  }

  /// The error for a save without a name.
  private var noName: EditingError {
    guard file.source != nil else {
      return EditingError(.refused, "no file name yet: :w NAME.doc")
    }
    let reason =
      file.source == "-"
      ? "standard input cannot be written"
      : file.isOneOfSeveral ? "several files are open together" : "save does not write this format"
    return EditingError(
      .refused,
      "nothing is written back (\(reason)): :w NAME.doc saves a document, "
        + ":export -o FILE writes layers")
  }

  /// Whether a document that was read from data is saved in that format under a name.
  func isSavedAsData(_ path: String) -> Bool {
    guard file.isData, let own = file.path else { return false }
    return FilePath.isSame(path, own) || ImportCodec.isSameFormat(path, own)
  }

  /// Advice against saving under a name with another format's ending; `nil` for other names.
  static func otherWay(to path: String) -> String? {
    guard let ending = FilePath.ending(of: path) else { return nil }
    let name = FilePath.quoted(path)
    if FileFormats.exporters.contains(where: { $0.isFor(path) }) {
      return "; :export -o \(name) writes \(ending)"
    }
    if PictureFormats.all.contains(where: { $0.isFor(path) }) {
      return "; :render -o \(name) writes a picture"
    }
    let isRead = FileFormats.importers.contains { $0.isFor(path) }
    return isRead || ForeignFormat.isEnding(of: path)
      ? ", and nothing is written as .\(ending)" : nil
  }
}
