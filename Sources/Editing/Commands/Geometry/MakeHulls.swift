package import ArgumentParser
import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Makes the convex hull of each feature, or of all.
package struct MakeHulls: LayerVerb {
  package static let configuration = CommandConfiguration(
    commandName: "hull", abstract: "Make the convex hull of each feature, or of all of them.",
    discussion: """
      The hull of a feature is the smallest area without dents that holds it; its edges are \
      straight in the coordinates, and across 180 degrees where that is the shorter way round. \
      Single points and straight lines have none: they are left out and counted. --together \
      makes one hull of all chosen features of a layer. As a verb: portolan hull towns.geojson \
      --together -o around.geojson. See Docs/geometry.md.
      """)

  @Argument(help: "As a verb the files, as one map.", completion: .file())
  package var words: [String] = []

  @Flag(help: "One hull of all chosen features of a layer; it has no attributes.")
  var together = false

  @OptionGroup package var work: WorkOptions

  package init() {}

  package func validate() throws { try checkWords("FILE -o FILE") }

  package func run(in desk: inout Desk) throws {
    try checkPlace(in: desk)
    let operation =
      together
      ? LayerOperation(name: "hull", done: "made the hull of", keepsStyle: false) {
        source, work, builder in
        var all: [FlatGeometry] = []
        source.keepOthers(&builder)
        var none = ResultBuilder(inPlaceAfter: nil)
        try source.eachChosen(work, &none) { block, row, _ in
          all.append(FlatGeometry(block.geometry, row: row))
        }
        guard let whole = FlatGeometry(collecting: all.flatMap { work.continued($0).separated }),
          let hull = try work.naming(source.layer.name, { try work.hull(of: whole) })
        else {
          work.note { $0.remarks.append("“\(source.layer.name)” has no hull: all is on one line") }
          return
        }
        builder.append(attributes: [], hull)
      }
      : LayerOperation("hull", done: "made the hull of", keepsStyle: false) { work in
        { block, row in
          try work.hull(of: work.continued(FlatGeometry(block.geometry, row: row))).map {
            .shape($0)
          }
            ?? .nothing
        }
      }
    try desk.operate(operation, on: try chosen(in: &desk), into: place)
  }
}

extension GeometryWork {
  /// The shape, with continued longitudes if it is in degrees.
  fileprivate func continued(_ flat: FlatGeometry) -> FlatGeometry {
    isGeographic ? flat.unwrapped : flat
  }

  /// The convex hull of a shape with continued longitudes; `nil` where it has no extent.
  fileprivate func hull(of flat: FlatGeometry) throws(GeometryError) -> FlatGeometry? {
    let shape = isGeographic ? flat.together : flat
    let hull = try geos.convexHull(try geos.shape(shape))
    guard let made = try geos.flat(hull, dimension: 2) else { return nil }
    return isGeographic
      ? try geos.flat(try geos.worldShape(made, isUnwrapped: true), dimension: 2) : made
  }
}
