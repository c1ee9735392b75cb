public import ArchiveInspection
public import ArgumentParser
import PortolanTerminals

/// Shows the contents of an archive of any program.
package struct InspectArchive: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the contents of an archive or property list of any program.",
    discussion: """
      inspect reads keyed archives (binary and XML), typedstreams, GNUstep archives, compiled nibs \
      (NIBArchive), bookmarks of files and plain property lists, with any classes. It shows each \
      object once, with its number, its fields and its size in bytes; → #12 refers to an object \
      shown above, ×3 is the number of references to it. Where the end of the objects of a GNUstep \
      archive is unknown, each item stands below the object that began last.
      """)

  package static let jsonOptions = ["--json", "--stats --json", "--values", "--exact"]

  @Argument(help: "The archive; - is standard input.", completion: .file())
  var input: String

  @Flag(help: "As JSON that loses nothing, one object a line.")
  var json = false

  @Flag(help: "As it stands in the file, with offsets; nothing is cut.")
  var raw = false

  @Flag(help: "Counts and bytes per class; shared, repeated and largest objects.")
  var stats = false

  @Flag(
    help: """
      The values that the objects stand for, as JSON: texts, numbers, dates, collections; objects \
      of other classes with their fields. Docs/values-json.md describes it.
      """)
  var values = false

  @Flag(help: "Only the text of the strings and attributed strings at the root or at --path.")
  var text = false

  @Flag(help: "As JSON that holds all of an archive or property list: convert restores it.")
  var exact = false

  @Option(help: "With --values: the characters that stand for data, base64 or hex.")
  var data: ValueOptions.DataForm = .base64

  @Flag(help: "With --values: archives and bookmarks of files inside data as values, too.")
  var nested = false

  @Flag(
    help: """
      The input has one archive a line, as a database prints them: a line of JSON for each, with \
      --values or --text. The part before the last tab, comma or | of a line is its key.
      """)
  var lines = false

  @Option(help: "With --lines: the characters that stand for the bytes, hex or base64.")
  var from: ArchiveLines.Encoding?

  @Flag(help: "With --path: only the bytes of the data there, or the text of the string.")
  var extract = false

  @Flag(help: "With --path: the data there, or the string, as hexadecimal digits and ASCII.")
  var hex = false

  @Option(
    help: """
      Show only this place: /root/layers/0. A step is a key or an index; ~1 is a / in a key, \
      ~0 a ~. /#12 is the object of that number.
      """)
  var path: String = "/"

  @Option(help: "How many levels of objects to show.")
  var depth: Int?

  @Option(
    help: """
      How many elements of each collection to show, in lines of --width, else 80. Of a binary list \
      nothing else is read: uses of objects are not counted, and those that nothing leads to are \
      not listed; so it is with the tree of all binary lists of 256 MiB and more, but for --stable.
      """)
  var limit: Int?

  @Flag(help: "Without numbers and sizes, which change with every edit: for git's textconv.")
  var stable = false

  @Option(
    help: """
      The width of a line, 40 to 1000, to which texts are cut: the terminal's; nothing is cut in \
      files and pipes, with --stable and with --path.
      """)
  var width: Int?

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoice = .auto

  @OptionGroup var target: OutputOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth is a number of levels from 0") }
    try validateLimit()
    if raw && (json || stats) || ((raw || stats) && path != "/") {
      throw ValidationError("--raw and --stats show the whole file, each alone or --stats --json")
    }
    try validateValues()
    try ArchivePaths.check(width: width)
  }

  private func validateLimit() throws {
    guard let limit else { return }
    if limit < 1 { throw ValidationError("--limit is a number of elements from 1") }
    if form != .tree || stable || lines || exact || extract || hex || values || text {
      throw ValidationError("--limit is for the tree: the other forms show all elements")
    }
  }

  private func validateValues() throws {
    if (values || text) && (json || raw || stats || stable) || values && text {
      throw ValidationError("--values and --text are forms of their own: give one form")
    }
    if depth != nil && (values || text) {
      throw ValidationError("--depth is for the tree: --values and --text show all levels")
    }
    if (extract || hex) && (path == "/" || extract && hex || values || text || lines || isForm) {
      throw ValidationError("--extract and --hex show one value: give --path and no other form")
    }
    if !(values || lines && !text) && (nested || data != .base64) {
      throw ValidationError("--nested and --data are for --values")
    }
    if exact && (path != "/" || text || nested || lines || extract || hex || isForm) {
      throw ValidationError("--exact writes the whole archive in one form: give no other")
    }
    if lines != (from != nil) {
      throw ValidationError("--lines and --from go together: --lines --from hex")
    }
    if lines && isForm {
      throw ValidationError("--lines is for --values and --text")
    }
  }

  /// Whether a form for people, or the JSON of objects, is asked for.
  private var isForm: Bool { json || raw || stats || stable || depth != nil }

  private var form: InspectionForm {
    if raw { return .raw }
    if stats { return json ? .statisticsJSON : .statistics }
    return json ? .json : .tree
  }

  package func run(in desk: inout Desk) throws {
    let output = try target.path(as: "inspect FILE -o NAME.txt", in: desk)
    if let from { return desk.request(linesRequest(from, output)) }
    if let valuesForm { return desk.request(valuesRequest(valuesForm, output)) }
    var options = TreeOptions()
    options.depthMax = depth
    options.elementCountMax = limit
    options.isStable = stable
    let request = InspectRequest(
      path: input, output: output, form: form, place: InspectionPath(path), options: options,
      width: width, colour: color, overwrites: target.force)
    desk.request(request)
  }

  private var valueOptions: ValueOptions {
    var options = ValueOptions()
    options.dataForm = data
    options.isNested = nested
    return options
  }

  private var valuesForm: ValuesRequest.Form? {
    extract ? .bytes : hex ? .hexDump : exact ? .exact : text ? .text : values ? .json : nil
  }

  private func valuesRequest(
    _ form: ValuesRequest.Form, _ output: String
  ) -> ValuesRequest {
    ValuesRequest(
      path: input, output: output, form: form, place: InspectionPath(path),
      options: valueOptions, overwrites: target.force)
  }

  private func linesRequest(
    _ encoding: ArchiveLines.Encoding, _ output: String
  ) -> ArchiveLinesRequest {
    ArchiveLinesRequest(
      path: input, output: output, encoding: encoding, form: text ? .text : .values,
      place: InspectionPath(path), options: valueOptions, overwrites: target.force)
  }
}

extension ValueOptions.DataForm: ExpressibleByArgument {}

extension ArchiveLines.Encoding: ExpressibleByArgument {}

/// Checks shared by the commands about archives.
enum ArchivePaths {
  static func check(width: Int?) throws {
    guard let width, !(40...1_000).contains(width) else { return }
    throw ValidationError("--width is a number of columns from 40 to 1000")
  }

  /// Standard output is the screen while the editor runs.
  static func refuseScreen(
    _ output: String, in desk: Desk, _ advice: String = "give -o FILE"
  ) throws {
    guard output == "-", !desk.isHeadless else { return }
    throw EditingError(.refused, "standard output is the screen here: \(advice)")
  }
}
