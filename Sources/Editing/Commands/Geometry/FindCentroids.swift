package import ArgumentParser
import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Makes a point of each feature.
package struct FindCentroids: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "centroid", abstract: "Make a point in the middle of each feature.",
    discussion: """
      The point is the centre of mass: of the areas where a feature has some, else of its lines, \
      else of its points. It may lie outside of a bent shape; --inside gives a point that lies \
      in it. On degrees areas count as they are on the earth. Attributes, ids and foreign \
      members stay. As a verb: portolan centroid countries.geojson -o middles.geojson. See \
      Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @Flag(help: "A point that lies in the shape.")
  var inside = false

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    let inside = inside
    let operation = LayerOperation("centroid", done: "found the middle of", keepsStyle: false) {
      work in
      { block, row in
        let flat = try work.repaired(FlatGeometry(block.geometry, row: row))
        let place =
          inside
          ? try ShapeMiddle.inside(flat, work.geos, isGeographic: work.isGeographic)
          : try ShapeMiddle.centroid(flat, work.geos, isGeographic: work.isGeographic)
        return place.map { .shape(.point($0)) } ?? .nothing
      }
    }
    try desk.operate(operation, on: try chosen(in: &desk), into: place)
  }
}
