import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Chooses features by the areas of a layer or a file.
struct WithinOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Only features that lie wholly in the areas of this layer or file; clip cuts them.",
      valueName: "layer|file"),
    completion: .file())
  var within: TextArgument?

  init() {}

  /// Goes on with the areas, if some are named, read first if they are in a file.
  func resolve(
    in desk: inout Desk,
    _ body: @escaping @Sendable (inout Desk, OperandShapes?) throws -> Void
  ) throws {
    guard let within else { return try body(&desk, nil) }
    let operand = try desk.operand(within.text, hasBox: false)
    try desk.withShapes(of: operand) { desk, areas in
      let shapes = areas.layers.flatMap(\.blocks).map(\.geometry)
      guard shapes.contains(where: { $0.pathRoles.contains(where: \.isRing) }) else {
        throw EditingError(.refused, "--within: \(areas.name) has no areas")
      }
      try body(&desk, areas)
    }
  }
}

extension OperandShapes {
  /// The features of layers that lie wholly in the areas, as `within()` of expressions has it.
  func holding(_ layers: [LayerID], in document: Document) -> Set<FeatureReference> {
    let isGeographic = document.metadata.coordinateSystem.isDegrees
    let index = ShapeIndex(
      self.layers.flatMap(\.blocks).map(\.geometry), isGeographic: isGeographic)
    var found = Set<FeatureReference>()
    for layer in document.layers where layers.contains(layer.id) {
      for block in (layer as? any FeatureHolding)?.blocks ?? [] {
        for row in 0..<block.rowCount {
          let subject = ShapeIndex.Subject(block.geometry, row: row, isGeographic: isGeographic)
          guard let subject,
            !index.features(.within, subject, besides: nil, limit: 1).isEmpty
          else { continue }
          found.insert(FeatureReference(layer: layer.id, feature: block.featureIDs[row]))
        }
      }
    }
    return found
  }
}
