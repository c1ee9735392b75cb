package import ArgumentParser
package import PortolanDocuments
import PortolanExpressions
import PortolanFiles
package import PortolanInterchange
import PortolanPrinting

/// Asks questions of the features: which, how many, how much, by what.
package struct QueryLayers: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Query features by expressions: filter, count, sum, sort.",
    discussion: """
      query towns.geojson "pop > 1e6" --fields name,pop --sort -pop --limit 10 lists the \
      greatest; query towns.geojson --by country --fields "n=count(), people=sum(pop)" counts. \
      The last argument is the condition if it reads as one; --where gives it in any case. \
      Figures such as count() and sum(pop) are of the features that the condition holds for: of \
      all of them, or of each group with --by. --bbox, --clip and --within choose the features \
      before; --clip cuts them, so that lengths and areas are those of the parts. The exit code \
      is 1 when nothing is found. See Docs/expressions.md.
      """)

  package static let findings: String? = "nothing is found"
  package static let jsonOptions = ["--format json", "--format ndjson"]

  @Option(
    parsing: .unconditional, help: "The columns: names, or NAME=EXPRESSION; with commas between.",
    completion: .expression)
  var fields: TextArgument?

  @Option(
    help: "A row for each value of these attributes, with commas between.",
    completion: .expression)
  var by: TextArgument?

  @Option(
    parsing: .unconditional,
    help: "The order: columns or expressions, -NAME from the greatest; null comes last.",
    completion: .expression)
  var sort: TextArgument?

  @Option(parsing: .unconditional, help: "At most so many rows; --format count counts no more.")
  var limit: Int?

  @Option(help: "Only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @Option(
    help: "table, csv, tsv, markdown, json, ndjson or count.",
    completion: .list(TableForm.allCases.map(\.rawValue)))
  var format: String = TableForm.table.rawValue

  @OptionGroup var cells: SafeCellsOption

  @OptionGroup var box: BoxOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut features along this box, W,S,E,N, or the areas of a layer or a file.",
      valueName: "box|layer|file"),
    completion: .file())
  var clip: TextArgument?

  @OptionGroup var within: WithinOption

  @OptionGroup package var map: MapOptions

  package init() {}

  package var inputs: [String] { split.files }

  /// The files, and the condition after them.
  ///
  /// The last argument is a condition if it has a blank, a bracket or a sign of comparison, reads
  /// as an expression, and does not end as the name of a map does. After a file, several words with
  /// a sign or a word of the language are a condition even with an error, which is then reported.
  private var split: (files: [String], condition: String?) {
    guard map.condition.condition == nil, let last = map.files.last, EngineSource(last) == nil,
      last.contains(where: { " =<>!()".contains($0) }),
      FilePath.ending(of: last).map({ ending in
        FileFormats.importers.contains { $0.isFor("a." + ending) } || ending == "doc"
      }) != true,
      (try? Expression(last)) != nil
        || map.files.count > 1 && Self.hasSigns(last)
    else { return (map.files, nil) }
    return (map.files.dropLast(), last)
  }

  /// Whether a text has several words, and a sign or a word of expressions that compares or joins.
  private static func hasSigns(_ text: String) -> Bool {
    let words = text.split(separator: " ").map { $0.lowercased() }
    return text.contains(" ")
      && (text.contains { "=<>~'+*%".contains($0) }
        || words.contains { ExpressionWords.signs.contains($0) })
  }

  package func validate() throws {
    guard TableForm(rawValue: format) != nil else {
      throw ValidationError("no format “\(format)”: give \(TableForm.words)")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is a number of rows") }
  }

  package var needs: DocumentNeeds {
    if within.within != nil || clip != nil { return .all }
    guard let bbox = box.bbox else { return query.needs }
    return query.hasRelations ? .all : .touching(bbox.box)
  }

  package var wishes: SourceWishes {
    let box = clip.flatMap { try? BoxArgument.read($0.text) }
    guard within.within == nil, (clip == nil) == (box == nil) else {
      return SourceWishes(about: layers)
    }
    let isPlain = by == nil && sort == nil && clip == nil
    var wishes = SourceWishes(
      layers: layers, box: self.box.bbox ?? box, condition: query.condition, asked: query.asked,
      figuresOfChosen: true, limit: isPlain ? limit : nil)
    wishes.keepsUnplaced = self.box.bbox == nil
    return wishes
  }

  /// What it asks; the names after `--by` that read as nothing are told by `groups(_:)`.
  private var query: LayerQuery {
    LayerQuery(
      condition: map.condition.condition?.text ?? split.condition, fields: fields?.text,
      groups: (try? groups([])) ?? [], order: sort?.text, limit: limit,
      isCount: format == TableForm.count.rawValue)
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    try within.resolve(in: &desk) { desk, areas in
      let holding = desk.document.layers.filter { $0 is any FeatureHolding }.map(\.id)
      if holding.isEmpty { throw EditingError(.notFound, "there is no layer with features") }
      let chosen = layers.isEmpty ? holding : try LayerNames.ids(layers, in: desk.document)
      var document = desk.document
      if let areas {
        document = document.keeping(FeatureChoice(areas.holding(chosen, in: document)))
      }
      document = try box.part(of: document, chosen)
      guard let clip else { return try answer(of: chosen, in: document, &desk) }
      let operand = try desk.operand(clip.text, hasBox: true)
      try desk.withShapes(of: operand) { [document] desk, areas in
        desk.request(
          CutRequest(document: document, layers: chosen, areas: areas) { desk, document in
            try answer(of: chosen, in: document, &desk)
          })
      }
    }
  }

  private func answer(
    of chosen: [LayerID], in document: Document, _ desk: inout Desk
  ) throws {
    let asked = QuestionedLayers(chosen, in: document, of: desk.document)
    _ = try groups(asked.names)
    var tally = Tally()
    let table = try query.table(of: asked, &tally)
    try table.checkNames()
    let form = TableForm(rawValue: format) ?? .table
    for words in tally.words { desk.send(.warn(words)) }
    if form == .table {
      if table.count > 0 { desk.send(.print(table.lines)) }
      if table.rows.count < table.count {
        desk.send(.warn("\(table.rows.count) of \(table.count) rows"))
      }
    } else {
      cells.print(table, as: form, in: &desk)
    }
    if table.count == 0 {
      desk.send(.warn("nothing found"))
      desk.session.failure = Failure(.findings, what: "nothing found")
    }
  }

  /// The names after `--by`.
  ///
  /// - Parameter names: the attributes that there are.
  private func groups(_ names: [String]) throws -> [String] {
    guard let by else { return [] }
    return try QuestionedLayers.telling {
      try ExpressionField.list(by.text, knowing: names).map { field in
        guard let name = field.expression.attribute else {
          throw EditingError(
            .usage,
            "--by takes names of attributes, and “\(field.name)” is an expression: group by a "
              + "column k of it, which export --fields 'k=\(field.name)' writes")
        }
        return name
      }
    }
  }
}
