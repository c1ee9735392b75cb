import PortolanDocuments
import Synchronization

/// Changing attributes, by command and in the form.
extension Desk {
  /// The features that an edit of attributes means: those of the form, or else the selected ones.
  ///
  /// - Parameter all: rather all features of the active layer that are shown.
  func meantFeatures(all: Bool = false) throws -> [FeatureReference] {
    if all {
      let layer = try requireActiveLayer()
      let features = features(of: layer)
      if !features.isEmpty { return features }
      throw EditingError(.notFound, "layer \(layer.name) shows no features")
    }
    let features = form?.features ?? selection.features
    if features.isEmpty { throw nothingSelected(or: "--all takes all features") }
    return features
  }

  /// Sets attributes of features in one step.
  ///
  /// The type of the new value depends on each feature's present value.
  mutating func setAttributes(
    _ values: [(name: String, text: AttributeText)], of features: [FeatureReference]
  ) throws {
    let names = values.map(\.name).joined(separator: ", ")
    let message = "set \(names) of \(CountText.features(features.count))"
    let warning: @Sendable (Document) -> String? = { former in
      KindChanges(values, of: features, in: former).text
    }
    try editAttributes(
      "set \(names)", of: features, saying: message, warning: warning
    ) { layer, ids in
      for (name, text) in values {
        let groups = Dictionary(grouping: ids) { id in
          text.value(over: layer.attribute(name, of: id))
        }
        for (value, ids) in groups { try layer.setAttribute(name, to: value, of: Set(ids)) }
      }
    }
  }

  /// Removes attributes of all selected features in one step.
  mutating func removeAttributes(_ names: [String]) throws {
    let features = form?.features ?? selection.features
    if features.isEmpty { throw nothingSelected() }
    let list = names.joined(separator: ", ")
    let known = fieldNames(of: features)
    let found = AttributeCounts()
    let check: @Sendable () throws -> Void = {
      for name in names where found[name] == 0 { throw Self.absent(name, known) }
    }
    try editAttributes(
      "remove \(list)", of: features,
      saying: "removed \(list) of \(CountText.features(features.count))", atEnd: check
    ) { layer, ids in
      for name in names {
        found.add(layer.count(of: name, in: ids), name)
        try layer.setAttribute(name, of: ids) { _, rows in rows.map { _ in .missing } }
      }
    }
  }

  /// Renames an attribute of all selected features that have it.
  mutating func renameAttribute(_ name: String, to newName: String) throws {
    if newName.isEmpty { throw EditingError(.usage, "an attribute needs a name") }
    let features = form?.features ?? selection.features
    if features.isEmpty { throw nothingSelected() }
    if name == newName { return }
    let known = fieldNames(of: features)
    let found = AttributeCounts()
    let check: @Sendable () throws -> Void = {
      if found[name] == 0 { throw Self.absent(name, known) }
    }
    try editAttributes(
      "rename \(name)", of: features,
      saying: "renamed \(name) to \(newName) in \(CountText.features(found[name]))",
      atEnd: check
    ) { layer, ids in
      found.add(layer.count(of: name, in: ids), name)
      try layer.renameAttribute(name, to: newName, of: ids)
    }
  }

  /// The attributes of the layers of some features.
  private func fieldNames(of features: [FeatureReference]) -> [String] {
    let layers = Set(features.map(\.layer))
    return document.layers.filter { layers.contains($0.id) }.flatMap {
      ($0 as? any FeatureHolding)?.fieldNames ?? []
    }
  }

  private static func absent(_ name: String, _ known: [String]) -> EditingError {
    EditingError(
      .notFound,
      "no selected feature has an attribute “\(name)”" + AttributeNames.question(name, known))
  }

  /// Changes features of one or more layers in one undoable step, many of them as a job.
  ///
  /// - Parameters:
  ///   - message: the message after the edit, made when it is done.
  ///   - warning: what else it did to a document; told in scripts, too.
  ///   - atEnd: called after all changes; what it throws undoes them.
  ///   - change: called with all features of a layer, or with one part of them after the other.
  mutating func editAttributes(
    _ title: String, of features: [FeatureReference],
    saying message: @escaping @autoclosure @Sendable () -> String,
    warning: @escaping @Sendable (Document) -> String? = { _ in nil },
    atEnd: @escaping @Sendable () throws -> Void = {},
    _ change: @escaping @Sendable (inout any FeatureHolding, Set<FeatureID>) throws -> Void
  ) throws {
    let portion = 20_000
    try edit(
      title, isLong: features.count > EditRequest.leastFeatures, saying: message(),
      warning: warning
    ) { document, progress in
      let layers = Dictionary(grouping: features, by: \.layer)
      var count = 0
      for index in document.layers.indices {
        guard let members = layers[document.layers[index].id],
          var layer = document.layers[index] as? any FeatureHolding
        else { continue }
        if document.isProtected(layer) { throw EditingError.locked(layer.name) }
        for start in stride(from: 0, to: members.count, by: portion) {
          let part = members[start..<min(start + portion, members.count)]
          try change(&layer, Set(part.map(\.feature)))
          count += part.count
          try progress.report(Double(count) / Double(features.count))
        }
        document.layers[index] = layer
      }
      try atEnd()
    }
  }

  // MARK: The form

  mutating func openForm() throws {
    if selection.isEmpty {
      let here = featuresHere
      if let first = here.first { select([first], .replace) }
    }
    if selection.isEmpty { throw nothingSelected() }
    let features = selection.features
    leaveModes()
    form = refreshed(AttributeForm(features: features, rows: []))
  }

  /// The form with the attributes as they are now; `nil` if its features are gone.
  func refreshed(_ form: AttributeForm) -> AttributeForm? {
    var form = form
    form.features = form.features.filter { document.contains($0) }
    if form.features.isEmpty { return nil }
    var rows: [AttributeForm.Row] = []
    var places: [String: Int] = [:]
    for (index, reference) in form.features.enumerated() {
      guard let layer = document[layer: reference.layer] as? any FeatureHolding,
        let position = layer.position(of: reference.feature)
      else { continue }
      let block = layer.blocks[position.block]
      var seen = Set<Int>()
      for column in block.attributeOrder(row: position.row) {
        let name = block.attributes[column].name
        let value = block.attributes[column].value(position.row)
        if let place = places[name] {
          if rows[place].value != value { rows[place].value = nil }
          seen.insert(place)
        } else {
          places[name] = rows.count
          seen.insert(rows.count)
          rows.append(AttributeForm.Row(name: name, value: index == 0 ? value : nil))
        }
      }
      for place in rows.indices where !seen.contains(place) { rows[place].value = nil }
    }
    // The row is found again by its name; what was typed for one that is gone is given up.
    if let name = form.current?.name {
      let index = rows.firstIndex { $0.name == name }
      let isOfRow = form.editing?.field == .value || form.editing?.field == .rename
      if index == nil, isOfRow { form.editing = nil }
      form.index = index ?? form.index
    }
    form.rows = rows
    form.index = min(max(0, form.index), max(0, rows.count - 1))
    return form
  }

  /// Applies the line typed in the form.
  mutating func acceptFormLine() throws {
    guard var form, let (field, line) = form.editing else { return }
    let text = line.text
    form.editing = nil
    self.form = form
    switch field {
    case .value:
      guard let row = form.current else { return }
      // Where the values differ the line starts empty: Enter alone must not empty them all.
      if text != row.value.map({ AttributeText.text(of: $0) }) ?? "" {
        try setAttributes([(row.name, AttributeText(text))], of: meantFeatures())
      }
    case .rename:
      if let row = form.current { try renameAttribute(row.name, to: text) }
      self.form?.select(text)
    case .newName:
      if text.isEmpty { return }
      if form.rows.contains(where: { $0.name == text }) {
        throw EditingError(.refused, "there is an attribute “\(text)” already")
      }
      self.form?.editing = (.newValue(text), LineEditor(keepsTabs: true))
    case .newValue(let name):
      try setAttributes([(name, AttributeText(text))], of: meantFeatures())
      self.form?.select(name)
    }
  }
}

/// The features that have some attributes, counted by work on any thread.
final class AttributeCounts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  subscript(name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

  func add(_ count: Int, _ name: String) { counts.withLock { $0[name, default: 0] += count } }
}

extension FeatureHolding {
  /// The number of some features that have an attribute.
  ///
  /// - Complexity: O(features of the layer).
  func count(of name: String, in ids: Set<FeatureID>) -> Int {
    blocks.reduce(0) { sum, block in
      guard let column = block.column(name) else { return sum }
      return sum + block.rows(of: ids).count { column.kind($0) != .missing }
    }
  }

  /// One attribute of a feature, read without the others.
  func attribute(_ name: String, of id: FeatureID) -> AttributeValue {
    position(of: id).map { blocks[$0.block].attribute(name, row: $0.row) } ?? .missing
  }
}

extension AttributeForm {
  /// The focused row.
  package var current: Row? { rows.indices.contains(index) ? rows[index] : nil }

  /// Moves to an attribute by its name.
  mutating func select(_ name: String) {
    if let place = rows.firstIndex(where: { $0.name == name }) { index = place }
  }
}
