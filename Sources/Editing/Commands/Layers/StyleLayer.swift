package import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanPrinting

/// Changes how a layer looks.
package struct StyleLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "style", abstract: "Change how a layer looks.",
    discussion: "Colours are `#rrggbb` or a name such as red; `none` takes the colour away.")

  package static let isRepeatable = true

  package static let completions = ["ramp": Completion.list(ColourRamp.all.map(\.name))]

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  @Option(help: "The colour of lines, outlines and symbols.")
  var stroke: ColourArgument?

  @Option(help: "The colour of areas.")
  var fill: ColourArgument?

  @Option(help: "solid, dashed or dotted.")
  var dash: MarkStyle.Dash?

  @Option(help: "The weight of lines: light, normal or bold; auto for weights by rank.")
  var weight: LineWeight?

  @Option(help: "yes leaves lines of low rank out where they crowd; no draws all.")
  var thin: YesNo?

  @Option(help: "none, sparse, medium, dense, heavy, full or hatched: areas on few colours.")
  var pattern: MarkStyle.Pattern?

  @Option(
    name: [.long, .customLong("glyph")],
    help: "The sign of all points; empty for a dot; auto for signs by rank.")
  var symbol: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The attribute or expression that the areas of points' signs are proportional to, or that \
      makes lines bold, normal or light; none for one size.
      """, valueName: "attribute"))
  var sizeBy: String?

  @Option(
    help: ArgumentHelp(
      "The attribute or expression that labels features; empty for none.", valueName: "attribute"))
  var label: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The attribute or expression that ranks features for signs and labels; empty for none.",
      valueName: "attribute"))
  var rank: String?

  @Option(help: RankOrder.help)
  var rankOrder: RankOrder?

  @OptionGroup(title: "Zooms")
  var zooms: ZoomOptions

  @OptionGroup(title: "Looks by attribute")
  var byAttribute: StyleClassOptions

  package init() {}

  package func validate() throws {
    guard byAttribute.group != nil else { return }
    if label != nil || rank != nil || rankOrder != nil || sizeBy != nil || !zooms.isEmpty {
      throw ValidationError(
        "--class changes one class: labels, ranks, sizes and zooms are the layer's")
    }
    if weight != nil || thin != nil {
      throw ValidationError("--class changes one class: --weight and --thin are the layer's")
    }
    if fill != nil, stroke != nil {
      throw ValidationError("a class has one colour: --fill or --stroke")
    }
  }

  package func run(in desk: inout Desk) throws {
    if let symbol, symbol.count > 1, symbol != Self.automatic || byAttribute.group != nil {
      throw EditingError(.usage, "--symbol takes one character, or auto, not “\(symbol)”")
    }
    if try changeZoomsAlone(in: &desk) { return }
    let layer = try desk.drawnLayer(orActive: self.layer)
    if let group = byAttribute.group { return try changeClass(group, of: layer, in: &desk) }
    let old = layer.style
    if byAttribute.isLong(for: layer) { return try makeClasses(of: layer, in: &desk) }
    let (style, word) = try styled(layer, from: old)
    try desk.edit("style \(layer.name)") { document in
      document.replaceStyle(old, by: style)
      try zooms.change(layer, in: &document)
    }
    if let word = word ?? zooms.word(on: layer, in: desk) { desk.say("\(layer.name): \(word)") }
  }

  /// Makes the classes of a large layer as a job.
  func makeClasses(of layer: any Layer, in desk: inout Desk) throws {
    let word = FoundWord()
    try desk.edit(
      "style \(layer.name)", isLong: true, saying: "\(layer.name): \(word.value)"
    ) { document, progress in
      let (style, made) = try styled(layer, from: layer.style, progress)
      word.set(made ?? "one look")
      document.replaceStyle(layer.style, by: style)
      try zooms.change(layer, in: &document)
    }
  }

  /// A style of a layer with the changes, and a word on new classes.
  func styled(
    _ layer: any Layer, from old: Style, _ progress: World.Progress = .none
  ) throws -> (style: Style, word: String?) {
    for name in [label, rank].compactMap({ $0 }) { try LabelLayer.check(name, of: layer) }
    var mark = old.mark
    if let stroke { mark.stroke = try stroke.colour() }
    if let fill { mark.fill = try fill.colour() }
    mark.dash = dash ?? mark.dash
    if let weight { mark.weight = weight.weight ?? .normal }
    mark.pattern = pattern ?? mark.pattern
    let isAutomatic = symbol == Self.automatic
    if !isAutomatic { mark.symbol = symbol ?? mark.symbol }
    try checkSizes(of: layer, &mark)
    let (classes, word) = try byAttribute.applied(to: layer, &mark, progress)
    let style = old.changed { style in
      style.mark = mark
      style.labelField = Self.field(label, style.labelField)
      style.rankField = Self.field(rank, style.rankField)
      style.rankOrder = Self.order(rankOrder, rank, style.rankOrder)
      style.sizeField = Self.field(sizeBy, style.sizeField)
      style.isSymbolChosen = symbol.map { !isAutomatic && !$0.isEmpty } ?? style.isSymbolChosen
      // A chosen weight would hide the sizes.
      let isSized = Self.field(sizeBy, nil) != nil
      style.isWeightChosen = weight.map { $0 != .auto } ?? (style.isWeightChosen && !isSized)
      style.isThinned = thin.map { $0 == .yes } ?? style.isThinned
      if isAutomatic { style.chooseStandardSign() }
      style.classes = classes
    }
    return (style, word)
  }

  /// Changes the zooms of a layer or a group, if nothing else is asked for.
  private func changeZoomsAlone(in desk: inout Desk) throws -> Bool {
    let others: [Any?] = [
      stroke, fill, dash, weight, thin, pattern, symbol, label, rank, rankOrder, sizeBy,
    ]
    guard !zooms.isEmpty, others.allSatisfy({ $0 == nil }), !byAttribute.isGiven else {
      return false
    }
    let layer = try desk.layer(orActive: self.layer)
    try desk.edit("style \(layer.name)") { try zooms.change(layer, in: &$0) }
    if let word = zooms.word(on: layer, in: desk) { desk.say("\(layer.name): \(word)") }
    return true
  }

  /// The word for signs by rank.
  private static let automatic = "auto"

  /// Throws if a layer has nothing that sizes could tell apart; gives dots a sign.
  private func checkSizes(of layer: any Layer, _ mark: inout MarkStyle) throws {
    guard let sizeBy, Self.field(sizeBy, nil) != nil else { return }
    try LabelLayer.check(sizeBy, of: layer)
    guard ["pt", "ln", "mix", ""].contains(layer.kindCode) else {
      throw EditingError(
        .refused, "“\(layer.name)” has no points and no lines: --size-by sizes them")
    }
    if let layer = layer as? any BlockHolding, layer.blocks.contains(where: { $0.rowCount > 0 }),
      !layer.hasSizes(sizeBy)
    {
      throw EditingError(
        .refused, "“\(sizeBy)” of “\(layer.name)” has no numbers above 0 to size by")
    }
    if layer.kindCode != "ln", mark.symbol.isEmpty { mark.symbol = "•" }
  }

  /// Changes the look of one class.
  private func changeClass(_ group: String, of layer: any Layer, in desk: inout Desk) throws {
    let old = layer.style
    guard let classes = old.classes else {
      throw EditingError(.usage, "“\(layer.name)” has no classes yet: make them with --by")
    }
    let number =
      switch group {
      case "no-value": classes.looks.count
      case "other": classes.looks.count + 1
      default: (Int(group) ?? 0) - 1
      }
    guard classes.looks.indices.contains(number) || group == "no-value" || group == "other" else {
      throw EditingError(
        .notFound,
        "“\(layer.name)” has no class \(group): 1 to \(classes.looks.count), no-value or other")
    }
    var look = classes.look(ofGroup: number)
    if let colour = fill ?? stroke { look.colour = try colour.colour() }
    look.dash = dash ?? look.dash
    look.pattern = pattern ?? look.pattern
    look.symbol = symbol ?? look.symbol
    look.title = byAttribute.title ?? look.title
    let style = old.changed { $0.classes = classes.changing(look: look, ofGroup: number) }
    try desk.edit("style \(layer.name)") { $0.replaceStyle(old, by: style) }
    if fill ?? stroke != nil, look.colour == nil {
      desk.say("class \(group) of \(layer.name) has the layer's colour again")
    }
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

/// The weight of lines: one for all, or by rank.
enum LineWeight: String, ExpressibleByArgument, CaseIterable {
  case auto, light, normal, bold

  var weight: MarkStyle.Weight? { MarkStyle.Weight(rawValue: rawValue) }
}

extension MarkStyle.Dash: ExpressibleByArgument {}
extension MarkStyle.Pattern: ExpressibleByArgument {}
