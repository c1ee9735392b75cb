import PortolanDocuments
import Synchronization

/// The base maps that the program brings, in one archived document.
///
/// It is read once, when one of them is first drawn: about a millisecond.
package final class BuiltInBase: Sendable {
  package enum Detail: Sendable {
    case coast, countries
  }

  private struct Maps {
    var coast: BaseMap?
    var countries: BaseMap?
  }

  /// The zoom up to which 1:110,000,000 is drawn: a column is about 5 km wide there.
  private static let zoomMax = 6.0

  private let bytes: @Sendable () -> [UInt8]
  private let maps = Mutex<Maps?>(nil)

  /// - Parameter bytes: returns a document whose lowest layer is land, below that of countries.
  package init(bytes: @escaping @Sendable () -> [UInt8]) { self.bytes = bytes }

  /// The same map each time; `nil` if the bytes are no document.
  package func map(_ detail: Detail) -> BaseMap? {
    let maps = maps.withLock { maps in
      let known = maps ?? Self.read(bytes())
      maps = known
      return known
    }
    return detail == .coast ? maps.coast : maps.countries
  }

  private static func read(_ bytes: [UInt8]) -> Maps {
    guard let document = try? DocumentFile.open(bytes).document else { return Maps() }
    let layers = document.layers.compactMap { $0 as? any FeatureHolding }
    guard let land = layers.first else { return Maps() }
    return Maps(
      coast: BaseMap(layers: [land], zoomMax: zoomMax),
      countries: BaseMap(layers: layers, zoomMax: zoomMax))
  }
}
