/// Groups of layers.
///
/// A group comes right above its layers in the list, without a gap, so that a group with all its
/// layers is one range of the list.
extension Document {
  /// The groups around a layer, the nearest first.
  package func groups(around layer: any Layer) -> [any Layer] {
    var found: [any Layer] = []
    var next = layer.parent
    while let id = next, found.count < layers.count,
      let group = layers.first(where: { $0.id == id }), group.isGroup
    {
      found.append(group)
      next = group.parent
    }
    return found
  }

  /// Whether a layer is drawn: it and all groups around it are visible.
  package func isShown(_ layer: any Layer) -> Bool {
    layer.isVisible && (layer.parent == nil || groups(around: layer).allSatisfy(\.isVisible))
  }

  /// Whether a layer is protected: it or a group around it is locked.
  package func isProtected(_ layer: any Layer) -> Bool {
    layer.isLocked || (layer.parent != nil && groups(around: layer).contains(where: \.isLocked))
  }

  /// Whether a magnification lies in the bounds of a layer and of all groups around it.
  package func isInZoom(_ layer: any Layer, at magnification: Double) -> Bool {
    layer.zooms.contains(magnification)
      && (layer.parent == nil
        || groups(around: layer).allSatisfy { $0.zooms.contains(magnification) })
  }

  /// The layers that are drawn at a magnification, from the bottom up.
  package func shownLayers(at magnification: Double) -> [any Layer] {
    layers.filter { isShown($0) && isInZoom($0, at: magnification) }
  }

  /// The layers that are drawn, from the bottom up, at some magnification.
  package var shownLayers: [any Layer] { layers.filter { isShown($0) } }

  /// The range of a layer and all its members; the layer itself is last.
  ///
  /// - Throws: `DocumentError` if there is no such layer.
  package func range(of id: LayerID) throws -> ClosedRange<Int> {
    let top = try requireIndex(of: id)
    var bottom = top
    while bottom > 0, groups(around: layers[bottom - 1]).contains(where: { $0.id == id }) {
      bottom -= 1
    }
    return bottom...top
  }

  /// The ranges of the layers side by side in a group, or at the top level; from the bottom up.
  private func siblings(in parent: LayerID?) throws -> [ClosedRange<Int>] {
    var bottom = 0
    var top = layers.count - 1
    if let parent {
      let range = try range(of: parent)
      (bottom, top) = (range.lowerBound, range.upperBound - 1)
    }
    var found: [ClosedRange<Int>] = []
    while top >= bottom {
      let range = try range(of: layers[top].id)
      found.append(range)
      top = range.lowerBound - 1
    }
    return found.reversed()
  }

  /// The place of a layer among its siblings, counted from the bottom, and their number.
  package func place(of id: LayerID) throws -> (place: Int, count: Int) {
    let index = try requireIndex(of: id)
    let ranges = try siblings(in: layers[index].parent)
    return (ranges.firstIndex { $0.upperBound == index } ?? 0, ranges.count)
  }

  /// Moves a layer with its members among its siblings; places beyond the ends mean the ends.
  ///
  /// - Throws: `DocumentError` if there is no such layer.
  package mutating func moveLayer(_ id: LayerID, to place: Int) throws {
    let index = try requireIndex(of: id)
    let ranges = try siblings(in: layers[index].parent)
    guard let former = ranges.firstIndex(where: { $0.upperBound == index }) else { return }
    var parts = ranges.map { Array(layers[$0]) }
    let moved = parts.remove(at: former)
    parts.insert(moved, at: min(max(place, 0), parts.count))
    replace(ranges, by: parts)
  }

  /// Removes a layer, and all members of a group with it.
  ///
  /// - Throws: `DocumentError` if there is no such layer.
  package mutating func removeLayer(_ id: LayerID) throws {
    layers.removeSubrange(try range(of: id))
  }

  /// Puts layers into a new group, at the place of the uppermost of them.
  ///
  /// - Throws: `DocumentError` if one does not exist, or if they are in different groups.
  @discardableResult
  package mutating func group(_ ids: [LayerID], named name: String) throws -> LayerID {
    let members = try ids.map { layers[try requireIndex(of: $0)] }
    guard let parent = members.first.map(\.parent),
      members.allSatisfy({ $0.parent == parent })
    else {
      throw DocumentError(
        .invalidValue, path: "layers", "only layers that stand side by side can be grouped")
    }
    let group = LayerKinds.group(LayerID(makeID()), name: name, parent: parent)
    let ranges = try siblings(in: parent)
    var held: [any Layer] = []
    var parts: [[any Layer]] = []
    var place = 0
    for range in ranges {
      guard ids.contains(layers[range.upperBound].id) else {
        parts.append(Array(layers[range]))
        continue
      }
      layers[range.upperBound].parent = group.id
      held += layers[range]
      place = parts.count
    }
    parts.insert(held + [group], at: place)
    replace(ranges, by: parts)
    return group.id
  }

  /// Replaces a range of consecutive parts.
  private mutating func replace(_ ranges: [ClosedRange<Int>], by parts: [[any Layer]]) {
    guard let first = ranges.first, let last = ranges.last else { return }
    layers.replaceSubrange(first.lowerBound...last.upperBound, with: parts.flatMap { $0 })
  }

  /// Removes a group and leaves its layers in place.
  ///
  /// - Throws: `DocumentError` if there is no such group.
  package mutating func ungroup(_ id: LayerID) throws {
    let index = try requireIndex(of: id)
    let group = layers[index]
    guard group.isGroup else {
      throw DocumentError(.invalidValue, path: "layers", "\(layers[index].name) is no group")
    }
    layers.remove(at: index)
    for index in layers.indices where layers[index].parent == id {
      layers[index].parent = group.parent
    }
  }

  /// The first layer that is not right below its group, if there is one.
  ///
  /// A layer of an unknown kind belongs to the group around it that it names; if it names none of
  /// them, or one that ends above a following layer, to the innermost.
  mutating func settleGroups() -> LayerID? {
    // The parent of the nearest known layer below each place.
    var parentsBelow: [LayerID?] = []
    parentsBelow.reserveCapacity(layers.count)
    var below: LayerID?
    for layer in layers {
      parentsBelow.append(below)
      if !(layer is any KeptPart) { below = layer.parent }
    }
    var open: [LayerID] = []
    for index in layers.indices.reversed() {
      let parent = layers[index].parent
      let place = open.lastIndex { $0 == parent }
      if layers[index] is any KeptPart {
        let needed = open.lastIndex { $0 == parentsBelow[index] }
        if let place, place >= needed ?? 0 {
          open.removeSubrange((place + 1)...)
        } else {
          layers[index].parent = open.last
        }
      } else if let place {
        open.removeSubrange((place + 1)...)
      } else if parent == nil {
        open = []
      } else {
        return layers[index].id
      }
      if layers[index].isGroup { open.append(layers[index].id) }
    }
    return nil
  }
}
