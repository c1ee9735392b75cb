package import PortolanDocuments
package import PortolanGraphics

/// What of the layers is written, and how.
package struct ExportOptions: Hashable, Sendable {
  /// Which rules the text follows.
  package enum Conformance: String, Hashable, Sendable, CaseIterable {
    /// What was not edited is written as it was read; the rest by RFC 7946.
    case asRead
    /// Everything by RFC 7946: winding, closed rings, cuts at the antimeridian, no `crs`.
    case rfc7946
    /// As read, and a `crs` member that was read is kept even where coordinates were edited.
    case geojson2008
  }

  /// How features follow each other.
  package enum Arrangement: String, Hashable, Sendable, CaseIterable {
    /// The kind of file that the layer came from.
    case asRead
    /// One feature a line, no collection around them.
    case lines
  }

  package var conformance: Conformance
  package var arrangement: Arrangement
  /// The most decimals of a coordinate; `nil` keeps all. Applied to every feature.
  package var precision: Int?
  /// The names of the layers to write; `nil` writes all that are given.
  package var layerNames: [String]?
  /// Only features that touch this box are written, as `BoxTouch` tells. In degrees `minX > maxX`
  /// spans the antimeridian.
  package var box: Box?
  /// The byte between the fields of a table, such as a semicolon; `nil` is the format's own.
  package var separator: UInt8?
  /// What the coordinates of the document are.
  package var coordinateSystem: CoordinateSystem

  package init(
    conformance: Conformance = .asRead, arrangement: Arrangement = .asRead, precision: Int? = nil,
    layerNames: [String]? = nil, box: Box? = nil, separator: UInt8? = nil,
    coordinateSystem: CoordinateSystem = .crs84
  ) {
    self.conformance = conformance
    self.arrangement = arrangement
    self.precision = precision
    self.layerNames = layerNames
    self.box = box
    self.separator = separator
    self.coordinateSystem = coordinateSystem
  }
}

extension ExportOptions {
  /// The layers that are asked for, in the given order.
  ///
  /// - Throws: also where the file could not tell what their coordinates are.
  func chosen(_ layers: [any FeatureHolding]) throws(ExportError) -> [any FeatureHolding] {
    let chosen = try named(layers)
    let systems = Set(chosen.filter { $0.count > 0 }.map(system))
    if systems.count > 1 {
      throw ExportError(.mixedSystems, systems.map(\.name).sorted().joined(separator: ", "))
    }
    if conformance == .rfc7946, let system = systems.first, !system.isWGS84 {
      throw ExportError(.notWGS84, system.name)
    }
    return chosen
  }

  /// The system that chosen layers have in common.
  func system(of layers: [any FeatureHolding]) -> CoordinateSystem {
    (layers.first { $0.count > 0 } ?? layers.first).map(system) ?? coordinateSystem
  }

  private func named(_ layers: [any FeatureHolding]) throws(ExportError) -> [any FeatureHolding] {
    guard let names = layerNames else {
      if layers.isEmpty { throw ExportError(.nothingToWrite) }
      return layers
    }
    for name in names where !layers.contains(where: { $0.name == name }) {
      throw ExportError(.noSuchLayer, name)
    }
    return layers.filter { names.contains($0.name) }
  }

  /// What the coordinates of a layer are: what its own file named, unless the document knows that
  /// they are no degrees.
  func system(of layer: any FeatureHolding) -> CoordinateSystem {
    guard let named = layer.source.namedSystem else { return coordinateSystem }
    return named.isDegrees && !coordinateSystem.isDegrees ? coordinateSystem : named
  }

  /// The rows of a layer's block that are written, rising: those that touch the box, if one is
  /// asked for.
  func rows(of block: FeatureBlock, in layer: any FeatureHolding) -> [Int] {
    guard let box else { return Array(0..<block.rowCount) }
    return BoxTouch(box, isGeographic: system(of: layer).isDegrees).rows(in: block.geometry)
  }

  /// Whether a row touches the box that is asked for, in the document's own system.
  func includes(_ block: FeatureBlock, _ row: Int) -> Bool {
    guard let box else { return true }
    return BoxTouch(box, isGeographic: coordinateSystem.isDegrees).touches(block.geometry, row: row)
  }
}

/// What a writer noticed about the layers that it wrote.
package struct ExportReport: Hashable, Sendable {
  /// Features whose kept text does not say what their values say: written from the values.
  package var refusedTexts = 0
  /// Texts that should be JSON and are not: written as strings.
  package var brokenValues = 0

  /// The system of the coordinates, where the file has no place to name it.
  package var unstatedSystem: String?
  /// The names that a table gives to more than one column.
  package var doubledColumns: [String] = []
  /// Whether a table holds planar coordinates that could be degrees, and cannot say so.
  package var mayBeTakenForDegrees = false

  package init() {}

  /// One line for people each; empty if there is nothing to tell.
  package var notes: [String] {
    var notes: [String] = []
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
    if let unstatedSystem {
      notes.append(
        "a table does not say that its coordinates are of \(unstatedSystem): whoever reads it must "
          + "know; GeoJSON says it (--format geojson)")
    }
    if mayBeTakenForDegrees {
      notes.append(
        "a table does not say that its coordinates are planar, and they are small enough to be "
          + "taken for longitude and latitude; GeoJSON says it (--format geojson)")
    }
    if !doubledColumns.isEmpty {
      notes.append(
        "the table has more than one column called \(doubledColumns.joined(separator: ", ")), and "
          + "programs differ in which they take: rename the attribute first (rename-attribute)")
    }
    return notes
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
  }

  package var code: Code
  /// The layer's name, or another word that the message is about.
  package var subject: String

  package init(_ code: Code, _ subject: String = "") {
    self.code = code
    self.subject = subject
  }

  /// What coordinates of the system are that the error is about.
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
        + "\(words): export without --rfc7946, then convert the file, as with "
        + "ogr2ogr -t_srs EPSG:4326"
    case .mixedSystems:
      "the layers are of different coordinate systems (\(subject)): export each by itself with "
        + "--layers"
    case .noPlaceForSystem:
      "features a line cannot tell that their coordinates are \(words): give --format geojson"
    case .nothingToWrite: "there is no layer of features to write: import or draw one"
    }
  }
}
