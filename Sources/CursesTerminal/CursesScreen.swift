internal import Glibc
internal import PortolanCNCurses
internal import PortolanCSystem
package import PortolanTerminals
import PortolanTexts

/// The real terminal, through ncurses.
///
/// Takes the terminal when it is made and releases it on `close`, when it is deallocated, and on
/// every signal that ends the process (the handlers are in `CSystem`). There is one at a time. Only
/// ncurses' drawing is used: keys are read and decoded by `InputDecoder`, so that waiting is one
/// `poll` on the terminal, the signal pipe and the wake-up pipe.
package final class CursesScreen: Screen {
  package internal(set) var size: CellSize
  package internal(set) var capabilities: ScreenCapabilities
  package let waker: ScreenWaker

  let wakePipe: WakePipe
  var modes: TerminalModes
  let isUTF8: Bool
  let input: Int32
  let output: Int32
  var decoder: InputDecoder
  var colours: ColourPairs
  /// The questions to the terminal; `nil` if it is not asked.
  var inquiry: TerminalInquiry?
  /// Whether the replies decide about synchronized output.
  let asksForSynchronisation: Bool
  /// Events that were decoded but not yet delivered.
  var waitingEvents: [TerminalEvent] = []
  /// The frame on the terminal; `nil` when it is unknown.
  var shown: Frame?
  /// The pictures that the terminal has.
  var shownPictures: [FramePicture] = []
  /// Whether the terminal is gone or the process shall end; nothing is drawn any more.
  var isEnding = false
  let collector: FrameCollector
  /// What the terminal has not taken yet.
  private var unsent: [UInt8] = []
  /// The most bytes that wait for the terminal; a frame has fewer.
  private static let unsentMax = 16 << 20
  /// The descriptor that curses' own is made of.
  private let plainOutput: Int32
  private let screen: OpaquePointer
  private var files: [UnsafeMutablePointer<FILE>?]
  private var isOpen = true
  /// Whether the terminal was given back for a while.
  private var isAway = false

  /// Takes the terminal on standard output; keys come from standard input if it is a terminal, else
  /// from the process's controlling terminal, so that documents may be piped in.
  ///
  /// - Throws: `TerminalError` for standard error, exit code 2; nothing was written then.
  package init(
    options: TerminalOptions = TerminalOptions(),
    environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  ) throws(TerminalError) {
    let ends = try CursesScreen.openTerminal()
    let own = CursesScreen.opened(ends.output)
    (input, output, plainOutput) = (ends.input, own, ends.output)
    var taken = false
    defer {
      if !taken {
        for descriptor in Set([ends.input, ends.output, own]) { Glibc.close(descriptor) }
      }
    }
    let type = try CursesScreen.type(options.colour, ends.output, environment)
    wakePipe = try WakePipe()
    waker = ScreenWaker { [wakePipe] in wakePipe.wake() }
    isUTF8 = TerminalLocale.adopt(environment)
    let cursesOutput = dup(ends.output)
    var isCursesOpen = false
    defer { if !isCursesOpen { Glibc.close(cursesOutput) } }
    collector = try FrameCollector(cursesDescriptor: cursesOutput, terminal: ends.output)
    // The modes to restore are those from before curses.
    guard portolan_guard_install(own) == 0 else {
      throw TerminalError.system("set-up")
    }
    portolan_guard_hold_signals(1)
    defer { portolan_guard_hold_signals(0) }
    use_tioctl(true)
    files = [nil, nil]
    isCursesOpen = true
    guard let screen = portolan_new_screen(type, cursesOutput, dup(ends.input), &files) else {
      portolan_guard_remove()
      throw TerminalError(.unknownType, type)
    }
    self.screen = screen
    taken = true
    modes = CursesScreen.modes(options)
    asksForSynchronisation = options.synchronisation == .auto
    colours = CursesScreen.colours(options.colour, environment)
    capabilities = ScreenCapabilities(
      depth: colours.depth, isUnicode: isUTF8,
      ground: options.theme?.ground ?? Ground(environment: environment),
      palette: options.theme?.palette ?? .standard)
    capabilities.blocks = options.blocks
    capabilities.pictures = options.pictures
    if environment("TMUX") != nil {
      (capabilities.terminalName, capabilities.takesPictures) = ("tmux", false)
    }
    decoder = InputDecoder(
      encoding: TerminalLocale.encoding(isUTF8: isUTF8),
      ownSequences: TerminalKeys.sequences())
    size = CellSize(columns: 80, rows: 24)
    capabilities.cellSize = cellSize
    if modes.isModern, options.asks, TerminalInquiry.isAllowed(environment) {
      inquiry = TerminalInquiry(wishes(options))
    }
    arm()
  }

  deinit { close() }

  /// Releases the terminal; harmless a second time.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    isEnding = true
    leave()
    delscreen(screen)
    for file in files.compactMap({ $0 }) { fclose(file) }
    portolan_guard_remove()
    for descriptor in Set([input, output, plainOutput]) { Glibc.close(descriptor) }
  }

  /// The signal that asked the process to end, if there was one.
  ///
  /// The program has three seconds to save the work; then it closes the screen and calls
  /// `endBySignal`, so that the parent process sees the signal.
  package var endSignal: Int32? {
    let signal = portolan_guard_end_signal()
    return signal == 0 ? nil : signal
  }

  package var isToEnd: Bool { endSignal == SIGTERM || endSignal == SIGINT }

  /// Ends the process by the signal's own action.
  package static func endBySignal(_ signal: Int32) {
    portolan_guard_end_by(signal)
  }

  /// Sets a line for standard error when a signal ends the process: the journal's place.
  package static func setCrashMessage(_ text: String) {
    let bytes = Array(DisplayWidth.sanitised(text).utf8) + [0x0A]
    portolan_guard_set_message(bytes, bytes.count)
  }

  package func invalidate() {
    shown = nil
  }

  package func beep() {
    if !isEnding { send(collector.collect { PortolanCNCurses.beep() }) }
  }

  package func copyToClipboard(_ text: String) {
    guard modes.isModern, !isEnding else { return }
    let bytes = Array(text.utf8)
    // Terminals accept about this much; longer texts would be cut in the middle.
    guard bytes.count <= 74_994 else { return }
    send(Array("\u{1B}]52;c;".utf8) + bytes.withUnsafeBytes { Base64.encode($0) } + [0x07])
  }

  package func suspend() throws {
    stop(wholeGroup: true)
  }

  /// Releases the terminal, stops, and takes it again when continued.
  func stop(wholeGroup: Bool) {
    guard !isEnding else { return }
    leave()
    portolan_guard_stop(wholeGroup ? 1 : 0)
    _ = WakePipe.drain(portolan_guard_signals())
    take()
  }

  /// Takes the screen again: after a stop, or when another program changed its modes.
  func take() {
    prepareHandlers()
    portolan_guard_activate(1)
    guarded {
      reset_prog_mode()
      adoptSize()
      portolan_clear()
      portolan_forget()
      portolan_show(-1, 0)
    }
    send(modes.enter(keepsStack: !isAway))
    isAway = false
    shown = nil
    ask()
  }

  /// Reads the terminal's size and tells curses.
  func adoptSize() {
    let window = window
    let columns = window.ws_col > 0 ? Int(window.ws_col) : 80
    let rows = window.ws_row > 0 ? Int(window.ws_row) : 24
    size = CellSize(
      columns: min(columns, Frame.extentMax), rows: min(rows, Frame.extentMax))
    resizeterm(Int32(size.rows), Int32(size.columns))
    shown = nil
    let cell = cellSize
    adopt { $0.cellSize = cell }
  }

  /// The terminal's size in cells and pixels; 0 where it is not known.
  private var window: winsize {
    var window = winsize()
    return ioctl(output, UInt(TIOCGWINSZ), &window) == 0 ? window : winsize()
  }

  /// The size of a cell in pixels, as far as the terminal tells it.
  var cellSize: PixelSize? {
    let window = window
    guard window.ws_col > 0, window.ws_row > 0 else { return nil }
    let size = PixelSize(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
    return (2...256).contains(size.width) && (4...512).contains(size.height) ? size : nil
  }

  /// Whether the terminal has taken what was sent to it: nothing waits for a slow one.
  package var isReady: Bool { unsent.isEmpty }

  /// Writes bytes to the terminal, behind those that it has not taken yet; false if it is gone, or
  /// too many wait.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    unsent += bytes
    return sendRest()
  }

  /// Writes what the terminal takes now.
  @discardableResult
  func sendRest() -> Bool {
    let count = portolan_guard_write(unsent, unsent.count)
    guard count >= 0, unsent.count - count <= Self.unsentMax else {
      unsent = []
      return false
    }
    unsent.removeFirst(count)
    return true
  }

  /// Waits until the terminal has taken everything; false if it takes nothing for five seconds.
  func sendAll() -> Bool {
    while !unsent.isEmpty {
      var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      let count = poll(&ready, 1, 5_000)
      if count == -1, errno == EINTR { continue }
      guard count > 0, sendRest() else { return false }
    }
    return true
  }

  /// Lets curses change the terminal's modes, or write to it itself.
  private func guarded(_ draw: () -> Void) {
    portolan_guard_begin_output()
    draw()
    portolan_guard_end_output()
  }

  /// Prepares the handlers' bytes and takes the screen.
  private func arm() {
    prepareHandlers()
    portolan_guard_reinstall()
    portolan_guard_activate(1)
    guarded {
      portolan_configure()
      adoptSize()
      portolan_show(-1, 0)
    }
    send(modes.enter())
    ask()
  }

  /// Gives the handlers the bytes that release the terminal in its present modes.
  func prepareHandlers() {
    let restore = modes.restore { name in
      portolan_string_capability(name).map { String(cString: $0) }
    }
    portolan_guard_set_bytes(restore, restore.count)
  }

  private func leave() {
    awaitReplies()
    if endSignal == nil { _ = sendAll() }
    unsent = []
    isAway = true
    let end =
      modes.leave
      + collector.collect {
        curs_set(1)
        endwin()
      }
    portolan_guard_set_bytes(end, end.count)
    portolan_guard_leave()
    note([])
  }
}
