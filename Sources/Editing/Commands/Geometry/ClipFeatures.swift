package import ArgumentParser
import PortolanDocuments

/// Cuts features by areas.
package struct ClipFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "clip", abstract: "Cut features along the areas of another layer, or along a box.",
    discussion: """
      clip land cuts the selected features, or else the active layer, along the areas of the \
      layer land and removes the parts outside; clip 5,50,15,55 cuts along a box (W,S,E,N), \
      clip land.gpkg along the areas of a file. As a verb: portolan clip rivers.geojson \
      land.geojson -o out.geojson. Features wholly inside keep their bytes; cut features keep \
      attributes, ids and foreign members. See Docs/geometry.md.
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
    try checkWords("LAYER, or portolan clip FILE OTHER -o FILE")
  }

  package func run(in desk: inout Desk) throws {
    try overlay(in: &desk, hasBox: true) { .clip(by: $0) }
  }
}
