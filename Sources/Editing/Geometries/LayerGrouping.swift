import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Operations that make one feature of several.
extension LayerOperation {
  /// The union of the features of each group.
  static func dissolve(_ grouping: FeatureGrouping) -> LayerOperation {
    LayerOperation(name: "dissolve", done: "dissolved", keepsStyle: false) {
      source, work, builder in
      try source.eachGroup(grouping, work, &builder) { blocks, group in
        // The parts of a collection differ in dimension: each counts with those like it.
        let flats = group.places.flatMap { place in
          let flat = FlatGeometry(blocks[place.block].geometry, row: place.row)
          return flat.commonDimension == nil ? flat.separated : [flat]
        }
        var parts: [FlatGeometry] = []
        for dimension in 0...2 {
          let alike = flats.filter { $0.dimension == dimension }
          if alike.isEmpty { continue }
          parts += try work.union(of: alike, dimension: dimension)?.separated ?? []
        }
        return FlatGeometry(collecting: parts)
      }
    }
  }

  /// The parts of the features of each group in one feature.
  static func collect(_ grouping: FeatureGrouping) -> LayerOperation {
    LayerOperation(name: "collect", done: "collected", keepsStyle: false) { source, work, builder in
      try source.eachGroup(grouping, work, &builder) { blocks, group in
        FlatGeometry(
          collecting: group.places.flatMap {
            FlatGeometry(blocks[$0.block].geometry, row: $0.row).separated
          }, isMulti: true)
      }
    }
  }
}

extension ChosenLayer {
  /// Appends a feature for each group of chosen features.
  fileprivate func eachGroup(
    _ grouping: FeatureGrouping, _ work: GeometryWork, _ builder: inout ResultBuilder,
    _ shape: ([FeatureBlock], FeatureGrouping.Group) throws -> FlatGeometry?
  ) throws {
    keepOthers(&builder)
    var chosen = layer
    chosen.blocks = layer.blocks.compactMap { block in block.keeping { isChosen(block, $0) } }
    let groups = try grouping.groups(of: chosen, in: document) { words in
      work.note { $0.remarks.append(words) }
    }
    for (index, group) in groups.enumerated() {
      try report(Double(index) / Double(groups.count), work)
      let values = group.attributes.prefix(grouping.names.count).map(\.value.text)
      let name = values.isEmpty ? layer.name : "\(layer.name), \(values.joined(separator: ", "))"
      let made = try work.naming(name) { try shape(chosen.blocks, group) }
      if made == nil { work.note { $0.empty += 1 } }
      builder.append(attributes: group.attributes, made ?? FlatGeometry(.none))
    }
  }
}

extension GeometryWork {
  /// The union of shapes of one dimension, whatever their order; `nil` if nothing is left.
  func union(
    of flats: [FlatGeometry], dimension: Int
  ) throws(GeometryError) -> FlatGeometry? {
    if flats.count == 1, dimension == 2 {
      let repaired = notes.repaired
      let sound = try soundFlat(flats[0])
      return notes.repaired == repaired
        ? flats[0] : try geos.flat(try geos.shape(sound), dimension: 2)
    }
    var sound: [FlatGeometry] = []
    let geos = try geos
    for flat in flats {
      try geos.check()
      sound.append(try soundFlat(flat))
    }
    // Areas that share whole edges need no search for crossings.
    if dimension == 2, let whole = try geos.unionOfCoverage(sound) { return whole }
    var shapes: [GeosShape] = []
    for flat in sound { shapes.append(try geos.shape(flat)) }
    let united = try geos.union(shapes)
    return try geos.flat(
      dimension == 1 ? try geos.mergedLines(united) : united, dimension: dimension)
  }
}
