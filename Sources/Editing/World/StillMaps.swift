import Dispatch

/// Has the maps drawn as pixels when they have been at rest for a while; a map that moves meanwhile
/// is not waited for.
struct StillMaps {
  private let queue = DispatchQueue(label: "portolan.stills", qos: .utility)
  private var waiting: [PaneID: MapKey] = [:]
  /// The time without a change before a map is drawn.
  private(set) var timer = RestTimer(rest: .milliseconds(120))
  private var drawing: Cancellation?

  /// Notes the maps that are shown without a picture: other ones than before have to rest first.
  mutating func note(_ maps: [PaneID: MapKey]) {
    guard maps != waiting else { return }
    waiting = maps
    drawing?.cancel()
    drawing = nil
    if maps.isEmpty { timer.stop() } else { timer.start() }
  }

  /// Draws maps in the background; a mailbox takes their pictures.
  ///
  /// - Parameter bytesMax: the largest picture that is shown.
  mutating func draw(
    _ maps: [StillDrawing], for person: SessionID, bytesMax: Int, reportingTo mailbox: Mailbox
  ) {
    timer.stop()
    let cancellation = Cancellation()
    drawing = cancellation
    queue.async {
      var stills: [PaneID: StillMap] = [:]
      for map in maps where !cancellation.isCancelled {
        stills[map.pane] = map.draw(cancellation, bytesMax: bytesMax)
      }
      if !cancellation.isCancelled { mailbox.post(.drawn(stills), for: person) }
    }
  }
}
