import ArgumentParser
import PortolanDocuments
import Testing

@testable import PortolanEditing

/// A command, whole in this file: nothing else knows of it.
@Suite struct CommandTests {
  private static let kinds = Kinds(
    panes: PaneKinds.all, overlays: Overlays.all, commands: Commands.all + [Greet.self])

  private func editor() -> Editor {
    var editor = Editor()
    editor.desk = Desk(document: .towns, kinds: Self.kinds)
    return editor
  }

  @Test(arguments: [
    ("gre", "greet "), ("greet h", "greet hello "), ("greet hello --st", "greet hello --style "),
    ("greet hello --style wa", "greet hello --style warm "),
    ("greet hello --layer ro", "greet hello --layer roads "),
    ("greet hello --whom the", "greet hello --whom \"the fields\""),
    ("help gre", "help greet "),
  ])
  func `Its words are completed`(typed: String, completed: String) throws {
    var editor = editor()
    try editor.press(":\(typed)<tab>")
    #expect(editor.desk.prompt?.line.text == completed)
  }

  @Test func `Names of files stand where it takes them alone`() {
    let completer = Completer(desk: editor().desk)
    #expect(completer.complete("greet hello --card ").path != nil)
    #expect(completer.complete("greet ").path == nil)
    #expect(completer.complete("greet hello ").path == nil)
  }

  @Test func `The rest of its line is as it stands`() throws {
    var editor = editor()
    try editor.run("greet hello saying it's \"so\" # far  ")
    #expect(editor.message == "it's \"so\" # far")
  }

  @Test func `A failure changes what it says`() throws {
    var editor = editor()
    #expect(throws: EditingError.self) { try editor.run("greet goodbye") }
    #expect(editor.desk.work.searchText == "left")
  }

  @Test func `It is helped and described`() throws {
    var editor = editor()
    try editor.run("help greet")
    #expect(editor.desk.help?.lines.contains { $0.contains("--whom") } == true)
    #expect(
      CommandUsage(Greet.self).json == """
        {"name":"greet","aliases":["hi"],"abstract":"Greet somebody.","discussion":"",\
        "arguments":[{"name":"word","kind":"word","required":true,"repeats":false,\
        "choices":["hello","goodbye"],"help":"hello or goodbye."},\
        {"name":"rest","kind":"rest","required":false,"repeats":true,"help":"More."}],\
        "options":[{"names":["--style"],"kind":"style","required":false,"repeats":false,\
        "default":"warm","choices":["warm","cold"],"help":"warm or cold."},\
        {"names":["--layer"],"kind":"layer","required":false,"repeats":false,"help":"A layer."},\
        {"names":["--whom"],"kind":"whom","required":false,"repeats":false,"help":"Whom."},\
        {"names":["--card","-c"],"kind":"file","required":false,"repeats":false,\
        "help":"A card."},\
        {"names":["--loud"],"kind":"flag","repeats":false,"help":"Loudly."}],"verb":false}
        """)
  }
}

/// Greets somebody.
private struct Greet: Command {
  enum Word: String, ExpressibleByArgument, CaseIterable, Sendable { case hello, goodbye }
  enum Style: String, ExpressibleByArgument, CaseIterable, Sendable { case warm, cold }

  static let configuration = CommandConfiguration(
    commandName: "greet", abstract: "Greet somebody.", aliases: ["hi"])
  static let expressionPlace = ExpressionPlace.after("saying")
  static let completions = [
    "whom": Completion { desk, _ in desk.document.layers.map { "the \($0.name)" } }
  ]

  @Argument(help: "hello or goodbye.") var word: Word
  @Argument(help: "More.") var rest: [String] = []
  @Option(help: "warm or cold.") var style = Style.warm
  @Option(help: "A layer.") var layer: String?
  @Option(help: "Whom.") var whom: String?
  @Option(name: .shortAndLong, help: "A card.", completion: .file()) var card: String?
  @Flag(help: "Loudly.") var loud = false

  func run(in desk: inout Desk) throws {
    if word == .goodbye { throw EditingError(.refused, "stay") }
    desk.say(rest.last ?? "")
  }

  func failed(in desk: inout Desk) { desk.work.searchText = "left" }
}
