package import ArgumentParser
package import PortolanDocuments
import PortolanExpressions
import PortolanFiles
package import PortolanInterchange
import PortolanPrinting

/// Lists the values of a column by how often they occur.
package struct ShowFrequency: FileCommand, WholeMapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "frequency", abstract: "List the values of a column by how often they occur.",
    discussion: """
      In the editor it opens a panel: Enter selects the features of a value; in a table it lists \
      the column under the cursor. frequency towns.geojson country --limit 10 as a verb. Null, \
      missing and empty texts are values of their own; numbers that are equal are one value.
      """)

  package static let jsonOptions = ["--format json", "--format ndjson"]

  @Argument(help: "The files, as one, and the column; - is standard input.", completion: .file())
  var arguments: [String] = []

  @Option(help: "The column, if its name looks like that of a file.")
  var column: [String] = []

  @Option(help: "The layer; by default the active one in the editor, all layers of files.")
  var layer: String?

  @Option(parsing: .unconditional, help: "At most so many values.")
  var limit: Int?

  @Option(
    help: "table, csv, tsv, markdown, json, ndjson or count.",
    completion: .list(TableForm.allCases.map(\.rawValue)))
  var format: String = TableForm.table.rawValue

  @OptionGroup var cells: SafeCellsOption

  @OptionGroup var condition: WhereOption

  @OptionGroup var columns: ColumnOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { InputName.files(among: arguments) }
  package var needsInput: Bool { true }
  package var reading: (any FormatOptions)? { columns.reading }

  package var needs: DocumentNeeds {
    DocumentNeeds(condition: condition.condition?.text, columns: names)
  }

  /// The columns that are named.
  private var names: [String] {
    let inputs = self.inputs
    return arguments.filter { !inputs.contains($0) } + column
  }

  package func validate() throws {
    guard TableForm(rawValue: format) != nil else {
      throw ValidationError("no format “\(format)”: give \(TableForm.words)")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is a number of values") }
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    var names = self.names
    if names.isEmpty, case .attribute(let name)? = desk.table?.current?.source { names = [name] }
    guard names.count == 1 else {
      throw EditingError(.usage, "frequency of which column? Name one: frequency NAME")
    }
    let asked = try AskedColumns(names, layer: layer, condition, in: &desk)
    let frequencies = FrequencyTable(names[0], of: asked.layers)
    let form = TableForm(rawValue: format) ?? .table
    if !desk.isHeadless, form == .table, let layer = asked.layers.first {
      desk.leaveModes()
      let (count, all) = (asked.all - asked.hidden, asked.all)
      let shown = asked.hidden > 0 ? ", \(Figures.grouped(count)) of \(Figures.grouped(all))" : ""
      desk.frequencies = FrequencyPanel(
        layer: layer.id, title: asked.title + shown, frequencies)
      return
    }
    let table = frequencies.table(limit: limit)
    guard form == .table else { return cells.print(table, as: form, in: &desk) }
    desk.send(.print(table.lines))
    if table.rows.count < table.count {
      desk.send(.warn("\(table.rows.count) of \(table.count) values"))
    }
  }
}

/// Moves in the panel of frequencies.
package struct FrequencyStep: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, first, last, select
  }

  package static let configuration = CommandConfiguration(
    commandName: "frequency-step", abstract: "Move in the panel of frequencies, take a value.")

  package static let isForKeys = true

  @Argument(help: "up, down, first, last or select.")
  var action: Action

  @Argument(help: "How many lines; page for as many as are shown.")
  var lines = "1"

  package init() {}

  package var summary: String {
    switch action {
    case .up: "Previous value."
    case .down: "Next value."
    case .first: "First value."
    case .last: "Last value."
    case .select: "Select the features with the value."
    }
  }

  package func run(in desk: inout Desk) throws {
    guard var panel = desk.frequencies else {
      throw EditingError(.refused, "no frequencies are shown: frequency NAME")
    }
    let count = lines == "page" ? panel.room(in: desk.layout.map) : Int(lines) ?? 1
    switch action {
    case .up: panel.move(by: -min(max(count, 0), 1_000_000))
    case .down: panel.move(by: min(max(count, 0), 1_000_000))
    case .first: panel.move(by: -panel.index)
    case .last: panel.move(by: panel.table.rows.count)
    case .select: return try desk.selectFrequency(panel)
    }
    desk.frequencies = panel
  }
}

extension Desk {
  var frequencies: FrequencyPanel? {
    get { work.overlay[FrequencyPanel.self] }
    set { work.overlay[FrequencyPanel.self] = newValue }
  }

  /// Selects the features with the value that is chosen in a panel.
  fileprivate mutating func selectFrequency(_ panel: FrequencyPanel) throws {
    guard let row = panel.current, let layer = document[layer: panel.layer],
      let holding = shown(layer) as? any FeatureHolding
    else { throw EditingError(.notFound, "the layer of these values is gone") }
    if document.isProtected(layer) { throw EditingError.locked(layer.name) }
    frequencies = nil
    let found = FrequencyTable.features(with: row.value, in: panel.table.name, of: holding)
    if found.isEmpty { throw EditingError(.notFound, "no shown feature has \(row.text)") }
    select(found, .replace)
    say(selectedText)
  }
}
