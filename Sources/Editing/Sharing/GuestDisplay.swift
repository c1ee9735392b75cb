import PortolanTerminals

/// The way from a host to the terminal of one guest.
package protocol GuestLine: Sendable {
  /// The process at its other end, by the word of the kernel; for a guest of another machine the
  /// one that stands for it here.
  var process: Int32? { get }
  /// Sends a frame's change, and what the guest may draw itself upon it; the guest says when it is
  /// shown.
  func present(_ change: [UInt8], _ echo: EchoHint)
  /// Says what the guest may draw itself upon the frame that it has.
  func tell(_ echo: EchoHint)
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
  /// How fast the line brings pictures.
  private var pace = LinePace()
  /// What the guest may draw itself, and what it was told of that.
  var echo = EchoHint()
  private var toldEcho = EchoHint()

  init(_ line: any GuestLine, size: CellSize, capabilities: ScreenCapabilities) {
    (self.line, self.size, self.capabilities) = (line, size, capabilities)
  }

  var isReady: Bool { !isUnderWay }

  mutating func present(_ frame: Frame) {
    let change = FrameChange.bytes(from: sent, to: frame)
    pace.begin(change.count)
    line.present(change, echo)
    toldEcho = echo
    sent = frame
    isUnderWay = true
  }

  /// Tells what the guest may draw itself where its keys have changed no picture.
  mutating func tellEcho() {
    guard echo != toldEcho else { return }
    line.tell(echo)
    toldEcho = echo
  }

  /// The guest shows what was sent.
  mutating func noteShown() {
    isUnderWay = false
    pace.end()
  }

  /// What a picture may take of a line: it holds up the next frame.
  var pictureBytesMax: Int { capabilities.pictures == .on ? .max : pace.bytes(in: 0.3) }

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
