import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// The looks that new layers get.
@Suite struct StandardLookTests {
  @Test(arguments: ["countries", "lakes", "coast"], 0...7)
  func `No new area looks like the water of the map`(name: String, others: Int) {
    let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4)].map { Coordinate(x: $0.0, y: $0.1) }
    func layer(_ number: Int, _ name: String, isEmpty: Bool = false) -> FeatureLayer {
      var layer = FeatureLayer(
        id: LayerID(UInt64(number)), name: name, style: Style(name: "", mark: .init()))
      if !isEmpty { _ = layer.add(geometry: .polygon([square]), attributes: []) }
      return layer
    }
    let blue = Style.standard(forDimension: 2, index: Style.blueOfAreas).mark.stroke
    var layers: [any Layer] = [layer(1, name)]
    for number in 0..<others {
      var next = layer(number + 2, "plots \(number)", isEmpty: number % 2 == 1)
      next.takeStandardLook(above: layers, dimension: number % 2 == 1 ? nil : 2)
      #expect(next.style.mark.stroke != blue)
      layers.append(next)
    }
  }
}
