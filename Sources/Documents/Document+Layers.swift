extension Document {
  /// Where a layer stands, counted from the bottom.
  package func index(of id: LayerID) -> Int? { layers.firstIndex { $0.id == id } }

  /// Moves a layer to a place, counted from the bottom; places beyond the ends are the ends.
  ///
  /// - Throws: `DocumentError` if there is no such layer.
  package mutating func moveLayer(_ id: LayerID, to place: Int) throws {
    let layer = layers.remove(at: try requireIndex(of: id))
    layers.insert(layer, at: min(max(place, 0), layers.count))
  }

  /// - Throws: `DocumentError` if there is no such layer.
  package mutating func removeLayer(_ id: LayerID) throws {
    layers.remove(at: try requireIndex(of: id))
  }

  /// - Throws: `DocumentError` if there is no such layer or the name is empty.
  package mutating func renameLayer(_ id: LayerID, to name: String) throws {
    guard !name.isEmpty else {
      throw DocumentError(.invalidValue, path: "layers", "a layer needs a name")
    }
    layers[try requireIndex(of: id)].name = name
  }

  /// Shows or hides a layer.
  ///
  /// - Throws: `DocumentError` if there is no such layer.
  package mutating func setVisible(_ isVisible: Bool, layer id: LayerID) throws {
    layers[try requireIndex(of: id)].isVisible = isVisible
  }

  /// Puts a style in the place of another in every layer that shares it.
  package mutating func replaceStyle(_ former: Style, by style: Style) {
    for index in layers.indices where layers[index].style === former {
      layers[index].style = style
    }
  }

  /// A name that no layer has: the given one, or the same with a number behind it.
  package func uniqueLayerName(_ name: String) -> String {
    let names = Set(layers.map(\.name))
    let base = name.isEmpty ? "layer" : name
    guard names.contains(base) else { return base }
    var number = 2
    while names.contains("\(base) \(number)") { number += 1 }
    return "\(base) \(number)"
  }

  private func requireIndex(of id: LayerID) throws -> Int {
    guard let index = index(of: id) else {
      throw DocumentError(.notFound, path: "layers", "no layer \(id.rawValue)")
    }
    return index
  }
}
