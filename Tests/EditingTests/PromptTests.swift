import PortolanDocuments
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct PromptTests {
  func line(_ editor: Editor) -> String { editor.desk.prompt?.line.text ?? "<closed>" }

  @Test(arguments: [
    ("abc<c-a>x", "xabc"), ("abc<c-a><c-k>", ""), ("one two<c-w>", "one "), ("abc<left><c-u>", "c"),
    ("abc<left><del>", "ab"), ("abc<home><right><backspace>", "bc"),
    ("ab<left><left><left>x", "xab"),
    ("a  b  <c-w>", "a  "), ("ü◉<backspace>", "ü"), ("abc<end><right>d", "abcd"),
    ("<del><c-w>a", "a"),
  ])
  func `Keys edit the line`(keys: String, text: String) throws {
    var editor = Editor()
    try editor.press(":" + keys)
    #expect(line(editor) == text)
  }

  @Test func `Backspace on an empty line, Esc and Ctrl-C leave`() throws {
    for key in ["<backspace>", "<esc>", "<c-c>", "<ret>"] {
      var editor = Editor()
      try editor.press(":" + key)
      #expect(editor.desk.mode == .normal, "\(key)")
      #expect(editor.desk.message == nil)
    }
  }

  @Test(arguments: [("say hello", 0), ("where", 1)])
  func `What people say is kept in no file`(line: String, count: Int) throws {
    var desk = Desk(document: .towns)
    let effects = try EventNotation.events(":\(line)<ret>").flatMap { event in
      desk.handle(.terminal(event))
    }
    let noted = effects.filter { effect in
      if case .perform(let request, _) = effect { request is NoteLineRequest } else { false }
    }
    #expect(noted.count == count)
    #expect(desk.session.promptHistory[.command] == [line])
  }

  @Test func `The history holds lines once and filters by what was typed`() throws {
    var editor = Editor()
    try editor.press(":hide roads<ret>:show roads<ret>:hide roads<ret>:")
    try editor.press("<up>")
    #expect(line(editor) == "hide roads")
    try editor.press("<up>")
    #expect(line(editor) == "show roads")
    try editor.press("<up>")
    #expect(line(editor) == "show roads")
    try editor.press("<down><down>")
    #expect(line(editor) == "")
    try editor.press("sh<up>")
    #expect(line(editor) == "show roads")
    try editor.press("<down>")
    #expect(line(editor) == "sh")
  }

  @Test(arguments: [
    ("ove", "overview "), ("overview t", "overview toggle "), ("hide ro", "hide roads "),
    ("style towns --str", "style towns --stroke "),
    ("style towns --dash das", "style towns --dash dashed "),
    ("style --label na", "style --label name "), ("set po", "set pop= "),
    ("layer f", "layer fields "),
    ("help und", "help undo "), ("nothing here", "nothing here"),
    ("projection equi", "projection equirectangular "),
    ("projection equa", "projection equal-earth "),
    ("style towns --by po", "style towns --by pop "),
    ("style towns --by pop --ramp vir", "style towns --by pop --ramp viridis "),
    ("style towns --size-by po", "style towns --size-by pop "),
    ("export -o x --format cs", "export -o x --format csv "),
    ("export --layers ro", "export --layers roads "), ("tab cl", "tab close "),
    ("group fields ro", "group fields roads "), ("fit ro", "fit roads "),
    ("go --layer ro", "go --layer roads "), ("filter po", "filter pop "),
    ("filter pop > 3 an", "filter pop > 3 and "), ("filter name == 'Al", "filter name == 'Alpha' "),
    ("filter name == Ga", "filter name == 'Gamma' "), ("filter name is no", "filter name is not "),
    ("filter name in ('Beta', 'D", "filter name in ('Beta', 'Delta' "),
    ("select where within(fie", "select where within(fields) "),
    ("set half := rou", "set half := round("), ("set half:=pop + le", "set half:=pop + len("),
    ("filter within(fields).are", "filter within(fields).area "), ("filter $ar", "filter $area "),
    ("filter max(pop by na", "filter max(pop by name "),
    ("filter name like 'A", "filter name like 'A"),
    ("filter name is not nu", "filter name is not null "),
    ("filter (((pop > 2) and capi", "filter (((pop > 2) and capital "),
    ("export --where 'pop > 3 an", "export --where 'pop > 3 and "),
    ("export --where \"name == 'Al", "export --where \"name == 'Alpha' "),
    ("export --fields name,po", "export --fields name,pop "),
    ("export --fields 'name, n=rou", "export --fields 'name, n=round("),
    ("query --sort -po", "query --sort -pop "), ("info --where capi", "info --where capital "),
  ])
  func `Tab completes commands, words, flags, layers and attributes`(
    typed: String, completed: String
  ) throws {
    var editor = Editor()
    try editor.press(":\(typed)<tab>")
    #expect(line(editor) == completed)
  }

  @Test(arguments: [("base coa", "coast"), ("base a", "add")])
  func `Words are offered beside the names of files`(typed: String, word: String) {
    let found = Completer(desk: Editor().desk).complete(typed)
    #expect(found.words.first == word && found.path != nil)
  }

  @Test func `After a flag that takes a value nothing else is offered`() throws {
    let editor = Editor()
    let layers = Set(editor.desk.document.layers.map(\.name))
    for command in Commands.all {
      for option in CommandUsage(command).arguments where option.kind == .option {
        let flag = option.names[0]
        let words = Completer(desk: editor.desk).complete("\(command.name) \(flag) ").words
        let isLayer = ["layer", "layers"].contains(option.value)
        #expect(words.allSatisfy { !$0.hasPrefix("-") }, "\(command.name) \(flag)")
        #expect(isLayer == !layers.isDisjoint(with: words), "\(command.name) \(flag): \(words)")
      }
    }
  }

  @Test func `Tab goes through several and back`() throws {
    var editor = Editor()
    try editor.press(":un<tab>")
    #expect(
      editor.desk.prompt?.completions == ["undo", "ungroup", "union", "unlock", "unput", "unset"])
    #expect(line(editor) == "undo")
    try editor.press("<tab>")
    #expect(line(editor) == "ungroup")
    try editor.press("<s-tab><s-tab>")
    #expect(line(editor) == "unset")
    try editor.press("x")
    #expect(editor.desk.prompt?.completions == [])
  }

  @Test func `A layer with blanks is completed in quotes`() throws {
    var editor = Editor()
    try editor.run("new-layer 'my notes'")
    try editor.press(":hide my<tab>")
    #expect(line(editor) == "hide \"my notes\" ")
    try editor.press("<ret>")
    #expect(editor.layer("my notes")?.isVisible == false)
  }

  @Test func `An error names the column and leaves everything as it was`() throws {
    var editor = Editor()
    try editor.press(":panel layer<ret>")
    #expect(editor.message.hasPrefix("column 7: "))
    #expect(editor.desk.message?.severity == .error)
    try editor.press("h")
    #expect(editor.desk.message == nil)
  }

  @Test func `Pasted text is typed in the prompt and refused on the map`() throws {
    var editor = Editor()
    try editor.press("<paste:dddd>")
    #expect(editor.layer("towns")?.count == 4)
    #expect(editor.message.contains("only where a line is typed"))
    try editor.press(":<paste:hide towns>")
    #expect(line(editor) == "hide towns")
  }

  @Test func `Help lists the keys of the mode from the key map and can be searched`() throws {
    var editor = Editor()
    try editor.press("?")
    let help = try #require(editor.desk.help)
    #expect(help.title == "Keys: NORMAL")
    #expect(help.lines.contains("h           Move the cursor left."))
    #expect(help.lines.contains("Ctrl-S      Save the document, or save it under a name."))
    #expect(help.lines.contains("Space l t   Show or hide layers; without a name, the active one."))
    try editor.press("/undo<ret>")
    // The headings stay.
    let found = editor.desk.help?.shownLines.filter { $0.contains("  ") } ?? []
    #expect(found.count > 2 && found.allSatisfy { $0.lowercased().contains("undo") })
    try editor.press("jG<esc>")
    #expect(editor.desk.mode == .normal)
    try editor.press("i?")
    #expect(editor.desk.help?.title == "Keys: INSERT")
    try editor.press("q")
    #expect(editor.desk.mode == .insert)
  }

  @Test func `Help lists commands and explains one`() throws {
    var editor = Editor()
    try editor.press(":help commands<ret>")
    #expect(editor.desk.help?.lines.count == Commands.all.count)
    try editor.press("<esc>:help style<ret>")
    #expect(editor.desk.help?.lines.contains { $0.contains("--stroke") } == true)
    try editor.press("<esc>:help nothing<ret>")
    #expect(editor.desk.help == nil)
    #expect(editor.desk.message?.severity == .error)
  }
}
