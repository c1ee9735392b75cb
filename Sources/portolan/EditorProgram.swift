import ArgumentParser
import Glibc
import PortolanCursesTerminal
import PortolanEditing
import PortolanFiles
import PortolanTerminals
import Synchronization

/// The editor on the real terminal.
enum EditorProgram {
  static func run(_ edit: EditFiles) throws -> Int32 {
    let settings = edit.settings
    let terminal = TerminalOptions(settings)
    if edit.files.count == 1, edit.files[0].hasPrefix(SecureShellAddress.scheme) {
      return try AttachProgram.run(edit.files[0], .anySession, settings)
    }
    let screen = try screen(terminal)
    defer { screen.close() }
    var options = World.Options()
    options.beginsNewDocuments = true
    SystemFacts.tell(&options, settings)
    options.guardsDocuments = true
    options.keepsEdits = true
    options.socket = Reception.socket
    let journalPath = Mutex<String?>(nil)
    options.noteJournal = { path in
      journalPath.withLock { $0 = path }
      CursesScreen.setCrashMessage("portolan: " + keptText(path))
    }
    let files = RealFileSystem()
    let world = World(files: files, options: options)
    var desk = Desk()
    desk.begin(with: settings)
    desk.session.name = AttachProgram.name
    var loop = EditorLoop(desk: desk, screen: screen, world: world)
    let reception = Reception()
    let box = loop.box
    loop.leaveTerminal = { reception.leave($0, isGone: $1, $2, box: box) }
    let code = try loop.run(files: edit.files, reading: edit.columns.reading) { loop in
      if settings.isPrivate {
        loop.share(at: nil, trouble: "this editor is private (:option private)")
      } else {
        reception.open(&loop, stays: settings.isAlwaysServed)
      }
    }
    reception.close()
    if let socket = loop.nextHost { return try join(socket, on: screen) }
    screen.close()
    // Its terminal has long gone then.
    if loop.hasLeftTerminal { return code }
    if !loop.remark.isEmpty { Diagnostics.write(loop.remark) }
    if let signal = screen.endSignal {
      // On a hang-up nobody can read it.
      if signal != SIGHUP, loop.workspace.documents.values.contains(where: \.keepsUnsavedEdits),
        let path = journalPath.withLock({ $0 }), files.exists(path)
      {
        Diagnostics.write(keptText(path))
      }
      CursesScreen.endBySignal(signal)
    }
    return code
  }

  /// Shows the host at a socket on the terminal of an editor that has ended.
  private static func join(_ socket: String, on screen: CursesScreen) throws -> Int32 {
    let line: HostConnection
    do throws(Failure) {
      line = try HostConnection(to: socket)
    } catch {
      screen.close()
      Diagnostics.write(error.description)
      return AttachEnd.unreachable
    }
    let host = Destination.socket(socket, file: nil)
    return try AttachProgram.show(host, line, .newSession, on: screen)
  }

  /// The line about a journal when the program is ended from outside or by a crash.
  private static func keptText(_ path: String) -> String {
    "your edits are kept: open the document again to have them back, or portolan recover --list"
      + " (\(path))"
  }

  /// The screen, which has handlers of its own: a hang-up meanwhile waits for them. Where the
  /// editor goes on without it, a hang-up that comes late ends nothing.
  private static func screen(_ options: TerminalOptions) throws -> CursesScreen {
    var (hangUp, former) = (sigset_t(), sigset_t())
    sigemptyset(&hangUp)
    sigaddset(&hangUp, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &hangUp, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    signal(SIGHUP, SIG_IGN)
    do {
      return try CursesScreen(options: options)
    } catch {
      throw Failure(.usage, what: error.description)
    }
  }
}

extension EditFiles {
  /// The configuration, with the options of the command line above it.
  fileprivate var settings: Settings {
    var settings = SystemFacts.settings
    settings.set(.color, to: color?.choice.rawValue, by: "--color")
    settings.set(.theme, to: theme?.name, by: "--theme")
    settings.set(.blocks, to: blocks?.rawValue, by: "--blocks")
    settings.set(.pictures, to: pictures?.rawValue, by: "--pictures")
    settings.set(.base, to: base?.word, by: "--base")
    settings.set(.mouse, to: noMouse ? "no" : nil, by: "--no-mouse")
    settings.set(.ask, to: noAsk ? "no" : nil, by: "--no-ask")
    settings.set(.versions, to: noVersions ? "no" : nil, by: "--no-versions")
    settings.set(.hidden, to: isPrivate ? "yes" : nil, by: "--private")
    return settings
  }
}

extension Settings {
  /// Sets what an option of the command line says, if it is there.
  mutating func set(_ setting: Setting, to value: String?, by option: String) {
    if let value { set(setting, to: value, by: .option(option)) }
  }
}

extension TerminalOptions {
  init(_ settings: Settings) {
    self.init()
    colour = settings.colour
    theme = settings.theme
    blocks = settings.blocks
    pictures = settings.pictures
    usesMouse = settings.usesMouse
    asks = settings.asks
  }
}

/// `--color` of the editor.
struct ColourChoiceArgument: ExpressibleByArgument {
  let choice: ColourChoice

  private init(choice: ColourChoice) { self.choice = choice }

  init?(argument: String) {
    guard let choice = ColourChoice(rawValue: argument) else { return nil }
    self.choice = choice
  }

  var defaultValueDescription: String { choice.rawValue }

  static var allValueStrings: [String] { ColourChoice.allCases.map(\.rawValue) }
}
