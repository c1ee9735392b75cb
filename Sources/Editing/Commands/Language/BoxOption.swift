import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// Chooses features by a box.
struct BoxOption: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: """
      Only features whose geometry touches this box: W,S,E,N; W > E reaches across 180 degrees.
      """,
    transform: BoxArgument.read)
  var bbox: BoxArgument?

  init() {}

  /// A document with only the features of some layers that touch the box.
  ///
  /// - Throws: `EditingError` if the box does not suit the document.
  func part(of document: Document, _ layers: [LayerID]) throws -> Document {
    guard let bbox else { return document }
    try bbox.check(in: document)
    let options = ExportOptions(
      box: bbox.box, coordinateSystem: document.metadata.systemOfExports)
    var choice = FeatureChoice()
    for layer in document.layers where layers.contains(layer.id) {
      guard let holding = layer as? any FeatureHolding else { continue }
      for block in holding.blocks {
        choice.add(
          options.rows(of: block, in: holding).map { block.featureIDs[$0] }, of: layer.id)
      }
    }
    return document.keeping(choice)
  }
}
