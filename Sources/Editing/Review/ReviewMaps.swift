import PortolanComparing
import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// Draws the small maps of a review: one feature before and after, among its neighbours.
struct ReviewMaps {
  private let isGeographic: Bool
  /// All features of the new map, in grey behind the changed one.
  private let context: [FeatureBlock]

  /// The most neighbours on a map.
  private static let neighboursMax = 300

  init(_ new: Document) {
    isGeographic = new.metadata.isGeographic
    context = new.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
  }

  /// The maps of a change: before and after, `nil` where a side has no shape.
  ///
  /// - Parameters:
  ///   - size: that of each picture.
  ///   - paper: the ground.
  func pictures(
    of change: MapDifference.FeatureChange, as format: any PictureFormat, _ size: PictureSize,
    paper: Ground
  ) throws -> (before: [UInt8]?, after: [UInt8]?) {
    let shapes = [change.old, change.new].map { row -> ComparedRow? in
      row.flatMap { $0.geometry.box.isEmpty ? nil : $0 }
    }
    let box = shapes.compactMap { $0?.geometry.box }.reduce(Box.empty) { $0.union($1) }
    guard !box.isEmpty else { return (nil, nil) }
    let plane = MapPlane(projection: isGeographic ? .webMercator : .planar, reference: box)
    let camera = Camera.fitting(
      box.forFitting(on: plane), plane: plane, size: format.mapSize(in: size, PictureParts()),
      margin: 0.15, zoomMax: 15)
    let neighbours = neighbours(in: camera.visible, besides: change.new)
    func picture(_ row: ComparedRow?, _ mark: MarkStyle) throws -> [UInt8]? {
      guard let row else { return nil }
      var document = Document()
      document.metadata.units = isGeographic ? "degrees" : "units"
      document.metadata.coordinateSystem = isGeographic ? .crs84 : .planar
      var collector = RowCollector()
      collector.append(row.block, row: row.row)
      for (blocks, mark) in [(neighbours, Self.neighbour), (collector.finish(), mark)] {
        document.layers.append(
          RowCollector.layer(LayerID(document.makeID()), name: "", mark, blocks))
      }
      let request = PictureRequest(
        format: format, document: document, camera: camera, size: size,
        glyphs: .braille, colour: .never, hasLabels: false, parts: PictureParts(),
        paper: paper)
      return try format.picture(of: request, depth: format.depth ?? .mono)
    }
    return (
      try picture(shapes[0], Self.before), try picture(shapes[1], Self.after)
    )
  }

  private static let neighbour = {
    var mark = MarkStyle(stroke: Colour(red: 0xA0, green: 0xA0, blue: 0xA0), symbol: "·")
    mark.weight = .light
    return mark
  }()
  private static let before = mark(Colour(red: 0xD5, green: 0x5E, blue: 0x00), "○")
  private static let after = mark(Colour(red: 0x00, green: 0x72, blue: 0xB2), "●")

  private static func mark(_ colour: Colour, _ symbol: String) -> MarkStyle {
    var mark = MarkStyle(stroke: colour, fill: colour.dimmed, pattern: .sparse, symbol: symbol)
    mark.weight = .bold
    return mark
  }

  private func neighbours(in box: Box, besides changed: ComparedRow?) -> [FeatureBlock] {
    var collector = RowCollector()
    var count = 0
    for block in context where block.geometry.box.intersects(box) {
      for row in block.geometry.boxes.indices where block.geometry.boxes[row].intersects(box) {
        if let changed, changed.block === block, changed.row == row { continue }
        collector.append(block, row: row)
        count += 1
        if count >= Self.neighboursMax { return collector.finish() }
      }
    }
    return collector.finish()
  }
}
