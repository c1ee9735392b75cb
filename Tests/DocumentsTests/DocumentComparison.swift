import PortolanGraphics

@testable import PortolanDocuments

/// What differs between two documents, column by column; empty if nothing does.
func differences(_ first: Document, _ second: Document) -> [String] {
  var found: [String] = []
  func compare(_ what: String, _ isSame: Bool) { if !isSame { found.append(what) } }
  compare("metadata", first.metadata == second.metadata)
  compare("nextID", first.nextID == second.nextID)
  compare("layer count", first.layers.count == second.layers.count)
  compare("view count", first.views.count == second.views.count)
  compare(
    "bookmarks",
    first.bookmarks.count == second.bookmarks.count
      && zip(first.bookmarks, second.bookmarks).allSatisfy {
        $0.name.hasSameBytes(as: $1.name) && $0.place == $1.place
          && $0.magnification == $1.magnification
      })
  compare("layout", first.layout?.plain == second.layout?.plain)
  compare(
    "view classes",
    first.views.map(\.className) == second.views.map(\.className)
      && first.views.map(\.id) == second.views.map(\.id))
  for (index, pair) in zip(first.layers, second.layers).enumerated() {
    let place = "layers[\(index)]"
    compare(place + ".parent", pair.0.parent == pair.1.parent)
    compare(place + ".title", pair.0.title == pair.1.title)
    compare(place + ".zooms", pair.0.zooms == pair.1.zooms)
    compare(
      place + ".origin",
      (pair.0 as? any OriginKeeping)?.origin == (pair.1 as? any OriginKeeping)?.origin)
    if let one = pair.0 as? GroupLayer, let two = pair.1 as? GroupLayer {
      compare(
        place,
        one.id == two.id && one.name == two.name && one.isVisible == two.isVisible
          && one.isLocked == two.isLocked)
      continue
    }
    guard let one = pair.0 as? any BlockHolding, let two = pair.1 as? any BlockHolding,
      type(of: one) == type(of: two)
    else {
      found.append(place + " class")
      continue
    }
    found += differences(one, two).map { "\(place).\($0)" }
    let shares = zip(first.layers, second.layers).map {
      ($0.style === first.layers[index].style) == ($1.style === second.layers[index].style)
    }
    compare(place + ".style sharing", shares.allSatisfy { $0 })
  }
  for (index, pair) in zip(first.views, second.views).enumerated() {
    guard let one = pair.0 as? MapView, let two = pair.1 as? MapView else { continue }
    let legends = one.legend.map { [$0.id.rawValue, $0.isShown ? 1 : 0] }
    compare(
      "views[\(index)]",
      one.id == two.id && one.name == two.name && one.mapName == two.mapName
        && one.magnification == two.magnification && one.center == two.center
        && one.projection == two.projection
        && legends == two.legend.map { [$0.id.rawValue, $0.isShown ? 1 : 0] })
  }
  return found
}

func differences(_ first: any BlockHolding, _ second: any BlockHolding) -> [String] {
  var found: [String] = []
  func compare(_ what: String, _ isSame: Bool) { if !isSame { found.append(what) } }
  compare("id", first.id == second.id)
  compare("name", first.name.hasSameBytes(as: second.name))
  compare("visible", first.isVisible == second.isVisible && first.isLocked == second.isLocked)
  compare("style", first.style.mark == second.style.mark && first.style.name == second.style.name)
  compare("classes", first.style.classes == second.style.classes)
  compare(
    "style fields",
    first.style.labelField == second.style.labelField
      && first.style.rankField == second.style.rankField
      && first.style.rankOrder == second.style.rankOrder
      && first.style.sizeField == second.style.sizeField
      && first.style.isSymbolChosen == second.style.isSymbolChosen
      && first.style.isWeightChosen == second.style.isWeightChosen
      && first.style.isThinned == second.style.isThinned)
  compare("source", first.source == second.source)
  compare("nextFeatureID", first.nextFeatureID == second.nextFeatureID)
  compare("block count", first.blocks.count == second.blocks.count)
  for (index, pair) in zip(first.blocks, second.blocks).enumerated() {
    found += differences(pair.0, pair.1).map { "blocks[\(index)].\($0)" }
  }
  return found
}

func differences(_ first: FeatureBlock, _ second: FeatureBlock) -> [String] {
  var found: [String] = []
  func compare(_ what: String, _ isSame: Bool) { if !isSame { found.append(what) } }
  let (one, two) = (first.geometry, second.geometry)
  compare("coordinates", one.coordinates.map(\.bitPattern) == two.coordinates.map(\.bitPattern))
  compare("elevations", one.elevations.map(\.bitPattern) == two.elevations.map(\.bitPattern))
  compare("paths", one.pathEnds == two.pathEnds && one.pathRoles == two.pathRoles)
  compare("features", one.featureEnds == two.featureEnds && one.kinds == two.kinds)
  compare("boxes", one.boxes == two.boxes && one.box == two.box)
  compare("featureIDs", first.featureIDs == second.featureIDs)
  compare("identifiers", isSame([first.identifiers], [second.identifiers]))
  compare("attributes", isSame(first.attributes, second.attributes))
  compare("members", isSame(first.foreignMembers, second.foreignMembers))
  compare(
    "geometry members", isSame(first.geometryForeignMembers, second.geometryForeignMembers))
  compare(
    "sources",
    isSame(
      [first.sourceGeometries, first.sourceFeatures].compactMap { $0 },
      [second.sourceGeometries, second.sourceFeatures].compactMap { $0 }))
  let rows = 0..<min(first.rowCount, second.rowCount)
  compare("shapes", rows.allSatisfy { first.shape(row: $0) == second.shape(row: $0) })
  return found
}

private func isSame(_ first: [AttributeColumn], _ second: [AttributeColumn]) -> Bool {
  first == second && zip(first, second).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
}
