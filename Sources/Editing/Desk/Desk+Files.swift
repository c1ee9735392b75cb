import Documents
import Files
import Interchange
import Keeping

/// Saving.
extension Desk {
  /// Ends the reason why a document is read-only that cannot be saved under any name.
  static let exportAdvice = ":export writes its layers"

  /// Asks for the document to be written.
  mutating func save(
    _ path: String?, overwrites: Bool, thenQuits: Bool, versions: VersionKeeping = .all
  ) throws {
    guard let target = path ?? file.path else {
      throw EditingError(.refused, "no file name yet: :w NAME.doc")
    }
    if let reason = file.readOnlyReason, path == nil || FilePath.isSame(path, file.path) {
      let advice =
        reason.hasSuffix(Self.exportAdvice) ? "" : "; :w NAME.doc saves under another name"
      throw EditingError(.refused, "read-only: \(reason)\(advice)")
    }
    if target == "-", !isHeadless {
      throw EditingError(.refused, "- is standard output, which is the screen here: :w NAME.doc")
    }
    if let way = Self.otherWay(to: target) {
      throw EditingError(.refused, "a document is saved as NAME.doc" + way)
    }
    file.quitsAfterSave = thenQuits
    let arranged = arranged()
    for (id, view) in arranged.views { session.panes[id]?.view = view }
    pane.view = arranged.views[pane.id] ?? pane.view
    request(
      SaveRequest(
        path: target, document: arranged.document, revision: history.present.revision,
        overwrites: overwrites || FilePath.isSame(target, file.path), isForced: overwrites,
        quits: thenQuits, versions: session.keepsVersions ? versions : .none,
        openPath: file.path))
  }

  /// What to do instead of saving under a name that ends as another format's; `nil` for others.
  private static func otherWay(to path: String) -> String? {
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
