import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// Layers that are read again keep the numbers of their features.
@Suite struct RefreshedLayerTests {
  /// A layer of points; `first` is the number of the first feature.
  private func layer(
    _ rows: [(id: Int, name: Int, x: Int)], numbers first: UInt64, hasIDs: Bool
  ) -> FeatureLayer {
    var builder = FeatureBlockBuilder(nextFeatureID: first)
    for row in rows {
      builder.append(
        Feature(
          id: FeatureID(builder.nextFeatureID),
          identifier: hasIDs ? .number("\(row.id)") : .missing,
          geometry: .point(Coordinate(x: Double(row.x), y: 0)),
          attributes: [("name", .string("\(row.name)"))]))
      builder.renumber(last: 1)
    }
    return FeatureLayer(
      id: LayerID(1), name: "towns", style: Style(name: "towns", mark: MarkStyle()),
      blocks: builder.finish(), nextFeatureID: builder.nextFeatureID)
  }

  private func rows(_ layer: FeatureLayer) -> [(id: UInt64, text: String)] {
    layer.blocks.flatMap { block in
      (0..<block.rowCount).map { row in
        (
          block.featureIDs[row].rawValue,
          "\(block.identifiers.value(row).text) \(block.attribute("name", row: row).text) "
            + "\(block.geometry.coordinate(at: row).x)"
        )
      }
    }
  }

  @Test(arguments: Seeds.some(30))
  func `The features are those of the source, the numbers those of the layer`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hasIDs = Bool.random(using: &random)
    let count = Int.random(in: 0...40, using: &random)
    let old = (0..<count).map { (id: $0, name: $0 * 7, x: $0) }
    var new = old.filter { _ in Int.random(in: 0...4, using: &random) > 0 }
    if hasIDs { new.shuffle(using: &random) }
    for index in new.indices where hasIDs && Int.random(in: 0...3, using: &random) == 0 {
      new[index].name += 1000
    }
    for number in 0..<Int.random(in: 0...5, using: &random) {
      new.append((id: 100 + number, name: 5000 + number, x: 500 + number))
    }
    let former = layer(old, numbers: 11, hasIDs: hasIDs)
    let source = layer(new, numbers: 1, hasIDs: hasIDs)
    let result = RefreshedLayer.layer(former, from: source)
    #expect(rows(result).map(\.text) == rows(source).map(\.text), "seed \(seed)")
    let ids = rows(result).map(\.id)
    #expect(Set(ids).count == ids.count, "seed \(seed)")
    for (row, id) in zip(new, ids) {
      if row.id < 100 {
        #expect(id == 11 + UInt64(row.id), "seed \(seed)")
      } else {
        #expect(id >= former.nextFeatureID && id < result.nextFeatureID, "seed \(seed)")
      }
    }
    // Once more, nothing changes.
    let again = RefreshedLayer.layer(result, from: source)
    #expect(rows(again).map(\.id) == ids && again.nextFeatureID == result.nextFeatureID)
    _ = try DocumentArchive.bytes(of: document(with: again))
  }

  private func document(with layer: FeatureLayer) -> Document {
    var document = Document()
    document.layers = [layer]
    document.nextID = 2
    return document
  }
}
