import PortolanDocuments
import Synchronization

/// The base maps that the program brings, in one archived document.
///
/// It is read once, when one of them is first drawn: about a millisecond.
package final class BuiltInBase: Sendable {
  /// The zoom up to which 1:110,000,000 is drawn: a column is about 5 km wide there.
  private static let zoomMax = 6.0

  private let bytes: @Sendable () -> [UInt8]
  /// `nil` until they are read; without maps if the bytes are no document.
  private let maps = Mutex<BaseMaps??>(nil)

  /// - Parameter bytes: returns a document whose lowest layer is land, below that of countries.
  package init(bytes: @escaping @Sendable () -> [UInt8]) { self.bytes = bytes }

  /// The same map each time; `nil` if the bytes are no document.
  package func map(_ detail: BaseMaps.Detail) -> BaseMap? {
    let maps = maps.withLock { maps in
      if let maps { return maps }
      let document = try? DocumentFile.open(bytes()).document
      let read = document.flatMap { BaseMaps($0, zoomMax: Self.zoomMax) }
      maps = .some(read)
      return read
    }
    return maps?[detail]
  }
}
