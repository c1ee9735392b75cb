package import ArgumentParser
import PortolanFiles
import PortolanKeeping

/// Reads data as new layers.
package struct ImportData: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read map data as new layers on top.",
    discussion: """
      As a verb, import writes what it has read as a document: portolan import a.geojson \
      b.geojson -o map.doc. No earlier version of the output is kept: it can be imported \
      again. Planar coordinates and degrees do not come into one document.
      """)

  @Argument(help: "Files of map data; - is standard input.", completion: .file())
  var paths: [String]

  @Option(name: .customLong("as"), help: "The name of the new layer; only for a single file.")
  var layerName: TextArgument?

  @Option(name: .shortAndLong, help: "Then save everything as this document.", completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite the document.")
  var force = false

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    if paths.count > 1 && layerName != nil {
      throw ValidationError("--as names one layer: import the files one by one")
    }
  }

  package func checkAsVerb() throws {
    guard output == nil else { return }
    let words = paths.map(FilePath.quoted).joined(separator: " ")
    throw EditingError(
      .usage, "import into what? Give -o NAME.doc: portolan import \(words) -o NAME.doc")
  }

  package func run(in desk: inout Desk) throws {
    if output != nil && !desk.isHeadless {
      throw EditingError(.refused, "-o is for scripts: :import, then :w NAME.doc")
    }
    for path in paths {
      desk.request(ImportRequest(path: path, layerName: layerName?.text, reading: columns.reading))
    }
  }

  package func finish(in desk: inout Desk) throws {
    guard let output else { return }
    try desk.save(
      output, overwrites: force, thenQuits: false, versions: versions.noVersions ? .none : .replaced
    )
  }
}
