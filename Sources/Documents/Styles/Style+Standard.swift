import PortolanGraphics

extension Style {
  /// One of the standard looks of new layers.
  ///
  /// The colours are readable on dark and on light background and distinct for colour-blind eyes
  /// (those of Okabe and Ito, brightened); symbol, dash and pattern differ too, so that no meaning
  /// depends on hue alone.
  ///
  /// - Parameters:
  ///   - dimension: 0 for points, 1 for lines, 2 for areas; `nil` for a mixture.
  ///   - index: of the layer; neighbours differ.
  ///   - labelField: the attribute to label with.
  package static func standard(
    forDimension dimension: Int?, index: Int, name: String = "", labelField: String? = nil
  ) -> Style {
    let colour = palette(dimension)[Int(index.magnitude % UInt(palette(dimension).count))]
    let turn = Int(index.magnitude % 4)
    var mark = MarkStyle(stroke: colour)
    switch dimension {
    case 0:
      mark.symbol = standardSigns[turn]
    case 1:
      mark.dash = [.solid, .solid, .dashed, .dotted][turn]
    case 2:
      mark.fill = colour.dimmed
      mark.pattern = [.none, .sparse, .hatched, .medium][turn]
    default:
      mark.fill = colour.dimmed
      mark.symbol = standardSigns[turn]
    }
    return Style(name: name, mark: mark, labelField: labelField)
  }

  /// The signs that new layers of points get in turn.
  static let standardSigns = ["•", "▲", "■", "◆"]

  private static func palette(_ dimension: Int?) -> [Colour] {
    let hexes =
      switch dimension {
      case 0: ["#f0b429", "#ff7f50", "#56b4e9", "#e37fb5", "#7ed957", "#f5e663"]
      case 1: ["#56b4e9", "#f0b429", "#b0b8c0", "#ff7f50", "#7ed957", "#e37fb5"]
      default: ["#7fb37a", "#b39c6b", "#6f9fc4", "#c48aa8", "#b5b56a", "#8f94c9"]
      }
    return hexes.compactMap { Colour(hex: $0) }
  }
}

extension Layer {
  /// Takes a standard look that differs from those of the layers below of the same kind.
  ///
  /// - Parameters:
  ///   - layers: the layers below it.
  ///   - dimension: 0 points, 1 lines, 2 areas: the purpose of an empty layer; `nil` if it is open.
  /// - Complexity: O(blocks of all layers).
  package mutating func takeStandardLook(above layers: [any Layer], dimension: Int? = nil) {
    // Notes have a look of their own.
    if isGroup || self is any KeptPart || self is any NoteHolding { return }
    // The kind of an empty layer is not known, so it differs from all others.
    let place = kindCode.isEmpty ? layers.count : layers.count { $0.kindCode == kindCode }
    let dimension =
      switch kindCode {
      case "": dimension
      case "pt": 0
      case "ln": 1
      case "pg": 2
      default: nil as Int?
      }
    style = style.changed {
      $0.mark = Style.standard(forDimension: dimension, index: place).mark
      $0.isSymbolChosen = false
      if dimension == 1, isOfBorders { $0.mark.dash = .dashed }
    }
  }
}

extension Layer {
  /// Whether its lines are borders, by its name, by attributes that only borders have, or by the
  /// kinds of its first features.
  var isOfBorders: Bool {
    if isCalled(["border", "boundar", "frontier"]) || hasKinds(of: "boundar") { return true }
    return (self as? any FeatureHolding)?.blocks.contains { block in
      block.attributes.contains { ["adm0_left", "admin_level"].contains($0.name.lowercased()) }
    } ?? false
  }

  /// Whether its lines are coasts, by its name or by the kinds of its first features.
  var isOfCoasts: Bool { isCalled(["coast", "shore"]) || hasKinds(of: "coast") }

  private func isCalled(_ words: [String]) -> Bool {
    let name = name.lowercased()
    return words.contains(where: name.contains)
  }

  /// Whether the attribute `featurecla` of one of its first features has a word in it.
  private func hasKinds(of word: String) -> Bool {
    guard let block = (self as? any FeatureHolding)?.blocks.first,
      let column = block.attributes.first(where: { $0.name.lowercased() == "featurecla" })
    else { return false }
    return (0..<min(16, block.rowCount)).contains {
      column.value($0).text.lowercased().contains(word)
    }
  }
}

/// Guesses the attribute that names features.
package enum LabelField {
  /// The best guess out of a layer's attributes, or `nil` for no labels.
  ///
  /// The words are tried in this order, first as they are written here, then ignoring case.
  package static func guess(_ fieldNames: [String]) -> String? {
    for word in words {
      if let name = fieldNames.first(where: { $0 == word }) { return name }
      if let name = fieldNames.first(where: { $0.lowercased() == word }) { return name }
    }
    return nil
  }

  private static let words = [
    "name", "title", "label", "name_en", "nameascii", "admin", "nom", "nombre", "iata", "icao",
    "ref", "code",
  ]
}
