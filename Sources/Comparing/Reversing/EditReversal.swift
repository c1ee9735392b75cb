package import PortolanDocuments

/// Takes one edit back in a document that was changed since.
///
/// A three-way merge whose base is the document after the edit, with the one before it as theirs:
/// what the edit changed gets its former value where nobody has changed it since. Features that
/// both changed are merged as `portolan merge` does it: attributes one by one, geometries by rings.
/// Numbers of layers and features never fall.
///
///     let reversal = EditReversal(from: before, to: after, in: present)
///     let document = try reversal.reversed()
package struct EditReversal: Sendable {
  let before: Document
  let after: Document
  let present: Document

  /// - Parameters:
  ///   - before: the document before the edit.
  ///   - after: the document right after it.
  ///   - present: the document in which the edit is taken back.
  package init(from before: Document, to after: Document, in present: Document) {
    (self.before, self.after, self.present) = (before, after, present)
  }

  /// The number of features in blocks of layers that the edit and later ones changed: those that
  /// are compared one by one.
  package var comparedCount: Int {
    after.layers.reduce(0) { count, layer in
      guard let new = layer as? any BlockHolding,
        let old = before[layer: layer.id] as? any BlockHolding,
        let own = present[layer: layer.id] as? any BlockHolding,
        !LayerReversal.areSame(old.blocks, new.blocks),
        !LayerReversal.areSame(own.blocks, new.blocks)
      else { return count }
      return count
        + max(
          FeatureReversal.count(old.blocks, besides: new.blocks),
          FeatureReversal.count(new.blocks, besides: old.blocks))
    }
  }

  /// The present document without the edit.
  ///
  /// - Throws: `ChangedPart`, the first part of the edit that was changed since.
  /// - Complexity: O(blocks + features of blocks that the edit changed).
  package func reversed() throws -> Document {
    var result = present
    try reverseMetadata(&result)
    try reverseLayers(&result)
    try reverseBookmarks(&result)
    try reverseConflicts(&result)
    try reverseViews(&result)
    result.keepNumbers(of: present)
    return result
  }

  /// One value: that before the edit if the edit changed it, else the present one.
  ///
  /// - Throws: the part if the value was changed since.
  static func value<Value>(
    _ before: Value, _ after: Value, _ present: Value, _ part: @autoclosure () -> ChangedPart,
    _ areEqual: (Value, Value) -> Bool
  ) throws -> Value {
    if areEqual(before, after) || areEqual(present, before) { return present }
    guard areEqual(present, after) else { throw part() }
    return before
  }

  static func value<Value: Equatable>(
    _ before: Value, _ after: Value, _ present: Value, _ part: @autoclosure () -> ChangedPart
  ) throws -> Value {
    try value(before, after, present, part(), ==)
  }

  // MARK: The document

  private func reverseMetadata(_ result: inout Document) throws {
    func take<Value: Equatable>(_ path: WritableKeyPath<DocumentMetadata, Value>) throws {
      result.metadata[keyPath: path] = try Self.value(
        before.metadata[keyPath: path], after.metadata[keyPath: path],
        present.metadata[keyPath: path], ChangedPart(.document, "the document's metadata"))
    }
    try take(\.title)
    try take(\.author)
    try take(\.licence)
    try take(\.units)
    try take(\.coordinateSystem)
    let keys = Set(before.metadata.settings.keys).union(after.metadata.settings.keys)
    for key in keys.sorted() { try take(\.settings[key]) }
    // Coordinates that were added or moved since are of the new system.
    let system = result.metadata.coordinateSystem
    if system != present.metadata.coordinateSystem, !hasCoordinates(of: after) {
      throw ChangedPart(.coordinates, "the coordinates, whose system it changed,")
    }
    // What comes back has the coordinates that it had before the edit.
    if system != before.metadata.coordinateSystem, changesPlaces {
      throw ChangedPart(.coordinateSystem, "the coordinate system")
    }
  }

  /// Whether the edit changed features, or where bookmarks are.
  private var changesPlaces: Bool {
    !ChangedPart.haveSameBlocks(before, after)
      || !before.bookmarks.elementsEqual(after.bookmarks) { ChangedPart.areSame($0, $1) }
  }

  /// Whether the present layers have the blocks of another document.
  private func hasCoordinates(of other: Document) -> Bool {
    ChangedPart.haveSameBlocks(present, other)
  }

  private func reverseBookmarks(_ result: inout Document) throws {
    let added = after.bookmarks.filter { before.bookmarks[$0.name] == nil }
    for name in (before.bookmarks + added).map(\.name) {
      let (old, new, own) = (
        before.bookmarks[name], after.bookmarks[name], present.bookmarks[name]
      )
      let value = try Self.value(
        old, new, own, ChangedPart(.bookmark(name), "bookmark \(name)"), ChangedPart.areSame)
      if let value {
        if own == nil {
          result.bookmarks.insert(value, at: place(ofBookmark: name, among: result.bookmarks))
        } else if !ChangedPart.areSame(value, own) {
          result.bookmarks.set(value)
        }
      } else {
        result.bookmarks.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
      }
    }
  }

  /// Where a bookmark comes back: behind the nearest one before it that is still there.
  private func place(ofBookmark name: String, among bookmarks: [Bookmark]) -> Int {
    for former in before.bookmarks.prefix(while: { !$0.name.hasSameBytes(as: name) }).reversed() {
      if let index = bookmarks.firstIndex(where: { $0.name.hasSameBytes(as: former.name) }) {
        return index + 1
      }
    }
    return 0
  }

  /// Decisions on the conflicts of a merge.
  private func reverseConflicts(_ result: inout Document) throws {
    result.conflicts = try Self.value(
      before.conflicts, after.conflicts, present.conflicts,
      ChangedPart(.conflicts, "the conflicts of a merge"), ChangedPart.areSame)
  }

  /// The saved views and their panes, as a whole.
  ///
  /// Saving the document notes in them where each pane stands, which is no edit: that stands
  /// against the reversal only if the edit changed nothing but views.
  private func reverseViews(_ result: inout Document) throws {
    let (old, new) = (ChangedPart.views(before), ChangedPart.views(after))
    if old == new { return }
    let own = ChangedPart.views(present)
    if own == new {
      (result.views, result.layout) = (before.views, before.layout)
    } else if own != old, changesOnlyViews {
      throw ChangedPart(.views, "the views")
    }
  }

  private var changesOnlyViews: Bool {
    before.metadata == after.metadata && before.bookmarks.count == after.bookmarks.count
      && ChangedPart.haveSameBlocks(before, after)
      && before.layers.count == after.layers.count
      && before.layers.allSatisfy { old in
        after[layer: old.id].map { LayerReversal.haveSameProperties(old, $0) } ?? false
      }
  }
}

extension Document {
  /// Lets no number for a layer, a view or a feature fall below that of another version.
  package mutating func keepNumbers(of other: Document) {
    nextID = max(nextID, other.nextID)
    for index in layers.indices {
      guard var layer = layers[index] as? any BlockHolding,
        let former = other[layer: layer.id] as? any BlockHolding,
        former.nextFeatureID > layer.nextFeatureID
      else { continue }
      layer.nextFeatureID = former.nextFeatureID
      layers[index] = layer
    }
  }
}
