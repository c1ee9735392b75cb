import Glibc
import PortolanCursesTerminal
import PortolanEditing
import PortolanFiles
import PortolanTerminals

/// `portolan attach`: this terminal shows a session of another process.
enum AttachProgram {
  static func run(_ attach: AttachTerminal) throws -> Int32 {
    var settings = SystemFacts.settings
    settings.set(.color, to: attach.color?.choice.rawValue, by: "--color")
    settings.set(.theme, to: attach.theme?.name, by: "--theme")
    settings.set(.blocks, to: attach.blocks?.rawValue, by: "--blocks")
    settings.set(.pictures, to: attach.pictures?.rawValue, by: "--pictures")
    settings.set(.mouse, to: attach.noMouse ? "no" : nil, by: "--no-mouse")
    settings.set(.ask, to: attach.noAsk ? "no" : nil, by: "--no-ask")
    let wish: GuestFacts.Wish = attach.watch ? .watching : attach.new ? .newSession : .anySession
    return try run(attach.target, wish, settings)
  }

  /// Connects to an editor, and shows it on the terminal.
  static func run(
    _ target: String?, _ wish: GuestFacts.Wish, _ settings: Settings
  ) throws -> Int32 {
    settings.faults.forEach(Diagnostics.write)
    let (destination, line): (Destination, HostConnection)
    do throws(Failure) {
      destination = try Destination(target, settings)
      line = try destination.connect()
    } catch {
      return unreachable(error)
    }
    let screen: CursesScreen
    do {
      screen = try CursesScreen(options: TerminalOptions(settings))
    } catch {
      throw Failure(.usage, what: error.description)
    }
    return try show(destination, line, wish, on: screen)
  }

  /// Shows a host on a screen, until it ends or is left.
  static func show(
    _ destination: Destination, _ line: HostConnection, _ wish: GuestFacts.Wish,
    on screen: CursesScreen
  ) throws -> Int32 {
    defer { screen.close() }
    var (line, wish) = (line, wish)
    while true {
      let box = ClientBox(waking: screen.waker)
      let facts = GuestFacts(
        wish: wish, name: Self.name, size: screen.size, capabilities: screen.capabilities)
      do throws(Failure) {
        try line.attach(facts, box: box)
      } catch {
        screen.close()
        return unreachable(error)
      }
      var loop = AttachLoop(screen: screen, line: line, box: box)
      let end = try loop.run()
      // A host cuts off who is stopped for long; whoever goes on finds the session as it was.
      if end.code == AttachEnd.silent, loop.wasStopped, screen.endSignal == nil,
        let again = try? destination.connect()
      {
        (line, wish) = (again, .anySession)
        screen.invalidate()
        continue
      }
      screen.close()
      if !end.text.isEmpty { Diagnostics.write(end.text) }
      if let signal = screen.endSignal { CursesScreen.endBySignal(signal) }
      return end.code
    }
  }

  /// The person and the terminal, for the others.
  static var name: String { LockHolder.current(in: RealFileSystem()).shortName }

  private static func unreachable(_ failure: Failure) -> Int32 {
    Diagnostics.write(failure.description)
    return failure.code == .usage ? failure.code.rawValue : AttachEnd.unreachable
  }
}
