import PortolanDocuments
import PortolanGraphics

/// A difference in words, a line each: the summary first, then layer by layer the features.
package struct DifferenceText {
  /// A line, and what it is about: for colours.
  package struct Line: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case plain, added, removed, changed
    }

    package var kind: Kind
    package var text: String
  }

  private let difference: MapDifference
  /// The most vertices of a feature that are listed.
  private let verticesMax: Int
  private var lines: [Line] = []

  package init(_ difference: MapDifference, verticesMax: Int = 5) {
    (self.difference, self.verticesMax) = (difference, verticesMax)
  }

  /// The difference in numbers: `2 changed, 1 added, 0 removed, 174 the same`.
  package static func summary(_ difference: MapDifference) -> String {
    var parts = [MapDifference.Change.changed, .added, .removed].compactMap { change -> String? in
      let count = difference.count(change)
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    if difference.movedCount > 0 {
      parts.append("\(difference.movedCount) at another place in the order")
    }
    let notes = difference.notes.count + difference.layers.reduce(0) { $0 + $1.notes.count }
    if notes > 0 {
      parts.append(CountText.text(notes, "change", "changes") + " beside the features")
    }
    parts.append("\(difference.sameCount) the same")
    return parts.joined(separator: ", ")
  }

  /// All lines.
  ///
  /// - Parameter names: the names of the two files.
  package mutating func all(_ names: (String, String)) -> [Line] {
    lines = []
    add(.removed, "--- \(names.0)")
    add(.added, "+++ \(names.1)")
    add(.plain, Self.summary(difference))
    for note in difference.notes { add(.changed, "~ \(note)") }
    let isNamed = difference.layers.count > 1
    for layer in difference.layers where !layer.isEmpty {
      add(.plain, "")
      if isNamed || !layer.notes.isEmpty {
        let notes = layer.notes.isEmpty ? "" : ": " + layer.notes.joined(separator: ", ")
        add(.plain, "layer \(layer.name)\(notes)")
      }
      if layer.movedCount > 0 {
        add(
          .changed,
          "~ the order: \(CountText.features(layer.movedCount)) at another place")
      }
      for feature in layer.features { add(feature) }
    }
    return lines
  }

  private mutating func add(_ kind: Line.Kind, _ text: String) {
    lines.append(Line(kind: kind, text: text))
  }

  private mutating func add(_ feature: MapDifference.FeatureChange) {
    switch feature.change {
    case .added: add(.added, "+ \(feature.label): \(Self.words(for: feature.new))")
    case .removed: add(.removed, "- \(feature.label): \(Self.words(for: feature.old))")
    case .changed:
      add(.changed, "~ \(feature.label)")
      for line in Self.details(
        of: feature, isGeographic: difference.isGeographic, verticesMax: verticesMax)
      { add(.plain, "    " + line) }
    }
  }

  /// A feature in words: its kind, its size and its middle.
  private static func words(for row: ComparedRow?) -> String {
    guard let row else { return "" }
    let geometry = row.geometry
    let count = geometry.paths.reduce(0) { $0 + $1.vertices.count }
    guard let kind = geometry.kind.name, count > 0 else { return "without a geometry" }
    let place = geometry.box.center
    let size = count > 1 ? ", " + CountText.vertices(count) : ""
    return "\(kind) at \(text(place))\(size)"
  }

  /// The differences of a changed feature, one line each.
  package static func details(
    of feature: MapDifference.FeatureChange, isGeographic: Bool, verticesMax: Int
  ) -> [String] {
    var lines: [String] = []
    for change in [feature.identifier].compactMap({ $0 }) + feature.attributes + feature.members {
      lines.append("\(change.name): \(text(change.old)) → \(text(change.new))")
    }
    if let geometry = feature.geometry {
      lines += GeometryWords(geometry, isGeographic: isGeographic).lines(verticesMax)
    }
    return lines
  }

  /// A value as JSON, `none` where there is none; long ones are cut.
  private static func text(_ value: AttributeValue) -> String {
    if value.kind == .missing { return "none" }
    let text = value.json
    return text.count > 200 ? text.prefix(199) + "…" : text
  }

  static func text(_ place: Coordinate) -> String {
    let number = { (value: Double) in
      NumberText.shortest(NumberText.rounded(value, decimals: 7)) ?? "\(value)"
    }
    return number(place.x) + " " + number(place.y)
  }
}

extension GeometryDifference {
  /// The difference in numbers: `1 vertex moved 3.06 km`.
  package func summary(isGeographic: Bool) -> String {
    GeometryWords(self, isGeographic: isGeographic).summary
  }
}

/// A difference between two geometries in words.
struct GeometryWords {
  private let difference: GeometryDifference
  private let isGeographic: Bool

  init(_ difference: GeometryDifference, isGeographic: Bool) {
    (self.difference, self.isGeographic) = (difference, isGeographic)
  }

  /// The difference in numbers.
  var summary: String {
    let moves = difference.moves
    var parts: [String] = []
    if difference.oldKind != difference.newKind {
      let names = [difference.oldKind, difference.newKind].map { $0.name ?? "none" }
      parts.append("\(names[0]) → \(names[1])")
    }
    if let farthest = moves.map(\.distance).max() {
      let moved = CountText.vertices(moves.count) + " moved"
      parts.append(
        moves.count == 1
          ? "\(moved) \(distance(farthest))"
          : "\(moved), up to \(distance(farthest))")
    }
    func count(_ count: Int, _ one: String, _ many: String, _ word: String) {
      if count > 0 { parts.append(CountText.text(count, one, many) + " " + word) }
    }
    let exchanges = difference.exchanges
    count(exchanges.reduce(0) { $0 + $1.added }, "vertex", "vertices", "added")
    count(exchanges.reduce(0) { $0 + $1.removed }, "vertex", "vertices", "removed")
    count(difference.heights, "height", "heights", "changed")
    count(difference.addedPaths.count, "part or ring", "parts or rings", "added")
    count(difference.removedPaths.count, "part or ring", "parts or rings", "removed")
    if difference.isRearranged { parts.append("parts in another order") }
    return parts.isEmpty ? "parts in another order" : parts.joined(separator: ", ")
  }

  /// The summary, then the vertices, as many as asked for.
  func lines(_ verticesMax: Int) -> [String] {
    let (moves, exchanges) = (difference.moves, difference.exchanges)
    var lines = ["geometry: " + summary]
    for move in moves.prefix(verticesMax) {
      lines.append(
        "  \(place(move.path, move.vertex)): \(DifferenceText.text(move.from)) → "
          + "\(DifferenceText.text(move.to)) (\(distance(move.distance)))")
    }
    if verticesMax > 0, moves.count > verticesMax {
      lines.append("  and \(moves.count - verticesMax) more")
    }
    for exchange in exchanges.prefix(verticesMax) {
      lines.append(
        "  from \(place(exchange.path, exchange.vertex)): "
          + "\(CountText.vertices(exchange.removed)) → \(exchange.added)")
    }
    return lines
  }

  private func place(_ path: Int, _ vertex: Int) -> String {
    "path \(path + 1), vertex \(vertex + 1)"
  }

  private func distance(_ value: Double) -> String {
    guard value.isFinite else { return "not known" }
    if !isGeographic { return NumberText.shortest(NumberText.rounded(value, decimals: 3)) ?? "" }
    func fixed(_ value: Double, _ decimals: Int) -> String {
      NumberText.shortest(NumberText.rounded(value, decimals: decimals)) ?? ""
    }
    if value < 1 { return value < 0.01 ? "less than 1 cm" : "\(fixed(value * 100, 0)) cm" }
    if value < 1000 { return "\(fixed(value, 1)) m" }
    return "\(fixed(value / 1000, value < 10_000 ? 2 : 1)) km"
  }
}
