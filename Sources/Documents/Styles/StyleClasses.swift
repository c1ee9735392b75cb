import Archiving
package import PortolanGraphics
import PortolanTerminals

/// The classes of a layer's features by the value of an attribute, and the look of each.
///
/// Immutable, identified by reference: blocks keep the groups of their rows by it.
package final class StyleClasses: Sendable {
  /// The rule that puts features into classes.
  package enum Scheme: Hashable, Sendable {
    /// Numbers from the first bound of a class up to its second, without it; the last class has
    /// both of its bounds. One bound more than classes, none less than the one before.
    case breaks([Double])
    /// One value for each class; `.missing` stands for no value, `null` and missing alike.
    case values([AttributeValue])

    package var count: Int {
      switch self {
      case .breaks(let bounds): bounds.count - 1
      case .values(let values): values.count
      }
    }
  }

  /// The most classes of a layer.
  package static let limit = 60

  /// The attribute.
  package let field: String
  package let scheme: Scheme
  /// One look for each class.
  package let looks: [ClassLook]
  /// The look of features without a value, if that is no class of its own.
  package let noValue: ClassLook
  /// The look of all other features: with other values, or numbers beyond the bounds.
  package let other: ClassLook
  /// One for each class; empty for its usual sign.
  private let plainSymbols: [String]
  /// The colour of each class on screens of 256 colours.
  private let indexedColours: [Colour?]
  /// The classes by value.
  private let numbers: [ClassKey: UInt8]

  /// Makes classes of parts that fit together; `nil` if they do not.
  package init?(
    field: String, scheme: Scheme, looks: [ClassLook], noValue: ClassLook, other: ClassLook
  ) {
    guard (1...Self.limit).contains(looks.count), looks.count == scheme.count else { return nil }
    var numbers: [ClassKey: UInt8] = [:]
    switch scheme {
    case .breaks(let bounds):
      guard bounds.allSatisfy(\.isFinite), zip(bounds, bounds.dropFirst()).allSatisfy(<=) else {
        return nil
      }
    case .values(let values):
      for (number, value) in values.enumerated() {
        let former = numbers.updateValue(UInt8(truncatingIfNeeded: number), forKey: ClassKey(value))
        guard former == nil else { return nil }
      }
    }
    self.field = field
    self.scheme = scheme
    self.looks = looks
    self.noValue = noValue
    self.other = other
    self.numbers = numbers
    plainSymbols = Self.plainSymbols(looks)
    indexedColours = Self.indexedColours(looks, scheme)
  }

  /// The number of groups: of the classes, of features without a value, of all others.
  package var groupCount: Int { looks.count + 2 }

  /// The groups in drawing order: the highest class above the others.
  package var drawingOrder: [Int] { [looks.count + 1, looks.count] + Array(looks.indices) }

  /// The look of a group.
  package func look(ofGroup number: Int) -> ClassLook {
    looks.indices.contains(number) ? looks[number] : number == looks.count ? noValue : other
  }

  /// The marks of the groups, on the mark of their layer.
  package func marks(_ base: MarkStyle) -> [MarkStyle] {
    (0..<groupCount).map { mark(ofGroup: $0, base) }
  }

  /// The mark of a group, on the mark of its layer.
  package func mark(ofGroup number: Int, _ base: MarkStyle) -> MarkStyle {
    var mark = look(ofGroup: number).mark(base)
    if !mark.symbol.isEmpty, plainSymbols.indices.contains(number) {
      mark.plainSymbol = plainSymbols[number]
    }
    if indexedColours.indices.contains(number) { mark.indexedColour = indexedColours[number] }
    return mark
  }

  /// The colours of the classes where there are 256: a different one for each different colour.
  private static func indexedColours(_ looks: [ClassLook], _ scheme: Scheme) -> [Colour?] {
    let isOrdered = if case .breaks = scheme { true } else { false }
    let colours = looks.compactMap { look in
      look.colour.map { TerminalColour(red: $0.red, green: $0.green, blue: $0.blue) }
    }
    var indexes = Palette.indexed(classes: colours, isOrdered: isOrdered)[...]
    return looks.map { look in
      guard look.colour != nil, let index = indexes.popFirst() else { return nil }
      let shown = Palette.colour(at: index)
      return Colour(red: shown.red, green: shown.green, blue: shown.blue)
    }
  }

  /// The signs of the classes where colours are few: numbers and letters in place of those that
  /// several classes share; empty for others.
  private static func plainSymbols(_ looks: [ClassLook]) -> [String] {
    let letters = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    var counts: [String?: Int] = [:]
    for look in looks { counts[look.symbol, default: 0] += 1 }
    return zip(looks, letters).map { (counts[$0.symbol] ?? 0) > 1 ? $1 : "" }
  }

  /// Whether a class has a sign of its own.
  package var hasSymbols: Bool {
    (looks + [noValue, other]).contains { $0.symbol.map { !$0.isEmpty } ?? false }
  }

  /// The group of a value.
  package func group(of value: AttributeValue) -> Int {
    switch scheme {
    case .values:
      if let number = numbers[ClassKey(value)] { return Int(number) }
    case .breaks(let bounds):
      if let number = value.double, number.isFinite {
        return Self.index(of: number, in: bounds) ?? looks.count + 1
      }
    }
    return value == .missing || value == .null ? looks.count : looks.count + 1
  }

  /// The class of a number; of classes with equal bounds the last one that holds it.
  private static func index(of number: Double, in bounds: [Double]) -> Int? {
    guard let first = bounds.first, let last = bounds.last, number >= first, number <= last else {
      return nil
    }
    // The first bound above the number.
    var low = 0
    var high = bounds.count
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return min(low, bounds.count - 1) - 1
  }

  /// The groups of a block's rows by its column; without one no row has a value.
  func groups(of column: AttributeColumn?, count: Int) -> FeatureGroups {
    FeatureGroups(
      (0..<count).map { UInt8(clamping: group(of: column?.value($0) ?? .missing)) },
      count: groupCount)
  }

  /// The same classes with other looks.
  package func changing(look: ClassLook, ofGroup number: Int) -> StyleClasses? {
    var looks = looks
    if looks.indices.contains(number) { looks[number] = look }
    return StyleClasses(
      field: field, scheme: scheme, looks: looks,
      noValue: number == looks.count ? look : noValue,
      other: number == looks.count + 1 ? look : other)
  }
}

extension StyleClasses: Equatable {
  package static func == (one: StyleClasses, other: StyleClasses) -> Bool {
    one === other
      || one.field.hasSameBytes(as: other.field) && one.scheme == other.scheme
        && one.looks == other.looks && one.noValue == other.noValue && one.other == other.other
  }
}

extension StyleClasses: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(field)
    hasher.combine(scheme)
  }
}

/// The look of a class: what differs from the look of its layer.
package struct ClassLook: Sendable {
  /// The text in the legend; empty for the value or the bounds.
  package var title = ""
  /// The colour of areas where the layer fills them, else of lines and signs; `nil` for that of the
  /// layer.
  package var colour: Colour?
  /// The sign of points; `nil` for the layer's.
  package var symbol: String?
  /// The dashes of lines; `nil` for the layer's.
  package var dash: MarkStyle.Dash?
  /// The pattern of areas on screens without colours; `nil` for the layer's.
  package var pattern: MarkStyle.Pattern?
  /// Fields that a newer program wrote.
  var unread = UnreadFields()

  package init(
    title: String = "", colour: Colour? = nil, symbol: String? = nil, dash: MarkStyle.Dash? = nil,
    pattern: MarkStyle.Pattern? = nil
  ) {
    self.title = title
    self.colour = colour
    self.symbol = symbol
    self.dash = dash
    self.pattern = pattern
  }

  /// A layer's mark with this look.
  package func mark(_ base: MarkStyle) -> MarkStyle {
    var mark = base
    if let colour {
      mark.showsValue = true
      if base.fill != nil {
        mark.fill = colour
        mark.stroke = colour.outline
      } else {
        mark.stroke = colour
      }
    }
    mark.symbol = symbol ?? base.symbol
    mark.dash = dash ?? base.dash
    mark.pattern = pattern ?? base.pattern
    return mark
  }
}

extension ClassLook: Hashable {
  package static func == (one: ClassLook, other: ClassLook) -> Bool {
    one.title.hasSameBytes(as: other.title) && one.colour == other.colour
      && one.symbol == other.symbol && one.dash == other.dash && one.pattern == other.pattern
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(colour)
    hasher.combine(symbol)
  }
}

/// A value as the key of a class: numbers by their size, however they are written.
enum ClassKey: Hashable {
  case none
  case number(Double)
  case text(ExactText)
  case bool(Bool)
  case json(ExactText)

  init(_ value: AttributeValue) {
    self =
      switch value {
      case .missing, .null: .none
      case .bool(let value): .bool(value)
      case .string(let text): .text(ExactText(text))
      case .json(let text): .json(ExactText(text))
      case .number(let text): Double(text).map { .number($0) } ?? .json(ExactText(text))
      }
  }
}
