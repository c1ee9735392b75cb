import Documents
import Files
import Interchange

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
    if let ending = Self.exportEnding(of: target) {
      let name = FilePath.quoted(target)
      let way =
        if FileFormats.forPath(target) != nil {
          "; :export -o \(name) writes \(ending)"
        } else if RenderMap.Format(ending: ending) != nil {
          "; :render -o \(name) writes a picture"
        } else {
          ", and nothing is written as .\(ending)"
        }
      throw EditingError(.refused, "a document is saved as NAME.doc" + way)
    }
    file.quitsAfterSave = thenQuits
    request(
      SaveRequest(
        path: target, document: documentToSave, revision: history.present.revision,
        overwrites: overwrites || FilePath.isSame(target, file.path), isForced: overwrites,
        quits: thenQuits, versions: session.keepsVersions ? versions : .none))
  }

  /// The ending of a name that is another format's.
  private static func exportEnding(of path: String) -> String? {
    guard let ending = FilePath.ending(of: path) else { return nil }
    let known: Set<String> = [
      "geojson", "json", "ndjson", "geojsonl", "csv", "tsv", "shp", "kml", "gpx", "topojson",
      "svg", "png", "pdf", "txt", "xp", "tmx", "ans", "html", "gpkg", "kmz", "jpg", "gif",
    ]
    return known.contains(ending) ? ending : nil
  }
}
