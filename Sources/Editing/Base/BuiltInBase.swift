import PortolanDocuments
import Synchronization

/// The base maps that the program brings, in one archived document.
///
/// It is read once, when one of them is first drawn: about a millisecond.
package final class BuiltInBase: Sendable {
  /// The zoom up to which 1:110,000,000 is drawn: a column is about 5 km wide there.
  private static let zoomMax = 6.0

  private let bytes: @Sendable () -> [UInt8]
  private let state = Mutex(State.unread)

  private enum State {
    case unread
    /// `nil` if the bytes are no document.
    case read(BaseMaps?)
  }

  /// - Parameter bytes: returns a document whose lowest layer is land, below that of countries.
  package init(bytes: @escaping @Sendable () -> [UInt8]) { self.bytes = bytes }

  /// The same map each time; `nil` if the bytes are no document.
  package func map(_ detail: BaseMaps.Detail) -> BaseMap? {
    let maps = state.withLock { state in
      if case .read(let maps) = state { return maps }
      let document = try? DocumentFile.open(bytes()).document
      let read = document.flatMap { BaseMaps($0, zoomMax: Self.zoomMax) }
      state = .read(read)
      return read
    }
    return maps?[detail]
  }
}
