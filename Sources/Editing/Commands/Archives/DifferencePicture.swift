import ArgumentParser
import PortolanFiles
import PortolanInterchange
package import PortolanPrinting

/// The picture of a difference, as options of a command.
package struct DifferencePictureOptions: ParsableArguments, Sendable {
  @Option(
    help: "Draw the difference: a file named as a picture (.svg, .html, .png, .pdf, .txt).",
    completion: .file())
  var render: String?

  @Option(
    help: ArgumentHelp(
      "The size of that picture, as of portolan render.", valueName: "WxH"))
  var size: SizeArgument?

  @Flag(name: .shortAndLong, help: "Overwrite the picture.")
  var force = false

  package init() {}

  /// The picture that is asked for; `nil` for none.
  func chosen() throws -> DifferencePicture? {
    guard let render else {
      if size != nil || force { throw ValidationError("--size and --force go with --render FILE") }
      return nil
    }
    guard let format = PictureFormats.all.first(where: { $0.isFor(render) }) else {
      throw ValidationError(
        "no picture is written as \(FilePath.name(of: render)): name a "
          + "\(PictureFormats.extensions.joined(separator: ", ")) file")
    }
    let size = try size?.size(in: format.unit) ?? format.usualSize
    if let fault = format.fault(of: size) { throw ValidationError(fault) }
    return DifferencePicture(path: render, format: format, size: size, overwrites: force)
  }
}

/// The picture of a difference.
package struct DifferencePicture: Sendable {
  package var path: String
  package var format: any PictureFormat
  package var size: PictureSize
  package var overwrites: Bool
}
