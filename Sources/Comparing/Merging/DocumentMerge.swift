package import PortolanDocuments

/// A three-way merge of documents.
///
/// Layers and features are the same if they have a number that the base has; theirs' additions get
/// new numbers. Features are merged as those of files are. Properties of layers, metadata, views
/// and bookmarks are merged one by one; panes are those of the side that changed them, else ours.
package struct DocumentMerge {
  let base: Document
  let ours: Document
  let theirs: Document
  let options: MergeOptions
  /// The conflicts, in words.
  package internal(set) var conflicts: [MergeConflict] = []
  /// How many features were taken or merged of theirs.
  package internal(set) var takenCount = 0
  /// What both sides changed of views and bookmarks, and ours is kept: one sentence each.
  package internal(set) var remarks: [String] = []
  var result: Document

  /// - Parameter base: `nil` is an empty map.
  package init(
    base: Document?, ours: Document, theirs: Document, options: MergeOptions = MergeOptions()
  ) {
    self.base = base ?? Document()
    (self.ours, self.theirs, self.options) = (ours, theirs, options)
    result = ours
  }

  /// A side that cannot be merged.
  package enum Refusal: Error, Hashable, Sendable {
    /// It has conflicts of an earlier merge.
    case undecided(MergeSide)
    /// The coordinates of both are of different systems; their names.
    case systems(String, String)
  }

  /// The merged document.
  ///
  /// - Parameter progress: called with the part that is done, from 0 to 1.
  package mutating func merged(
    progress: (Double) throws -> Void = { _ in }
  ) throws -> Document {
    for (document, side) in [(ours, MergeSide.ours), (theirs, .theirs)] {
      if !document.openConflicts.isEmpty || Self.hasMarks(document) {
        throw Refusal.undecided(side)
      }
    }
    let systems = (ours.metadata.coordinateSystem, theirs.metadata.coordinateSystem)
    guard
      systems.0 == systems.1
        || base.metadata.coordinateSystem != systems.0
          && base.metadata.coordinateSystem != systems.1
        || systems.0.isDegrees == systems.1.isDegrees
    else { throw Refusal.systems(systems.0.name, systems.1.name) }
    result.nextID = max(ours.nextID, theirs.nextID, base.nextID)
    mergeMetadata()
    let numbers = Set(base.layers.map(\.id))
    for (index, former) in base.layers.enumerated() {
      try progress(Double(index) / Double(base.layers.count))
      try mergeLayer(former, ours[layer: former.id], theirs[layer: former.id])
    }
    let added = addLayers(theirs.layers.filter { !numbers.contains($0.id) }, numbers)
    arrange(numbers, added)
    mergeViews(added)
    mergeBookmarks()
    return result
  }

  /// Whether features have the member of a conflict, as those of files have it.
  private static func hasMarks(_ document: Document) -> Bool {
    document.layers.contains { layer in
      (layer as? any FeatureHolding)?.blocks.contains { block in
        block.foreignMembers.contains { $0.name == ConflictText.name }
      } ?? false
    }
  }

  // MARK: Properties

  private mutating func mergeMetadata() {
    merge("title", .documentTitle, \.title)
    merge("author", .author, \.author)
    merge("licence", .licence, \.licence)
    mergeSettings()
  }

  private mutating func mergeSettings() {
    let sides = [base, ours, theirs].map(\.metadata.settings)
    for key in Set(sides.flatMap(\.keys)).sorted() {
      switch Self.choice(sides[0][key], sides[1][key], sides[2][key]) {
      case .ours: break
      case .theirs: result.metadata.settings[key] = sides[2][key]
      case .conflict: remark("setting “\(key)”: both changed it; ours is kept")
      }
    }
  }

  private mutating func merge(
    _ word: String, _ part: Conflict.Part, _ path: WritableKeyPath<DocumentMetadata, String>
  ) {
    let values = (
      base.metadata[keyPath: path], ours.metadata[keyPath: path],
      theirs.metadata[keyPath: path]
    )
    switch Self.choice(values.0, values.1, values.2) {
    case .ours: break
    case .theirs: result.metadata[keyPath: path] = values.2
    case .conflict:
      note(
        "the document", word, Conflict(part, base: values.0, theirs: values.2))
    }
  }

  static func choice<Value: Equatable>(
    _ base: Value, _ ours: Value, _ theirs: Value
  ) -> ValueMerge.Choice {
    if ours == theirs || base == theirs { return .ours }
    return base == ours ? .theirs : .conflict
  }

  private mutating func note(_ subject: String, _ part: String, _ conflict: Conflict) {
    conflicts.append(MergeConflict(subject: subject, parts: [part]))
    result.conflicts.append(conflict)
  }

  // MARK: Layers

  private mutating func mergeLayer(
    _ former: any Layer, _ own: (any Layer)?, _ other: (any Layer)?
  ) throws {
    switch (own, other) {
    case (nil, nil): return
    case (let own?, nil):
      guard isSame(former, own) else {
        return noteRemoval(own.id, own.name, by: .theirs)
      }
      if own.isGroup { try result.ungroup(own.id) } else { try result.removeLayer(own.id) }
    case (nil, let other?):
      if isSame(former, other) { return }
      var kept = other
      kept.parent = nil
      result.layers.append(kept)
      noteRemoval(other.id, other.name, by: .ours)
    case (let own?, let other?):
      var merged = own
      mergeProperties(of: &merged, former, other)
      if let holding = merged as? any BlockHolding {
        merged = try mergeFeatures(holding, former, other)
      }
      result[layer: own.id] = merged
    }
  }

  private mutating func noteRemoval(_ id: LayerID, _ name: String, by side: Conflict.Side) {
    conflicts.append(
      MergeConflict(
        subject: "layer \(name)", parts: [], removedBy: side == .ours ? .ours : .theirs))
    result.conflicts.append(Conflict(.layer, layer: id, removedBy: side))
  }

  /// Whether two versions of a layer are the same.
  private func isSame(_ first: any Layer, _ second: any Layer) -> Bool {
    var documents = [Document(), Document()]
    for (index, var layer) in [first, second].enumerated() {
      layer.parent = nil
      documents[index].layers = [layer]
      documents[index].nextID = max(base.nextID, ours.nextID, theirs.nextID)
    }
    guard let bytes = try? DocumentArchive.bytes(of: documents[0]) else { return false }
    return bytes == (try? DocumentArchive.bytes(of: documents[1]))
  }

  private mutating func mergeProperties(
    of layer: inout any Layer, _ former: any Layer, _ other: any Layer
  ) {
    let own = layer
    let subject = "layer \(own.name)"
    func conflict(_ part: Conflict.Part, _ base: String, _ theirs: String) -> Conflict {
      Conflict(part, layer: own.id, base: base, theirs: theirs)
    }
    switch Self.choice(former.name, own.name, other.name) {
    case .ours: break
    case .theirs: layer.name = other.name
    case .conflict: note(subject, "name", conflict(.name, former.name, other.name))
    }
    switch Self.choice(former.title, own.title, other.title) {
    case .ours: break
    case .theirs: layer.title = other.title
    case .conflict: note(subject, "title", conflict(.title, former.title, other.title))
    }
    // Of two values, two sides cannot have different new ones.
    if former.isVisible == own.isVisible { layer.isVisible = other.isVisible }
    if former.isLocked == own.isLocked { layer.isLocked = other.isLocked }
    switch Self.choice(former.zooms, own.zooms, other.zooms) {
    case .ours: break
    case .theirs: layer.zooms = other.zooms
    case .conflict:
      note(
        subject, "zooms", conflict(.zooms, ZoomText.text(former.zooms), ZoomText.text(other.zooms)))
    }
    switch Self.choice(former.style.content, own.style.content, other.style.content) {
    case .ours: break
    case .theirs: layer.style = other.style
    case .conflict:
      var conflict = conflict(.style, "", "")
      conflict.style = other.style
      note(subject, "style", conflict)
    }
    if var keeping = layer as? any OriginKeeping {
      switch Self.choice(former.keptOrigin, own.keptOrigin, other.keptOrigin) {
      case .ours: break
      case .theirs:
        keeping.origin = other.keptOrigin
        layer = keeping
      case .conflict:
        remarks.append("both sides changed the source of \(subject): ours is kept")
      }
    }
  }

  /// Adds layers that only theirs has, above all others.
  ///
  /// - Returns: their numbers in the result by those in theirs.
  private mutating func addLayers(
    _ added: [any Layer], _ numbers: Set<LayerID>
  ) -> [LayerID: LayerID] {
    let known = ours.layers.filter { !numbers.contains($0.id) }
    var places: [LayerID: LayerID] = [:]
    for layer in added {
      if let twin = known.first(where: { $0.id == layer.id && isSame($0, layer) }) {
        places[layer.id] = twin.id
        continue
      }
      result.add([layer], hasLooks: true)
      places[layer.id] = result.layers.last?.id
      takenCount += layer.count
    }
    return places
  }

  // MARK: Order and groups

  private struct Place: Equatable {
    var id: LayerID
    var parent: LayerID?
  }

  /// The order and the groups of the layers that the base has, too.
  private func places(_ document: Document, _ numbers: Set<LayerID>) -> [Place] {
    document.layers.filter { numbers.contains($0.id) }.map { Place(id: $0.id, parent: $0.parent) }
  }

  /// Takes theirs' order and groups of layers if only theirs changed them.
  private mutating func arrange(_ numbers: Set<LayerID>, _ added: [LayerID: LayerID]) {
    let common = numbers.filter { ours[layer: $0] != nil && theirs[layer: $0] != nil }
    let (former, own, other) = (
      places(base, common), places(ours, common), places(theirs, common)
    )
    func isNew(_ layer: any Layer) -> Bool { added[layer.id] != nil && layer.parent != nil }
    if other == former && !theirs.layers.contains(where: isNew) || own == other { return }
    guard own == former else {
      return note("the document", "the order or the groups of layers", Conflict(.order))
    }
    var rest = Dictionary(result.layers.map { ($0.id, $0) }) { $1 }
    var arranged: [any Layer] = []
    for layer in theirs.layers {
      guard var found = rest.removeValue(forKey: added[layer.id] ?? layer.id) else { continue }
      found.parent = layer.parent.flatMap { added[$0] ?? (result[layer: $0] == nil ? nil : $0) }
      arranged.append(found)
    }
    for layer in result.layers {
      guard var left = rest[layer.id] else { continue }
      left.parent = left.parent.flatMap { rest[$0] == nil ? nil : $0 }
      arranged.append(left)
    }
    result.layers = arranged
  }
}

/// Bounds of zooms as a text that is read again: `4 64`, `- 64`.
package enum ZoomText {
  static func text(_ bounds: ZoomBounds) -> String {
    [bounds.least, bounds.greatest].map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }

  package static func bounds(_ text: String) -> ZoomBounds? {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    return ZoomBounds(least: Double(words[0]), greatest: Double(words[1]))
      ?? (text == "- -" ? .all : nil)
  }
}
