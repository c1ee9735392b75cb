import Foundation
import PortolanDocuments
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

extension ImportResult {
  /// The layers of features.
  var featureLayers: [FeatureLayer] { layers.compactMap { $0 as? FeatureLayer } }
}

extension FileFormats {
  /// The formats that both read and write.
  static var both: [any Importer & Exporter] { all.compactMap { $0 as? any Importer & Exporter } }
}

/// What the tests of GeoJSON share.
enum Sample {
  /// Reads a text as one layer.
  static func read(_ text: String, name: String = "sample") throws -> ImportResult {
    try read(Array(text.utf8), name: name)
  }

  static func read(_ bytes: [UInt8], name: String = "sample") throws -> ImportResult {
    try GeoJSONFormat().read(bytes, options: ImportOptions(name: name)) { _ in }
  }

  /// Writes layers into one text.
  static func write(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions()
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try GeoJSONFormat().write(layers, options: options) { bytes += $0 }
    return bytes
  }

  /// A layer written back into its file, in whatever form that is.
  static func rewritten(_ layer: FeatureLayer) throws -> String {
    let file = try GeoJSONFormat().rewrite(layer, over: FormerFile([], layer), system: .crs84)
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// The error of a text that cannot be read.
  static func error(_ bytes: [UInt8]) -> ImportError? {
    do {
      _ = try read(bytes)
      return nil
    } catch {
      return error as? ImportError
    }
  }

  /// A collection of one feature with the given members.
  static func collection(_ members: String) -> String {
    #"{"type":"FeatureCollection","features":[{"type":"Feature",\#(members)}]}"#
  }

  /// A collection of one feature without properties.
  static func geometry(_ geometry: String) -> String {
    collection(#""properties":{},"geometry":\#(geometry)"#)
  }

  /// The folder `Tests/Fixtures/geojson`.
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/geojson")

  static func fixture(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: fixtures.appendingPathComponent(name)))
  }

  /// The folder of large data files, where there is one.
  static let data: URL? =
    Shared.exists("data") ? URL(fileURLWithPath: Shared.path("data")) : nil

  static let runsSlowTests = ProcessInfo.processInfo.environment["PORTOLAN_SLOW"] != nil

  /// A data file unpacked, or `nil` where it is not there.
  static func unpacked(_ name: String) throws -> [UInt8]? {
    guard let file = data?.appendingPathComponent(name),
      FileManager.default.fileExists(atPath: file.path)
    else { return nil }
    if name.hasSuffix(".geojson") { return try [UInt8](Data(contentsOf: file)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name.hasSuffix(".xz") ? "xz" : "gzip", "-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return process.terminationStatus == 0 ? bytes : nil
  }
}

extension FeatureLayer {
  /// A feature by its place in the layer.
  func row(_ index: Int) throws -> Feature {
    try #require(feature(FeatureID(UInt64(index) + 1)))
  }
}
