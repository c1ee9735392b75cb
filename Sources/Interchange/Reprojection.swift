package import PortolanDocuments
package import PortolanGraphics
import PortolanProjections

/// Layers of one coordinate system as layers of another.
///
/// It belongs to one thread: PROJ's objects do.
package struct Reprojection {
  package let target: CoordinateSystem
  /// The system of the document.
  private let source: CoordinateSystem
  private let conversion: CoordinateConversion

  /// - Throws: `ToolError` if a system is unknown, or PROJ is wanted and missing.
  package init(from source: CoordinateSystem, to target: CoordinateSystem) throws(ToolError) {
    (self.source, self.target) = (source, target)
    conversion = try Self.conversion(source, target)
  }

  private static func conversion(
    _ source: CoordinateSystem, _ target: CoordinateSystem
  ) throws(ToolError) -> CoordinateConversion {
    for system in [source, target] where system.authority.isEmpty {
      throw ToolError(
        .refused,
        "the coordinates are \(system.words), which nothing converts: say which system it is "
          + "(import --crs, --input-crs or reproject --from)")
    }
    do {
      return try CoordinateConversion(from: source.name, to: target.name)
    } catch {
      if case .missing = error { throw ToolError(.missing, error.description) }
      throw ToolError(.refused, error.description)
    }
  }

  /// Whether two systems have the same numbers.
  package static func isSame(_ one: CoordinateSystem, _ other: CoordinateSystem) -> Bool {
    one == other || one.isWGS84 && other.isWGS84
  }

  /// A place in the target; `nil` if it has none there.
  package func place(of coordinate: Coordinate) -> Coordinate? {
    var pair = [coordinate.x, coordinate.y]
    conversion.convert(&pair)
    return pair[0].isFinite ? Coordinate(x: pair[0], y: pair[1]) : nil
  }

  /// A layer in the target; other kinds than those of features stay as they are.
  ///
  /// A layer that names a system of its own, as its file did, is converted from that.
  ///
  /// - Throws: `ToolError`, and the error of `progress`.
  package func layer(
    _ layer: any Layer, progress: (Double) throws -> Void
  ) throws -> any Layer {
    guard var holding = layer as? any BlockHolding else { return layer }
    let own = ExportOptions(coordinateSystem: source).system(of: holding)
    if Self.isSame(own, target) { return layer }
    let conversion =
      Self.isSame(own, source) ? self.conversion : try Self.conversion(own, target)
    do {
      try holding.replaceCoordinates(by: conversion.convert, report: progress)
    } catch let error as DocumentError {
      throw ToolError(.refused, "layer \(holding.name), into \(target.name): \(error.message)")
    }
    return holding
  }
}
