package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Makes a feature of each part.
package struct ExplodeFeatures: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "explode", abstract: "Make a feature of each part of multi-part features.",
    discussion: """
      Multi-polygons become polygons, and collections their members; a polygon keeps its holes. \
      Each part has all attributes; the first one keeps the id, the others have none. Features \
      of one part keep their bytes. collect does the opposite. As a verb: portolan explode \
      in.geojson -o out.geojson. See Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    let operation = LayerOperation("explode", done: "exploded", keepsStyle: true) { _ in
      { block, row in
        if [.point, .lineString, .polygon].contains(block.geometry.kinds[row]) { return .same }
        return .several(FlatGeometry(block.geometry, row: row).separated)
      }
    }
    try desk.operate(operation, on: try chosen(in: &desk), into: place)
  }
}
