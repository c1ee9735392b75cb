package import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

/// Reads again where layers were imported from.
package struct RefreshLayers: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Read the sources of layers again and apply their changes.",
    discussion: """
      import keeps in each layer the file or database that it was read from, and the options. \
      refresh lists these sources and asks, then reads them and draws the differences above the \
      map; --take applies them as one step. Features keep their numbers, layers their looks; edits \
      that are not in the source are lost, until u undoes the step. As a verb, portolan refresh \
      map.doc writes the document, or -o another; it reads databases only with --read. Opening a \
      document never reads a source.
      """)

  package static let completions = ["names": Completion.layers]

  @Argument(
    help: "The document, as a verb; and layers, by default all that have a source.",
    completion: .file())
  var names: [String] = []

  @Option(help: "The attribute that features are matched by, in the place of their id.")
  var key: TextArgument?

  @Flag(help: "Read the sources without a question.")
  var read = false

  @Flag(help: "Read the sources that the question shows.")
  var shown = false

  @Flag(help: "Apply the differences that are drawn.")
  var take = false

  @Flag(help: "Forget the sources.")
  var forget = false

  @Flag(help: "As a verb: list the changes, and write nothing.")
  var dryRun = false

  @Option(
    name: .shortAndLong, help: "As a verb: write this document instead.", completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite the file given with -o.")
  var force = false

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { names.filter(InputName.isDocument) }
  private var layerNames: [String] { names.filter { !InputName.isDocument($0) } }

  package func validate() throws {
    if [read || dryRun, shown, take, forget].count(where: { $0 }) > 1 {
      throw ValidationError("--read, --shown, --take and --forget exclude each other")
    }
    if inputs.count > 1 { throw ValidationError("refresh takes one document") }
  }

  package func checkAsVerb() throws {
    if inputs.isEmpty {
      throw EditingError(.usage, "refresh what? Name a document: portolan refresh map.doc")
    }
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    if output != nil, inputs.isEmpty {
      throw EditingError(.refused, "-o is for documents that are named: :refresh, then :w NAME.doc")
    }
    if take { return try takeFound(in: &desk) }
    if shown { return try readShown(in: &desk) }
    let layers = try chosen(in: desk)
    if forget { return try forgetSources(of: layers, in: &desk) }
    if read || desk.isHeadless {
      if desk.isHeadless { try tell(of: layers, in: &desk) }
      return request(layers.map(\.id), key: key?.text, in: &desk)
    }
    let origins = layers.compactMap { layer in layer.origin.map { (layer.id, $0) } }
    desk.work.shownSources = ShownSources(
      origins: Dictionary(origins) { $1 }, key: key?.text)
    desk.ask(question(about: layers))
  }

  private func request(_ layers: [LayerID], key: String?, in desk: inout Desk) {
    desk.request(
      RefreshRequest(
        layers: layers, key: key, document: desk.document, path: desk.file.path,
        revision: desk.history.present.revision, isDryRun: dryRun))
  }

  /// Tells what is read where nobody is asked.
  ///
  /// - Throws: `EditingError` if a database would be asked that only the document names.
  private func tell(of layers: [any OriginKeeping], in desk: inout Desk) throws {
    let databases = layers.filter { EngineSource($0.origin?.source ?? "") != nil }
    if !read, !databases.isEmpty {
      throw EditingError(
        .refused,
        "with --read only, a database is asked that a document names: "
          + Self.lines(databases).joined(separator: "; "))
    }
    for line in Self.lines(layers) { desk.send(.warn(line)) }
  }

  /// Reads what the question showed, and nothing else.
  private func readShown(in desk: inout Desk) throws {
    let document = desk.document
    guard let shown = desk.work.shownSources,
      shown.origins.allSatisfy({ id, origin in
        (document[layer: id] as? any OriginKeeping)?.origin == origin
      })
    else { throw EditingError(.refused, "the sources are others by now: :refresh again") }
    desk.work.shownSources = nil
    let layers = document.layers.map(\.id).filter { shown.origins[$0] != nil }
    request(layers, key: shown.key, in: &desk)
  }

  private func takeFound(in desk: inout Desk) throws {
    guard let found = desk.work.refreshed else {
      throw EditingError(.refused, "nothing was read: :refresh reads the sources")
    }
    try desk.takeRefreshed(found)
    desk.say("refreshed: \(found.difference.summary)")
  }

  private func forgetSources(of layers: [any OriginKeeping], in desk: inout Desk) throws {
    try desk.edit("forget sources") { document in
      for var layer in layers {
        layer.origin = nil
        document[layer: layer.id] = layer
      }
    }
    desk.say("forgotten: the source of \(layers.map(\.name).joined(separator: ", "))")
  }

  /// The layers with a source that are meant.
  private func chosen(in desk: Desk) throws -> [any OriginKeeping] {
    let document = desk.document
    let ids =
      layerNames.isEmpty
      ? document.layers.map(\.id) : try LayerNames.ids(layerNames, in: document)
    let meant = ids.compactMap { document[layer: $0] }
    let found = meant.compactMap { $0 as? any OriginKeeping }.filter { $0.origin != nil }
    if let other = meant.first(where: { layer in !found.contains { $0.id == layer.id } }),
      !layerNames.isEmpty
    {
      throw EditingError(.notFound, "layer \(other.name) has no source: it was not imported")
    }
    if found.isEmpty {
      throw EditingError(.notFound, "no layer has a source: import keeps it")
    }
    return found
  }

  private static func lines(_ layers: [any OriginKeeping]) -> [String] {
    layers.map { "\($0.name) from \(FilePath.shown($0.origin?.text ?? ""))" }
  }

  private func question(about layers: [any OriginKeeping]) -> Question {
    Question(
      title: layers.count == 1 ? "Read its source again?" : "Read their sources again?",
      text: Self.lines(layers).joined(separator: "; ")
        + ". This reads files and asks databases that the document names; the map stays as it is "
        + "until what differs is taken.",
      choices: [
        Question.Choice("r", "read", line: "refresh --shown"),
        Question.Choice("n", "leave it"),
      ])
  }

  package func finish(in desk: inout Desk) throws {
    guard !inputs.isEmpty, !dryRun, desk.isEdited || output != nil else { return }
    try desk.save(
      output, overwrites: force, thenQuits: false, versions: versions.keeping)
  }
}
