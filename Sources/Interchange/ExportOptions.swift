package import PortolanDocuments
package import PortolanGraphics

/// The parts of the layers to write, and the rules.
package struct ExportOptions: Hashable, Sendable {
  /// The rules of the text.
  package enum Conformance: String, Hashable, Sendable, CaseIterable {
    /// Unedited features are written as they were read; the others by RFC 7946.
    case asRead
    /// Everything by RFC 7946: winding, closed rings, cuts at the antimeridian, no `crs`.
    case rfc7946
    /// As read, and a `crs` member of the source is kept even if coordinates were edited.
    case geojson2008
  }

  package var conformance: Conformance
  /// The most decimals of a coordinate; `nil` keeps all. Applied to every feature.
  package var precision: Int?
  /// Only features that touch this box are written, as defined by `BoxTouch`. In degrees `minX >
  /// maxX` spans the antimeridian.
  package var box: Box?
  /// The byte between the fields of a table, such as a semicolon; `nil` is the format's own.
  package var separator: UInt8?
  /// Whether an apostrophe comes before the texts of a table that a spreadsheet would run.
  package var hasSafeCells: Bool
  /// Whether a table of features without places has no columns for these.
  package var leavesOutPositions: Bool
  /// The places of the grid of a topology, each way; `nil` keeps the coordinates exact.
  package var quantization: Int?
  /// The coordinate system of the document.
  package var coordinateSystem: CoordinateSystem

  package init(
    conformance: Conformance = .asRead, precision: Int? = nil, box: Box? = nil,
    separator: UInt8? = nil, hasSafeCells: Bool = false, leavesOutPositions: Bool = false,
    quantization: Int? = nil, coordinateSystem: CoordinateSystem = .crs84
  ) {
    self.leavesOutPositions = leavesOutPositions
    self.quantization = quantization
    self.conformance = conformance
    self.precision = precision
    self.box = box
    self.separator = separator
    self.hasSafeCells = hasSafeCells
    self.coordinateSystem = coordinateSystem
  }
}

extension ExportOptions {
  /// Checks that there are layers to write, and that the file can name their coordinate system.
  func check(_ layers: [any FeatureHolding]) throws(ExportError) {
    if layers.isEmpty { throw ExportError(.nothingToWrite) }
    let systems = Set(layers.filter { $0.count > 0 }.map(system))
    if systems.count > 1 {
      throw ExportError(.mixedSystems, systems.map(\.name).sorted().joined(separator: ", "))
    }
    if conformance == .rfc7946, let system = systems.first, !system.isWGS84 {
      throw ExportError(.notWGS84, system.name)
    }
  }

  /// Whether no feature of a layer is to be written.
  package func isEmpty(_ layer: any FeatureHolding) -> Bool {
    layer.blocks.allSatisfy { rows(of: $0, in: layer).isEmpty }
  }

  /// The layers with features to write; the first one, if all are empty.
  ///
  /// - Throws: `ExportError` if there is none.
  func filled(_ layers: [any Layer]) throws(ExportError) -> [any FeatureHolding] {
    let holding = layers.compactMap { $0 as? any FeatureHolding }
    if holding.isEmpty { throw ExportError(.nothingToWrite) }
    let filled = holding.filter { !isEmpty($0) }
    return filled.isEmpty ? Array(holding.prefix(1)) : filled
  }

  /// The common system of the chosen layers.
  func system(of layers: [any FeatureHolding]) -> CoordinateSystem {
    (layers.first { $0.count > 0 } ?? layers.first).map(system) ?? coordinateSystem
  }

  /// The coordinate system of a layer: that of its own file, unless the document is known not to be
  /// in degrees.
  func system(of layer: any FeatureHolding) -> CoordinateSystem {
    guard let named = layer.source.namedSystem else { return coordinateSystem }
    return named.isDegrees && !coordinateSystem.isDegrees ? coordinateSystem : named
  }

  /// Whether the jumps of all features decide, and not only those of cut features.
  package var choosesByJumps: Bool { box != nil && conformance != .rfc7946 }

  /// The rows of a layer's block to write, rising: those that touch the box, if one is requested.
  package func rows(of block: FeatureBlock, in layer: any FeatureHolding) -> [Int] {
    guard let box else { return Array(0..<block.rowCount) }
    return BoxTouch(box, isGeographic: system(of: layer).isDegrees).rows(in: block.geometry)
  }

  /// The layers without the features that do not touch the requested box.
  package func cut(_ layers: [any Layer]) -> [any Layer] {
    if box == nil { return layers }
    return layers.map { layer in
      guard var holding = layer as? any FeatureHolding else { return layer }
      let kept = Set(
        holding.blocks.flatMap { block in
          rows(of: block, in: holding).map { block.featureIDs[$0] }
        })
      holding.remove(Set(holding.blocks.flatMap(\.featureIDs)).subtracting(kept))
      return holding
    }
  }

  /// Whether a row touches the requested box, in the document's own system.
  func includes(_ block: FeatureBlock, _ row: Int) -> Bool {
    guard let box else { return true }
    return BoxTouch(box, isGeographic: coordinateSystem.isDegrees).touches(block.geometry, row: row)
  }
}

/// A writer's findings about the layers that it wrote.
package struct ExportReport: Hashable, Sendable {
  /// How many features were written.
  package internal(set) var features = 0
  /// Features whose kept text differs from their values: written from the values.
  package var refusedTexts = 0
  /// Texts that should be JSON and are not: written as strings.
  package var brokenValues = 0

  /// The system of the coordinates, if the file cannot name it.
  package var unstatedSystem: String?
  /// The names that several columns of a table share.
  package var doubledColumns: [String] = []
  /// The texts of a table that a spreadsheet would run as formulas.
  var formulas = 0
  /// The attributes of a table that are columns of another name, as `wkt → wkt_2`.
  var renamedColumns: [String] = []
  /// Whether an apostrophe stands before them.
  var areFormulasSafe = false
  /// The types of the values in a table.
  var types = TableTypes()
  /// Steps that were taken the short way across the antimeridian, where that decided about what is
  /// written: see `Longitude`.
  package var jumps = 0
  /// What rounding has left without extent.
  var lost = LostParts()
  /// Whether a table holds planar coordinates that look like degrees, and cannot name their system.
  package var mayBeTakenForDegrees = false
  /// Further findings, one line each.
  package var remarks: [String] = []

  package init() {}

  /// One line for people each; empty without findings.
  package var notes: [String] {
    var notes = remarks
    if refusedTexts > 0 {
      let (has, its) = refusedTexts == 1 ? ("has", "its") : ("have", "their")
      notes.append(
        "\(CountText.features(refusedTexts)) \(has) a kept text that does not fit \(its) values;"
          + " written from the values")
    }
    if brokenValues > 0 {
      notes.append(
        CountText.text(brokenValues, "value is", "values are")
          + " kept as JSON and not JSON; written as text")
    }
    if jumps > 0 {
      notes.append(
        CountText.text(jumps, "step was", "steps were")
          + " taken the short way across 180 degrees: both ends are near it, "
          + "together at most \(Int(360 - Longitude.leastJump)) degrees away")
    }
    notes += lost.notes
    if let unstatedSystem {
      notes.append(
        "a table cannot state that its coordinates are of \(unstatedSystem): tell its readers, or "
          + "write GeoJSON, which states it (--format geojson)")
    }
    if mayBeTakenForDegrees {
      notes.append(
        "a table does not say that its coordinates are planar, and they are small enough to be "
          + "taken for longitude and latitude; GeoJSON says it (--format geojson)")
    }
    if formulas > 0 { notes.append(Formula.note(formulas, areSafe: areFormulasSafe)) }
    if let note = types.note { notes.append(note) }
    if !renamedColumns.isEmpty {
      let more = renamedColumns.count > 5 ? " and \(renamedColumns.count - 5) more" : ""
      notes.append(
        "attributes that a reader of the table would take for positions or for other columns are "
          + "renamed: \(renamedColumns.prefix(5).joined(separator: ", "))\(more)")
    }
    if !doubledColumns.isEmpty {
      notes.append(
        "the table has more than one column called \(doubledColumns.joined(separator: ", ")), and "
          + "programs differ in which they take: rename the attribute first (rename-attribute)")
    }
    return notes
  }
}

extension ExportReport {
  /// The remark on texts with the control character NUL.
  static func zeroNote(_ count: Int) -> String {
    "\(CountText.text(count, "text has", "texts have")) the control character NUL, which becomes a "
      + "blank"
  }

  /// Counts the jumps of layers of which a box chooses features.
  mutating func countJumps(_ layers: [any FeatureHolding], _ options: ExportOptions) {
    guard options.choosesByJumps else { return }
    for layer in layers where options.system(of: layer).isDegrees {
      for geometry in layer.blocks.lazy.map(\.geometry) {
        countJumps(geometry)
      }
    }
  }

  /// Counts the jumps of a block in degrees.
  package mutating func countJumps(_ geometry: GeometryBlock, rows: [Int]? = nil) {
    for row in rows ?? Array(geometry.boxes.indices) where geometry.boxes[row].mayJump {
      jumps += geometry.geometry(ofFeature: row).jumpCount
    }
  }
}

/// A layer that cannot be written, and why.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    case noSuchLayer
    case nothingToWrite
    case tooManyColumns
    case tooSparse
    case notWGS84
    case mixedSystems
    case noPlaceForSystem
    case severalLayers
    case mixedKinds
    case tooManyFields
    case tooLong
  }

  package var code: Code
  /// The layer's name, or another word for the message.
  package var subject: String

  package init(_ code: Code, _ subject: String = "") {
    self.code = code
    self.subject = subject
  }

  /// The system of the error, in words.
  private var words: String {
    let planar = CoordinateSystem.planar
    return subject == planar.name ? planar.words : "of " + subject
  }

  package var description: String {
    switch code {
    case .noSuchLayer: "no layer is named \"\(subject)\": see the names with info"
    case .tooManyColumns:
      "a table would have \(subject) columns, and programs read \(CSVScanner.fieldsMax) at most: "
        + "export GeoJSON (--format geojson), or some layers only (--layers)"
    case .tooSparse:
      "a table would have \(subject): export GeoJSON (--format geojson), or some layers only "
        + "(--layers)"
    case .notWGS84:
      "RFC 7946 knows longitude and latitude on WGS 84 only, and the coordinates are "
        + "\(words): "
        + (subject == CoordinateSystem.planar.name
          ? "say which system they are of, with --input-crs, and give --crs EPSG:4326"
          : "give --crs EPSG:4326 as well, which converts them")
    case .mixedSystems:
      "the layers are of different coordinate systems (\(subject)): export each by itself with "
        + "--layers"
    case .noPlaceForSystem:
      "features a line cannot tell that their coordinates are \(words): give --format geojson"
    case .severalLayers:
      "a Shapefile holds one layer, and these are \(subject): choose one with --layers, or export "
        + "a GeoPackage (-o NAME.gpkg)"
    case .mixedKinds:
      "a Shapefile holds points, lines or areas, and the layer has \(subject): choose features "
        + "with --where, as --where '$area > 0' for areas, or export a GeoPackage (-o NAME.gpkg)"
    case .tooManyFields:
      "the layer has \(subject) attributes, and a Shapefile holds 255: choose some with --fields"
    case .tooLong:
      "a Shapefile cannot hold \(subject): choose features with --bbox or --where, or export a "
        + "GeoPackage (-o NAME.gpkg)"
    case .nothingToWrite: "there is no layer of features to write: import or draw one"
    }
  }
}
