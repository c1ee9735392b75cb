package import ArgumentParser
import PortolanChecking
import PortolanDocuments
import PortolanFiles
import PortolanInterchange

/// Finds the faults of map data, and repairs them.
package struct CheckMap: FileCommand, WholeMapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find the faults of maps, each with its place; repair them.",
    discussion: """
      check roads.geojson *.ndjson reports errors and warnings, each with a code, its line and \
      column, the JSON path and advice; --level note reports all. GeoJSON is checked as text, so \
      that all faults are found even in a file that no reader accepts; tables, Shapefiles and \
      documents are checked as they are read. --fix repairs unmistakable faults, and lists them; \
      all other bytes stay. --coverage --fix gives neighbours the same vertices, and with --gap \
      10m also closes gaps and overlaps that are narrower, in the editor and in scripts too, where \
      u undoes it. In the editor :check lists the faults of the document as it is: Enter goes to \
      one, ]e and [e to the next and the previous one. --staged checks what git is about to \
      commit, as a hook does. The exit code is 1 when there are errors or warnings. See \
      Docs/checking.md for the codes, for hooks and for CI.
      """)

  package static let findings: String? = "faults are found"
  package static let jsonOptions = ["--format json"]

  @Argument(help: "The files, each checked apart; - is standard input.", completion: .file())
  var files: [String] = []

  @Flag(
    help: """
      Check the staged texts of git instead of files: GeoJSON, lines of it and documents, or what \
      the words choose, as git takes them.
      """)
  var staged = false

  @Option(
    help: "text, json or github.",
    completion: .list(CheckReport.Form.allCases.map(\.rawValue)))
  var format: String = CheckReport.Form.text.rawValue

  @Option(
    help: "The least severity that is told: error, warning or note.",
    completion: .list(["error", "warning", "note"]))
  var level: String = Severity.warning.word

  @Option(
    help: ArgumentHelp(
      "Only these codes, or those that begin so: G2,J1; may be given several times.",
      valueName: "codes"))
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Not these codes, or those that begin so; may be given several times.",
      valueName: "codes"))
  var ignore: [String] = []

  @Flag(help: "Repair unmistakable faults: to the output, or --in-place.")
  var fix = false

  @Flag(help: "Write the repaired files over themselves.")
  var inPlace = false

  @OptionGroup var target: OutputOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What must hold of each feature, as pop > 0; may be given several times.",
      valueName: "expression"), completion: .expression)
  var expect: [TextArgument] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An attribute that has another value in each feature; may be given several times.",
      valueName: "name"))
  var unique: [TextArgument] = []

  @Flag(help: "Find gaps and overlaps between the polygons, and vertices that neighbours lack.")
  var coverage = false

  @Option(
    help: ArgumentHelp(
      "With --coverage --fix: close gaps and overlaps narrower than this: 10m.",
      valueName: "width"),
    transform: LengthArgument.read)
  var gap: LengthArgument?

  @Option(help: "A file of findings that are not reported again.", completion: .file())
  var baseline: String?

  @Flag(help: "Write the present findings as the baseline.")
  var writeBaseline = false

  @OptionGroup var columns: ColumnOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  /// They are read as they are, not opened: a file that no reader takes is checked, too.
  package var inputs: [String] { [] }

  package func validate() throws {
    guard CheckReport.Form(rawValue: format) != nil else {
      throw ValidationError("no format “\(format)”: give text, json or github")
    }
    guard Severity(word: level) != nil else {
      throw ValidationError("no level “\(level)”: give error, warning or note")
    }
    let choice = choice
    if let unknown = CodeChoice.unknown(choice.selected + choice.ignored) {
      throw ValidationError("no code begins with “\(unknown)”: they look like G207")
    }
    if !fix, inPlace || target.output != nil {
      throw ValidationError("\(inPlace ? "--in-place" : "--output") goes with --fix")
    }
    if gap != nil, !fix || !coverage {
      throw ValidationError("--gap goes with --coverage --fix")
    }
    if let gap, gap.number < 0 { throw ValidationError("a width is not below 0: \(gap.text)") }
    if fix, !files.isEmpty, inPlace == (target.output != nil) {
      throw ValidationError("--fix takes -o FILE or --in-place")
    }
    if fix, !inPlace, files.count > 1 {
      throw ValidationError("one output holds one file: give --in-place for several")
    }
    if staged, fix || writeBaseline || files.contains("-") {
      throw ValidationError("--staged checks the staged files, and changes nothing")
    }
    if writeBaseline, baseline == nil {
      throw ValidationError("--write-baseline goes with --baseline FILE")
    }
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input is read once: give - once")
    }
    if inPlace, files.contains("-") {
      throw ValidationError("standard input has no place: give -o")
    }
  }

  package func checkAsVerb() throws {
    if files.isEmpty, !staged {
      throw EditingError(
        .usage, "check what? Give a file, or - for standard input: portolan check FILE")
    }
  }

  private var choice: CodeChoice {
    func codes(_ options: [String]) -> [String] {
      options.flatMap { $0.split(separator: ",").map { $0.uppercased() } }
    }
    return CodeChoice(selected: codes(select), ignored: codes(ignore))
  }

  package func run(in desk: inout Desk) throws {
    if !desk.isHeadless, staged {
      throw EditingError(.refused, "--staged is for the shell: portolan check --staged")
    }
    if !desk.isHeadless, let first = files.first {
      throw EditingError(
        .refused, "this works on the open document: :open \(FilePath.quoted(first)) first")
    }
    if files.isEmpty, !staged {
      guard !fix || coverage, !inPlace, target.output == nil, baseline == nil,
        format == CheckReport.Form.text.rawValue
      else {
        throw EditingError(
          .refused,
          "these options repair and report files: save, then portolan check --fix --in-place FILE; "
            + "on the open document, check --coverage --fix closes gaps")
      }
      if fix { return try desk.repairCoverages(narrowerThan: gap, choice: choice) }
      desk.request(
        CheckDocumentRequest(
          document: desk.document, revision: desk.history.present.revision, title: desk.file.title,
          choice: choice, least: Severity(word: level) ?? .warning,
          checksWinding: desk.file.isData, expectations: expect.map(\.text),
          uniqueNames: unique.map(\.text), checksCoverage: coverage))
      return
    }
    desk.request(
      CheckRequest(
        paths: files, isStaged: staged, form: CheckReport.Form(rawValue: format) ?? .text,
        least: Severity(word: level) ?? .warning, choice: choice, isFixing: fix,
        output: inPlace ? nil : target.output, overwrites: target.force,
        expectations: expect.map(\.text), uniqueNames: unique.map(\.text),
        checksCoverage: coverage, gap: gap, baseline: baseline, writesBaseline: writeBaseline,
        reading: columns.reading))
  }
}
