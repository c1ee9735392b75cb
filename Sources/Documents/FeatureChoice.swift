/// Some features of a document, by their numbers.
///
/// Its numbers stand in rising order, so that those of a block are found at once: a set of
/// references takes a hash for every feature.
package struct FeatureChoice: Hashable, Sendable {
  /// Rising, each once; no layer without a number.
  private var numbers: [LayerID: [FeatureID]] = [:]

  package init() {}

  package init(_ features: some Sequence<FeatureReference>) {
    var numbers: [LayerID: [FeatureID]] = [:]
    for feature in features { numbers[feature.layer, default: []].append(feature.feature) }
    for (layer, ids) in numbers { add(ids, of: layer) }
  }

  /// Adds features of a layer, in any order.
  ///
  /// - Complexity: O(features) where the numbers rise, else O(features log features).
  package mutating func add(_ ids: [FeatureID], of layer: LayerID) {
    if ids.isEmpty { return }
    let joined = (numbers[layer] ?? []) + ids
    let isRising = zip(joined, joined.dropFirst()).allSatisfy { $0 < $1 }
    numbers[layer] = isRising ? joined : Set(joined).sorted()
  }

  /// The numbers of the features of a layer, rising.
  package func ids(of layer: LayerID) -> [FeatureID] { numbers[layer] ?? [] }

  /// The layers of the features, in no order.
  package var layers: [LayerID] { Array(numbers.keys) }

  /// The number of features.
  package var count: Int { numbers.values.reduce(0) { $0 + $1.count } }

  /// The features of both.
  package func intersection(_ other: FeatureChoice) -> FeatureChoice {
    var common = FeatureChoice()
    for (layer, ids) in numbers {
      var others = other.ids(of: layer)[...]
      common.add(
        ids.filter { id in
          while let first = others.first, first < id { others.removeFirst() }
          return others.first == id
        }, of: layer)
    }
    return common
  }
}

extension BlockHolding {
  /// Removes all but the chosen features.
  ///
  /// - Complexity: O(features), where the numbers of each block rise.
  package mutating func keep(_ choice: FeatureChoice) {
    let ids = choice.ids(of: id)
    let former = count
    blocks = blocks.compactMap { $0.keeping(rows: $0.rows(ofRising: ids)) }
    if count < former { updateCollectionBox() }
  }
}

extension FeatureBlock {
  /// The rows of some features, whose numbers rise.
  func rows(ofRising ids: [FeatureID]) -> [Int] {
    var place = Self.place(of: FeatureID(idBounds.first), in: ids)
    guard place < ids.count, ids[place].rawValue <= idBounds.last else { return [] }
    guard isSortedByID else {
      return featureIDs.indices.filter { row in
        let place = Self.place(of: featureIDs[row], in: ids)
        return place < ids.count && ids[place] == featureIDs[row]
      }
    }
    return featureIDs.indices.filter { row in
      while place < ids.count, ids[place] < featureIDs[row] { place += 1 }
      return place < ids.count && ids[place] == featureIDs[row]
    }
  }

  /// The place of the first number that is not less.
  private static func place(of id: FeatureID, in ids: [FeatureID]) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
