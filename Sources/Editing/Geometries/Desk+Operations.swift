import PortolanDocuments
import Synchronization

/// Operations on layers as undoable steps.
extension Desk {
  /// The vertices from which an operation is a job.
  static let leastOperationVertices = 20_000

  /// Where the result of an operation goes.
  enum ResultPlace: Sendable {
    /// A new layer above all others; a name of its own, if one is given.
    case newLayer(String?)
    case inPlace
    /// In the place of layers that were read from files and are written into one.
    case file
  }

  /// Runs an operation in one undoable step, at once or as a job.
  ///
  /// - Parameter vertices: those of other layers that it works with.
  mutating func operate(
    _ operation: LayerOperation, on chosen: ChosenFeatures, into place: ResultPlace,
    besides vertices: Int = 0
  ) throws {
    if case .inPlace = place {
      for part in chosen.parts {
        guard let layer = document[layer: part.layer] else { continue }
        if document.isProtected(layer) { throw EditingError.locked(layer.name) }
        if layer is any NoteHolding {
          throw EditingError(.refused, "“\(layer.name)” holds notes: leave --in-place out")
        }
      }
    }
    if case .newLayer(let name?) = place, document.layers.contains(where: { $0.name == name }) {
      throw EditingError(.refused, "there is a layer “\(name)” already")
    }
    let (words, warning) = (FoundWord(), FoundWord())
    let warn: @Sendable (Document) -> String? = { _ in
      warning.value.isEmpty ? nil : warning.value
    }
    try edit(
      operation.name,
      isLong: chosen.vertexCount(in: document) + vertices > Self.leastOperationVertices,
      saying: words.value, warning: warn
    ) { document, progress in
      let work = GeometryWork(document, progress)
      let told = try work.naming(operation.name) {
        try operation.apply(to: &document, chosen, place, work)
      }
      words.set(told)
      warning.set(work.notes.words ?? "")
    } then: { desk in
      guard case .newLayer = place, let made = desk.document.layers.last else { return }
      desk.activeLayer = made.id
      desk.selection = Selection()
    }
  }
}

extension LayerOperation {
  /// Changes a document; returns what was done.
  func apply(
    to document: inout Document, _ chosen: ChosenFeatures, _ place: Desk.ResultPlace,
    _ work: GeometryWork
  ) throws -> String {
    let before = chosen.count(in: document)
    switch place {
    case .inPlace, .file:
      var count = 0
      for (index, part) in chosen.parts.enumerated() {
        guard let number = document.index(of: part.layer),
          var layer = document.layers[number] as? any BlockHolding
        else { continue }
        var builder = ResultBuilder(inPlaceAfter: layer.nextFeatureID)
        let kept = part.features.map { layer.count - $0.count } ?? 0
        let source = chosen.source(index, layer, isInPlace: true, document)
        try run(source, work, &builder)
        count += builder.count - kept
        let made = builder.finish()
        (layer.blocks, layer.nextFeatureID) = (made.blocks, made.nextID)
        layer.source.members.removeAll { $0.name == "bbox" }
        let isFile = if case .file = place { true } else { false }
        if !keepsStyle, isFile || layer.kindCode != source.layer.kindCode {
          let below = Array(document.layers.prefix(number))
          layer.takeNewLook(above: below)
        }
        document.layers[number] = layer
      }
      return "\(done) \(CountText.features(before)): \(CountText.features(count))"
    case .newLayer(let name):
      var builder = ResultBuilder(inPlaceAfter: nil)
      var first: (any BlockHolding)?
      for (index, part) in chosen.parts.enumerated() {
        guard let layer = document[layer: part.layer] as? any BlockHolding else { continue }
        first = first ?? layer
        try run(chosen.source(index, layer, isInPlace: false, document), work, &builder)
      }
      let count = builder.count
      guard let first, count > 0 else {
        throw EditingError(
          .notFound, "no layer is made: " + (work.notes.words ?? "nothing is left"))
      }
      let made = document.addLayer(
        named: name ?? document.uniqueLayerName("\(first.name) \(self.name)"), like: first,
        builder.finish(), keepsStyle: keepsStyle)
      return "\(done) \(CountText.features(before)): \(CountText.features(count)) in “\(made)”"
    }
  }
}

extension ChosenFeatures {
  fileprivate func source(
    _ index: Int, _ layer: any BlockHolding, isInPlace: Bool, _ document: Document
  ) -> ChosenLayer {
    let count = Double(parts.count)
    return ChosenLayer(
      layer: layer, features: parts[index].features, isInPlace: isInPlace, document: document,
      share: Double(index) / count...Double(index + 1) / count)
  }
}

extension Document {
  /// Adds a layer of features on top; returns its name.
  ///
  /// - Parameter like: the layer whose coordinate system it has, and its style, if that is kept.
  mutating func addLayer(
    named name: String, like former: any BlockHolding,
    _ made: (blocks: [FeatureBlock], nextID: UInt64), keepsStyle: Bool
  ) -> String {
    let id = LayerID(makeID())
    let empty = LayerKinds.features(id, name: name)
    guard var layer = empty as? any BlockHolding else { return name }
    layer.source.members += former.source.members.filter { $0.name == "crs" }
    layer.source.decimals = former.source.decimals
    (layer.blocks, layer.nextFeatureID) = (made.blocks, made.nextID)
    if keepsStyle, layer.kindCode == former.kindCode, !(former is any NoteHolding) {
      layer.style = former.style
    } else {
      layer.takeNewLook(above: layers)
    }
    layers.append(layer)
    return name
  }
}

extension BlockHolding {
  /// Gives the layer the look of one that was just read, with the names that it has now.
  fileprivate mutating func takeNewLook(above layers: [any Layer]) {
    let label = LabelField.guess(fieldNames)
    style = LayerKinds.features(id, name: name).style.changed { $0.labelField = label }
    takeStandardLook(above: layers)
  }
}
