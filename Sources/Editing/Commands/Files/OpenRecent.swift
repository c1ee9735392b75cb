package import ArgumentParser
import PortolanFiles

/// Opens a file that was opened or saved lately.
package struct OpenRecent: Command {
  package static let configuration = CommandConfiguration(
    commandName: "recent", abstract: "Open a file that was opened or saved lately.",
    discussion: """
      Without a number it lists them, the newest first. Editors note the files, scripts do not: \
      the list is $XDG_STATE_HOME/portolan/recent/files.
      """)

  @Argument(help: "Its number in the list.")
  var number: Int?

  @Flag(name: .shortAndLong, help: "Give up unsaved edits.")
  var force = false

  @Flag(help: "Forget all of them.")
  var forget = false

  package init() {}

  package func validate() throws {
    if forget, number != nil { throw ValidationError("--forget takes no number") }
  }

  package func run(in desk: inout Desk) throws {
    guard !desk.isScripted else {
      throw EditingError(.refused, "a script means the same every day: open FILE by its name")
    }
    guard let number else {
      desk.request(RecentFilesRequest(forgets: forget))
      return
    }
    let known = desk.session.recentFiles
    guard number > 0, number <= known.count else {
      throw EditingError(
        .notFound,
        known.isEmpty
          ? "no file was opened lately, or :recent has not listed them yet"
          : "no number \(number) of \(known.count): :recent lists them")
    }
    try desk.open(known[number - 1], force: force, as: ":recent --force \(number)")
  }
}

/// Reads the list of recent files.
struct RecentFilesRequest: Request {
  /// Whether the list is shown, or just known from then on.
  var isShown = true
  var forgets = false

  var name: String { "reading recent files" }

  /// The files that exist, the newest first, at most 20.
  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> [String] {
    guard let state = world.options.state else {
      if isShown { throw Failure(.usage, what: "no state folder: set XDG_STATE_HOME or HOME") }
      return []
    }
    let recent = RecentFiles(in: state, world.files)
    if forgets {
      do { try recent.forget() } catch { throw .writing(state.path(of: .recent), error) }
    }
    return Array(recent.paths().lazy.filter { world.files.exists($0) }.prefix(20))
  }

  func take(_ answer: [String], in desk: inout Desk) {
    desk.session.recentFiles = answer
    if forgets { return desk.say("recent files forgotten") }
    guard isShown else { return desk.showWorld() }
    if answer.isEmpty { return desk.say("no file was opened lately") }
    let lines = answer.enumerated().map { index, path in
      let number = String(index + 1)
      return String(repeating: " ", count: max(0, 2 - number.count)) + number + "  "
        + FilePath.shown(path)
    }
    desk.showPage(lines.joined(separator: "\n"), title: "Recent files (:recent N opens one)")
  }
}
