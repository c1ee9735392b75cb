import PortolanDocuments

/// Texts that GDAL's GeoJSON makes lists or objects of, since they read as such: their own
/// characters come from a table of the same layer.
extension FeatureBlock {
  /// Whether a column of texts has a list or an object.
  func hasValuesOfText(_ names: Set<String>) -> Bool {
    attributes.contains {
      names.contains($0.name) && $0.kinds.contains(AttributeKind.json.rawValue)
    }
  }
}

extension BlockHolding {
  /// Takes the texts of lists and objects in some columns from a table with the same rows.
  ///
  /// - Returns: whether the table has these rows; else nothing has changed.
  mutating func restoreTexts(_ names: Set<String>, from table: [UInt8]) -> Bool {
    var scanner = CSVScanner(table, separator: UInt8(ascii: ","))
    guard let header = try? scanner.nextRecord() else { return false }
    var places: [String: Int] = [:]
    for (place, field) in header.enumerated() where places[scanner.name(field)] == nil {
      places[scanner.name(field)] = place
    }
    var restored: [FeatureBlock] = []
    for block in blocks {
      var texts: [[[UInt8]]] = []
      let columns = block.attributes.enumerated().filter { names.contains($0.element.name) }
      let wanted = columns.compactMap { places[$0.element.name] }
      if wanted.count < columns.count { return false }
      for _ in 0..<block.rowCount {
        // The heading of a single column ends in a comma that its rows lack.
        guard let fields = try? scanner.nextRecord(), fields.count > wanted.max() ?? 0,
          fields.count == header.count || fields.count == 1
        else { return false }
        texts.append(wanted.map { scanner.value(fields[$0]) })
      }
      var attributes = block.attributes
      for (number, (place, column)) in columns.enumerated() {
        attributes[place] = column.withTexts { texts[$0][number] }
      }
      let whole = FeatureBlock(
        geometry: block.geometry, featureIDs: block.featureIDs, identifiers: block.identifiers,
        attributes: attributes, shapes: block.shapes, shapeIndices: block.shapeIndices)
      guard let whole else { return false }
      restored.append(whole)
    }
    if let rest = try? scanner.nextRecord(), !rest.isEmpty { return false }
    blocks = restored
    return true
  }
}

extension AttributeColumn {
  /// The column with texts in place of lists and objects.
  fileprivate func withTexts(_ text: (Int) -> [UInt8]) -> AttributeColumn {
    var (kinds, ends, bytes): ([UInt8], [UInt32], [UInt8]) = (Array(kinds), [], [])
    for row in 0..<rowCount {
      if kind(row) == .json {
        kinds[row] = AttributeKind.string.rawValue
        bytes += text(row)
      } else {
        bytes += self.bytes[textRange(row)]
      }
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    return AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes) ?? self
  }
}
