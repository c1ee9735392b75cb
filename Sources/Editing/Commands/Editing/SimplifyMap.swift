package import ArgumentParser
import PortolanCartography
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange

/// Leaves out vertices of lines and areas.
package struct SimplifyMap: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "simplify", abstract: "Leave out vertices of lines and areas.",
    discussion: """
      simplify IN 10% -o OUT keeps a tenth of the vertices that could go; --tolerance 500m leaves \
      out detail below that size. Borders that areas of a layer share stay shared, lines that did \
      not cross do not cross then, and the vertices that stay are not moved. Small rings that \
      stand alone vanish, but not the largest of a feature; with --drop-small that too, and the \
      feature with it. In the editor, and in scripts without a file, it works on the selection, \
      else on the active layer; u undoes it, and gr (restore) brings back the vertex nearest to \
      the cursor. With --where only those features change.
      """)

  /// The ways to choose vertices, by their names on the command line.
  enum Method: String, ExpressibleByArgument, CaseIterable {
    case weighted, visvalingam
    case douglasPeucker = "douglas-peucker"

    var ofRule: SimplifyRule.Method {
      switch self {
      case .weighted: .visvalingam(isWeighted: true)
      case .visvalingam: .visvalingam(isWeighted: false)
      case .douglasPeucker: .douglasPeucker
      }
    }
  }

  package static let isRepeatable = true

  @Option(
    help: ArgumentHelp("The share of the vertices to keep: 10%.", valueName: "share"),
    transform: DetailArgument.readShare)
  var keep: DetailArgument?

  @Option(
    help: ArgumentHelp(
      "Leave out detail below this size: 500m, 2km, an area as 0.5km2, or units of a plane.",
      valueName: "size"),
    transform: DetailArgument.readTolerance)
  var tolerance: DetailArgument?

  @Option(
    help: ArgumentHelp(
      "Leave out detail below a pixel of a picture of this size: 1000 or 1000x600.",
      valueName: "pixels"),
    transform: ResolutionArgument.read)
  var resolution: ResolutionArgument?

  @Option(
    help: """
      weighted and visvalingam by the areas of triangles, weighted smoother; douglas-peucker by \
      distances.
      """)
  var method = Method.weighted

  @Flag(help: "Remove features of which every ring is too small.")
  var dropSmall = false

  @Option(help: "Only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @Option(
    help: "The format of the output; by default from its extension.",
    completion: .list(FileFormats.exporters.map(\.name)))
  var format: String?

  @OptionGroup var target: OutputOptions

  @OptionGroup package var map: MapOptions

  package init() {}

  /// The files: a word such as 10% or 500m is the amount.
  package var inputs: [String] { map.files.filter { DetailArgument($0) == nil } }

  private var amounts: [DetailArgument] { map.files.compactMap { DetailArgument($0) } }

  package func validate() throws {
    let count = amounts.count + [keep, tolerance].count { $0 != nil } + (resolution == nil ? 0 : 1)
    if count > 1 {
      throw ValidationError("one amount is enough: 10%, --keep, --tolerance or --resolution")
    }
    if count == 0 {
      throw ValidationError("how much? Give 10%, --tolerance 500m or --resolution 1000")
    }
    if format != nil { _ = try export() }
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    if !desk.isHeadless, target.output != nil {
      throw EditingError(.refused, "-o is for files: :simplify, then :export -o FILE")
    }
    let chosen = try chosen(in: &desk)
    let document = desk.document
    let rule = SimplifyRule(
      try amount(for: chosen.map(\.layer), in: document), method: method.ofRule,
      keepsShapes: !dropSmall)
    for (id, _) in chosen {
      guard let layer = document[layer: id], document.isProtected(layer) else { continue }
      throw EditingError.locked(layer.name)
    }
    try simplify(chosen, by: rule, in: &desk)
  }

  private func simplify(
    _ chosen: [(layer: LayerID, features: Set<FeatureID>?)], by rule: SimplifyRule,
    in desk: inout Desk
  ) throws {
    let (message, warning) = (FoundWord(), FoundWord())
    let document = desk.document
    let isGeographic = document.metadata.isGeographic
    let revision = desk.history.present.revision
    let vertices = chosen.reduce(0) { sum, part in
      let blocks = (document[layer: part.layer] as? any FeatureHolding)?.blocks ?? []
      return sum + blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
    let tell: @Sendable (Document) -> String? = { _ in
      warning.value.isEmpty ? nil : warning.value
    }
    try desk.edit(
      "simplify", isLong: vertices > 50_000, saying: message.value, warning: tell
    ) { document, progress in
      let report = try document.simplify(chosen, by: rule, isGeographic) {
        try progress.report($0)
      }
      message.set(report.message)
      warning.set(report.warning)
    } then: { desk in
      if desk.isHeadless { desk.send(.warn(message.value)) }
      guard desk.history.present.revision != revision else { return }
      let former = chosen.compactMap { document[layer: $0.layer] as? any BlockHolding }
      desk.work.ghost = Ghost(former, revision: desk.history.present.revision)
      if !desk.isHeadless { desk.message?.text += ": gr brings back vertices, u all" }
    }
  }

  package func finish(in desk: inout Desk) throws {
    if inputs.isEmpty, target.output == nil { return }
    try export().run(in: &desk)
  }

  private func export() throws -> ExportLayers {
    try ExportLayers.parse(
      ["--output", target.output ?? "-"] + (target.force ? ["--force"] : [])
        + (format.map { ["--format", $0] } ?? []))
  }

  // MARK: What is meant

  /// The layers, and the features of each; `nil` for all.
  private func chosen(
    in desk: inout Desk
  ) throws -> [(layer: LayerID, features: Set<FeatureID>?)] {
    var ids: [LayerID]
    var features: Set<FeatureReference>?
    if !layers.isEmpty {
      ids = try LayerNames.ids(layers, in: desk.document)
    } else if !inputs.isEmpty {
      ids = desk.document.layers.map(\.id)
    } else if !desk.selection.isEmpty {
      features = Set(desk.selection.features)
      ids = desk.document.layers.map(\.id)
    } else {
      ids = [try desk.requireActiveLayer().id]
    }
    let document = desk.document
    ids = ids.filter { document[layer: $0] is any BlockHolding }
    if let holding = try map.condition.features(of: ids, in: document, telling: &desk) {
      features = features.map { $0.intersection(holding) } ?? holding
    }
    guard let features else { return ids.map { ($0, nil) } }
    let byLayer = Dictionary(grouping: features, by: \.layer)
    return ids.compactMap { id in byLayer[id].map { (id, Set($0.map(\.feature))) } }
  }

  private func amount(for ids: [LayerID], in document: Document) throws -> SimplifyRule.Amount {
    let isGeographic = document.metadata.isGeographic
    if let resolution {
      let box = ids.reduce(Box.empty) { $0.union(document[layer: $1]?.extent ?? .empty) }
      return .length(resolution.pixel(of: box, isGeographic: isGeographic))
    }
    guard let argument = keep ?? tolerance ?? amounts.first else { return .share(1) }
    return try argument.amount(isGeographic: isGeographic)
  }
}

extension Document {
  /// Simplifies layers, each by itself.
  ///
  /// - Parameter chosen: the layers, and the features of each; `nil` for all.
  fileprivate mutating func simplify(
    _ chosen: [(layer: LayerID, features: Set<FeatureID>?)], by rule: SimplifyRule,
    _ isGeographic: Bool, progress: (Double) throws -> Void
  ) throws -> SimplificationReport {
    var report = SimplificationReport()
    for (number, part) in chosen.enumerated() {
      guard let index = layers.firstIndex(where: { $0.id == part.layer }),
        var layer = layers[index] as? any BlockHolding
      else { continue }
      let own = try layer.simplify(part.features, by: rule, isGeographic: isGeographic) {
        try progress((Double(number) + $0) / Double(chosen.count))
      }
      report.add(own)
      layers[index] = layer
    }
    return report
  }
}

extension SimplificationReport {
  /// The counts, as in `1234 of 5678 vertices left (22%)`.
  fileprivate var message: String {
    if verticesAfter == verticesBefore { return "no vertex can go: nothing changed" }
    let share = Double(verticesAfter) / Double(max(1, verticesBefore)) * 100
    let percent = (share * 10).rounded() / 10
    return "\(verticesAfter) of \(CountText.vertices(verticesBefore)) left (\(percent)%)"
  }

  /// What vanished; empty if nothing did.
  fileprivate var warning: String {
    var parts: [String] = []
    if lostRings > 0 {
      parts.append("\(CountText.text(lostRings, "small ring", "small rings")) vanished")
    }
    if lostFeatures > 0 {
      parts.append(
        "\(CountText.features(lostFeatures)) had no other and "
          + (lostFeatures == 1 ? "is" : "are") + " removed")
    }
    if isIntricate {
      parts.append("some vertices stay because the lines are too tangled to compare them all")
    }
    return parts.joined(separator: "; ")
  }
}
