import PortolanDocuments
import Synchronization

/// Changing the columns of a layer: attributes of all its features, hidden ones too.
extension Desk {
  /// The layer of a column command: of a name, else that of the table in the pane, else the active
  /// one.
  func columnLayer(named name: String?) throws -> any FeatureHolding {
    if name == nil, let table { return table.layer }
    let layer = try name.map { try self.layer(named: $0) } ?? requireActiveLayer()
    guard let holding = layer as? any FeatureHolding else {
      throw EditingError(.refused, "“\(layer.name)” has no columns: name another layer")
    }
    return holding
  }

  /// Adds a column of nulls.
  mutating func addColumn(
    _ name: String, to layer: any FeatureHolding, isNew: Bool, isTyped: Bool
  ) throws {
    if !isNew { throw EditingError(.usage, "write column set \(name) := EXPRESSION") }
    if isTyped {
      throw EditingError(
        .usage, "nulls have no type: write column add \(name) --type TYPE := EXPRESSION")
    }
    try requireNewColumn(name, of: layer)
    try editAttributes(
      "add \(name)", of: layer.references, saying: "added \(name) to “\(layer.name)”: nulls"
    ) { layer, ids in
      try layer.setAttribute(name, to: .null, of: ids)
    }
  }

  /// Adds or sets a column by an expression.
  mutating func computeColumn(
    _ name: String, of layer: any FeatureHolding, by expression: String, isNew: Bool,
    _ retyping: Retyping?
  ) throws {
    if isNew {
      try requireNewColumn(name, of: layer)
    } else {
      try requireColumn(name, of: layer)
    }
    try setAttribute(name, by: expression, of: layer.references, retyping)
  }

  /// Renames a column, in the layer's style as well.
  mutating func renameColumn(
    _ name: String, to newName: String, of layer: any FeatureHolding
  ) throws {
    try requireColumn(name, of: layer)
    if name.hasSameBytes(as: newName) { return }
    try requireNewColumn(newName, of: layer)
    try refuseNotes(name, of: layer)
    let names = layer.fieldNames
    try editAttributes(
      "rename \(name)", of: layer.references,
      saying: "renamed \(name) of “\(layer.name)” to \(newName)"
    ) { layer, ids in
      try layer.renameAttribute(name, to: newName, of: ids)
      layer.style = layer.style.renamingField(name, to: newName, among: names)
    }
  }

  mutating func removeColumns(_ names: [String], of layer: any FeatureHolding) throws {
    for name in names {
      try requireColumn(name, of: layer)
      try refuseNotes(name, of: layer)
    }
    let list = names.joined(separator: ", ")
    let uses = names.flatMap { layer.style.uses(of: $0) }
    let warning = uses.isEmpty ? nil : "\(uses.joined(separator: " and ")) were made of it"
    let warn: @Sendable (Document) -> String? = { _ in warning }
    try editAttributes(
      "remove \(list)", of: layer.references, saying: "removed \(list) of “\(layer.name)”",
      warning: warn
    ) { layer, ids in
      for name in names {
        try layer.setAttribute(name, of: ids) { _, rows in rows.map { _ in .missing } }
      }
    }
  }

  /// Brings the values of a column to a type.
  mutating func retypeColumn(
    _ name: String, of layer: any FeatureHolding, _ retyping: Retyping
  ) throws {
    try requireColumn(name, of: layer)
    try refuseNotes(name, of: layer)
    let type = retyping.type
    let done = RetypedValues(retyping)
    let warn: @Sendable (Document) -> String? = { _ in done.now.warning }
    try editAttributes(
      "retype \(name)", of: layer.references,
      saying: done.now.changed == 0
        ? "\(name): nothing to convert"
        : "\(name): \(done.now.changed) became \(type.words)",
      warning: warn
    ) { layer, ids in
      var retyping = done.now
      try layer.setAttribute(name, of: ids) { block, rows in
        rows.map { retyping.value(of: block.attribute(name, row: $0)) }
      }
      done.now = retyping
    }
  }

  /// Moves a column to a place among the others.
  mutating func moveColumn(
    _ name: String, of layer: any FeatureHolding, to place: ColumnPlace?, before: String?,
    after: String?
  ) throws {
    for name in [name, before, after].compactMap({ $0 }) { try requireColumn(name, of: layer) }
    let names = layer.fieldNames.filter { !$0.hasSameBytes(as: name) }
    let former = layer.fieldNames.firstIndex { $0.hasSameBytes(as: name) } ?? 0
    func index(_ other: String) -> Int? { names.firstIndex { $0.hasSameBytes(as: other) } }
    let wanted: Int? =
      switch place {
      case .first: 0
      case .last: names.count
      case .left: max(0, former - 1)
      case .right: min(names.count, former + 1)
      case nil: before.flatMap(index) ?? after.flatMap(index).map { $0 + 1 }
      }
    guard let wanted else {
      throw EditingError(.usage, "\(name) cannot stand beside itself: name another column")
    }
    let other = wanted < names.count ? names[wanted] : nil
    let (id, count) = (layer.id, Double(max(1, layer.blocks.count)))
    try edit(
      "move \(name)", isLong: layer.count > EditRequest.leastFeatures,
      saying: "\(name) is column \(wanted + 1) of \(names.count + 1)"
    ) { document, progress in
      guard let place = document.layers.firstIndex(where: { $0.id == id }),
        var layer = document.layers[place] as? any FeatureHolding
      else { return }
      if document.isProtected(layer) { throw EditingError.locked(layer.name) }
      try layer.moveAttribute(name, before: other) { try progress.report(Double($0) / count) }
      document.layers[place] = layer
    }
  }

  // MARK: What there is

  private func requireColumn(_ name: String, of layer: any FeatureHolding) throws {
    let names = layer.fieldNames
    if names.contains(where: { $0.hasSameBytes(as: name) }) { return }
    throw EditingError(.notFound, AttributeNames.missing(name, in: layer.name, names))
  }

  private func requireNewColumn(_ name: String, of layer: any FeatureHolding) throws {
    if name.isEmpty { throw EditingError(.usage, "a column needs a name") }
    if layer.count == 0 {
      throw EditingError(.refused, "“\(layer.name)” has no features: columns are their attributes")
    }
    if layer.fieldNames.contains(where: { $0.hasSameBytes(as: name) }) {
      throw EditingError(
        .refused, "there is a column “\(name)” already: column set \(name) := EXPRESSION")
    }
  }

  /// Throws for the column with the texts of notes.
  private func refuseNotes(_ name: String, of layer: any FeatureHolding) throws {
    if let notes = layer as? any NoteHolding, notes.textField.hasSameBytes(as: name) {
      throw EditingError(.refused, "“\(name)” has the texts of the notes: it stays as it is")
    }
  }
}

/// Values brought to a type, by work on any thread.
final class RetypedValues: Sendable {
  private let retyping: Mutex<Retyping>

  init(_ retyping: Retyping) { self.retyping = Mutex(retyping) }

  var now: Retyping {
    get { retyping.withLock { $0 } }
    set { retyping.withLock { $0 = newValue } }
  }
}

extension FeatureHolding {
  /// All features of the layer, hidden ones too.
  fileprivate var references: [FeatureReference] {
    blocks.flatMap { block in
      block.featureIDs.map { FeatureReference(layer: id, feature: $0) }
    }
  }
}
