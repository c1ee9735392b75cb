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
      mark.dash = standardDashes[Int(index.magnitude % 3)]
    case 2:
      mark.fill = colour.dimmed
      mark.pattern = standardPatterns[turn]
    default:
      mark.fill = colour.dimmed
      mark.symbol = standardSigns[turn]
    }
    return Style(name: name, mark: mark, labelField: labelField)
  }

  /// The greatest number of colours of a kind of new layers.
  static let standardColourCount = 6

  /// The number of the blue among the colours of areas.
  static let blueOfAreas = 2

  /// The signs that new layers of points get in turn.
  static let standardSigns = ["•", "▲", "■", "◆"]

  /// The dashes that new layers of lines get in turn.
  static let standardDashes: [MarkStyle.Dash] = [.solid, .dashed, .dotted]

  /// The patterns that new layers of areas get in turn; those of ordered classes come last.
  static let standardPatterns: [MarkStyle.Pattern] = [.none, .hatched, .sparse, .medium]

  private static func palette(_ dimension: Int?) -> [Colour] {
    let hexes =
      switch dimension {
      case 0: ["#f0b429", "#ff7f50", "#56b4e9", "#e37fb5", "#7ed957", "#f5e663"]
      // Blue lines are water, which has a colour by its nature.
      case 1: ["#b0b8c0", "#f0b429", "#ff7f50", "#7ed957", "#e37fb5"]
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
    let below = layers.filter { $0.kindCode == kindCode && !kindCode.isEmpty }
    // Around land pictures show the sea.
    let hasWater = layers.contains { $0.nature == .water || $0.isOfLand }
    let standard = mark(forDimension: dimension, place: place, above: below, hasWater: hasWater)
    style = style.changed {
      $0.mark = standard
      $0.isSymbolChosen = false
      if dimension == 1, isOfInnerBorders {
        ($0.mark.dash, $0.mark.weight) = (.dotted, .light)
      } else if dimension == 1, isOfBorders {
        $0.mark.dash = .dashed
      }
    }
  }

  /// The look of a new layer: in the colour of its nature if it has one, else in one that no layer
  /// of its kind below has.
  ///
  /// - Parameter hasWater: whether the map shows water.
  private func mark(
    forDimension dimension: Int?, place: Int, above layers: [any Layer], hasWater: Bool
  ) -> MarkStyle {
    func standard(_ index: Int) -> MarkStyle {
      var mark = Style.standard(forDimension: dimension, index: index).mark
      let below = layers.map(\.style.mark)
      switch dimension {
      case 0: mark.symbol = Style.standardSigns.first(not: below.map(\.symbol)) ?? mark.symbol
      case 1: mark.dash = Style.standardDashes.first(not: below.map(\.dash)) ?? mark.dash
      case 2:
        mark.pattern = Style.standardPatterns.first(not: below.map(\.pattern)) ?? mark.pattern
      default: break
      }
      return mark
    }
    let isArea = dimension == 2
    if isArea || dimension == 1, let nature,
      let colour = isArea ? nature.areaColour : nature.lineColour
    {
      var mark = standard(place)
      mark.stroke = colour
      if isArea { mark.fill = colour.dimmed } else { mark.dash = nature.dash }
      return mark
    }
    var used = layers.compactMap { $0.style.mark.stroke }
    // The blue of areas is too near to that of water.
    if isArea || dimension == nil, hasWater, let blue = standard(Style.blueOfAreas).stroke {
      used.append(blue)
    }
    let free = (place..<place + Style.standardColourCount).first { index in
      standard(index).stroke.map { !used.contains($0) } ?? true
    }
    return standard(free ?? place)
  }
}

extension Array where Element: Equatable {
  /// The first element that is not among others.
  fileprivate func first(not others: [Element]) -> Element? { first { !others.contains($0) } }
}

/// Guesses the attributes that tell where features of one name are.
package enum RegionFields {
  /// The indexes of an attribute of the country and one of the region, as far as there are any.
  package static func guess(_ fieldNames: [String]) -> [Int] {
    let names = fieldNames.map { $0.lowercased() }
    return [countries, regions].compactMap { words in
      words.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
  }

  private static let countries = [
    "country", "adm0name", "country_name", "sov0name", "iso_country", "country_code", "iso_a2",
    "adm0_a3",
  ]
  private static let regions = [
    "region", "adm1name", "state", "province", "admin1", "iso_region", "county", "municipality",
  ]
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
