package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Changes how a layer looks.
package struct StyleLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "style", abstract: "Change how a layer looks.",
    discussion: "Colours are `#rrggbb` or a name such as red; `none` takes the colour away.")

  package static let isRepeatable = true

  package static let takesLayers = true

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  @Option(help: "The colour of lines, outlines and symbols.")
  var stroke: ColourArgument?

  @Option(help: "The colour of areas.")
  var fill: ColourArgument?

  @Option(help: "solid, dashed or dotted.")
  var dash: MarkStyle.Dash?

  @Option(help: "none, sparse, medium, dense or hatched: areas on screens without colour.")
  var pattern: MarkStyle.Pattern?

  @Option(name: [.long, .customLong("glyph")], help: "The sign of points; empty for a dot.")
  var symbol: String?

  @Option(help: "The attribute that labels features; empty for none.")
  var label: String?

  @Option(help: "The attribute that ranks features for signs and labels; empty for none.")
  var rank: String?

  @Option(help: RankOrder.help)
  var rankOrder: RankOrder?

  package init() {}

  package func run(in desk: inout Desk) throws {
    if let symbol, symbol.count > 1 {
      throw EditingError(.usage, "--symbol takes one character, not “\(symbol)”")
    }
    let layer = try desk.drawnLayer(orActive: self.layer)
    let old = layer.style
    var mark = old.mark
    if let stroke { mark.stroke = try stroke.colour() }
    if let fill { mark.fill = try fill.colour() }
    mark.dash = dash ?? mark.dash
    mark.pattern = pattern ?? mark.pattern
    mark.symbol = symbol ?? mark.symbol
    let style = Style(
      name: old.name, mark: mark, labelField: Self.field(label, old.labelField),
      rankField: Self.field(rank, old.rankField),
      rankOrder: Self.order(rankOrder, rank, old.rankOrder))
    try desk.edit("style \(layer.name)") { $0.replaceStyle(old, by: style) }
  }

  static func field(_ new: String?, _ old: String?) -> String? {
    guard let new else { return old }
    return new.isEmpty || new == "none" ? nil : new
  }

  /// The order of the ranks: the one given, the usual one of a newly given field, or the old one.
  static func order(_ order: RankOrder?, _ field: String?, _ old: RankOrder) -> RankOrder {
    order ?? field.map { RankOrder(ofFieldNamed: $0) } ?? old
  }
}

extension RankOrder: ExpressibleByArgument {
  static let help: ArgumentHelp =
    "high or low numbers first, or given: features that have the attribute first."
}

extension MarkStyle.Dash: ExpressibleByArgument {}
extension MarkStyle.Pattern: ExpressibleByArgument {}
