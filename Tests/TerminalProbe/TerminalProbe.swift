import Glibc
import PortolanCursesTerminal
import PortolanTerminals

/// Shows every event of its terminal, and ends in as many ways as there are keys for it.
@main
struct TerminalProbe {
  struct Thrown: Error {}

  static func main() {
    do {
      try run()
    } catch let error as TerminalError {
      say("terminal-probe: \(error)\n")
      exit(2)
    } catch {
      say("terminal-probe: thrown\n")
      exit(1)
    }
  }

  static func say(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  static func run() throws {
    var options = TerminalOptions()
    var typedPath: String?
    for argument in CommandLine.arguments.dropFirst() {
      if argument == "no-mouse" { options.usesMouse = false }
      if argument == "no-ask" { options.asks = false }
      if let theme = Theme(argument) { options.theme = theme }
      if let colour = ColourChoice(rawValue: argument) { options.colour = colour }
      if argument.hasPrefix("typed=") { typedPath = String(argument.dropFirst(6)) }
    }
    if CommandLine.arguments.contains("starve") { return starve(options) }
    let screen = try CursesScreen(options: options)
    CursesScreen.setCrashMessage("probe: your work is in /somewhere")
    defer { screen.close() }
    var log: [String] = ["READY \(screen.capabilities.depth) \(screen.capabilities.isUnicode)"]
    var count = 0
    for argument in CommandLine.arguments {
      if argument == "quit" { return }
      if argument.hasPrefix("signal="), let signal = Int32(argument.dropFirst(7)) {
        kill(getpid(), signal)
      }
    }
    while true {
      try screen.present(picture(screen.size, log))
      guard let event = try screen.nextEvent(timeoutSeconds: 10) else {
        log.append("(woken)")
        continue
      }
      count += 1
      log.append("\(count)=\(describe(event, screen.size))")
      if event == .hangUp {
        screen.close()
        if let signal = screen.endSignal { CursesScreen.endBySignal(signal) }
        exit(129)
      }
      if let typedPath, keep(event, in: typedPath) { continue }
      if case .key(let key) = event { try act(key, screen) }
      if log.count > 4 { log.removeFirst() }
    }
  }

  /// Starts with too few descriptors, one more each time, until it succeeds; tells how often it
  /// failed, and which descriptors a failed start left open.
  ///
  /// The pipe of signals is made once and stays, so only what the third start at a limit adds counts.
  static func starve(_ options: TerminalOptions) {
    var usual = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &usual)
    var known: [Int32] = []
    for attempt in 9..<192 {
      var scarce = usual
      scarce.rlim_cur = rlim_t(attempt / 3)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &scarce)
      let screen = try? CursesScreen(options: options)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &usual)
      if let screen {
        screen.close()
        return say("starved \(attempt - 9) times, left []\n")
      }
      let open = (0..<64).filter { fcntl($0, F_GETFD) >= 0 }
      if attempt % 3 == 2, open != known {
        return say("starved \(attempt), left \(open.filter { !known.contains($0) })\n")
      }
      known = open
    }
  }

  /// Appends what was typed or pasted to a file, as it would go into a line; Enter is a line feed.
  static func keep(_ event: TerminalEvent, in path: String) -> Bool {
    var text = ""
    switch event {
    case .paste(let pasted): text = pasted
    case .key(Key(.enter)): text = "\n"
    case .key(let key):
      guard case .character(let character) = key.code, key.modifiers.isEmpty else { return false }
      text = String(character)
    default: return false
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    text.withUTF8 { _ = write(file, $0.baseAddress, $0.count) }
    close(file)
    return true
  }

  static func act(_ key: Key, _ screen: CursesScreen) throws {
    switch KeyNotation.text(key) {
    case "q":
      screen.close()
      exit(0)
    case "<c-z>": try screen.suspend()
    case "T": print([1][Int(CommandLine.argc) + 7])
    case "S": print(deep(1))
    case "A": abort()
    case "E": throw Thrown()
    case "X": exit(7)
    case "B": while true { sleep(1) }
    case "C": screen.copyToClipboard("clip")
    case "P": try measure(screen)
    case "W":
      let waker = screen.waker
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Box(waker))
      pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().waker.wake()
          return nil
        }, box.toOpaque())
    default: break
    }
  }

  /// Shows a hundred full pictures, each different in every cell, and says how long one took.
  static func measure(_ screen: CursesScreen) throws {
    var frames = [Frame(size: screen.size), Frame(size: screen.size)]
    for row in 0..<screen.size.rows {
      for column in 0..<screen.size.columns {
        let value = UInt32(row * 31 + column * 7)
        let style = CellStyle(
          foreground: TerminalColour(red: UInt8(row % 8 * 32), green: 90, blue: UInt8(column / 16)))
        for index in 0..<2 {
          let scalar = Unicode.Scalar(0x2801 + (value + UInt32(index)) % 255) ?? " "
          frames[index][column, row] = Cell(glyph: Glyph(scalar), style: style)
        }
      }
    }
    let clock = ContinuousClock()
    let time = try clock.measure { for round in 0..<100 { try screen.present(frames[round % 2]) } }
    frames[0].fill(frames[0].bounds)
    frames[0].write("mean \(time / 100)", at: 0, row: 0)
    try screen.present(frames[0])
    sleep(1)
  }

  final class Box {
    let waker: ScreenWaker
    init(_ waker: ScreenWaker) { self.waker = waker }
  }

  @inline(never)
  static func deep(_ depth: Int) -> Int {
    let values = [depth, depth + 1]
    if depth == Int.max { return 0 }
    return deep(depth + 1) + values[depth & 1]
  }

  static func picture(_ size: CellSize, _ log: [String]) -> Frame {
    var frame = Frame(size: size)
    for (row, line) in log.enumerated() { frame.write(line, at: 0, row: row) }
    let red = CellStyle(foreground: TerminalColour(red: 250, green: 3, blue: 3), attributes: .bold)
    frame.write("red ⣿東京│🇸🇪👨‍👩‍👧e\u{301}Ω", at: 2, row: 6, style: red)
    frame.write("evil\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{FEFF}", at: 2, row: 7)
    frame.cursor = (0, 0)
    return frame
  }

  static func describe(_ event: TerminalEvent, _ size: CellSize) -> String {
    switch event {
    case .key(let key): KeyNotation.text(key)
    case .mouse(let mouse):
      "\(mouse.action) \(mouse.button) \(mouse.column),\(mouse.row) \(mouse.modifiers.rawValue)"
    case .paste(let text): "paste[\(text)]"
    case .cutPaste(let text): "cut paste[\(text)]"
    case .resize(let size): "resize \(size.columns)x\(size.rows)"
    case .resumed: "resumed \(size.columns)x\(size.rows)"
    case .learned(let told): "learned \(told.depth) \(told.ground)"
    case .hangUp: "hangup"
    }
  }
}
