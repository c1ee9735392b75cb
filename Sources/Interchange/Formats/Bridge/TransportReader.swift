import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// The layers of a source of GDAL, as a GeoPackage that ogr2ogr makes of them.
///
/// It keeps doubles, types, ids, names and systems. GDAL writes lists of texts such that nothing
/// tells their commas from those between the texts: layers with lists are converted once more, into
/// GeoJSON, which has them.
///
///     ogr2ogr -f GPKG … -mapFieldType StringList=String(JSON),… output.gpkg input.gml
final class TransportReader {
  /// What is told of the conversion.
  private(set) var remarks: [String] = []
  private let tools: OGRTools
  /// A file of the folder, or the name of a database.
  private let source: String
  private let conversion: GeoPackageReader.Conversion
  /// Further arguments, such as a condition.
  var arguments: [String] = []
  /// A question for a database in the place of the name of its layer: its columns of JSON hold
  /// values of JSON.
  var question: String?
  /// Whether rows come in one order whenever they are asked for.
  var isOrdered = true
  /// Whether GDAL chooses the features in a box; else all come.
  var takesBox = true

  init(_ tools: OGRTools, _ source: String, _ conversion: GeoPackageReader.Conversion) {
    (self.tools, self.source, self.conversion) = (tools, source, conversion)
  }

  private static let words = [
    "-f", "GPKG", "-dsco", "ADD_GPKG_OGR_CONTENTS=NO", "-lco", "FID=portolan_fid", "-lco",
    "GEOMETRY_NAME=portolan_geometry", "-lco", "SPATIAL_INDEX=NO", "-nlt", "CONVERT_TO_LINEAR",
    "-mapFieldType",
    "StringList=String(JSON),IntegerList=String(JSON),Integer64List=String(JSON),"
      + "RealList=String(JSON),Binary=String",
  ]

  /// Every double comes back from 17 digits, but below 22 GDAL drops digits behind `000000` and
  /// `999999` until these are gone: 0.1000000000000002 would become 0.1.
  private static let listWords = [
    "-f", "GeoJSON", "-nlt", "NONE", "-lco", "SIGNIFICANT_FIGURES=22",
  ]

  /// Reads the wanted layers.
  func parts(
    _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> [LayerPart] {
    let wanted = options.choice ?? []
    do {
      return try converted(wanted, options, 0, progress)
    } catch let error as ToolError where error.isAboutLayer {
      // The names that it has are told.
      _ = try options.chosen(tools.layers(of: source, progress: progress), \.name)
      throw error
    } catch let error as ToolError where error.isAboutNames {
      return try oneByOne(options, progress)
    }
  }

  /// Reads one layer of a database.
  ///
  /// - Parameter number: that of the layer, of which no two have the same.
  func part(
    _ name: String, _ options: ImportOptions, _ number: Int, _ progress: (Double) throws -> Void
  ) throws -> LayerPart {
    let parts = try converted([name], options, number, as: name, progress)
    guard let part = parts.first else { throw ToolError(.refused, "ogr2ogr wrote no layer") }
    return part
  }

  /// Layers whose names are none for tables beside each other, or with ids given twice.
  private func oneByOne(
    _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> [LayerPart] {
    let all = try tools.layers(of: source, progress: progress)
    let full = all.filter { $0.count != 0 }
    let layers = try options.choice == nil && !full.isEmpty ? full : options.chosen(all, \.name)
    var parts: [LayerPart] = []
    for (index, layer) in layers.enumerated() {
      func progressHere(_ done: Double) throws {
        try progress((Double(index) + done) / Double(layers.count))
      }
      let names = all.count == 1 ? [] : [layer.name]
      let name = all.count == 1 ? options.name : layer.name
      do {
        parts += try converted(names, options, 2 * index + 1, as: name, progressHere)
      } catch let error as ToolError where error.isAboutNames && conversion.hasIdentifiers {
        remarks.append("layer \(layer.name): ids are given twice; they are left out")
        parts += try converted(
          names, options, 2 * index + 2, as: name, hasIdentifiers: false, progressHere)
      }
    }
    return parts
  }

  /// Converts some layers, or all, and reads them.
  ///
  /// - Parameters:
  ///   - number: that of the files in the folder, of which no two have the same.
  ///   - name: that of the only layer, whose table gets a name of ours.
  private func converted(
    _ names: [String], _ options: ImportOptions, _ number: Int, as name: String? = nil,
    hasIdentifiers: Bool = true, _ progress: (Double) throws -> Void
  ) throws -> [LayerPart] {
    for name in names where name.isEmpty || name.hasPrefix("-") {
      throw ToolError(.refused, "ogr2ogr cannot be asked for the layer \"\(name)\"")
    }
    var conversion = conversion
    conversion.hasIdentifiers = conversion.hasIdentifiers && hasIdentifiers
    conversion.holdsJSON = question != nil
    let box = takesBox ? options.boxWords : []
    var words = Self.words + arguments + box
    if conversion.hasIdentifiers { words += ["-preserve_fid"] }
    if name != nil { words += ["-nln", "layer"] }
    let file = "\(number)\(takesBox ? "" : "-all").gpkg"
    let asked = question.map { ["-sql", $0] } ?? names
    let warnings = try tools.convert(words + [file, source] + asked) { try progress(0.8 * $0) }
    let told = remarks.count
    // It is told of the id 0 even where that is kept.
    remarks += warnings.filter { !$0.contains("id not preserved") }.map { "ogr2ogr: " + $0 }
    do {
      let database = try Database(tools.folder.read(file))
      let tables = try GeoPackageTable.all(database)
      if tables.isEmpty { throw ToolError(.refused, "ogr2ogr finds no layer in it") }
      // A box is in the system of the result, and GDAL took it in that of each layer.
      let systems = Set(tables.filter { $0.geometry != nil }.map(\.system))
      if !box.isEmpty, options.system == nil, systems.count > 1 {
        takesBox = false
        remarks.removeSubrange(told...)
        return try converted(
          names, options, number, as: name, hasIdentifiers: hasIdentifiers, progress)
      }
      var parts: [LayerPart] = []
      var room = Arcs.Room(bytes: database.byteCount)
      for (index, table) in tables.enumerated() {
        var reader = GeoPackageReader(database, table, conversion)
        reader.room = room
        let isOnly = tables.count == 1 && names.isEmpty
        var part = try reader.read(
          named: name ?? (isOnly ? options.name : table.name), box: nil
        ) { try progress(0.8 + 0.2 * (Double(index) + $0) / Double(tables.count)) }
        room = reader.room
        // A track has no waypoints: layers without features are left out beside others.
        if part.layer.count == 0, tables.count > 1, options.choice == nil { continue }
        remarks += reader.remarks
        if reader.hasOddLists {
          let known = name == nil && !isOnly ? [table.name] : names
          try restoreLists(
            of: table, in: &part.layer, known, options, "\(number)-\(index)",
            hasIdentifiers: conversion.hasIdentifiers)
        }
        parts.append(part)
      }
      return parts.isEmpty ? try emptyParts(tables, options) : parts
    } catch let error as DatabaseError {
      throw ToolError(error == .missing ? .missing : .refused, error.description)
    }
  }

  private func emptyParts(
    _ tables: [GeoPackageTable], _ options: ImportOptions
  ) throws -> [LayerPart] {
    tables.map { table in
      let style = LayerDefaults(blocks: []).style(named: table.name)
      var layer = FeatureLayer(id: LayerID(1), name: table.name, style: style, source: .plain)
      layer.declared = table.declared
      return LayerPart(layer, table.geometry == nil ? nil : table.system)
    }
  }

  /// Takes the lists of a layer from GeoJSON of it.
  private func restoreLists(
    of table: GeoPackageTable, in layer: inout FeatureLayer, _ names: [String],
    _ options: ImportOptions, _ number: String, hasIdentifiers: Bool
  ) throws {
    let file = "\(number).geojson"
    // A GeoPackage has its rows in the order of their ids.
    if !isOrdered, !hasIdentifiers { return tellLists(of: layer) }
    let words = Self.listWords + (hasIdentifiers ? ["-preserve_fid"] : []) + arguments
    let box = takesBox ? options.boxWords : []
    _ = try tools.convert(words + box + [file, source] + names) { _ in }
    let read = try GeoJSONFormat().read(
      tools.folder.read(file), options: ImportOptions(name: "lists")
    ) { _ in }
    let columns = Set(table.columns.filter { $0.type == .json }.map(\.name))
    guard let lists = read.layers.first as? FeatureLayer,
      layer.takeLists(columns, from: lists, byIdentifier: hasIdentifiers)
    else { return tellLists(of: layer) }
  }

  private func tellLists(of layer: FeatureLayer) {
    remarks.append("layer \(layer.name): lists became texts such as (2:a,b)")
  }
}

extension ImportOptions {
  /// The arguments of ogr2ogr that leave out shapes far from the box.
  ///
  /// Of numbers that may be degrees only latitudes count: shapes may be whole turns of the globe
  /// apart from the box, or run around a pole (see `BoxTouch`).
  var boxWords: [String] {
    guard var box, box.minX <= box.maxX else { return [] }
    let edges = [box.minX, box.minY, box.maxX, box.maxY]
    if edges.allSatisfy({ $0.magnitude <= 3600 }) {
      box = Box(minX: -3600, minY: min(box.minY, 0), maxX: 3600, maxY: max(box.maxY, 0))
    }
    return ["-spat"] + [box.minX, box.minY, box.maxX, box.maxY].map { "\($0)" }
  }
}

extension ToolError {
  /// Whether ogr2ogr knows no layer of a name.
  fileprivate var isAboutLayer: Bool { description.contains("requested layer") }

  /// Whether names of layers or ids are none for a GeoPackage.
  fileprivate var isAboutNames: Bool {
    ["already exists", "UNIQUE constraint", "reserved", "Invalid table name", "layer name"]
      .contains(where: description.contains)
  }
}

extension BlockHolding {
  /// Takes the lists of some columns from a layer with the same rows.
  ///
  /// - Parameter byIdentifier: whether rows belong together by their ids; else by their order.
  /// - Returns: whether it has these rows; else nothing has changed.
  mutating func takeLists(
    _ names: Set<String>, from lists: some BlockHolding, byIdentifier: Bool
  ) -> Bool {
    guard byIdentifier || count == lists.count else { return false }
    let rows = lists.blocks.flatMap { block in (0..<block.rowCount).map { (block, $0) } }
    var places: [String: Int] = [:]
    if byIdentifier {
      for (place, row) in rows.enumerated() { places[row.0.identifiers.value(row.1).text] = place }
    }
    var (filled, start): ([FeatureBlock], Int) = ([], 0)
    for block in blocks {
      let columns = block.attributes.map { column in
        guard names.contains(column.name) else { return column }
        var builder = AttributeColumnBuilder(name: column.name)
        for row in 0..<block.rowCount {
          let place = byIdentifier ? places[block.identifiers.value(row).text] : start + row
          let value = place.map { rows[$0].0.attribute(column.name, row: rows[$0].1) }
          builder.append(value?.kind == .json ? value ?? .missing : column.value(row))
        }
        return builder.column(rows: block.rowCount)
      }
      filled.append(block.replacingAttributes(columns))
      start += block.rowCount
    }
    blocks = filled
    return true
  }
}
