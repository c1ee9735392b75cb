import PortolanRendering
import PortolanTerminals

/// A person's place in the run loop: their display, and what was drawn on it.
struct Seat<D: Display> {
  let person: SessionID
  var display: D
  /// The frame on the display; `nil` when it is not known.
  private var shown: Frame?
  private var memory = RenderMemory(makesAhead: true)
  private var stills = StillMaps()
  private var settling = NameSettling()
  /// No map of pixels is smaller, in bytes.
  private static var pictureBytesMin: Int { 4_096 }

  init(of person: SessionID, at display: D) {
    self.person = person
    self.display = display
  }

  /// The time until the maps at rest are to be looked after; `nil` if nothing is due.
  var restSeconds: Double? {
    [stills.timer.restSeconds, settling.timer.restSeconds].compactMap { $0 }.min()
  }

  /// Shows the picture of the session, if it is another one than before.
  mutating func present(_ workspace: Workspace) throws {
    let frame = workspace.frame(size: display.size, memory: &memory, of: person)
    if frame != shown {
      try display.present(frame)
      shown = frame
      settling.note(memory)
    }
    memory.makeAhead()
    noteStills(workspace)
  }

  /// Notes which maps at rest could be drawn as pixels, as far as the display takes those.
  mutating func noteStills(_ workspace: Workspace) {
    let takesStills = display.pictureBytesMax >= Self.pictureBytesMin
    stills.note(takesStills ? workspace.waitingStills(of: person) : [:])
  }

  /// Has the maps drawn that have been at rest for a while, or lets their names settle.
  ///
  /// - Returns: whether the picture is another one then.
  mutating func rest(_ workspace: Workspace, reportingTo mailbox: Mailbox) -> Bool {
    if stills.timer.isDue {
      stills.draw(
        workspace.stillDrawings(memory, of: person), for: person,
        bytesMax: display.pictureBytesMax, reportingTo: mailbox)
    } else if settling.timer.isDue {
      memory.settleNames()
      settling.end()
      return true
    }
    return false
  }

  /// Carries out an effect on the display; others are the host's.
  mutating func carryOut(_ effect: Effect) {
    switch effect {
    case .suspend:
      try? display.suspend()
      shown = nil
    case .redraw:
      display.invalidate()
      shown = nil
    case .beep: display.beep()
    case .setClipboard(let text): display.copyToClipboard(text)
    case .perform, .cancel, .quit, .detach, .attach, .print, .printData, .warn: break
    }
  }
}
