import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// Some features of a layer are the same, however they are taken out.
@Suite struct FeatureChoiceTests {
  @Test(arguments: Seeds.some(40))
  func `Kept rows are those that a builder copies`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let layer = random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))
    for block in layer.blocks {
      let share = Int.random(in: 1...9, using: &random.random)
      let isKept = (0..<block.rowCount).map { _ in
        Int.random(in: 0...9, using: &random.random) < share
      }
      var builder = FeatureBlockBuilder()
      for row in 0..<block.rowCount where isKept[row] { builder.append(block, rows: row..<row + 1) }
      let kept = block.keeping { isKept[$0] }
      guard isKept.contains(true) else {
        #expect(kept == nil)
        continue
      }
      let found = try #require(kept)
      #expect(differences(found, builder.block()) == [], "seed \(seed)")
      if !isKept.contains(false) { #expect(found === block) }
    }
  }

  @Test(arguments: Seeds.some(40))
  func `To keep features is to remove the others`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var layer = random.layer(id: LayerID(7), style: .standard(forDimension: 0, index: 0))
    // Numbers in any order, as documents from elsewhere may have them.
    if Bool.random(using: &random.random) {
      layer.blocks = layer.blocks.reversed().map { block in
        var parts = block.parts
        parts.featureIDs.shuffle(using: &random.random)
        return FeatureBlock(parts)
      }
    }
    let ids = layer.blocks.flatMap(\.featureIDs)
    let wanted = ids.filter { _ in Bool.random(using: &random.random) }
    let strays = [FeatureID(1 << 40), FeatureID(0)]
    let references = (wanted + strays).shuffled(using: &random.random)
      .map { FeatureReference(layer: layer.id, feature: $0) }
    let other = FeatureReference(layer: LayerID(8), feature: FeatureID(1))
    let choice = FeatureChoice(references + [other])
    #expect(choice.count == references.count + 1)
    var (kept, rest) = (layer, layer)
    kept.keep(choice)
    rest.remove(Set(ids).subtracting(wanted))
    #expect(differences(kept, rest) == [], "seed \(seed)")
  }

  @Test(arguments: Seeds.some(40))
  func `The features of both choices are those of both sets`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sets = (0..<2).map { _ in
      Set(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          FeatureReference(
            layer: LayerID(UInt64.random(in: 1...3, using: &random)),
            feature: FeatureID(UInt64.random(in: 1...20, using: &random)))
        })
    }
    let both = FeatureChoice(sets[0]).intersection(FeatureChoice(sets[1]))
    #expect(both == FeatureChoice(sets[0].intersection(sets[1])), "seed \(seed)")
  }
}
