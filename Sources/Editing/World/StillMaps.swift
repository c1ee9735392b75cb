import Dispatch

/// Has the maps drawn as pixels when they have been at rest for a while; a map that moves meanwhile
/// is not waited for.
struct StillMaps {
  /// The time without a change before a map is drawn.
  private static let rest = Duration.milliseconds(120)

  private let queue = DispatchQueue(label: "portolan.stills", qos: .utility)
  private var waiting: [PaneID: MapKey] = [:]
  private var due: ContinuousClock.Instant?
  private var drawing: Cancellation?

  /// Notes the maps that are shown without a picture: other ones than before have to rest first.
  mutating func note(_ maps: [PaneID: MapKey]) {
    guard maps != waiting else { return }
    waiting = maps
    drawing?.cancel()
    drawing = nil
    due = maps.isEmpty ? nil : .now + Self.rest
  }

  /// The time until a drawing is due; `nil` if none is.
  var restSeconds: Double? {
    due.map { max(0, Double(ContinuousClock.now.duration(to: $0) / .seconds(1))) }
  }

  var isDue: Bool { due.map { $0 <= .now } ?? false }

  /// Draws maps in the background; a mailbox takes their pictures.
  mutating func draw(_ maps: [StillDrawing], reportingTo mailbox: Mailbox) {
    due = nil
    let cancellation = Cancellation()
    drawing = cancellation
    queue.async {
      var stills: [PaneID: StillMap] = [:]
      for map in maps where !cancellation.isCancelled {
        stills[map.pane] = map.draw(cancellation)
      }
      if !cancellation.isCancelled { mailbox.post(.drawn(stills)) }
    }
  }
}
