import PortolanComparing
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

/// Reads the sources of layers again, and finds what differs.
struct RefreshRequest: Request {
  var layers: [LayerID]
  /// The attribute that features are known by; `nil` for their `id`.
  var key: String?
  var document: Document
  /// The path of the document; `nil` if it has none.
  var path: String?
  var revision: Int
  /// Whether what differs is only told.
  var isDryRun: Bool

  var name: String { "reading sources again" }

  /// The layers as their sources have them now.
  struct Answer: Sendable {
    var layers: [any OriginKeeping]
    var difference: ShownComparison
    var isSame: Bool
    /// The revision of the document that they belong to.
    var revision: Int
    var notices: [String]
  }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    var (old, new) = (document, document)
    old.layers = document.layers.filter { layers.contains($0.id) }
    var (found, notices): ([any OriginKeeping], [String]) = ([], [])
    for (index, layer) in old.layers.enumerated() {
      guard let layer = layer as? any OriginKeeping, var origin = layer.origin else { continue }
      origin.source = OriginPaths.absolute(
        origin.source, besides: path.map(world.store.realPath))
      let part = progress.part(index, of: old.layers.count + 1)
      try Self.check(origin.source, in: world)
      var data = try world.importData(
        origin.source, layerName: nil, part, reading: origin.reading())
      if let target = document.target(of: data) { try data.convert(into: target, part) }
      notices += data.warnings.map { "\(data.path): \($0)" }
      found.append(try refreshed(layer, by: data, origin))
      try progress.checkFailure()
    }
    new.layers = found
    let difference = try world.difference(
      from: old, to: new, key: key, areDocuments: true,
      progress.part(old.layers.count, of: old.layers.count + 1))
    return Answer(
      layers: found,
      difference: ShownComparison(
        difference, name: "the map", title: "its sources", document: document, revision: revision),
      isSame: difference.isEmpty, revision: revision, notices: notices)
  }

  /// Throws where a source is none that `import` keeps: neither a database nor a file.
  private static func check(_ source: String, in world: World) throws(Failure) {
    if EngineSource(source) != nil { return }
    let kind = (try? world.files.targetStatus(source))?.kind ?? .regular
    if FilePath.isAbsolute(source), !FilePath.isDescriptor(source), kind == .regular { return }
    throw Failure(
      .input, subject: source, what: "is no file to be read again: import keeps no such source")
  }

  /// The layer with the features of its source.
  private func refreshed(
    _ layer: some OriginKeeping, by data: ImportedData, _ origin: LayerOrigin
  ) throws(Failure) -> any OriginKeeping {
    let holding = data.layers.compactMap { $0 as? any BlockHolding }
    let named = holding.filter { $0.name.hasSameBytes(as: layer.name) }
    guard let source = holding.count == 1 ? holding.first : named.first else {
      throw Failure(
        .input, subject: data.path,
        what: "has \(CountText.text(holding.count, "layer", "layers")), none of which is known to "
          + "be \(layer.name): import it again with --layers")
    }
    return RefreshedLayer.layer(layer, from: source, key: key)
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    desk.notices += answer.notices
    let summary = answer.difference.summary
    if answer.isSame { return desk.say(Self.sameText) }
    if desk.isHeadless {
      if isDryRun { return desk.send(.print(answer.difference.lines)) }
      try desk.takeRefreshed(answer)
      return desk.say("refreshed: \(summary)")
    }
    desk.work.comparison = answer.difference
    desk.work.refreshed = answer
    desk.say("the sources have: \(summary); :refresh --take takes it, :compare --off leaves it")
  }

  func remarks(on answer: Answer, _ desk: Desk) -> [Remark] {
    answer.notices.map { Remark(text: $0) }
      + [Remark(text: answer.isSame ? Self.sameText : answer.difference.summary)]
  }

  private static let sameText = "nothing has changed in the sources"
}

/// The sources that a question shows, and how their features are known again.
struct ShownSources: Sendable {
  var origins: [LayerID: LayerOrigin]
  var key: String?
}

extension Desk {
  /// Takes the features of sources into their layers, as one step.
  mutating func takeRefreshed(_ answer: RefreshRequest.Answer) throws {
    guard answer.revision == history.present.revision else {
      throw EditingError(.refused, "the document was edited since: :refresh again")
    }
    let names = answer.layers.map(\.name).joined(separator: ", ")
    try edit("refresh \(names)") { document in
      for layer in answer.layers {
        if document[layer: layer.id]?.isLocked ?? true {
          throw EditingError(.refused, "layer \(layer.name) is locked")
        }
        document[layer: layer.id] = layer
      }
    }
    (work.refreshed, work.comparison) = (nil, nil)
  }
}
