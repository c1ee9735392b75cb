import ArgumentParser
import PortolanFiles

/// The list of all commands.
package enum Commands {
  /// In the order of `Docs/commands.md`; each group has a folder.
  package static let all: [any Command.Type] =
    files + archives + looking + selecting + editing + drawing + layers + geometry + table
    + screen

  /// Files and the desk.
  private static let files: [any Command.Type] = [
    OpenFile.self, OpenRecent.self, ImportData.self, SaveDocument.self, SaveAndQuit.self,
    SaveAll.self, SaveAllAndQuit.self, RevertDocument.self, CompareMap.self, RefreshLayers.self,
    DuplicateDocument.self, WatchFile.self, UseVersions.self, ExportLayers.self, RenderMap.self,
    ShowInfo.self, DescribeMap.self, QueryLayers.self, ShowStatistics.self, ShowFrequency.self,
    CheckMap.self,
    MigrateDocument.self, RunScript.self, RecoverWork.self, Serve.self, JoinEditor.self,
    Detach.self, FollowPerson.self, SayWords.self, Quit.self,
  ]

  /// Archives of any program, beside the document.
  private static let archives: [any Command.Type] = [
    InspectArchive.self, ConvertArchive.self, DiffArchives.self, PatchFile.self, MergeMaps.self,
    ReviewMap.self,
  ]

  private static let looking: [any Command.Type] = [
    MoveCursor.self, Pan.self, Zoom.self, Fit.self, Center.self, Go.self, Next.self, Previous.self,
    JumpToLabel.self, SetBookmark.self, ListBookmarks.self, UseView.self, ListViews.self,
    Where.self, Measure.self, ChooseProjection.self, ChooseBase.self,
  ]

  private static let selecting: [any Command.Type] = [
    SelectFeatures.self, FilterRows.self, SelectBox.self, Search.self, SearchSame.self,
  ]

  private static let editing: [any Command.Type] = [
    SetAttributes.self, UnsetAttributes.self, RenameAttribute.self, EditAttributes.self,
    ShowDetails.self,
    MoveFeatures.self, Drop.self, Delete.self, Yank.self, Paste.self, RepeatEdit.self, Undo.self,
    Redo.self, ShowHistory.self, SimplifyMap.self, RestoreVertex.self,
    GoToConflict.self, ResolveConflict.self,
  ]

  private static let drawing: [any Command.Type] = [
    Draw.self, PutVertex.self, UnputVertex.self, CloseRing.self, NextPart.self, Finish.self,
    DiscardDraft.self, AppendVertices.self, AddPart.self, Annotate.self, Snap.self,
  ]

  private static let layers: [any Command.Type] = [
    ChooseLayer.self, ShowLayer.self, HideLayer.self, ToggleLayer.self, LockLayer.self,
    UnlockLayer.self, NewLayer.self, RenameLayer.self, TitleLayer.self, DeleteLayer.self,
    ReorderLayer.self, ReprojectDocument.self,
    GroupLayers.self, UngroupLayers.self, StyleLayer.self, LabelLayer.self,
    ChooseClasses.self, UseColumns.self,
  ]

  /// New features of those of layers.
  private static let geometry: [any Command.Type] = [
    BufferFeatures.self, ClipFeatures.self, SubtractFeatures.self, IntersectFeatures.self,
    UniteLayers.self, FindCentroids.self, MakeHulls.self, MakeValid.self, ExplodeFeatures.self,
    CollectFeatures.self, DissolveFeatures.self, JoinTable.self, UpdateFeatures.self,
    SplitLayer.self,
  ]

  private static let table: [any Command.Type] = [ShowTable.self]

  /// Panels, prompts and commands for keys.
  private static let screen: [any Command.Type] = [
    SplitPane.self, UsePane.self, UseTab.self, TogglePanel.self, Legend.self, Overview.self,
    Focus.self, OpenPrompt.self, EditLine.self,
    OpenPalette.self, FormStep.self, FrequencyStep.self, FindingStep.self,
    AnswerQuestion.self, ShowHelp.self,
    ScrollHelp.self,
    Escape.self, Redraw.self,
    ChooseTheme.self, ChooseBlocks.self, ChoosePictures.self, SetOption.self, Suspend.self,
    Cancel.self,
  ]

  /// A command by its name or alias.
  package static func named(
    _ name: String, among list: CommandList = .all
  ) -> (any Command.Type)? {
    list.named(name)
  }

  /// Advice for a word that is no command.
  static func advice(for word: String) -> String {
    let words = all.flatMap { [$0.name] + $0.configuration.aliases }
    return Spelling.question(Spelling.nearest(to: word, among: words))
      + ":help commands lists them"
  }

  /// Parses a line; `nil` for an empty one or a comment. `q!` is `q --force`.
  ///
  /// - Throws: `EditingError` with the column.
  package static func parse(
    _ line: String, among list: CommandList = .all
  ) throws -> (any Command)? {
    try parse(line, among: list, naming: nil)?.command
  }

  /// Parses a line in which names may stand for values; returns it with the values in their places,
  /// too.
  static func parse(
    _ line: String, among list: CommandList, naming names: ScriptNames?
  ) throws -> (command: any Command, line: String)? {
    var words = try CommandWord.split(line) { words, isFlag in
      beginsExpression(after: words, isFlag: isFlag, among: list)
    }
    let hasExpression =
      words.count > 1
      && beginsExpression(
        after: words.dropLast(), isFlag: words.last?.text.hasPrefix("--") == true, among: list)
    if let names { words = try names.replaced(words, hasExpression: hasExpression, in: line) }
    guard let first = words.first else { return nil }
    var name = first.text
    let isForced = named(name, among: list) == nil && name.hasSuffix("!")
    if isForced { name.removeLast() }
    guard let type = named(name, among: list) else {
      throw EditingError(
        .usage, "no command “\(first.text)”: \(advice(for: name))", column: first.column)
    }
    var arguments = try arguments(of: type, words.dropFirst())
    // An expression may begin with a minus sign, as an option does.
    if hasExpression {
      try refuseOption(behind: words[words.count - 1], of: type)
      arguments.insert(("--", first.column), at: arguments.count - 1)
    }
    let command = try parse(type, (isForced ? [("--force", first.column)] : []) + arguments)
    if names == nil { return (command, line) }
    // Words keep their quotes, but an expression has none.
    let last = words.count - 1
    let written = words.indices.map { index in
      hasExpression && index == last ? words[index].text : FilePath.quoted(words[index].path)
    }
    return (command, written.joined(separator: " "))
  }

  /// The character at which an expression begins in the beginning of a line; `nil` outside of one.
  static func expressionStart(in head: String, among list: CommandList) -> Int? {
    // A letter stands for what is typed next.
    let words = try? CommandWord.split(head + "x") { words, isFlag in
      beginsExpression(after: words, isFlag: isFlag, among: list)
    }
    guard let words, words.count > 1, let last = words.last,
      beginsExpression(
        after: words.dropLast(), isFlag: last.text.hasPrefix("--"), among: list)
    else { return nil }
    return last.column - 1
  }

  /// Whether an expression follows some words: the rest of the line is one argument then.
  ///
  /// - Parameter isFlag: whether the rest begins as a flag.
  private static func beginsExpression(
    after words: [CommandWord], isFlag: Bool, among list: CommandList
  ) -> Bool {
    guard let last = words.last, let command = named(words[0].text, among: list) else {
      return false
    }
    switch command.expressionPlace {
    case .nowhere: return false
    case .after(let mark):
      return words.count > 1 && (last.text == mark || mark == ":=" && last.text.hasSuffix(mark))
    case .afterFlags: return !isFlag && (words.count == 1 || last.text.hasPrefix("--"))
    }
  }

  /// Refuses an option at the end of an expression, which would be a part of it.
  private static func refuseOption(
    behind expression: CommandWord, of type: any Command.Type
  ) throws {
    let parts = expression.text.split(whereSeparator: \.isWhitespace).map(String.init)
    let options = CommandUsage(type).arguments.filter { $0.kind != .positional }
    for (count, kind) in [(1, CommandUsage.Argument.Kind.flag), (2, .option)] {
      guard parts.count > count, let name = parts.dropLast(count - 1).last, name.hasPrefix("--"),
        options.contains(where: { $0.kind == kind && $0.names.contains(name) }),
        parts.suffix(count).allSatisfy({ !$0.contains("'") && !$0.contains("\"") })
      else { continue }
      let option = parts.suffix(count).joined(separator: " ")
      let verb = type.configuration.commandName ?? ""
      throw EditingError(
        .usage, "options stand before an expression: \(verb) \(option) …",
        column: expression.column)
    }
  }

  /// A word for the argument parser, with its column in the line.
  private typealias Argument = (text: String, column: Int)

  /// The words after a command's name: only names of files may be bytes that are not UTF-8.
  private static func arguments(
    of type: any Command.Type, _ words: ArraySlice<CommandWord>
  ) throws -> [Argument] {
    let paths = words.map { ($0.path, $0.column) }
    let texts = words.map { ($0.text, $0.column) }
    if zip(paths, texts).allSatisfy({ $0.0.utf8.elementsEqual($1.0.utf8) }) { return texts }
    if CommandUsage(type).takesFiles { return paths }
    if let odd = words.first(where: { String(validating: $0.bytes, as: UTF8.self) == nil }) {
      throw EditingError(.usage, "“\(odd.text)” is not UTF-8 text", column: odd.column)
    }
    return texts
  }

  /// - Throws: `EditingError` with the column of the first word with which the words before it fail
  ///   as all do.
  private static func parse<C: Command>(_ type: C.Type, _ arguments: [Argument]) throws -> C {
    func refusal(_ count: Int) -> Refusal? {
      do {
        _ = try type.parse(arguments.prefix(count).map(\.text))
        return nil
      } catch {
        return Refusal(error, of: type)
      }
    }
    let whole: Refusal
    do {
      let texts = arguments.map(\.text)
      if let line = try? LineParser<C>.parse(texts) { return line.command }
      return try type.parse(texts)
    } catch {
      whole = Refusal(error, of: type)
    }
    var error = EditingError(.usage, whole.message)
    if arguments.isEmpty || refusal(0)?.isSame(as: whole) == true { throw error }
    var (good, bad) = (0, arguments.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if refusal(middle)?.isSame(as: whole) == true { bad = middle } else { good = middle }
    }
    error.column = arguments[good].column
    throw error
  }
}

/// A command as the argument parser reads it in a line: it looks in no line for the request of a
/// completion script, which takes it as long as the line itself.
///
/// What it says against a line is asked of the command alone.
private struct LineParser<C: Command>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: C.name, _superCommandName: "line")
  }

  @OptionGroup var command: C
}

/// What the argument parser says against some words.
private struct Refusal {
  private let error: any Error
  private let type: any Command.Type
  /// The error as the parser describes it, from the name of its case on.
  private let description: Substring

  init(_ error: any Error, of type: any Command.Type) {
    self.error = error
    self.type = type
    description = Refusal.description(of: error)
  }

  /// Costs the whole help of the command where a word is missing.
  var message: String { CommandMessage.line(of: type.fullMessage(for: error)) }

  /// Whether both have the same message; errors of other kinds are told apart without it.
  func isSame(as other: Refusal) -> Bool {
    if description == other.description { return true }
    return kind == other.kind && message == other.message
  }

  private var kind: Substring { description.prefix { $0 != "(" } }

  private static func description(of error: any Error) -> Substring {
    let text = String(describing: error)
    guard var start = text.firstRange(of: "parserError: ")?.upperBound else { return text[...] }
    // An error for want of any words holds the proper one.
    for prefix in ["ArgumentParser.ParserError.", "noArguments(", "ArgumentParser.ParserError."]
    where text[start...].hasPrefix(prefix) {
      start = text.index(start, offsetBy: prefix.count)
    }
    return text[start...]
  }
}

/// Messages of the argument parser, as one line.
enum CommandMessage {
  /// The first line without its `Error: `, then the usage.
  static func line(of message: String) -> String {
    var lines = message.split(separator: "\n").map(String.init)
    guard var first = lines.first else { return "not understood" }
    lines.removeFirst()
    if first.hasPrefix("Error: ") { first.removeFirst(7) }
    // A list of values is in lines of its own.
    let values = lines.prefix { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    let list = " Please provide one of the following:"
    if !values.isEmpty, first.hasSuffix("." + list) {
      first.removeLast(list.count + 1)
      first += ": write one of \(values.joined(separator: ", "))"
    }
    // Where a word is missing, the whole help follows.
    guard let usage = lines.first(where: { $0.uppercased().hasPrefix("USAGE: ") }) else {
      return first
    }
    return "\(first) (\(shortened(usage.dropFirst(7))))"
  }

  /// A usage of at most 100 characters, cut before an option.
  private static func shortened(_ usage: Substring) -> String {
    guard usage.count > usageMax else { return String(usage) }
    let head = usage.prefix(usageMax)
    return head[..<(head.lastIndex(of: "[") ?? head.endIndex)] + "…"
  }

  private static let usageMax = 100
}
