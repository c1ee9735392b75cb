package import ArgumentParser
import PortolanDocuments

/// Labels a layer's features.
package struct LabelLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Label a layer's features with an attribute or an expression.")

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  @Option(
    help: ArgumentHelp(
      "The attribute or expression; none takes the labels away.", valueName: "attribute"))
  var field: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The attribute or expression that ranks features for signs and labels; none for none.",
      valueName: "attribute"))
  var rank: String?

  @Option(help: RankOrder.help)
  var rankOrder: RankOrder?

  package init() {}

  package func run(in desk: inout Desk) throws {
    let layer = try desk.drawnLayer(orActive: self.layer)
    for name in [field, rank].compactMap({ $0 }) { try Self.check(name, of: layer) }
    let old = layer.style
    let style = old.changed { style in
      style.labelField = StyleLayer.field(field, style.labelField)
      style.rankField = StyleLayer.field(rank, style.rankField)
      style.rankOrder = StyleLayer.order(rankOrder, rank, style.rankOrder)
    }
    try desk.edit("label \(layer.name)") { $0.replaceStyle(old, by: style) }
  }

  /// Throws for what is neither an attribute of a layer nor an expression that suits it.
  static func check(_ field: String, of layer: any Layer) throws {
    guard !field.isEmpty, field != "none", let fault = Desk.fault(ofChannel: field, of: layer)
    else { return }
    throw EditingError(.notFound, fault)
  }
}
