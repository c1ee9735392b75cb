package import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// The contents of a file.
package struct ImportResult: Sendable {
  /// The layers, from the bottom up.
  package var layers: [any Layer]
  package var report: ImportReport
  /// The coordinate system.
  package var coordinateSystem: CoordinateSystem
  /// Whether the file does not name it: its coordinates may be of any system.
  package var isSystemAssumed: Bool
  /// Further findings that are told without being asked, one sentence each.
  package var remarks: [String] = []

  package init(
    layers: [any Layer], report: ImportReport, coordinateSystem: CoordinateSystem = .crs84,
    isSystemAssumed: Bool = false
  ) {
    self.layers = layers
    self.report = report
    self.coordinateSystem = coordinateSystem
    self.isSystemAssumed = isSystemAssumed
  }

  /// The notices about the file, one sentence each; a system other than WGS 84 first.
  package var notices: [String] {
    let notes = report.notes.filter { $0.code != .assumedDegrees }
    guard let notice = coordinateSystem.notice else { return remarks + notes.map(\.text) }
    return [notice] + remarks + notes.filter { $0.code != .crsKept }.map(\.text)
  }

  /// The notices that are told without being asked.
  package var warnings: [String] {
    remarks + report.notes.filter(\.code.isWarning).map(\.text)
  }

  /// The notice if longitude and latitude are only likely.
  package var assumption: String? { report[.assumedDegrees]?.text }
}

extension Importer {
  /// Reads the wanted part of a file, in the system that its reader was told.
  ///
  /// - Throws: as `read`, and `ToolError` if there is no layer of a wanted name.
  package func wanted(
    of source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    var result = try read(source, options: options, progress: progress)
    if options.choice != nil { result.layers = try options.chosen(result.layers, \.name) }
    if let system = options.system { result.take(system) }
    if let box = options.box { result.keep(touching: box) }
    if let limit = options.limit { result.keepFirst(limit, isBoxed: options.box != nil) }
    return result
  }
}

extension ImportResult {
  /// Takes the numbers for those of a system, whatever the file says.
  fileprivate mutating func take(_ system: CoordinateSystem) {
    for index in layers.indices {
      guard var layer = layers[index] as? any BlockHolding else { continue }
      layer.source.members.removeAll { $0.name == "crs" }
      layers[index] = layer
    }
    if coordinateSystem != system, coordinateSystem != .crs84, coordinateSystem != .planar {
      remarks.append("the file says \(coordinateSystem.name); taken as \(system.name) (--crs)")
    }
    coordinateSystem = system
    isSystemAssumed = false
    report.notes.removeAll {
      [.crsKept, .beyondDegrees, .assumedDegrees, .latitudes, .noProjection].contains($0.code)
    }
  }

  /// Keeps the first features of each layer; databases have done so, and told it.
  fileprivate mutating func keepFirst(_ limit: Int, isBoxed: Bool) {
    for index in layers.indices {
      guard var layer = layers[index] as? any BlockHolding else { continue }
      let count = layer.keepFirst(limit)
      guard count > limit else { continue }
      layers[index] = layer
      remarks.append(LimitText.words(limit, of: count, layer.name, isBoxed: isBoxed))
    }
  }

  fileprivate mutating func keep(touching box: Box) {
    let touch = BoxTouch(box, isGeographic: coordinateSystem.isDegrees)
    for index in layers.indices {
      guard var layer = layers[index] as? any BlockHolding else { continue }
      layer.blocks = layer.blocks.compactMap { block in
        let rows = Set(touch.rows(in: block.geometry))
        return block.keeping { rows.contains($0) }
      }
      layers[index] = layer
    }
  }
}
