import PortolanComparing
import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import PortolanInterchange

/// Attributes from tables.
extension Desk {
  /// What a join adds.
  struct Join: Sendable {
    /// The attribute of the features, and the column of the table, that hold the keys.
    var key: String
    var column: String
    /// Only these columns; empty for all.
    var fields: [String]
    var prefix: String
    /// Whether features without a row go.
    var isMatchedOnly: Bool
  }

  /// Adds the columns of a table to features, by keys.
  mutating func join(
    _ table: OperandShapes, _ join: Join, to chosen: ChosenFeatures
  ) throws {
    try editByKeys("join", chosen, table) { layers, notes in
      var rows = try KeyedRows(table, by: join.column)
      let matches = try RowMatches(layers.parts, by: join.key, in: &rows)
      let names = table.fieldNames
      for name in join.fields { try table.known.require(name, in: table.name) }
      let unknown = join.fields.filter { !names.contains($0) }
      let wanted = (names + unknown).filter {
        $0 != join.column && (join.fields.isEmpty || join.fields.contains($0))
      }
      let known = layers.parts.flatMap(\.layer.fieldNames)
      let given = NewNames(besides: known)
      let added = wanted.map { given.name(for: join.prefix + $0) }
      let sources = wanted.map { rows.columns($0) }
      try layers.change { layer, ids in
        let own = layer.id
        try layer.setAttributes(added, of: ids) { block, found in
          let places = found.map { matches.place(of: block.featureIDs[$0], in: own) }
          return sources.map { source in
            places.map { place in
              let value = place.map { KeyedRows.value(source, at: $0) } ?? .null
              return value.kind == .missing ? .null : value
            }
          }
        }
        if join.isMatchedOnly { layer.remove(matches.unmatched(in: own).intersection(ids)) }
      }
      notes.remarks += matches.remarks
      if !given.clashes.isEmpty {
        let words = given.clashes.map { "“\($0.name)” becomes “\($0.newName)”" }
        notes.remarks.append("names that the features have: \(words.joined(separator: ", "))")
      }
      if !matches.unmatched.isEmpty {
        let count = CountText.features(matches.unmatched.count)
        notes.remarks.append(
          join.isMatchedOnly
            ? "left out, without a row in \(table.name): \(count)"
            : "without a row in \(table.name): \(count)")
      }
      if !rows.repeated.isEmpty {
        notes.remarks.append(
          CountText.text(rows.repeated.count, "key has", "keys have")
            + " several rows in \(table.name), the first one counts: "
            + KeyedRows.words(rows.repeated))
      }
      if matches.unused > 0 {
        notes.remarks.append(
          CountText.text(matches.unused, "key", "keys") + " of \(table.name) in no feature")
      }
      if rows.unkeyed > 0 {
        notes.remarks.append(
          CountText.text(rows.unkeyed, "row", "rows") + " of \(table.name) without a key")
      }
      return "joined \(added.joined(separator: ", ")) to "
        + CountText.features(matches.places.count)
    }
  }

  /// Sets the values of features from the rows with their keys.
  ///
  /// - Parameters:
  ///   - key: the attribute, and the column, that hold the keys.
  ///   - fields: only these columns; empty for all.
  mutating func update(
    from table: OperandShapes, key: (attribute: String, column: String), fields: [String],
    of chosen: ChosenFeatures
  ) throws {
    try editByKeys("update", chosen, table) { layers, notes in
      var rows = try KeyedRows(table, by: key.column)
      let matches = try RowMatches(layers.parts, by: key.attribute, in: &rows)
      let names = table.fieldNames
      for name in fields { try table.known.require(name, in: table.name) }
      let unasked = fields.isEmpty ? Self.written(in: table, beside: layers.parts) : []
      let wanted = names.filter {
        $0 != key.column && !unasked.contains($0) && (fields.isEmpty || fields.contains($0))
      }
      if let (key, column) = rows.contradiction(in: wanted) {
        throw EditingError(
          .refused,
          "\(table.name) has the key \(KeyedRows.words([key])) twice, with different values "
            + "of “\(column)”: which one counts?")
      }
      let sources = wanted.map { rows.columns($0) }
      let keys = rows.columns(key.column)
      var changed = Set<FeatureReference>()
      var values = 0
      try layers.change { layer, ids in
        let own = layer.id
        let lists = Set(wanted.filter { layer.hasOnlyLists(in: $0) })
        try layer.setAttributes(wanted, of: ids) { block, found in
          let places = found.map { matches.place(of: block.featureIDs[$0], in: own) }
          return try zip(wanted, sources).map { name, source in
            let column = block.column(name)
            return try zip(found, places).map { row, place in
              let former = column?.value(row) ?? .missing
              guard let place else { return former }
              let cell = KeyedRows.value(source, at: place)
              guard let value = Self.value(cell, over: former, isOfLists: lists.contains(name))
              else {
                let found = KeyedRows.value(keys, at: place).text
                throw EditingError(
                  .refused,
                  "“\(name)” of the feature with the key “\(found)” is a list or an object, and "
                    + "“\(cell.text)” in \(table.name) is none: write it as JSON, or leave the "
                    + "column out with --fields")
              }
              if value.isSame(as: former) { return former }
              changed.insert(FeatureReference(layer: own, feature: block.featureIDs[row]))
              values += 1
              return value
            }
          }
        }
      }
      notes.remarks += matches.remarks
      let left = unasked.filter { $0 != key.column }
      if !left.isEmpty {
        notes.remarks.append("no attributes, without --fields: \(left.joined(separator: ", "))")
      }
      if !matches.unmatched.isEmpty {
        notes.remarks.append(
          "without a row in \(table.name): \(CountText.features(matches.unmatched.count))")
      }
      if matches.unused > 0 {
        notes.remarks.append(
          CountText.text(matches.unused, "key", "keys") + " of \(table.name) in no feature")
      }
      return "updated " + CountText.text(values, "value", "values") + " of "
        + CountText.features(changed.count)
    }
  }

  /// The columns of a table that an export writes beside the attributes of features: positions and
  /// the `id` member.
  private static func written(
    in table: OperandShapes, beside parts: [(layer: any BlockHolding, ids: Set<FeatureID>?)]
  ) -> [String] {
    let blocks = table.layers.lazy.flatMap(\.blocks)
    guard blocks.allSatisfy({ $0.geometry.kinds.allSatisfy { $0 == .none } }) else { return [] }
    let names = table.fieldNames
    var found = TableOptions.positionNames(among: names)
    let hasIdentifiers = parts.contains { part in
      part.layer.blocks.contains { block in
        block.identifiers.kinds.contains { $0 != AttributeKind.missing.rawValue }
      }
    }
    if hasIdentifiers, names.contains("id") { found.append("id") }
    let known = Set(parts.flatMap(\.layer.fieldNames))
    return found.filter { !known.contains($0) }
  }

  /// The value of a row in place of another one: a cell without a value changes nothing, over a
  /// text a number stays a text, and the text of a truth value, of a list or of an object is that.
  ///
  /// - Parameter isOfLists: whether all values of the attribute are lists or objects.
  /// - Returns: `nil` for what would take the place of a list or an object and is none.
  private static func value(
    _ value: AttributeValue, over former: AttributeValue, isOfLists: Bool
  ) -> AttributeValue? {
    switch (value, former) {
    case (.missing, _): former
    case (.number(let text), .string): .string(text)
    case (.string(let text), .number) where NumberText.isValid(text): .number(text)
    case (.string("true"), .bool): .bool(true)
    case (.string("false"), .bool): .bool(false)
    case (.string(let text), .json(let json)) where text.hasSameBytes(as: json): former
    case (.string(let text), .json) where JSONContainer.isOne(text): .json(text)
    case (.json, .json), (.null, .json): value
    case (_, .json): nil
    case (.string(let text), .missing), (.string(let text), .null):
      isOfLists && JSONContainer.isOne(text) ? .json(text) : value
    default: value
    }
  }

  /// The layers of an edit by keys.
  private struct KeyedLayers {
    var document: Document
    let chosen: ChosenFeatures
    let progress: World.Progress

    var parts: [(layer: any BlockHolding, ids: Set<FeatureID>?)] {
      chosen.parts.compactMap { part in
        (document[layer: part.layer] as? any BlockHolding).map { ($0, part.features) }
      }
    }

    /// Changes each layer and its chosen features.
    mutating func change(
      _ body: (inout any BlockHolding, Set<FeatureID>) throws -> Void
    ) throws {
      for (number, part) in chosen.parts.enumerated() {
        guard let index = document.index(of: part.layer),
          var layer = document.layers[index] as? any BlockHolding
        else { continue }
        let ids = part.features ?? Set(layer.blocks.flatMap(\.featureIDs))
        try body(&layer, ids)
        document.layers[index] = layer
        try progress.report(Double(number + 1) / Double(chosen.parts.count))
      }
    }
  }

  /// Changes attributes in one undoable step, at once or as a job.
  private mutating func editByKeys(
    _ title: String, _ chosen: ChosenFeatures, _ table: OperandShapes,
    _ change: @escaping @Sendable (inout KeyedLayers, inout WorkNotes) throws -> String
  ) throws {
    for part in chosen.parts {
      guard let layer = document[layer: part.layer] else { continue }
      if document.isProtected(layer) { throw EditingError.locked(layer.name) }
    }
    let (words, warning) = (FoundWord(), FoundWord())
    let warn: @Sendable (Document) -> String? = { _ in
      warning.value.isEmpty ? nil : warning.value
    }
    let count = chosen.count(in: document) + table.layers.reduce(0) { $0 + $1.count }
    try edit(
      title, isLong: count > EditRequest.leastFeatures / 4, saying: words.value,
      warning: warn
    ) { document, progress in
      var layers = KeyedLayers(document: document, chosen: chosen, progress: progress)
      var notes = WorkNotes()
      words.set(try change(&layers, &notes))
      document = layers.document
      warning.set(notes.words ?? "")
    } then: { desk in
      if desk.isHeadless { desk.send(.warn(words.value)) }
    }
  }
}

extension FeatureHolding {
  /// Whether all values of an attribute are lists or objects, and there is one.
  fileprivate func hasOnlyLists(in name: String) -> Bool {
    let none: Set<UInt8> = [AttributeKind.missing.rawValue, AttributeKind.null.rawValue]
    let kinds = blocks.reduce(into: Set<UInt8>()) { $0.formUnion($1.column(name)?.kinds ?? []) }
    return kinds.subtracting(none) == [AttributeKind.json.rawValue]
  }
}
