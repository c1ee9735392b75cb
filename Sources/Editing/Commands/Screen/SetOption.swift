package import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanTexts

/// Shows settings with their origins, and sets one for the session.
package struct SetOption: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "option",
    abstract: "Show the settings and where they come from, or set one.",
    discussion: """
      Settings are lines KEY = VALUE of $XDG_CONFIG_HOME/portolan/config (~/.config/portolan), of \
      the machine's /etc/xdg/portolan/config, or variables as PORTOLAN_THEME. The first of these \
      decides: option KEY=VALUE in the editor, the command line, the environment, the document, \
      the user's file, the machine's file, the program. option --document KEY=VALUE keeps a \
      setting with the document, as an edit, for all who open it: base, panels, units and snap; \
      KEY= without a value takes it out. portolan option --example prints a file with all settings.
      """)

  package static let completions = [
    "words": Completion.list(
      Setting.all.map(\.key)
        + Setting.all.flatMap { setting in
          setting.words.map { "\(setting.key)=\($0)" }
        })
  ]

  package static let jsonOptions = ["--json"]

  @Argument(help: "A key, or KEY=VALUE; all settings without one.")
  var words: [String] = []

  @Flag(help: "Print a configuration file with all settings.")
  var example = false

  @Flag(help: "Keep KEY=VALUE with the document.")
  var document = false

  @Flag(help: "As JSON, one object a line.")
  var json = false

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func run(in desk: inout Desk) throws {
    if example { return desk.showPage(Self.exampleLines, title: "configuration") }
    guard let first = words.first else { return tell(Setting.all, in: &desk) }
    let text = words.joined(separator: " ")
    guard let sign = text.utf8.firstIndex(of: 0x3D) else {
      if document { throw EditingError(.usage, "option --document KEY=VALUE, or KEY= for none") }
      guard words.count == 1 else {
        throw EditingError(.usage, "write option \(first)=\(words[1])")
      }
      return tell([try Self.setting(first[...])], in: &desk)
    }
    let setting = try Self.setting(text[..<sign])
    let value = String(SettingsText.trimmed(text[text.utf8.index(after: sign)...]))
    if document { return try keep(setting, value, in: &desk) }
    if let refusal = setting.refusal(of: value) { throw EditingError(.usage, refusal) }
    try set(setting, to: value, in: &desk)
  }

  private static func setting(_ word: Substring) throws -> Setting {
    let key = String(SettingsText.trimmed(word))
    guard let setting = Setting.named(key) else {
      throw EditingError(.notFound, Setting.advice(for: key))
    }
    return setting
  }

  private func set(_ setting: Setting, to value: String, in desk: inout Desk) throws {
    let line = "\(setting.key) = \(value)"
    guard let change = setting.change else {
      throw EditingError(
        .refused, "\(setting.key) counts from the start: write \(line) into \(desk.settingsFile)")
    }
    if desk.isHeadless, !change.isShared || desk.sharing.socket == nil {
      let why =
        desk.sharing.socket == nil
        ? "without an editor there is no session" : "\(setting.key) is each person's own"
      throw EditingError(.refused, "\(why): write \(line) into \(desk.settingsFile)")
    }
    if change.isShared { try desk.requireTakingPart() }
    try change.apply(value, &desk)
    desk.session.settings.set(setting, to: value, by: .session)
    let remark = change.remark(desk).map { "; " + $0 } ?? ""
    desk.answer("\(line) (for \(change.isShared ? "this editor" : "this session"))\(remark)")
  }

  /// Keeps a setting with the document; an empty value takes it out.
  private func keep(_ setting: Setting, _ value: String, in desk: inout Desk) throws {
    let key = setting.key
    if let refusal = value.isEmpty ? nil : setting.refusalOfDocument(value) {
      throw EditingError(.usage, refusal)
    }
    let new = value.isEmpty ? nil : value
    guard desk.document.metadata.settings[key] != new else {
      return desk.answer("\(desk.title) holds \(new.map { "\(key) = \($0)" } ?? "no \(key)")")
    }
    try desk.edit("set \(key) of the document") { $0.metadata.settings[key] = new }
    desk.takeDocumentSettings()
    let entry = desk.entry(of: setting)
    let decides = entry.origin.isBelowDocuments || entry.origin == .document
    let kept = new.map { "\(key) = \($0) (kept with \(desk.title))" }
    desk.answer(
      (kept ?? "\(desk.title) holds no \(key) now")
        + (decides ? "" : "; here it is \(entry.value), \(entry.origin.words)"))
  }

  private func tell(_ settings: [Setting], in desk: inout Desk) {
    let entries = settings.map { (setting: $0, entry: desk.entry(of: $0)) }
    if json {
      return desk.showPage(
        entries.map { setting, entry in
          "{\"key\":\(SafeJSON.string(setting.key)),\"value\":\(SafeJSON.string(entry.value)),"
            + "\"origin\":\(SafeJSON.string(entry.origin.words))}"
        }, title: "options")
    }
    let lines = entries.map { setting, entry in
      "\(setting.key) = \(FilePath.shown(entry.value))  (\(entry.origin.words))"
    }
    if lines.count == 1 { return desk.answer(lines[0]) }
    let faults = desk.session.settings.faults
    // A verb has told them on standard error.
    desk.showPage(
      desk.isHeadless || faults.isEmpty ? lines : lines + [""] + faults, title: "options")
  }

  /// A file with all settings, none of which says anything new.
  private static var exampleLines: [String] {
    var lines = [
      "# The configuration of portolan: KEY = VALUE. Settings behind # keep their built-in values.",
      "# portolan option shows all values and where they come from.",
    ]
    for setting in Setting.all {
      lines += [
        "", "# \(setting.abstract)", "# Values: \(setting.values).",
        "#\(setting.key) = \(setting.builtIn)",
      ]
    }
    return lines
  }
}

extension Desk {
  /// The user's configuration file, for people.
  fileprivate var settingsFile: String {
    session.settings.userFile.map { FilePath.shown($0) } ?? "$XDG_CONFIG_HOME/portolan/config"
  }
}
