package import ArgumentParser
import PortolanDocuments

/// Puts features into multi-part ones.
package struct CollectFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Put features of the same values into one, part by part.",
    discussion: """
      collect --by country makes one multi-part feature of all with the same country; their \
      shapes stay as they are, even where they overlap: dissolve unites them. Attributes are \
      those of dissolve. explode does the opposite. As a verb: portolan collect islands.geojson \
      --by country -o countries.geojson. See Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @OptionGroup var groups: GroupOptions

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE --by NAME -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    try desk.operate(.collect(groups.grouping), on: try chosen(in: &desk), into: place)
  }
}
