package import ArgumentParser
import PortolanFiles

/// Opens a file that was opened or saved lately.
package struct OpenRecent: Command {
  package static let configuration = CommandConfiguration(
    commandName: "recent", abstract: "Open a file that was opened or saved lately.",
    discussion: """
      Without a name it lists them, the newest first, to choose one. Editors note the files, \
      scripts do not: the list is $XDG_STATE_HOME/portolan/recent/files.
      """)

  package static let completions = [
    "file": Completion { desk, _ in names(of: desk.session.recentFiles) }
  ]

  @Argument(help: "Its number in the list, its name or its path.")
  var file: String?

  @Flag(name: .shortAndLong, help: "Discard unsaved edits.")
  var force = false

  @Flag(help: "Forget all of them.")
  var forget = false

  package init() {}

  package func validate() throws {
    if forget, file != nil { throw ValidationError("--forget takes no file") }
  }

  package func run(in desk: inout Desk) throws {
    guard !desk.isScripted else {
      throw EditingError(.refused, "a script means the same every day: open FILE by its name")
    }
    guard let file else {
      desk.request(RecentFilesRequest(forgets: forget))
      return
    }
    let path = try Self.path(of: file, in: desk.session.recentFiles)
    try desk.open(path, force: force, as: ":recent --force \(CommandWord.quoted(file))")
  }

  /// The words for the files: their names, or their paths where several have one name.
  static func names(of paths: [String]) -> [String] {
    let names = paths.map { FilePath.name(of: $0) }
    return zip(paths, names).map { path, name in
      let isAlone = names.count { FilePath.isSame($0, name) } == 1 && Int(name) == nil
      return isAlone ? name : path
    }
  }

  /// The path of a file by its number, its path or its name.
  private static func path(of word: String, in known: [String]) throws -> String {
    if known.isEmpty {
      throw EditingError(
        .notFound, "no file was opened lately, or :recent has not listed them yet")
    }
    let number = Int(word) ?? 0
    if (1...known.count).contains(number) { return known[number - 1] }
    let meant = known.filter { FilePath.isSame($0, word) }
    let named = known.filter { FilePath.isSame(FilePath.name(of: $0), word) }
    if let path = meant.first ?? (named.count == 1 ? named.first : nil) { return path }
    if named.count > 1 {
      throw EditingError(
        .usage, "\(named.count) files of late are called “\(word)”: give the number or the path")
    }
    throw EditingError(
      .notFound,
      Int(word) == nil
        ? "no file “\(word)” of late: :recent lists them"
        : "no number \(word) of \(known.count): :recent lists them")
  }
}

/// Reads the list of recent files.
struct RecentFilesRequest: Request {
  /// Whether the list is shown, or just known from then on.
  var isShown = true
  var forgets = false

  var name: String { "reading recent files" }
  var isOfPane: Bool { true }
  var isAside: Bool { !isShown && !forgets }

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
    let choices = answer.enumerated().map { index, path in
      var choice = Question.Choice(
        index < 9 ? Character(String(index + 1)) : nil, FilePath.shown(path),
        line: "recent \(index + 1)")
      choice.isPath = true
      return choice
    }
    desk.questions.removeAll { $0.title == Self.title }
    var question = Question(
      title: Self.title, text: "The newest first; Enter opens one.", choices: choices)
    // The newest is the one that is open, mostly.
    question.index = answer.firstIndex { !FilePath.isSame($0, desk.file.path) } ?? 0
    desk.ask(question)
  }

  private static let title = "Recent files"
}
