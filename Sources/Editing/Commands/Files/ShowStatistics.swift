package import ArgumentParser
package import PortolanDocuments
import PortolanExpressions
import PortolanFiles
package import PortolanInterchange
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// Tells the figures of columns.
package struct ShowStatistics: FileCommand, WholeMapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "statistics", abstract: "Print statistics of columns: count, mean, histogram.",
    discussion: """
      In the editor: statistics pop. As a verb: statistics towns.geojson pop. An argument with a \
      slash or the extension of a map is a file; the others are columns (all columns if none is \
      named). It prints counts, the least and the greatest value, and for numbers the sum, mean, \
      median and a histogram. Whole numbers are exact up to 38 digits. The number of different \
      values is an estimate beyond 262,144, and marked as one.
      """)

  package static let jsonOptions = ["--json"]

  @Argument(help: "The files, as one, and the columns; - is standard input.", completion: .file())
  var arguments: [String] = []

  @Option(help: "A column whose name looks like that of a file; may be given several times.")
  var column: [String] = []

  @Option(help: "The layer; by default the active one in the editor, all layers of files.")
  var layer: String?

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup var condition: WhereOption

  @OptionGroup var columns: ColumnOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { InputName.files(among: arguments) }
  package var needsInput: Bool { true }
  package var reading: (any FormatOptions)? { columns.reading }

  package var needs: DocumentNeeds {
    let names = self.names
    return DocumentNeeds(
      condition: condition.condition?.text, columns: names.isEmpty ? nil : names)
  }

  /// The columns that are named.
  private var names: [String] {
    let inputs = self.inputs
    return arguments.filter { !inputs.contains($0) } + column
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let asked = try AskedColumns(names, layer: layer, condition, in: &desk)
    if asked.names.count == 1, !json {
      var numbers = NumberStatistics()
      let statistics = asked.statistics(asked.names[0], &numbers)
      desk.send(.print(lines(statistics, numbers, of: asked)))
      return
    }
    var objects: [String] = []
    var rows: [[AttributeValue]] = []
    for name in asked.names {
      var numbers = NumberStatistics()
      let statistics = asked.statistics(name, &numbers)
      if statistics.beyond > 0 {
        let count = CountText.text(statistics.beyond, "number", "numbers")
        desk.send(.warn("\(name): \(count) beyond all doubles left out of the figures"))
      }
      objects.append(object(statistics, numbers))
      let figures = numbers.figures
      var row: [AttributeValue] = [.string(name), .string(statistics.type)]
      let counts = [
        statistics.values, statistics.distinct.value, statistics.nulls, statistics.missing,
      ]
      row += counts.map { AttributeValue.number(String($0)) }
      row += [statistics.least, statistics.greatest].map { Self.cell($0) }
      row += (0..<3).map { Self.cell(figures.isEmpty ? nil : figures[$0].text) }
      rows.append(row)
    }
    if json {
      desk.send(.printData("[\n  " + objects.joined(separator: ",\n  ") + "\n]\n"))
    } else {
      let heads = [
        "column", "type", "values", "distinct", "null", "missing", "least", "greatest", "sum",
        "mean", "median",
      ]
      desk.send(.print(LayerTable(names: heads, rows: rows, count: rows.count).lines))
    }
  }

  private static func cell(_ text: String?) -> AttributeValue {
    guard let text else { return .missing }
    return NumberText.isValid(text) ? .number(text) : .string(ColumnStatistics.short(text))
  }

  private func lines(
    _ statistics: ColumnStatistics, _ numbers: NumberStatistics, of asked: AskedColumns
  ) -> [String] {
    var figures: [(String, String)] = [
      ("type", statistics.type), ("features", Figures.grouped(statistics.features)),
    ]
    if asked.hidden > 0 { figures.append(("hidden", Figures.grouped(asked.hidden))) }
    figures += [
      ("values", Figures.grouped(statistics.values)), ("distinct", statistics.distinct.words),
      ("null", Figures.grouped(statistics.nulls)),
      ("missing", Figures.grouped(statistics.missing)),
    ]
    if let least = statistics.least { figures.append(("least", ColumnStatistics.short(least))) }
    if let greatest = statistics.greatest {
      figures.append(("greatest", ColumnStatistics.short(greatest)))
    }
    figures += numbers.figures.map { ($0.name, $0.text ?? "beyond all doubles") }
    if statistics.beyond > 0 {
      figures.append(("left out", "\(statistics.beyond) beyond all doubles"))
    }
    var lines = ["\(ColumnStatistics.short(statistics.name)) of “\(asked.title)”"]
    for (name, text) in figures {
      lines.append("  \(name)\(String(repeating: " ", count: 12 - name.count))\(text)")
    }
    let bars = numbers.lines(sign: "#")
    return bars.isEmpty ? lines : lines + [""] + bars
  }

  private func object(_ statistics: ColumnStatistics, _ numbers: NumberStatistics) -> String {
    let bars = numbers.histogram.map { bar in
      SafeJSON.object([
        ("from", SafeJSON.number(bar.from)), ("to", SafeJSON.number(bar.to)),
        ("count", String(bar.count)),
      ])
    }
    var members: [(name: String, value: String)] = [
      (name: "name", value: SafeJSON.string(statistics.name))
    ]
    members += statistics.members
    members += numbers.figures.map { (name: $0.name, value: $0.text ?? "null") }
    if !bars.isEmpty { members.append((name: "histogram", value: SafeJSON.array(bars))) }
    return SafeJSON.object(members)
  }
}

/// The columns that a command asks about, and the features that count.
struct AskedColumns {
  let layers: [any FeatureHolding]
  let names: [String]
  /// What is asked, for people.
  let title: String
  /// All features of the layers, and those that filters hide: they do not count.
  let all: Int
  let hidden: Int

  /// - Parameter names: of the columns; all columns if empty.
  init(
    _ names: [String], layer: String?, _ condition: WhereOption, in desk: inout Desk
  ) throws {
    let chosen: [LayerID]
    if let layer {
      chosen = [try desk.layer(named: layer).id]
    } else if desk.isHeadless {
      chosen = desk.document.layers.map(\.id)
    } else {
      chosen = [try desk.columnLayer(named: nil).id]
    }
    let shown = desk.shownDocument
    let document = try condition.part(of: shown, in: desk.document, telling: &desk)
    layers = document.layers.filter { chosen.contains($0.id) }.compactMap {
      $0 as? any FeatureHolding
    }
    if layers.isEmpty { throw EditingError(.notFound, "there is no layer with features") }
    title = layers.map(\.name).joined(separator: ", ")
    let counts = [desk.document, shown].map { document in
      document.layers.reduce(0) { chosen.contains($1.id) ? $0 + $1.count : $0 }
    }
    (all, hidden) = (counts[0], counts[0] - counts[1])
    // A condition may have left out all features with a column.
    let known = KnownAttributes(
      of: desk.document.layers.filter { chosen.contains($0.id) }.compactMap {
        $0 as? any FeatureHolding
      })
    for name in names { try known.require(name, in: title) }
    self.names = names.isEmpty ? known.names : names
    if self.names.isEmpty { throw EditingError(.notFound, "“\(title)” has no columns") }
  }

  func statistics(_ name: String, _ numbers: inout NumberStatistics) -> ColumnStatistics {
    var statistics = ColumnStatistics(name)
    for block in layers.lazy.flatMap(\.blocks) {
      statistics.add(block.column(name), rows: block.rowCount) { numbers.add($0) }
    }
    return statistics
  }
}
