import PortolanComparing
import PortolanDocuments
import PortolanGraphics

/// Walking through conflicts and deciding them.
extension Desk {
  /// Goes so many conflicts forward or back.
  mutating func stepConflict(by steps: Int) throws {
    let places = document.conflictPlaces
    if places.isEmpty { throw EditingError(.notFound, "there is no conflict to be decided") }
    let present = currentConflict(among: places)
    let start = present ?? (steps > 0 ? -1 : 0)
    let count = places.count
    let index = ((start + steps) % count + count) % count
    let place = places[index]
    work.conflict = index
    let suffix = "conflict \(index + 1) of \(count): \(place.words(in: document))"
    guard let reference = place.reference else {
      let layer = place.layer.flatMap { document[layer: $0] }.map { $0.name + ": " } ?? ""
      select([], .replace)
      return say("\(layer)\(suffix); \(Self.ways)")
    }
    select([reference], .replace)
    showBoth(place, reference)
    say("\(describe(reference))  \(suffix); \(Self.ways)")
  }

  private static let ways = ":resolve ours, theirs or both"

  /// Fits the map to both versions of a feature, unless all of both is in view.
  private mutating func showBoth(_ place: ConflictPlace, _ reference: FeatureReference) {
    var box = document.feature(reference)?.geometry.box ?? .empty
    if let theirs = place.theirs { box = box.union(theirs.geometry.box) }
    guard !box.isEmpty else { return }
    if isScripted {
      if let anchor = document.feature(reference)?.geometry.anchor { visit(anchor) }
      return
    }
    fit(box.width == 0 && box.height == 0 ? box.around(isGeographic: isGeographic) : box)
    settleCursor(at: document.feature(reference)?.geometry.anchor ?? box.center)
  }

  /// The conflict that the selection or the last step means.
  private func currentConflict(among places: [ConflictPlace]) -> Int? {
    if let current = selection.currentFeature {
      return places.firstIndex { $0.reference == current }
    }
    guard let index = work.conflict, places.indices.contains(index),
      places[index].reference == nil
    else { return nil }
    return index
  }

  /// The other side's version of the current feature, to be drawn beside it.
  var theirsShown: Geometry? {
    guard document.mayHaveConflicts, let current = selection.currentFeature else { return nil }
    let place = document.conflictPlaces.first { $0.reference == current }
    guard let geometry = place?.theirs?.geometry, geometry.kind != .none else { return nil }
    return geometry
  }

  /// The attributes of the current feature that the sides of a merge disagree about.
  var disputedVersions: [ConflictVersions] {
    guard document.mayHaveConflicts, let current = selection.currentFeature else { return [] }
    let place = document.conflictPlaces.first { $0.reference == current }
    return place?.versions(in: document) ?? []
  }

  /// Decides conflicts: all, those of the selected features, or the one that was gone to.
  mutating func resolve(_ decision: ConflictDecision, all: Bool) throws {
    let places = document.conflictPlaces
    if places.isEmpty { throw EditingError(.notFound, "there is no conflict to be decided") }
    var chosen = places
    if !all {
      chosen = places.filter { place in place.reference.map { selection.contains($0) } ?? false }
      if chosen.isEmpty, let index = currentConflict(among: places) { chosen = [places[index]] }
      if chosen.isEmpty {
        throw EditingError(
          .refused, "no conflict is chosen: ]c goes to the next one, --all takes all")
      }
    }
    var decided: [FeatureReference] = []
    try edit("decide " + CountText.text(chosen.count, "conflict", "conflicts")) { document in
      // From the last on: the numbers of those before stay.
      for place in chosen.reversed() { decided += try document.resolve(place, decision) }
    }
    work.conflict = nil
    let known = decided.filter { document.contains($0) }
    select(Array(known.reversed()), .replace)
    let left = document.conflictPlaces.count
    let words = left == 0 ? "none is left" : "\(left) left: ]c goes to the next"
    let count = CountText.text(chosen.count, "conflict", "conflicts")
    say("\(decision.rawValue): \(count) decided, \(words)")
  }
}

extension Box {
  /// A box around a single place, some hundred metres in degrees.
  fileprivate func around(isGeographic: Bool) -> Box {
    let margin = isGeographic ? 0.01 : max(abs(minX), abs(minY), 1) * 1e-4
    return Box(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
  }
}
