extension Document {
  /// The index of a layer, counted from the bottom.
  package func index(of id: LayerID) -> Int? { layers.firstIndex { $0.id == id } }

  /// Replaces a style in every layer that shares it.
  package mutating func replaceStyle(_ former: Style, by style: Style) {
    for index in layers.indices where layers[index].style === former {
      layers[index].style = style
    }
  }

  /// A unique layer name: the given one, or the same with a number appended.
  package func uniqueLayerName(_ name: String) -> String {
    let names = Set(layers.map(\.name))
    let base = name.isEmpty ? "layer" : name
    guard names.contains(base) else { return base }
    var number = 2
    while names.contains("\(base) \(number)") { number += 1 }
    return "\(base) \(number)"
  }

  func requireIndex(of id: LayerID) throws -> Int {
    guard let index = index(of: id) else {
      throw DocumentError(.notFound, path: "layers", "no layer \(id.rawValue)")
    }
    return index
  }
}
