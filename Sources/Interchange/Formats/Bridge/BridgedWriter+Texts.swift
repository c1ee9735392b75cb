import PortolanDocuments

/// Which bytes of texts and which names of attributes a format holds.
struct TextRules: Sendable {
  /// Which names attributes may have.
  enum Names: Sendable {
    case any
    /// Those of elements in XML; GDAL puts a word in front.
    case elements(prefix: String)
    /// Those without line ends; such as have blanks or bars stand between quotes.
    case quoted
  }

  /// The controls that it holds; `nil` holds all but NUL.
  var controls: [UInt8]?
  /// The replacements of bytes that would change other attributes.
  var substitutes: [UInt8: UInt8] = [:]
  var names = Names.any

  /// The rules of XML.
  static func markup(_ names: Names = .any) -> TextRules {
    TextRules(controls: [0x09, 0x0A, 0x0D], names: names)
  }

  /// The word in front of names.
  var prefix: String {
    if case .elements(let prefix) = names { return prefix }
    return ""
  }

  func isOdd(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(controls.map { $0.contains(byte) } ?? (byte != 0))
  }

  /// A name that the format holds; empty names get one elsewhere.
  fileprivate func usable(_ name: String) -> String {
    let text = String(
      decoding: name.utf8.map { isOdd($0) ? 0x20 : substitutes[$0] ?? $0 }, as: UTF8.self)
    if text.isEmpty { return text }
    switch names {
    case .any: return text
    case .quoted: return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    case .elements(let prefix):
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        let isHeld =
          scalar.isASCII
          ? scalar == "-" || scalar == "." || scalar.properties.numericType != nil
            || scalar.properties.isAlphabetic
          : scalar.value < 0x10000 && scalar.properties.isAlphabetic
        scalars.append(isHeld ? scalar : "_")
      }
      let isBeginning = scalars.first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
      return (isBeginning || !prefix.isEmpty ? "" : "_") + String(scalars)
    }
  }
}

extension Exporter {
  /// The layers without the bytes of texts and the names of attributes that the format does not
  /// hold, told.
  func withUsableTexts(
    _ layers: [any Layer], _ rules: TextRules, _ report: inout ExportReport
  ) -> [any Layer] {
    var (controls, signs) = (0, 0)
    let layers = layers.map { layer -> any Layer in
      guard var holding = layer as? any BlockHolding else { return layer }
      let names = rules.renames(holding.fieldNames)
      if !names.isEmpty {
        holding.blocks = holding.blocks.map { $0.renaming(names) }
        let former = (layer as? any FeatureHolding)?.fieldNames ?? []
        let words = former.compactMap { name in
          names[Array(name.utf8)].map { "\(name) → \($0)" }
        }.prefix(5)
        report.remarks.append(
          "layer \(layer.name): \(CountText.text(names.count, "attribute has", "attributes have"))"
            + " a name that \(title) does not hold: \(words.joined(separator: ", "))"
            + (names.count > 5 ? " and \(names.count - 5) more" : ""))
      }
      holding.blocks = holding.blocks.map { block in
        let blocks = block.replacing({ rules.isOdd($0) ? 0x20 : nil }, &controls)
        if rules.substitutes.isEmpty { return blocks }
        return blocks.replacing({ rules.substitutes[$0] }, &signs)
      }
      return holding
    }
    if controls > 0 {
      report.remarks.append(
        rules.controls == nil
          ? ExportReport.zeroNote(controls)
          : "\(CountText.text(controls, "text has", "texts have")) control characters, which "
            + "\(title) does not hold; they become blanks")
    }
    if signs > 0 {
      let words = rules.substitutes.sorted { $0.key < $1.key }.map { sign, other in
        "\(Unicode.Scalar(sign)) becomes \(Unicode.Scalar(other))"
      }
      report.remarks.append(
        "\(CountText.text(signs, "text has", "texts have")) signs that \(title) does not hold: "
          + words.joined(separator: ", "))
    }
    return layers
  }
}

extension TextRules {
  /// The names to change, by their bytes, and others that no two attributes have.
  fileprivate func renames(_ names: [String]) -> [[UInt8]: String] {
    let others = names.map(usable)
    let pairs = zip(names, others).filter { !$0.hasSameBytes(as: $1) }
    if pairs.isEmpty { return [:] }
    let kept = zip(names, others).filter { $0.hasSameBytes(as: $1) }.map { $0.0.lowercased() }
    var used = TableNames(Set(kept))
    var renames: [[UInt8]: String] = [:]
    for (name, other) in pairs { renames[Array(name.utf8)] = used.unique(other) }
    return renames
  }

  /// The layers with names as they stand in the file that ogr2ogr writes.
  func quoting(_ layers: [any Layer]) -> [any Layer] {
    guard case .quoted = names else { return layers }
    return layers.map { layer in
      guard var holding = layer as? any BlockHolding else { return layer }
      let odd = holding.fieldNames.filter { $0.contains { " |".contains($0) } }
      if odd.isEmpty { return layer }
      let names = Dictionary(odd.map { (Array($0.utf8), "\"\($0)\"") }) { first, _ in first }
      holding.blocks = holding.blocks.map { $0.renaming(names) }
      return holding
    }
  }
}

extension FeatureBlock {
  /// The block with other names of attributes.
  fileprivate func renaming(_ names: [[UInt8]: String]) -> FeatureBlock {
    with(
      attributes.map { column in
        names[Array(column.name.utf8)].flatMap {
          AttributeColumn(name: $0, kinds: column.kinds, ends: column.ends, bytes: column.bytes)
        } ?? column
      }, identifiers)
  }

  /// The block with other bytes in place of some of its texts.
  fileprivate func replacing(
    _ other: (UInt8) -> UInt8?, _ count: inout Int
  ) -> FeatureBlock {
    let former = count
    let columns = attributes.map { $0.replacing(other, &count) }
    let identifiers = identifiers.replacing(other, &count)
    return former == count ? self : with(columns, identifiers)
  }

  private func with(_ columns: [AttributeColumn], _ identifiers: AttributeColumn) -> FeatureBlock {
    let block = FeatureBlock(
      geometry: geometry, featureIDs: featureIDs, identifiers: identifiers, attributes: columns,
      shapes: shapes, shapeIndices: shapeIndices)
    return block ?? self
  }
}

extension AttributeColumn {
  /// The column with other bytes in place of some; `count` grows by the texts that had any.
  fileprivate func replacing(
    _ other: (UInt8) -> UInt8?, _ count: inout Int
  ) -> AttributeColumn {
    guard bytes.contains(where: { other($0) != nil }) else { return self }
    var bytes = Array(bytes)
    for row in 0..<rowCount where bytes[textRange(row)].contains(where: { other($0) != nil }) {
      for place in textRange(row) { bytes[place] = other(bytes[place]) ?? bytes[place] }
      count += 1
    }
    return AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes) ?? self
  }
}
