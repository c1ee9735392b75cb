import PortolanDocuments
import PortolanFiles

/// The base maps of one document: the coast, and the coast with borders.
package struct BaseMaps: Sendable {
  package enum Detail: Sendable {
    case coast, countries
  }

  /// The name of the finer document in a folder of data.
  package static let finerName = "portolan/base-50m.doc"
  /// Nearer than this zoom the finer maps are drawn where they are installed: a column is about 40
  /// km wide, and the vertices of the built-in ones, 70 km from each other, are seen.
  static let finerZoom = 3.0
  /// The zoom up to which 1:50,000,000 is drawn: a column is about 1 km wide there.
  static let finerZoomMax = 8.0

  private let coast: BaseMap
  private let countries: BaseMap

  /// - Parameter document: its lowest layer is land, those above are borders.
  /// - Returns: `nil` without a layer of land.
  init?(_ document: Document, zoomMax: Double) {
    let layers = document.layers.compactMap { $0 as? any FeatureHolding }
    guard let land = layers.first, land.kindCode == "pg" else { return nil }
    coast = BaseMap(layers: [land], zoomMax: zoomMax)
    countries = BaseMap(layers: layers, zoomMax: zoomMax)
  }

  subscript(detail: Detail) -> BaseMap { detail == .coast ? coast : countries }
}

/// The finer base maps that were looked for.
package struct FinerBase: Sendable {
  /// `nil` where none are installed, or they cannot be used.
  package var maps: BaseMaps?
  /// Why installed maps cannot be used, for people.
  package var fault: String?
}

extension World {
  /// No larger file is read: 1:50,000,000 has 1.6 MB.
  private static let finerBytesMax = 16 << 20

  /// The finer base maps of the first folder that has usable ones.
  ///
  /// Never an error: without them the built-in ones are drawn. The first fault is told then.
  func finerBase() -> FinerBase {
    var fault: String?
    for path in options.finerBasePaths {
      do throws(Failure) {
        return FinerBase(maps: try finerMaps(path))
      } catch {
        if error.isNoSuchFile || fault != nil { continue }
        fault = "the finer base map is not used: \(error.description)"
      }
    }
    return FinerBase(fault: fault)
  }

  private func finerMaps(_ path: String) throws(Failure) -> BaseMaps {
    let bytes: [UInt8]
    do {
      bytes = try files.read(path, limit: Self.finerBytesMax)
    } catch {
      // Where the system refuses, there may be no file that could be removed.
      if error.problem == .system { throw .reading(path, error) }
      throw .unusableMap(path, error.what)
    }
    let document: Document
    do {
      document = try DocumentFile.open(bytes).document
    } catch {
      throw .unusableMap(path, error.what)
    }
    guard document.metadata.isGeographic,
      let maps = BaseMaps(document, zoomMax: BaseMaps.finerZoomMax)
    else {
      throw .unusableMap(path, "its lowest layer is not land in longitudes and latitudes")
    }
    return maps
  }
}

extension Failure {
  /// A file that is there, and is no finer base map.
  fileprivate static func unusableMap(_ path: String, _ what: String) -> Failure {
    Failure(
      .input, subject: path, what: "\(what); remove it, or make it anew as Docs/base-map.md tells")
  }
}
