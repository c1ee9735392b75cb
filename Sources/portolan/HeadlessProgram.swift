import Dispatch
import Glibc
import PortolanEditing
import PortolanFiles
import PortolanTerminals
import Synchronization

/// Verbs: no terminal, no prompts; standard output holds the result and nothing else.
enum HeadlessProgram {
  static func run(_ verb: any FileCommand) throws(Failure) {
    let progress = verb.common.quiet ? nil : ProgressLine()
    var options = options()
    if !verb.common.quiet { options.settings.faults.forEach(Diagnostics.write) }
    if let progress { options.beforeOutput = { progress.end() } }
    let world = World(files: RealFileSystem(), options: options)
    let interruption = Interruption(of: world)
    defer { interruption.end() }
    var runner = HeadlessRunner(
      world: world,
      verbosity: verb.common.quiet ? .quiet : verb.common.verbose ? .verbose : .normal,
      progress: progress ?? NoProgress(), report: Diagnostics.write)
    try runner.run(verb)
  }

  /// Writes a text of our own to standard output.
  static func write(_ text: String) throws(Failure) {
    let world = World(files: RealFileSystem(), options: options())
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try world.print(lines.last == "" ? lines.dropLast() : lines)
  }

  /// Writes bytes for programs to standard output.
  static func send(_ bytes: [UInt8]) throws(Failure) {
    if bytes.isEmpty { return }
    try World(files: RealFileSystem(), options: options()).sendOutput(bytes)
  }

  private static func options() -> World.Options {
    var options = World.Options()
    SystemFacts.tell(&options, SystemFacts.settings)
    options.readsPipes = true
    options.outputDepth = { choice in
      ColourDepth(
        choice: choice,
        // Without curses the number of colours is not known: 256 are common.
        terminalColours: StandardDescriptors.isTerminal(1) ? 256 : nil,
        environment: { name in getenv(name).map { String(cString: $0) } })
    }
    options.outputColumns = { StandardDescriptors.columns(1) }
    return options
  }
}

/// Ctrl-C and similar signals while a verb works: the process ends within a second, but a file
/// being written is first removed, or completed and put in place.
///
/// Work that hands over no bytes for that long, as a large picture, leaves a hidden file, which a
/// later write removes.
final class Interruption {
  private let sources: [any DispatchSourceSignal]
  /// A signal that ends the process locks it for good, so that nothing else tells an end.
  private static let ending = Mutex(())

  init(of world: World) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let end: () -> Void = {
          Self.ending.withLock { _ -> Void in ChildProcess.endProgram(code: 128 + number) }
        }
        for _ in 0..<350 {
          if world.interrupt(then: end) { return }
          usleep(2000)
        }
        end()
      }
      source.resume()
      return source
    }
  }

  func end() {
    Self.ending.withLock { _ in for source in sources { source.cancel() } }
  }
}
