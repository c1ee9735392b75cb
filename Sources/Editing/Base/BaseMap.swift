package import PortolanDocuments

/// A map for reference behind the data: coasts and borders.
///
/// It belongs to no document: it is never saved, counted, picked or undone. Its identity is the key
/// of the pictures drawn of it, and its blocks are cached like those of documents.
package final class BaseMap: Sendable {
  /// The layers to draw, from the bottom up.
  package let layers: [any FeatureHolding]
  /// Nearer than this zoom it is not drawn: its lines would be wrong by many cells.
  package let zoomMax: Double
  /// The identities of its geometry.
  private let geometry: Set<ObjectIdentifier>

  package init(layers: [any FeatureHolding], zoomMax: Double = .infinity) {
    self.layers = layers
    self.zoomMax = zoomMax
    geometry = Set(layers.flatMap(\.blocks).map { ObjectIdentifier($0.geometry) })
  }

  /// The index of the layer that is land: the lowest of areas alone; `nil` for none.
  var land: Int? { layers.firstIndex { $0.kindCode == "pg" } }

  /// Whether a document shows it as a layer.
  ///
  /// - Complexity: O(blocks of the document).
  func isShown(by document: Document) -> Bool {
    document.shownLayers.contains { layer in
      (layer as? any FeatureHolding)?.blocks.contains {
        geometry.contains(ObjectIdentifier($0.geometry))
      } ?? false
    }
  }
}

/// The choice of a base map.
package enum BaseChoice: Hashable, Sendable {
  /// The built-in coast, but not behind a document with land of its own.
  case automatic
  case none
  /// The built-in coast with lakes.
  case coast
  /// The same with the borders of countries.
  case countries
  /// The visible layers of a file.
  case file(String)

  /// The choice of a word; one that names no built-in map is the path of a file.
  package init(word: String) {
    self =
      switch word {
      case "auto": .automatic
      case "none": .none
      case "coast": .coast
      case "countries": .countries
      default: .file(word)
      }
  }

  /// The word that makes this choice.
  package var word: String {
    switch self {
    case .automatic: "auto"
    case .none: "none"
    case .coast: "coast"
    case .countries: "countries"
    case .file(let path): path
    }
  }
}

/// The base map of a session.
package struct BaseSetting: Sendable {
  package var choice = BaseChoice.automatic
  /// The choice that was hidden last, to show it again.
  var hidden = BaseChoice.coast
  /// The maps that the program brings; `nil` if it brings none.
  package var builtIn: BuiltInBase?
  /// More exact maps for a nearer look; `nil` where there are none.
  package var finer: BaseMaps?
  /// Whether finer maps may be installed that were not looked for.
  package var mayHaveFiner = false
  /// The map of the chosen file; `nil` until it is read.
  var file: BaseMap?

  /// Whether a map is chosen that there is; it need not be read to tell.
  var isOn: Bool {
    switch choice {
    case .none: false
    case .automatic, .coast, .countries: builtIn != nil
    case .file: true
    }
  }

  /// The map for a small picture: land alone; `nil` for none.
  var smallMap: BaseMap? { choice == .countries ? builtIn?.map(.coast) : map }

  /// The map to draw at a zoom: a finer one where the chosen one is too coarse; `nil` for none.
  func map(at zoom: Double) -> BaseMap? {
    let map = zoom > BaseMaps.finerZoom ? nearMap : map
    return map.flatMap { zoom <= $0.zoomMax ? $0 : nil }
  }

  /// The map for a near look: the finer one of the chosen one, if there is any.
  var nearMap: BaseMap? {
    guard let finer, let map else { return map }
    return switch choice {
    case .automatic, .coast: finer[.coast]
    case .countries: finer[.countries]
    case .none, .file: map
    }
  }

  /// The chosen map; `nil` for none.
  var map: BaseMap? {
    switch choice {
    case .none: nil
    case .automatic, .coast: builtIn?.map(.coast)
    case .countries: builtIn?.map(.countries)
    case .file: file
    }
  }
}
