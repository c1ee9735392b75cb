import PortolanDocuments
import PortolanGraphics

/// A layer of a file that may hold several, with its coordinate system.
struct LayerPart {
  var layer: FeatureLayer
  /// `nil` if the file does not tell.
  var system: CoordinateSystem?
  var notes: [ImportReport.Note] = []

  init(_ layer: FeatureLayer, _ system: CoordinateSystem?) {
    (self.layer, self.system) = (layer, system)
  }
}

extension ImportResult {
  /// The layers of one file: numbered, styled, and of one coordinate system.
  ///
  /// - Throws: `ToolError` if they are of several systems, and nothing converts them.
  init(
    _ parts: [LayerPart], remarks: [String] = [], _ options: ImportOptions
  ) throws {
    var parts = options.taken(parts, \.layer.name)
    for index in parts.indices {
      let layer = parts[index].layer
      let defaults = LayerDefaults(blocks: layer.blocks)
      parts[index].layer = layer.renumbered(
        LayerID(options.firstLayerID + UInt64(index)), name: layer.name, parent: nil)
      parts[index].layer.style = defaults.style(named: layer.name)
    }
    var notes = parts.flatMap(\.notes)
    let located = parts.filter { !$0.layer.extent.isEmpty }
    let systems = located.compactMap(\.system)
    let leading = Set(options.wishes.leading)
    let first = located.first { leading.contains($0.layer.name) && $0.system != nil }
    var system = first?.system ?? systems.first ?? .crs84
    var isAssumed = false
    if systems.isEmpty, !located.isEmpty {
      let test = DegreesTest(located.flatMap(\.layer.blocks), claim: .open)
      isAssumed = !test.arePlanar
      if test.arePlanar {
        system = .planar
        notes.append(ImportReport.Note(code: .beyondDegrees, count: test.beyondCount))
      }
    }
    var remarks = remarks
    if options.system == nil {
      if !systems.isEmpty { remarks += try parts.settleSystems(beside: system) }
      remarks += try parts.convert(into: system)
    }
    let layers = parts.map(\.layer)
    self.init(
      layers: layers,
      report: ImportReport(
        notes: notes, featureCount: layers.reduce(0) { $0 + $1.count },
        vertexCount: layers.reduce(0) { sum, layer in
          sum + layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
        }),
      coordinateSystem: system, isSystemAssumed: isAssumed)
    self.remarks = remarks
  }
}

extension [LayerPart] {
  /// Gives the layers of no stated system longitude and latitude, if their numbers can be that;
  /// returns what is told of it.
  ///
  /// - Throws: `ToolError` if they cannot: nothing says how they lie to the others.
  fileprivate mutating func settleSystems(beside system: CoordinateSystem) throws -> [String] {
    var remarks: [String] = []
    for index in indices where self[index].system == nil && !self[index].layer.extent.isEmpty {
      let layer = self[index].layer
      if DegreesTest(layer.blocks, claim: .open).arePlanar {
        throw ToolError(
          .refused,
          "layer \(layer.name) states no coordinate system, beside others of \(system.name): "
            + "choose with --layers, or name the system of all (import --crs, --input-crs)")
      }
      self[index].system = .crs84
      remarks.append(
        "layer \(layer.name) states no coordinate system; read as longitude and latitude")
    }
    return remarks
  }

  /// Converts the layers of other systems; returns what is told of it.
  fileprivate mutating func convert(into system: CoordinateSystem) throws -> [String] {
    var remarks: [String] = []
    for index in indices {
      guard let own = self[index].system, own != system, !self[index].layer.extent.isEmpty else {
        continue
      }
      let reprojection = try Reprojection(from: own, to: system)
      let converted = try reprojection.layer(self[index].layer) { _ in }
      if let layer = converted as? FeatureLayer {
        self[index].layer = layer
        remarks.append("layer \(layer.name) is converted from \(own.name) into \(system.name)")
      }
    }
    return remarks
  }
}

extension FeatureBlock {
  /// The block without the form of its text: numbers are the shortest that read back as the same.
  var plain: FeatureBlock {
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    let block = FeatureBlock(
      geometry: geometry, featureIDs: featureIDs, identifiers: identifiers,
      attributes: attributes.map(\.shortened), shapes: [shape],
      shapeIndices: [UInt16](repeating: 0, count: rowCount))
    return block ?? self
  }

  /// The plain block without ids.
  var withoutIdentifiers: FeatureBlock {
    let block = FeatureBlock(
      geometry: geometry, featureIDs: featureIDs,
      identifiers: .missing(name: "id", rows: rowCount), attributes: attributes, shapes: shapes,
      shapeIndices: shapeIndices)
    return block ?? self
  }
}

extension AttributeColumn {
  /// The column with its decimal numbers as short as they can be; those with more digits than a
  /// double keep their text.
  fileprivate var shortened: AttributeColumn {
    var (ends, bytes): ([UInt32], [UInt8]) = ([], [])
    ends.reserveCapacity(rowCount)
    bytes.reserveCapacity(self.bytes.count)
    var isChanged = false
    for row in 0..<rowCount {
      let text = self.bytes[textRange(row)]
      if kind(row) == .number, text.contains(where: { [0x2E, 0x45, 0x65].contains($0) }),
        DoubleText.fit(text) == .exact,
        let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
      {
        bytes += NumberPrinter.shortest(value, isPointed: true)
        isChanged = true
      } else {
        bytes += text
      }
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    guard isChanged else { return self }
    return AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes) ?? self
  }
}
