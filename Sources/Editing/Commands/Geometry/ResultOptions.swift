import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

/// Options of commands that write their result in a format: where and as what.
package struct ResultOptions: ParsableArguments, Sendable {
  @OptionGroup var target: OutputOptions

  @Option(
    help: "\(FileFormats.names(FileFormats.exporters)); by default from the output's extension.",
    completion: .list(FileFormats.exporters.map(\.name)))
  var format: String?

  @Option(help: "At most so many decimals, 0 to 17.")
  var precision: Int?

  package init() {}

  /// The requested format; `nil` for a document.
  func exporter() throws -> (any Exporter)? {
    if let precision, !(0...17).contains(precision) {
      throw ValidationError("--precision is a number of decimals from 0 to 17")
    }
    let formats = FileFormats.exporters
    if let format {
      if let named = formats.first(where: { $0.isMeant(by: format) }) { return named }
      throw ValidationError("no format “\(format)”: give --format \(FileFormats.names(formats))")
    }
    guard let path = target.output, path != "-", !path.hasSuffix("{format}"),
      let ending = FilePath.ending(of: path)
    else { return formats.first }
    if InputName.isDocument(path) { return nil }
    if let fitting = formats.first(where: { $0.isFor(path) }) { return fitting }
    throw ValidationError(
      "no format writes .\(ending): give --format \(FileFormats.names(formats))")
  }

  /// Writes the document, or some of its layers in another format.
  func write(
    to path: String, in desk: inout Desk, layers isWritten: (LayerID) -> Bool
  ) throws {
    guard let exporter = try exporter() else {
      return try desk.save(path, overwrites: target.force, thenQuits: false, versions: .replaced)
    }
    let document = desk.document
    let layers = document.layers.filter { exporter.canHold($0) && isWritten($0.id) }
    desk.request(
      ExportRequest(
        path: path, format: exporter, document: document, layers: layers.map(\.id), features: nil,
        options: ExportOptions(
          precision: precision, coordinateSystem: document.metadata.systemOfExports),
        overwrites: target.force))
  }
}
