package import ArgumentParser
import PortolanDocuments

/// Makes features of what two layers have in common.
package struct IntersectFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "intersect", abstract: "Make the pieces that two layers have in common.",
    discussion: """
      intersect soils makes a feature of each piece that a selected feature, or one of the active \
      layer, has in common with one of the layer soils: with the attributes of both, and without \
      an id. Where both have an attribute of one name, that of the second layer gets a number \
      (name_2), and a message says so. Pieces have the lower dimension of the two: lines in areas \
      are lines. As a verb: portolan intersect fields.geojson soils.geojson -o pieces.geojson. See \
      Docs/geometry.md.
      """)

  package static let operandCount = 1

  @Argument(
    help: "As a verb the files, as one map; then a layer or a file.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws {
    try checkWords("LAYER, or portolan intersect FILE OTHER -o FILE")
  }

  package func run(in desk: inout Desk) throws {
    try overlay(in: &desk) { .intersection(with: $0) }
  }
}
