import ArgumentParser
import PortolanCartography
package import PortolanDocuments
import PortolanGraphics

/// The classes of a layer as choices by keyboard: the map shows each choice at once, and the
/// document changes when they are accepted.
package struct ClassPanel: Sendable {
  /// The lines of the panel.
  package enum Row: Int, CaseIterable, Sendable {
    case attribute, method, classes, colours, order

    package var title: String {
      switch self {
      case .attribute: "attribute"
      case .method: "method"
      case .classes: "classes"
      case .colours: "colours"
      case .order: "order"
      }
    }
  }

  /// The division of the values.
  enum Method: Hashable, Sendable {
    /// The classes that the layer has, which none of the others makes: given breaks, own titles.
    case kept
    case values
    case breaks(BreakMethod)

    var name: String {
      switch self {
      case .kept: "as they are"
      case .values: "each value"
      case .breaks(let method): method.rawValue
      }
    }
  }

  package let layer: LayerID
  /// The style of the layer when the panel was opened.
  package let former: Style
  let fields: [String]
  /// That of the layer's marks: 0 points, 1 lines, 2 areas.
  private let dimension: Int
  package internal(set) var row = Row.attribute
  /// The index of the attribute; `nil` for one look for all features.
  var field: Int?
  var method = Method.breaks(.quantile)
  var count = 5
  /// The ramp; `nil` for colours without an order, or for those that the layer's classes have.
  var ramp: Int? = 0
  var isReversed = false
  /// Whether the layer's classes have other colours than those of a ramp.
  private var hasOwnColours = false
  /// Whether no method makes the layer's classes.
  private var hasKept = false
  /// The methods that suit the attribute.
  var methods: [Method] = []
  /// The style with these choices; the former one at first.
  package internal(set) var preview: Style
  /// Whether the classes take too long for a preview: they are made when they are accepted.
  private(set) var isDeferred = false
  /// A word on the classes, or why there are none.
  package internal(set) var word = ""

  /// A panel with the present choices of a layer.
  init(_ layer: any FeatureHolding) {
    self.layer = layer.id
    former = layer.style
    preview = layer.style
    dimension = ["pt": 0, "ln": 1][layer.kindCode] ?? 2
    fields = layer.fieldNames.filter { !$0.isEmpty && $0 != "none" }
    guard let classes = layer.style.classes else { return }
    field = fields.firstIndex(of: classes.field)
    count = classes.looks.count
    let colours = classes.looks.map(\.colour)
    ramp = nil
    hasOwnColours = true
    for (index, known) in ColourRamp.all.enumerated() {
      for isReversed in [false, true]
      where known.colours(count, isReversed: isReversed).map({ $0 as Colour? }) == colours {
        (ramp, self.isReversed, hasOwnColours) = (index, isReversed, false)
      }
    }
    methods = Self.methods(of: layer, classes.field)
    let features = layer.count
    let made = methods.first { candidate in
      // Dividing very many numbers takes too long for the editor's own thread.
      if features > Self.comparedMax { return false }
      method = candidate
      return (try? styled(layer))?.style.classes == classes
    }
    method = made ?? .kept
    hasKept = method == .kept
    if hasKept { methods.insert(.kept, at: 0) }
  }

  /// The style of these choices, and a word on it.
  private func styled(_ layer: any FeatureHolding) throws -> (style: Style, word: String?) {
    try StyleLayer.parse(arguments).styled(layer, from: former)
  }

  /// The most features of which classes are made to compare those of the layer with.
  private static let comparedMax = 20_000

  /// Whether something was chosen.
  package var isChanged: Bool { preview !== former || isDeferred }

  /// The words of the `style` command with these choices.
  var arguments: [String] {
    guard let field, fields.indices.contains(field) else { return ["--by=none"] }
    var words = method == .kept ? [] : ["--by=" + fields[field]]
    switch method {
    case .values, .kept: break
    case .breaks(let method): words += ["--method", method.rawValue, "--classes", String(count)]
    }
    if let ramp, ColourRamp.all.indices.contains(ramp) {
      words += ["--ramp", ColourRamp.all[ramp].name]
      if isReversed { words.append("--reverse") }
    }
    return words
  }

  /// The rows that have a choice now.
  package var rows: [Row] {
    guard field != nil else { return [.attribute] }
    return Row.allCases.filter { row in
      switch row {
      case .attribute, .method, .colours: true
      case .classes: method != .values && method != .kept
      case .order: ramp != nil
      }
    }
  }

  /// The present choice of a row.
  package func value(of row: Row) -> String {
    switch row {
    case .attribute: field.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? "none"
    case .method: method.name
    case .classes: String(count)
    case .colours:
      ramp.map { ColourRamp.all[$0].name } ?? (method == .kept ? "as they are" : "without an order")
    case .order: isReversed ? "reversed" : "usual"
    }
  }

  /// The classes as entries of a legend.
  var samples: [LegendEntry] {
    let classes = preview.classes
    return (classes?.looks.indices.map { $0 } ?? []).compactMap { number in
      classes.map {
        LegendEntry(
          text: "", mark: $0.mark(ofGroup: number, preview.mark), dimension: dimension)
      }
    }
  }

  /// Goes to another row.
  mutating func move(by lines: Int) {
    let rows = rows
    let index = rows.firstIndex(of: row) ?? 0
    row = rows[min(max(0, index + lines), rows.count - 1)]
  }

  /// Takes the next or a former choice of the row.
  mutating func change(by steps: Int, of layer: any FeatureHolding) {
    func stepped<Choice: Equatable>(_ choice: Choice, in choices: [Choice]) -> Choice {
      guard !choices.isEmpty else { return choice }
      let index = (choices.firstIndex(of: choice) ?? 0) + steps % choices.count
      return choices[(index + choices.count) % choices.count]
    }
    switch row {
    case .attribute:
      field = stepped(field, in: [nil] + fields.indices.map { $0 })
      guard let field else { break }
      methods = Self.methods(of: layer, fields[field])
      if hasKept, fields[field] == former.classes?.field { methods.insert(.kept, at: 0) }
      if !methods.contains(method) { take(methods.first ?? .values) }
    case .method: take(stepped(method, in: methods))
    case .classes: count = min(max(1, count + steps), StyleClasses.limit)
    case .colours:
      let all: [Int?] = ColourRamp.all.indices.map { $0 }
      let hasNone = method == .values || method == .kept && hasOwnColours
      ramp = stepped(ramp, in: hasNone ? [nil] + all : all)
    case .order: isReversed.toggle()
    }
    if case .breaks = method, ramp == nil { ramp = 0 }
    refresh(layer)
  }

  /// Takes a method, with the usual colours of its kind: those of values have no order.
  private mutating func take(_ new: Method) {
    if new == .values, method != .values || new == .kept, hasOwnColours { ramp = nil }
    method = new
  }

  /// Makes the preview anew.
  private mutating func refresh(_ layer: any FeatureHolding) {
    isDeferred = false
    do {
      let command = try StyleLayer.parse(arguments)
      if method == .breaks(.jenks), command.byAttribute.isLong(for: layer) {
        (preview, word, isDeferred) = (former, "Enter makes them; this may take a while", true)
        return
      }
      let (style, word) = try command.styled(layer, from: former)
      preview = style.content == former.content ? former : style
      self.word = word ?? ""
    } catch {
      preview = former
      word = (error as? EditingError)?.message ?? "these classes cannot be made"
    }
  }

  /// Few values have a look each; numbers are divided, other values cannot be.
  private static func methods(of layer: any FeatureHolding, _ field: String) -> [Method] {
    let survey = StyleClasses.Survey(field, of: layer)
    let breaks = BreakMethod.allCases.map { Method.breaks($0) }
    if survey.numbers.isEmpty { return [.values] }
    return survey.isNumeric && survey.values.count > StyleClassOptions.usual
      ? breaks : [.values] + breaks
  }
}
