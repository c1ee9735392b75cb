package import ArgumentParser
import PortolanFiles

/// Makes the new file of a difference from the old one.
package struct PatchFile: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "patch", abstract: "Make the new file of a difference from the old one.",
    discussion: """
      portolan diff a.geojson b.geojson --format json > d.json, then \
      portolan patch a.geojson d.json -o b.geojson makes b.geojson again, byte for byte. The old \
      file must be the one that was compared: edits of two files are brought together by \
      portolan merge.
      """)

  @Argument(help: "The old file; - is standard input.", completion: .file())
  var file: String

  @Argument(
    help: "The difference, of diff --format json; - is standard input.", completion: .file())
  var difference: String

  @OptionGroup var target: OutputOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    if file == "-", difference == "-" {
      throw ValidationError("only one of the two can be standard input: name a file")
    }
  }

  package func run(in desk: inout Desk) throws {
    let path = try target.path(as: "patch FILE DIFFERENCE -o FILE", in: desk)
    desk.request(
      PatchRequest(
        path: file, difference: difference, output: path, overwrites: target.force))
  }
}

/// A file to be made from another one and a difference.
struct PatchRequest: Request {
  var path: String
  var difference: String
  var output: String
  var overwrites: Bool

  var name: String { "patching \(path)" }
  var isWriting: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.patch(self, progress)
  }
}
