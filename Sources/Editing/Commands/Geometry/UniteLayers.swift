package import ArgumentParser
import PortolanDocuments

/// Overlays two layers.
package struct UniteLayers: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "union",
    abstract: "Overlay two layers of areas: common pieces, and the rests of both.",
    discussion: """
      union soils makes the pieces of intersect, and pieces of the rest of each layer, with the \
      attributes of that layer; where both layers have an attribute of one name, that of the \
      second gets a number (name_2). Both layers hold areas. dissolve makes one area of several. \
      As a verb: portolan union fields.geojson soils.geojson -o all.geojson. See Docs/geometry.md.
      """)

  package static let operandCount = 1

  @Argument(
    help: "As a verb the files, as one map; then a layer or a file.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("LAYER, or portolan union FILE OTHER -o FILE") }

  package func run(in desk: inout Desk) throws {
    try overlay(in: &desk) { .union(with: $0) }
  }
}
