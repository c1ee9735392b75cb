import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// What a map holds, where and how much, for people and programs that cannot see it.
package struct DocumentDescription: Sendable {
  struct LayerFacts: Sendable {
    var name: String
    var title: String
    var isGroup: Bool
    var isVisible: Bool
    var isLocked: Bool
    var features: Int
    var vertices: Int
    /// The number of features of each kind, without kinds that no feature has.
    var kinds: [(kind: GeometryKind, count: Int)]
    var extent: Box
    var columns: [ColumnStatistics]
    /// The features at longitude 0 and latitude 0: where programs put what they could not place.
    var atZero: Int
  }

  let file: String
  let metadata: DocumentMetadata
  /// From the top.
  let layers: [LayerFacts]
  let extent: Box
  /// `nil` for planar maps, and for those that go all around the earth.
  let longitudes: LongitudeReach?
  /// The middle of a planar map in longitude and latitude; `nil` if nothing converts it.
  let middle: Coordinate?
  let census: CountryCensus?
  let conflicts: Int
  let notices: [String]

  /// - Parameters:
  ///   - notices: the remarks about the file.
  ///   - countries: areas with names, in longitudes and latitudes; `nil` tells no countries.
  ///   - report: takes the part that is done; what it throws ends the work.
  /// - Complexity: O(features · attributes).
  init(
    _ document: Document, file: String, notices: [String], countries: (any FeatureHolding)?,
    report: (Double) throws -> Void
  ) throws {
    self.file = file
    self.notices = notices
    metadata = document.metadata
    extent = document.extent
    conflicts = document.openConflicts.count
    var facts: [LayerFacts] = []
    for (index, layer) in document.layers.reversed().enumerated() {
      facts.append(
        try Self.facts(layer, isGeographic: document.metadata.isGeographic) {
          try report(0.8 * (Double(index) + $0) / Double(document.layers.count))
        })
    }
    layers = facts
    let holding = document.layers.compactMap { $0 as? any FeatureHolding }
    let isGeographic = document.metadata.isGeographic
    longitudes =
      isGeographic
      ? LongitudeReach(holding.flatMap(\.blocks).flatMap { LongitudeReach.arcs(of: $0.geometry) })
      : nil
    let conversion =
      isGeographic
      ? nil : try? Reprojection(from: document.metadata.coordinateSystem, to: .crs84)
    middle = extent.isEmpty ? nil : conversion?.place(of: extent.center)
    census = try countries.flatMap { areas in
      guard isGeographic || conversion != nil else { return nil }
      return try CountryCensus(holding, in: areas) {
        try report(0.8 + 0.2 * $0)
      } place: {
        isGeographic ? $0 : conversion?.place(of: $0)
      }
    }
  }

  private static func facts(
    _ layer: any Layer, isGeographic: Bool, report: (Double) throws -> Void
  ) throws -> LayerFacts {
    let holding = layer as? any FeatureHolding
    let blocks = holding?.blocks ?? []
    var counts = [Int](repeating: 0, count: GeometryKind.allCases.count)
    var atZero = 0
    for block in blocks {
      for (kind, box) in zip(block.geometry.kinds, block.geometry.boxes) {
        counts[Int(kind.rawValue)] += 1
        if box.minX == 0, box.maxX == 0, box.minY == 0, box.maxY == 0 { atZero += 1 }
      }
    }
    var columns: [ColumnStatistics] = []
    let names = holding?.fieldNames ?? []
    for (index, name) in names.enumerated() {
      try report(Double(index) / Double(names.count))
      columns += ColumnStatistics.columns([name], of: holding.map { [$0] } ?? [])
    }
    return LayerFacts(
      name: layer.name, title: layer.title, isGroup: layer.isGroup, isVisible: layer.isVisible,
      isLocked: layer.isLocked, features: layer.count,
      vertices: blocks.reduce(0) { $0 + $1.geometry.vertexCount },
      kinds: GeometryKind.allCases.compactMap { kind in
        let count = counts[Int(kind.rawValue)]
        return count > 0 ? (kind, count) : nil
      }, extent: layer.extent, columns: columns, atZero: isGeographic ? atZero : 0)
  }
}
