import ArgumentParser
import PortolanCartography
import PortolanDocuments
import PortolanGraphics

/// Looks by the values of an attribute: `style LAYER --by FIELD`.
struct StyleClassOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Give each value of this attribute or expression, or each class of its numbers, a look; none \
      for one look.
      """, valueName: "attribute"))
  var by: String?

  @Option(help: "The number of classes, or of the most frequent values: 1 to 60.")
  var classes: Int?

  @Option(
    help: """
      quantile (as many features in each class), equal (widths) or jenks (natural breaks). A class \
      has its lower bound and not its upper one; the last has both.
      """)
  var method: BreakMethod?

  @Option(
    name: .customLong("breaks"), help: "The bounds of the classes, as 0,10,100: rising numbers.")
  var bounds: String?

  @Option(
    help: ArgumentHelp(
      "The colours: " + ColourRamp.all.map(\.name).joined(separator: ", ") + "."),
    completion: .list(ColourRamp.all.map(\.name)))
  var ramp: String?

  @Flag(help: "Use the colours in reversed order.")
  var reverse = false

  @Option(
    name: .customLong("class"),
    help: "Change the look of this class only: its number in the legend, no-value or other.")
  var group: String?

  @Option(help: "With --class: its text in the legend.")
  var title: String?

  /// Whether the classes are made anew or taken away.
  private var makes: Bool { by != nil || classes != nil || method != nil || bounds != nil }

  /// Whether it asks for anything.
  var isGiven: Bool { makes || ramp != nil || reverse || group != nil }

  private var takesAway: Bool { by == "none" || by?.isEmpty ?? false }

  /// The number of values that get classes of their own unless more are asked for.
  static let usual = 12

  /// The number of classes of numbers unless another is asked for.
  private static let usualBreaks = 5

  func validate() throws {
    if group != nil, makes || ramp != nil || reverse {
      throw ValidationError("--class changes one class: run style once more for the others")
    }
    if takesAway, classes != nil || method != nil || bounds != nil || ramp != nil || reverse {
      throw ValidationError("--by none takes the classes away: leave out the rest")
    }
    if title != nil, group == nil { throw ValidationError("--title needs --class") }
    if bounds != nil, classes != nil || method != nil {
      throw ValidationError("--breaks tells the classes: leave out --classes and --method")
    }
    if let classes, !(1...StyleClasses.limit).contains(classes) {
      throw ValidationError("--classes takes 1 to \(StyleClasses.limit)")
    }
    if let ramp, ColourRamp.named(ramp) == nil {
      throw ValidationError(
        "--ramp takes one of " + ColourRamp.all.map(\.name).joined(separator: ", "))
    }
  }

  /// Whether the classes of a layer may take longer than half a second.
  func isLong(for layer: any Layer) -> Bool {
    guard makes, !takesAway else { return false }
    let rounds = method == .jenks ? classes ?? Self.usualBreaks : 1
    return layer.count >= EditRequest.least / rounds
  }

  /// The new classes of a layer and a word on them; `nil` for the word if nothing is to be said.
  func applied(
    to layer: any Layer, _ mark: inout MarkStyle, _ progress: World.Progress
  ) throws -> (StyleClasses?, String?) {
    let old = layer.style.classes
    if takesAway { return (nil, nil) }
    if makes {
      guard let field = by ?? old?.field else {
        throw EditingError(
          .usage, "“\(layer.name)” has no classes yet: name the attribute with --by")
      }
      return try made(field, of: layer, &mark, progress)
    }
    guard ramp != nil || reverse else { return (old, nil) }
    guard let old else {
      throw EditingError(.usage, "“\(layer.name)” has no classes yet: name the attribute with --by")
    }
    return (old.recoloured(by: chosenRamp ?? ColourRamp.all[0], isReversed: reverse), nil)
  }

  private var chosenRamp: ColourRamp? { ramp.flatMap { ColourRamp.named($0) } }

  private func made(
    _ field: String, of layer: any Layer, _ mark: inout MarkStyle, _ progress: World.Progress
  ) throws -> (StyleClasses?, String?) {
    guard let holding = layer as? any FeatureHolding else {
      throw EditingError(.refused, "“\(layer.name)” has no attributes")
    }
    try LabelLayer.check(field, of: layer)
    // Areas without a fill could not show a colour.
    if layer.kindCode == "pg", mark.fill == nil {
      mark.fill = mark.stroke?.dimmed ?? ColourRamp.all[0].colours(1)[0]
    }
    let survey = StyleClasses.Survey(field, of: holding)
    guard !survey.values.isEmpty else {
      throw EditingError(.refused, "“\(layer.name)” has no features to make classes of")
    }
    let isOrdered =
      bounds != nil || method != nil
      || survey.isNumeric && (classes != nil || survey.values.count > Self.usual)
    guard isOrdered else {
      let classes = StyleClasses.categories(
        survey, limit: classes ?? Self.usual, ramp: chosenRamp, isReversed: reverse, base: mark)
      let rest = survey.values.dropFirst(classes?.looks.count ?? 0)
      let made = classes?.looks.count ?? 0
      let isAll = self.classes.map { made < $0 } ?? false
      let others =
        isAll ? ", it has no more" : rest.isEmpty ? "" : "; \(rest.count) rarer ones are “other”"
      let count = CountText.text(made, "value", "values")
      let advice =
        survey.isNumeric && chosenRamp == nil
        ? ", unordered colours: --classes N gives a ramp" : ""
      return (classes, "\(count) of \(field)\(others)\(advice)")
    }
    let (limits, word) = try limits(survey, progress)
    let old = layer.style
    let order = old.rankField == field ? old.rankOrder : RankOrder(ofFieldNamed: field)
    let made = StyleClasses.breaks(
      field, limits, order: order, ramp: chosenRamp ?? ColourRamp.all[0], isReversed: reverse,
      base: mark)
    guard let made else {
      throw EditingError(.usage, "1 to \(StyleClasses.limit) classes can be made")
    }
    return (made, "\(CountText.text(made.looks.count, "class", "classes")) of \(field) \(word)")
  }

  /// The bounds of the classes, and their origin in words.
  private func limits(
    _ survey: StyleClasses.Survey, _ progress: World.Progress
  ) throws -> ([Double], String) {
    let given = try bounds.map { try Self.numbers($0) }
    guard !survey.numbers.isEmpty else {
      throw EditingError(
        .usage,
        "“\(survey.field)” has no numbers: leave out \(given == nil ? "--method" : "--breaks") for "
          + "a look for each value")
    }
    // Colours that were not chosen are named.
    let colours = ramp == nil ? " in \(ColourRamp.all[0].name)" : ""
    if let given {
      return (given, "by the given breaks\(colours)" + Self.beyond(given, survey.numbers))
    }
    let method = method ?? .quantile
    let found = try method.bounds(of: survey.numbers, classes: classes ?? Self.usualBreaks) {
      try progress.report($0)
    }
    guard let limits = found else {
      throw EditingError(
        .refused,
        "“\(survey.field)” has too many different numbers for jenks: use quantile or equal")
    }
    return (limits, "by \(method.rawValue)\(colours)")
  }

  /// The numbers that lie in no class, in words; empty if there are none.
  private static func beyond(_ bounds: [Double], _ numbers: [Double]) -> String {
    guard let first = bounds.first, let last = bounds.last else { return "" }
    let below = numbers.count { $0 < first }
    let above = numbers.count { $0 > last }
    let texts = StyleClasses.texts(of: [first, last])
    let sides = [(below, "below \(texts[0])"), (above, "above \(texts[1])")].filter { $0.0 > 0 }
    if sides.isEmpty { return "" }
    let isAll = below + above == numbers.count
    if isAll, sides.count == 1 {
      return ", but no value is in one: all \(numbers.count) lie \(sides[0].1)"
    }
    let words = sides.map { "\($0.0) \($0.0 == 1 ? "lies" : "lie") \($0.1)" }
      .joined(separator: ", ")
    return isAll ? ", but no value is in one: \(words)" : "; of \(numbers.count) values \(words)"
  }

  private static func numbers(_ text: String) throws -> [Double] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmed)
    }
    let finite = numbers.compactMap { $0 }.filter(\.isFinite)
    guard finite.count == numbers.count, finite.count > 1, finite.count <= StyleClasses.limit + 1,
      zip(finite, finite.dropFirst()).allSatisfy(<)
    else {
      throw EditingError(
        .usage,
        "--breaks takes 2 to \(StyleClasses.limit + 1) rising numbers, as 0,10,100, not “\(text)”")
    }
    return finite
  }
}

extension BreakMethod: ExpressibleByArgument {}

extension Substring {
  fileprivate var trimmed: Substring {
    drop { $0 == " " }.reversedDrop { $0 == " " }
  }

  private func reversedDrop(while isDropped: (Character) -> Bool) -> Substring {
    var copy = self
    while let last = copy.last, isDropped(last) { copy.removeLast() }
    return copy
  }
}
