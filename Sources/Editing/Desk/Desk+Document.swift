package import PortolanDocuments
import PortolanFiles

/// The document and its changes.
extension Desk {
  package var document: Document { history.value }
  package var isEdited: Bool { history.isEdited }
  package var isReadOnly: Bool { file.readOnlyReason != nil }

  /// The title of the screen: the name of the file or of its source.
  package var title: String { file.title }

  /// Changes the document in one undoable step; if the change throws, nothing has changed.
  package mutating func edit(
    _ title: String, _ change: (inout Document) throws -> Void
  ) throws {
    try requireWritable()
    // New features and layers have other numbers than those that may be done again.
    keepUndoneOfOthers()
    var document = self.document
    try change(&document)
    let former = self.document
    history.record(document, title: title)
    forgetWhatIsGone(since: former)
  }

  func requireWritable() throws {
    if let reason = file.readOnlyReason {
      throw EditingError(.refused, "the document is read-only: \(reason)")
    }
    try requireNoPendingEdit()
    try requireRead()
  }

  /// Throws while coordinates are still to be read from the document's file: for what changes them,
  /// writes them or copies them.
  func requireRead() throws {
    guard isPart else { return }
    if let id = file.restJob, isUnderWay(id) {
      let fraction = jobs.first { $0.id == id }?.fraction
      let percent = fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
      throw EditingError(.refused, "\(title) is still being read\(percent): wait for it")
    }
    throw EditingError(.refused, "\(title) was not read to its end: :revert reads it")
  }

  /// Whether coordinates are still to be read from the document's file, or are lost.
  var isPart: Bool { file.isPart && !document.hasSoundCoordinates }

  /// Throws if coordinates were asked for that the file has no more.
  func requireNothingLost() throws {
    guard file.isPart, document.hasLostCoordinates else { return }
    throw EditingError(
      .refused, "\(title) was changed by another program while it was read: :revert reads it again")
  }

  static let onlyWatches = "you only watch: attach without --watch to edit"

  /// Throws where this person only watches: for what has effects beside those on the document.
  func requireTakingPart() throws {
    if session.isWatching { throw EditingError(.refused, Self.onlyWatches) }
  }

  /// Whether a long edit is under way.
  var isEditPending: Bool {
    file.pendingEdit.map(isUnderWay) ?? false
  }

  /// Whether this person or another one has a job.
  private func isUnderWay(_ id: JobID) -> Bool {
    jobs.contains { $0.id == id } || company.contains { $0.jobs.contains(id) }
  }

  func requireNoPendingEdit() throws {
    if isEditPending {
      throw EditingError(.refused, Self.pendingEdit)
    }
  }

  /// Changes the document in one undoable step, at once or, if that may take longer than half a
  /// second, as a background job.
  ///
  /// - Parameters:
  ///   - message: the message after the edit, made when it is done.
  ///   - warning: what else it did to a document; told in scripts, too.
  ///   - change: changes features, styles and metadata; where all stay as they are, there is no
  ///     step.
  ///   - then: what follows on the desk, such as another selection.
  mutating func edit(
    _ title: String, isLong: Bool, saying message: @escaping @autoclosure @Sendable () -> String,
    warning: @escaping @Sendable (Document) -> String? = { _ in nil },
    _ change: @escaping @Sendable (inout Document, World.Progress) throws -> Void,
    then: @escaping @Sendable (inout Desk) -> Void = { _ in }
  ) throws {
    guard isLong else {
      try requireWritable()
      keepUndoneOfOthers()
      let former = document
      var document = former
      try change(&document, .none)
      if !document.isUnchanged(since: former) { try edit(title) { $0 = document } }
      then(&self)
      say(message(), warning: warning(former))
      return
    }
    try requireWritable()
    // The reply of another job could not be added beside it.
    if let job = jobs.first(where: { $0.document == file.id && !$0.isWriting && !$0.isOfPane }) {
      throw EditingError(.refused, "\(job.name): wait for it, Ctrl-C stops it")
    }
    keepUndoneOfOthers()
    let id = freshJob
    request(
      EditRequest(
        title: title, message: message, warning: warning, document: document,
        revision: history.present.revision, change: change, then: then))
    file.pendingEdit = id
  }

  /// Changes a layer that holds features in one undoable step.
  mutating func editFeatures(
    _ title: String, of id: LayerID, _ change: (inout any FeatureHolding) throws -> Void
  ) throws {
    try edit(title) { document in
      guard let index = document.layers.firstIndex(where: { $0.id == id }),
        var layer = document.layers[index] as? any FeatureHolding
      else { throw EditingError(.notFound, "that layer holds no features") }
      if document.isProtected(layer) { throw EditingError.locked(layer.name) }
      try change(&layer)
      document.layers[index] = layer
    }
  }

  /// Drops references to removed layers and features.
  ///
  /// - Parameter former: the document that the references were made in.
  /// - Complexity: O(blocks) where the features stay the same ones, else O(features).
  mutating func forgetWhatIsGone(since former: Document) {
    let document = self.document
    work.filters = work.filters.moved(from: former, to: document)
    if former.metadata.isGeographic != document.metadata.isGeographic { lookAnew() }
    if selection.count < 512 {
      selection.filter { document.contains($0) }
    } else if !document.hasFeatures(of: former) {
      let known = document.allFeatures(of: Set(selection.features.map(\.layer)))
      selection.filter { known.contains($0) }
    }
    if let vertex = selection.vertex, coordinate(of: vertex) == nil { selection.vertex = nil }
    if activeLayer.flatMap({ document[layer: $0] }) == nil {
      activeLayer = document.layers.last?.id
    }
    switch draft?.purpose {
    case .feature(let layer)? where document[layer: layer] == nil: draft = nil
    case .part(let feature)?, .append(let feature, path: _)?:
      if !document.contains(feature) { draft = nil }
    default: break
    }
    if draft == nil { isDrawing = false }
    form = form.flatMap { refreshed($0) }
    endLostCarry()
    checkClassPanel()
  }
}

extension EditingError {
  static func hidden(_ name: String) -> EditingError {
    EditingError(.refused, "layer “\(name)” is hidden: :show shows it")
  }

  static func locked(_ name: String) -> EditingError {
    EditingError(.refused, "layer “\(name)” is locked: :unlock lets it be changed")
  }
}

extension Document {
  /// The first map view.
  package var mapView: (any MapShowing)? {
    views.lazy.compactMap { $0 as? any MapShowing }.first
  }

  /// A feature by its reference.
  package func feature(_ reference: FeatureReference) -> Feature? {
    (self[layer: reference.layer] as? any FeatureHolding)?.feature(reference.feature)
  }

  /// Whether there is such a feature.
  package func contains(_ reference: FeatureReference) -> Bool {
    (self[layer: reference.layer] as? any FeatureHolding)?.position(of: reference.feature) != nil
  }

  /// Whether each layer of another document is here with the same features in the same blocks.
  ///
  /// - Complexity: O(features) in comparisons of numbers; O(blocks) where blocks are shared.
  func hasFeatures(of other: Document) -> Bool {
    other.layers.allSatisfy { layer in
      guard let former = layer as? any FeatureHolding else { return true }
      guard let present = self[layer: layer.id] as? any FeatureHolding,
        present.blocks.count == former.blocks.count
      else { return false }
      return zip(present.blocks, former.blocks).allSatisfy { $0.featureIDs == $1.featureIDs }
    }
  }

  /// All features of some layers, as a set for many look-ups.
  func allFeatures(of layers: Set<LayerID>) -> Set<FeatureReference> {
    var known = Set<FeatureReference>()
    for layer in self.layers where layers.contains(layer.id) {
      for block in (layer as? any FeatureHolding)?.blocks ?? [] {
        for id in block.featureIDs {
          known.insert(FeatureReference(layer: layer.id, feature: id))
        }
      }
    }
    return known
  }
}
