import PortolanDocuments
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Maps that were converted into another coordinate system come back in that system.
@Suite struct ConvertedSystemLawTests {
  /// A text of each form in which GeoJSON and tables come.
  private enum Form: CaseIterable {
    case collection, feature, geometry, geometries, lines, sequence, table
  }

  /// A point in Central Europe, as a geometry object.
  private func point(_ crs: String, isMetric: Bool, _ random: inout SeededGenerator) -> String {
    let (x, y) =
      isMetric
      ? (
        Int.random(in: 900_000...1_300_000, using: &random),
        Int.random(in: 5_900_000...6_900_000, using: &random)
      )
      : (Int.random(in: 7...11, using: &random), Int.random(in: 46...55, using: &random))
    return #"{"type":"Point",\#(crs)"coordinates":[\#(x),\#(y)]}"#
  }

  private func source(_ form: Form, _ random: inout SeededGenerator) throws -> ImportResult {
    let isMetric = form != .table && Bool.random(using: &random)
    let crs = isMetric ? #""crs":{"type":"name","properties":{"name":"EPSG:3857"}},"# : ""
    let isNamedInside = Bool.random(using: &random)
    func feature(_ crs: String) -> String {
      let inner = isNamedInside ? crs : ""
      let outer = isNamedInside ? "" : crs
      return #"{"type":"Feature",\#(outer)"properties":{"n":1},"geometry":"#
        + point(inner, isMetric: isMetric, &random) + "}"
    }
    switch form {
    case .collection:
      return try Sample.read(
        #"{"type":"FeatureCollection",\#(crs)"features":[\#(feature("")),\#(feature(""))]}"#)
    case .feature: return try Sample.read(feature(crs))
    case .geometry: return try Sample.read(point(crs, isMetric: isMetric, &random))
    case .geometries:
      let points = (0..<2).map { _ in point("", isMetric: isMetric, &random) }
      return try Sample.read(
        #"{"type":"GeometryCollection",\#(crs)"geometries":[\#(points.joined(separator: ","))]}"#)
    case .lines: return try Sample.read(feature(crs) + "\n" + feature(crs) + "\n")
    case .sequence: return try Sample.read("\u{1E}\(feature(crs))\n\u{1E}\(feature(crs))\n")
    case .table:
      return try CSVFormat.comma.read(
        Array("lon,lat,n\n9,50,1\n10,51,2\n".utf8), options: ImportOptions(name: "t"),
        progress: { _ in })
    }
  }

  @Test(arguments: Seeds.some(150))
  func `What is converted comes back in its system, or is refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let form = Form.allCases[Int(seed % UInt64(Form.allCases.count))]
    let result = try source(form, &random)
    let targets = ["3857", "32632", "32633"].map { CoordinateSystem(authority: "EPSG", code: $0) }
    let target = targets.randomElement(using: &random) ?? .crs84
    let reprojection = try Reprojection(from: result.coordinateSystem, to: target)
    let layers = try result.layers.map { try reprojection.layer($0) { _ in } }
    for format in FileFormats.both {
      var bytes: [UInt8] = []
      let report: ExportReport
      do {
        report = try format.write(layers, options: ExportOptions(coordinateSystem: target)) {
          bytes += $0
        }
      } catch let error as ExportError {
        #expect(error.code == .noPlaceForSystem, "seed \(seed) \(form) \(format.name)")
        #expect(bytes.isEmpty)
        continue
      }
      let again = try format.read(
        bytes, options: ImportOptions(name: "again"), progress: { _ in }
      ).coordinateSystem
      let isTold = format is CSVFormat && !report.notes.isEmpty
      #expect(again == target || isTold, "seed \(seed) \(form) \(format.name): \(again.name)")
    }
  }
}
