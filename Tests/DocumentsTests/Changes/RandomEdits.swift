import PortolanGraphics
import PortolanTestSupport

@testable import PortolanDocuments

/// Edits made of a seed: everything that the editor can do to a document.
struct RandomEdits {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 77) }

  /// The document after one edit.
  mutating func edited(_ document: Document) throws -> Document {
    var document = document
    let layers = document.layers.indices.filter { document.layers[$0] is FeatureLayer }
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      document.metadata.title += "!"
    case 1:
      var made = RandomDocuments(seed: random.next())
      let style = document.layers.first?.style ?? Style(name: "new", mark: MarkStyle())
      document.layers.append(made.layer(id: LayerID(document.makeID()), style: style))
    case 2 where document.layers.count > 2:
      document.layers.remove(at: Int.random(in: 0..<document.layers.count, using: &random))
    case 3 where !layers.isEmpty:
      let place = layers[Int.random(in: 0..<layers.count, using: &random)]
      document.replaceStyle(
        document.layers[place].style, by: Style(name: "s\(random.next() % 9)", mark: MarkStyle()))
    case 4 where document.layers.count > 1:
      try document.moveLayer(document.layers[0].id, to: document.layers.count - 1)
    case 5 where !layers.isEmpty:
      document.layers[layers[0]].isVisible.toggle()
      document.layers[layers[0]].zooms =
        ZoomBounds(least: ordinate().magnitude, greatest: nil) ?? .all
    default:
      guard let place = layers.randomElement(using: &random),
        var layer = document.layers[place] as? FeatureLayer
      else { return document }
      try edit(&layer)
      document.layers[place] = layer
    }
    return document
  }

  /// One edit of a layer's features.
  mutating func edit(_ layer: inout FeatureLayer) throws {
    let ids = layer.blocks.flatMap(\.featureIDs)
    let some = Set(ids.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      for _ in 0..<Int.random(in: 1..<4, using: &random) {
        _ = layer.add(
          geometry: .line([Coordinate(x: 1, y: ordinate()), Coordinate(x: ordinate(), y: 2)]),
          attributes: [("name", .string("new")), ("π", .number("3"))])
      }
    case 1: layer.remove(some)
    case 2:
      guard let id = ids.randomElement(using: &random), var feature = layer.feature(id) else {
        return
      }
      if feature.geometry.paths.isEmpty {
        feature.geometry = .point(Coordinate(x: ordinate(), y: ordinate()))
      } else if let vertex = feature.geometry.paths[0].vertices.indices.randomElement(
        using: &random)
      {
        feature.geometry.paths[0].vertices[vertex].x = ordinate()
      }
      try layer.setGeometry(feature.geometry, of: id)
    case 3: try layer.setAttribute("name", to: .string("x\(random.next() % 100)"), of: some)
    case 4: try layer.setAttribute("fresh", to: .number("1e3"), of: some)
    case 5: try layer.setAttribute("π", to: .missing, of: some)
    default: try? layer.renameAttribute("rank", to: "rang", of: some)
    }
  }

  private mutating func ordinate() -> Double {
    (Double.random(in: -80...80, using: &random) * 1000).rounded() / 1000
  }
}
