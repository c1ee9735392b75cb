import PortolanTerminals

/// The way from a host to the terminal of one guest.
package protocol GuestLine: Sendable {
  /// Sends a frame's change; the guest says when it is shown.
  func present(_ change: [UInt8])
  func tell(_ notice: GuestNotice)
  /// Ends the line, after what was sent before.
  func close(_ reason: String)
}

/// A display in another program: one frame is under way at a time, so that a slow line gets fewer
/// frames, never old ones.
struct GuestDisplay: Display {
  let line: any GuestLine
  var size: CellSize
  var capabilities: ScreenCapabilities
  /// The frame that the guest has when all that was sent is shown.
  private var sent: Frame?
  private var isUnderWay = false

  init(_ line: any GuestLine, size: CellSize, capabilities: ScreenCapabilities) {
    (self.line, self.size, self.capabilities) = (line, size, capabilities)
  }

  var isReady: Bool { !isUnderWay }

  mutating func present(_ frame: Frame) {
    var frame = frame
    frame.pictures = []
    line.present(FrameChange.bytes(from: sent, to: frame))
    sent = frame
    isUnderWay = true
  }

  /// The guest shows what was sent.
  mutating func noteShown() { isUnderWay = false }

  mutating func invalidate() {
    sent = nil
    line.tell(.redraw)
  }

  mutating func beep() { line.tell(.beep) }
  mutating func copyToClipboard(_ text: String) {
    if text.utf8.count <= GuestNotice.clipboardMax { line.tell(.clipboard(text)) }
  }
  mutating func suspend() { line.tell(.suspend) }
}
