package import ArgumentParser
import PortolanDocuments

/// Takes the shapes of one layer off those of another.
package struct SubtractFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "difference", abstract: "Remove the areas of another layer from features.",
    discussion: """
      difference lakes removes the areas of the layer lakes from the selected features, or else \
      from the active layer. The other side is a layer, a file or a box. As a verb: portolan \
      difference land.geojson lakes.geojson -o dry.geojson. Features that touch none of them \
      keep their bytes; cut features keep attributes, ids and foreign members. See \
      Docs/geometry.md.
      """)

  package static let operandCount = 1

  // A box may begin as an option does.
  @Argument(
    parsing: .allUnrecognized,
    help: "As a verb the files, as one map; then a layer, a file or a box.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package mutating func validate() throws {
    words = words.withoutTerminator
    try refuseUnknownOptions()
    try checkWords("LAYER, or portolan difference FILE OTHER -o FILE")
  }

  package func run(in desk: inout Desk) throws {
    try overlay(in: &desk, hasBox: true) { .difference(from: $0) }
  }
}
