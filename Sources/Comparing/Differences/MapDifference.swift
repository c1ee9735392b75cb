package import PortolanDocuments
import PortolanGraphics

/// The differences between two maps by layers and features.
///
/// - Complexity: O(vertices + values), and O(n log n) for the order of features.
package struct MapDifference: Sendable {
  package enum Change: String, Sendable {
    case added, removed, changed
  }

  /// Another value; `.missing` where a version has none.
  package struct ValueChange: Sendable {
    package var name: String
    package var old: AttributeValue
    package var new: AttributeValue
  }

  package struct FeatureChange: Sendable {
    package var change: Change
    package var old: ComparedRow?
    package var new: ComparedRow?
    /// The `id`, if it is another one.
    package var identifier: ValueChange?
    package var attributes: [ValueChange] = []
    /// Members that are no attributes.
    package var members: [ValueChange] = []
    package var geometry: GeometryDifference?

    package var label: String { (new ?? old)?.label ?? "" }
  }

  package struct LayerDifference: Sendable {
    package var old: (any Layer)?
    package var new: (any Layer)?
    /// The differences beside the features, in words.
    package var notes: [String] = []
    package var features: [FeatureChange] = []
    /// How many features are the same on both sides.
    package var sameCount = 0
    /// How many of the features on both sides must be moved to have the new order.
    package var movedCount = 0
    /// The features of the new version that are the same.
    package var same: [ComparedRow] = []

    package var name: String { (new ?? old)?.name ?? "" }
    package var isEmpty: Bool { notes.isEmpty && features.isEmpty && movedCount == 0 }
  }

  package var layers: [LayerDifference] = []
  /// The differences beside the layers, in words.
  package var notes: [String] = []
  /// Whether the coordinates of the new map are degrees.
  package let isGeographic: Bool

  package var isEmpty: Bool { notes.isEmpty && layers.allSatisfy(\.isEmpty) }

  package func count(_ change: Change) -> Int {
    layers.reduce(0) { $0 + $1.features.count { $0.change == change } }
  }

  package var sameCount: Int { layers.reduce(0) { $0 + $1.sameCount } }
  package var movedCount: Int { layers.reduce(0) { $0 + $1.movedCount } }

  /// How two maps are compared.
  package struct Options: Sendable {
    /// The attribute that features are known by; `nil` for their `id`.
    package var key: String?
    /// Whether both are documents: names, looks and numbers of layers count then.
    package var areDocuments: Bool

    package init(key: String? = nil, areDocuments: Bool = false) {
      (self.key, self.areDocuments) = (key, areDocuments)
    }
  }

  /// Compares two maps.
  ///
  /// - Parameter progress: called with the part that is done, from 0 to 1.
  package init(
    from old: Document, to new: Document, options: Options = Options(),
    progress: (Double) throws -> Void = { _ in }
  ) throws {
    isGeographic = new.metadata.isGeographic
    if old.metadata.coordinateSystem != new.metadata.coordinateSystem {
      notes.append(
        "the coordinate system is \(new.metadata.coordinateSystem.name), was "
          + old.metadata.coordinateSystem.name)
    }
    if options.areDocuments { notes += Self.notes(from: old, to: new) }
    let pairs = Self.pairs(old.layers, new.layers, options)
    for (index, pair) in pairs.enumerated() {
      try progress(Double(index) / Double(pairs.count))
      layers.append(
        try Self.layer(pair.0, pair.1, options, isGeographic) {
          try progress((Double(index) + $0) / Double(pairs.count))
        })
    }
  }

  private static func notes(from old: Document, to new: Document) -> [String] {
    var notes: [String] = []
    func compare(_ name: String, _ value: String, _ other: String) {
      if value != other { notes.append("\(name): “\(value)” → “\(other)”") }
    }
    compare("title", old.metadata.title, new.metadata.title)
    compare("author", old.metadata.author, new.metadata.author)
    compare("licence", old.metadata.licence, new.metadata.licence)
    compare("units", old.metadata.units, new.metadata.units)
    let (own, other) = (old.metadata.settings, new.metadata.settings)
    for key in Set(own.keys).union(other.keys).sorted() {
      compare("setting \(key)", own[key] ?? "", other[key] ?? "")
    }
    notes += viewNotes(from: old, to: new)
    return notes
  }

  // MARK: Layers

  /// The layers of both versions that belong together: of one number and name, of one name, of one
  /// number in documents, and two that are the only ones left.
  private static func pairs(
    _ old: [any Layer], _ new: [any Layer], _ options: Options
  ) -> [((any Layer)?, (any Layer)?)] {
    var found = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)
    func pair(_ fits: (any Layer, any Layer) -> Bool) {
      for index in new.indices where found[index] == nil {
        guard let other = old.indices.first(where: { !isTaken[$0] && fits(old[$0], new[index]) })
        else { continue }
        found[index] = other
        isTaken[other] = true
      }
    }
    if options.areDocuments { pair { $0.id == $1.id && $0.name.hasSameBytes(as: $1.name) } }
    pair { $0.name.hasSameBytes(as: $1.name) && $0.isGroup == $1.isGroup }
    if options.areDocuments { pair { $0.id == $1.id && $0.isGroup == $1.isGroup } }
    if found.count(where: { $0 == nil }) == 1, isTaken.count(where: { !$0 }) == 1 {
      pair { $0.isGroup == $1.isGroup }
    }
    let removed = old.indices.filter { !isTaken[$0] }.map { (Optional(old[$0]), (any Layer)?.none) }
    return new.indices.map { (found[$0].map { old[$0] }, Optional(new[$0])) } + removed
  }

  private static func layer(
    _ old: (any Layer)?, _ new: (any Layer)?, _ options: Options, _ isGeographic: Bool,
    _ progress: (Double) throws -> Void
  ) throws -> LayerDifference {
    var difference = LayerDifference(old: old, new: new)
    switch (old, new) {
    case (nil, _): difference.notes.append("added")
    case (_, nil): difference.notes.append("removed")
    case (let old?, let new?):
      if options.areDocuments { difference.notes = layerNotes(old, new) }
    }
    let (olds, news) = (
      ComparedRow.rows(of: old as? any FeatureHolding),
      ComparedRow.rows(of: new as? any FeatureHolding)
    )
    let hasNumbers = options.areDocuments && old?.id == new?.id
    // A file without ids, as most tables are, does not say that there are none.
    let ignoresIDs = !options.areDocuments && olds.haveIDs != news.haveIDs
    func matched(_ rows: [ComparedRow]) -> MatchedRows {
      MatchedRows(
        rows: rows, key: options.key, hasNumbers: hasNumbers, ignoresIDs: ignoresIDs)
    }
    let matching = FeatureMatching(matched(olds), matched(news))
    try progress(0.5)
    for (index, row) in news.enumerated() {
      guard let other = matching.first[index] else {
        difference.features.append(FeatureChange(change: .added, new: row))
        continue
      }
      if let change = change(olds[other], row, isGeographic, ignoresIDs: ignoresIDs) {
        difference.features.append(change)
      } else {
        difference.sameCount += 1
        difference.same.append(row)
      }
    }
    for (index, row) in olds.enumerated() where matching.second[index] == nil {
      difference.features.append(FeatureChange(change: .removed, old: row))
    }
    let order = matching.first.compactMap { $0 }
    difference.movedCount = order.count - LongestRise.indices(of: order).count
    return difference
  }

  private static func layerNotes(_ old: any Layer, _ new: any Layer) -> [String] {
    var notes: [String] = []
    if !old.name.hasSameBytes(as: new.name) { notes.append("was called “\(old.name)”") }
    if !old.title.hasSameBytes(as: new.title) {
      notes.append("title: “\(old.title)” → “\(new.title)”")
    }
    if old.isVisible != new.isVisible { notes.append(new.isVisible ? "shown" : "hidden") }
    if old.isLocked != new.isLocked { notes.append(new.isLocked ? "locked" : "unlocked") }
    if old.style.content != new.style.content { notes.append("another style") }
    if old.zooms != new.zooms { notes.append("other zooms") }
    if old.keptOrigin != new.keptOrigin { notes.append("another source") }
    if old.parent != new.parent { notes.append("another group") }
    return notes
  }

  // MARK: Features

  /// The change of a feature; `nil` for none.
  private static func change(
    _ old: ComparedRow, _ new: ComparedRow, _ isGeographic: Bool, ignoresIDs: Bool = false
  ) -> FeatureChange? {
    var change = FeatureChange(change: .changed, old: old, new: new)
    if !ignoresIDs, !old.identifier.isSame(as: new.identifier) {
      change.identifier = ValueChange(name: "id", old: old.identifier, new: new.identifier)
    }
    change.attributes = changes(old.block.attributes, old.row, new.block.attributes, new.row)
    change.members =
      changes(old.block.foreignMembers, old.row, new.block.foreignMembers, new.row)
      + changes(
        old.block.geometryForeignMembers, old.row, new.block.geometryForeignMembers, new.row)
    if !hasSameGeometry(old, new) {
      change.geometry = GeometryDifference(
        from: old.geometry, to: new.geometry, isGeographic: isGeographic)
    }
    let isSame =
      change.identifier == nil && change.attributes.isEmpty && change.members.isEmpty
      && change.geometry == nil
    return isSame ? nil : change
  }

  /// Whether two features have the same values and the same geometry.
  static func areSame(_ old: ComparedRow, _ new: ComparedRow) -> Bool {
    change(old, new, false) == nil
  }

  /// Other values of columns, in the order of the new ones; those that are gone come last.
  private static func changes(
    _ old: [AttributeColumn], _ row: Int, _ new: [AttributeColumn], _ newRow: Int
  ) -> [ValueChange] {
    var changes: [ValueChange] = []
    for (place, column) in new.enumerated() {
      let value = column.value(newRow)
      // Versions of a map have their columns in one order mostly.
      let known =
        old.indices.contains(place) && old[place].name.hasSameBytes(as: column.name)
        ? old[place] : old.first { $0.name.hasSameBytes(as: column.name) }
      let former = known?.value(row) ?? .missing
      if !former.isSame(as: value) {
        changes.append(ValueChange(name: column.name, old: former, new: value))
      }
    }
    for column in old where column.kind(row) != .missing {
      guard !new.contains(where: { $0.name.hasSameBytes(as: column.name) }) else { continue }
      changes.append(ValueChange(name: column.name, old: column.value(row), new: .missing))
    }
    return changes
  }

  private static func hasSameGeometry(_ old: ComparedRow, _ new: ComparedRow) -> Bool {
    let (first, second) = (old.block.geometry, new.block.geometry)
    let (paths, others) = (first.paths(ofFeature: old.row), second.paths(ofFeature: new.row))
    guard first.kinds[old.row] == second.kinds[new.row], paths.count == others.count else {
      return false
    }
    for (path, other) in zip(paths, others) {
      let (vertices, otherVertices) = (first.vertices(ofPath: path), second.vertices(ofPath: other))
      guard first.pathRoles[path] == second.pathRoles[other],
        vertices.count == otherVertices.count,
        first.coordinates[2 * vertices.lowerBound..<2 * vertices.upperBound]
          == second.coordinates[2 * otherVertices.lowerBound..<2 * otherVertices.upperBound]
      else { return false }
      for (vertex, otherVertex) in zip(vertices, otherVertices) {
        let height = first.elevations.isEmpty ? Double.nan : first.elevations[vertex]
        let other = second.elevations.isEmpty ? Double.nan : second.elevations[otherVertex]
        if height != other, !(height.isNaN && other.isNaN) { return false }
      }
    }
    return true
  }
}

/// The longest part of a list of numbers that rises.
enum LongestRise {
  /// The indices of one such part.
  ///
  /// - Complexity: O(n log n).
  static func indices(of values: [Int]) -> [Int] {
    // The index of the last number of the best rise of each length.
    var ends: [Int] = []
    var former = [Int](repeating: -1, count: values.count)
    for index in values.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < values[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { former[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      result.append(index)
      index = former[index]
    }
    return result.reversed()
  }
}
