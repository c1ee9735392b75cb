package import ArgumentParser
import PortolanDocuments

/// Unites features.
package struct DissolveFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "dissolve", abstract: "Unite features that have the same values.",
    discussion: """
      dissolve --by country --sum pop --count makes one feature of all with the same country: \
      the union of their shapes, and the attributes country, pop and count. Without --by all \
      chosen features of a layer become one. --sum, --mean, --median, --min, --max and --first \
      name attributes, --fields takes expressions; other attributes, ids and foreign members go. \
      Lines are cut where they cross, and joined where nothing branches off. As a verb: portolan \
      dissolve districts.geojson --by country -o countries.geojson. See Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @OptionGroup var groups: GroupOptions

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE --by NAME -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    try desk.operate(.dissolve(groups.grouping), on: try chosen(in: &desk), into: place)
  }
}
