import ArgumentParser
import PortolanFiles
import PortolanInterchange

/// The format that a verb writes.
enum OutputFormat {
  /// The format of a name, else of the ending of an output; `nil` for a document.
  ///
  /// Without either it is the first one, GeoJSON.
  static func exporter(named name: String?, for path: String?) throws -> (any Exporter)? {
    let formats = FileFormats.exporters
    if let name {
      if let named = formats.first(where: { $0.isMeant(by: name) }) { return named }
      throw ValidationError("no format “\(name)”: give --format \(FileFormats.names(formats))")
    }
    guard let path, path != "-", !path.hasSuffix("{format}"), let ending = FilePath.ending(of: path)
    else { return formats.first }
    if InputName.isDocument(path) { return nil }
    if let fitting = formats.first(where: { $0.isFor(path) }) { return fitting }
    var advice = "give --format \(FileFormats.names(formats))"
    if ending.lowercased() == "gz" {
      let packed = formats.first { $0.isFor(String(path.dropLast(3))) }
      advice =
        "write to a pipe: --format \(packed?.name ?? "geojson") -o - | gzip > "
        + FilePath.quoted(path)
    }
    throw ValidationError("no format writes .\(ending): \(advice)")
  }
}
