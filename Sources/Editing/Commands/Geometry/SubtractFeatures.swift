package import ArgumentParser
import PortolanDocuments

/// Takes the shapes of one layer off those of another.
package struct SubtractFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "difference", abstract: "Take off what lies in another layer.",
    discussion: """
      difference lakes takes what lies in the layer lakes off the selected features, or else off \
      the active layer. The other side is a layer, a file or a box. As a verb: portolan \
      difference land.geojson lakes.geojson -o dry.geojson. Features that touch nothing keep \
      their bytes; what is cut keeps attributes, ids and foreign members. See Docs/geometry.md.
      """)

  package static let operandCount = 1

  // A box may begin as an option does.
  @Argument(
    parsing: .allUnrecognized,
    help: "As a verb the files, as one map; then a layer, a file or a box.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws {
    try refuseUnknownOptions()
    try checkWords("LAYER, or portolan difference FILE OTHER -o FILE")
  }

  package func run(in desk: inout Desk) throws {
    try overlay(in: &desk, hasBox: true) { .difference(from: $0) }
  }
}
