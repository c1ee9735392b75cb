import ArgumentParser
import PortolanDocuments
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
    return try OutputFormat.exporter(named: format, for: target.output)
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
