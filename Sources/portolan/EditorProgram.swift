import ArgumentParser
import CursesTerminal
import Editing
import Files
import Terminals

/// The editor on the real terminal.
enum EditorProgram {
  static func run(_ edit: EditFiles) throws -> Int32 {
    var terminal = TerminalOptions()
    terminal.colour = edit.color.choice
    terminal.usesMouse = !edit.noMouse
    let screen: CursesScreen
    do {
      screen = try CursesScreen(options: terminal)
    } catch {
      throw Failure(.usage, what: error.description)
    }
    defer { screen.close() }
    var options = World.Options()
    options.beginsNewDocuments = true
    SystemFacts.tell(&options)
    options.guardsDocuments = true
    options.keepsEdits = true
    options.noteJournal = { path in
      CursesScreen.setCrashMessage(
        "portolan: ended by a crash; your edits are kept: open the document again to have them"
          + " back, or portolan recover --list (\(path))")
    }
    let world = World(files: RealFileSystem(), options: options)
    var loop = EditorLoop(session: Session(), screen: screen, world: world)
    let code = try loop.run(files: edit.files)
    screen.close()
    if let signal = screen.endSignal { CursesScreen.endBySignal(signal) }
    return code
  }
}

/// `--color` of the editor.
struct ColourChoiceArgument: ExpressibleByArgument {
  let choice: ColourChoice

  static let auto = ColourChoiceArgument(choice: .auto)

  private init(choice: ColourChoice) { self.choice = choice }

  init?(argument: String) {
    guard let choice = ColourChoice(rawValue: argument) else { return nil }
    self.choice = choice
  }

  var defaultValueDescription: String { choice.rawValue }

  static var allValueStrings: [String] { ColourChoice.allCases.map(\.rawValue) }
}
