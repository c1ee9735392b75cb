package import PortolanDocuments
import PortolanPrinting
import Synchronization

/// A choice of the features of a layer that are shown.
///
/// It only hides: saves, checks, comparisons and exports have all features.
package protocol RowFilter: Sendable {
  /// The rows of a block that are shown, rising, for a layer as it is now.
  func shownRows(
    of layer: any BlockHolding, in document: Document
  ) -> (FeatureBlock) -> [Int]

  /// The blocks that decide about every row, besides its own; a change of one makes all anew.
  func basis(in document: Document, of layer: any BlockHolding) -> [FeatureBlock]

  /// Why it does not suit a layer any more; `nil` if it does.
  func fault(with layer: any BlockHolding, in document: Document) -> String?
}

extension RowFilter {
  package func basis(in document: Document, of layer: any BlockHolding) -> [FeatureBlock] { [] }
  package func fault(with layer: any BlockHolding, in document: Document) -> String? { nil }
}

/// The filters of a person's layers.
///
/// A layer with hidden rows is shown as a layer without them, so that drawing, picking, stepping,
/// search, legend and counts know nothing of filters. Its blocks are made once and kept by the
/// identity of those of the document: an edit makes one anew.
package struct RowFilters: Sendable {
  private var layers: [LayerID: FilteredLayer] = [:]

  package subscript(layer: LayerID) -> (any RowFilter)? {
    get { layers[layer]?.filter }
    set { layers[layer] = newValue.map { FilteredLayer($0) } }
  }

  /// Takes a filter that was evaluated already.
  mutating func set(_ filtered: FilteredLayer, for layer: LayerID) { layers[layer] = filtered }

  /// The filters for another version of a document, in which layers may have other numbers: each
  /// goes on with the layer of its name.
  ///
  func moved(from former: Document, to document: Document) -> RowFilters {
    var moved = RowFilters()
    for (id, filtered) in layers {
      guard let name = former[layer: id]?.name else {
        moved.layers[id] = filtered
        continue
      }
      let named = document.layers.filter { $0.name == name }
      if document[layer: id]?.name == name {
        moved.layers[id] = filtered
      } else if named.count == 1, named[0] is any BlockHolding {
        moved.layers[named[0].id] = FilteredLayer(filtered.filter)
      } else {
        // A layer with another name, or one that an undo brings back.
        moved.layers[id] = filtered
      }
    }
    return moved
  }

  /// Takes out the filters of layers whose names another document has not, or several times.
  ///
  /// - Returns: those names.
  mutating func dropGone(from former: Document, to document: Document) -> [String] {
    var gone: [String] = []
    for id in layers.keys {
      guard let name = former[layer: id]?.name,
        document.layers.count(where: { $0.name == name }) != 1,
        document[layer: id]?.name != name
      else { continue }
      layers[id] = nil
      gone.append(name)
    }
    return gone.sorted()
  }

  /// The layers with a filter.
  var filtered: some Sequence<LayerID> { layers.keys }

  /// The document without the hidden rows.
  func shown(_ document: Document) -> Document {
    var shown = document
    for (id, filtered) in layers {
      guard let index = document.layers.firstIndex(where: { $0.id == id }),
        let layer = document.layers[index] as? any BlockHolding
      else { continue }
      shown.layers[index] = filtered.shown(layer, in: document) { _ in }
    }
    return shown
  }
}

/// The layer that a filter has left of another.
final class FilteredLayer: Sendable {
  private struct Known {
    /// The layer of the document; it keeps the blocks whose identities are keys.
    var whole: any BlockHolding
    var shown: any BlockHolding
    /// The blocks that decide about every row.
    var basis: [FeatureBlock]
    /// The blocks with hidden rows, without those.
    var rests: [ObjectIdentifier: FeatureBlock?]
  }

  let filter: any RowFilter
  private let known = Mutex<Known?>(nil)

  init(_ filter: any RowFilter) { self.filter = filter }

  /// - Parameter report: takes the part that is done; what it throws ends the work.
  func shown(
    _ layer: any BlockHolding, in document: Document, report: (Double) throws -> Void
  ) rethrows -> any BlockHolding {
    let basis = filter.basis(in: document, of: layer)
    let parts = Double(max(1, layer.blocks.count))
    return try known.withLock { known in
      let isSame = known.map { $0.basis.elementsEqual(basis, by: ===) } ?? false
      if isSame, let known, known.whole.looks(like: layer) { return known.shown }
      let former = isSame && known?.whole.name == layer.name ? known?.rests : nil
      let shownRows = filter.shownRows(of: layer, in: document)
      var rests: [ObjectIdentifier: FeatureBlock?] = [:]
      // Memories of a layer, such as its choice of lines, are not shared with the whole layer.
      var shown = layer.renumbered(layer.id, name: layer.name, parent: layer.parent)
      shown.blocks = try layer.blocks.compactMap { block in
        try report(Double(rests.count) / parts)
        let key = ObjectIdentifier(block)
        let rest: FeatureBlock?
        if let former = former?[key] {
          rest = former
        } else {
          rest = block.keeping(rows: shownRows(block))
        }
        rests[key] = .some(rest)
        return rest
      }
      known = Known(whole: layer, shown: shown, basis: basis, rests: rests)
      return shown
    }
  }
}

extension BlockHolding {
  /// Whether it is a copy of another layer that looks the same.
  fileprivate func looks(like other: any BlockHolding) -> Bool {
    name == other.name && title == other.title && isVisible == other.isVisible
      && isLocked == other.isLocked && parent == other.parent && zooms == other.zooms
      && style === other.style && blocks.count == other.blocks.count
      && zip(blocks, other.blocks).allSatisfy { $0 === $1 }
  }
}

extension Desk {
  /// The document as the map shows it: without hidden rows, with the looks that are being chosen.
  var shownDocument: Document {
    var document = self.document
    if let panel = classPanel, panel.isChanged {
      document.replaceStyle(panel.former, by: panel.preview)
    }
    return work.filters.shown(document)
  }

  /// A layer without its hidden rows.
  func shown(_ layer: any Layer) -> any Layer {
    work.filters[layer.id] == nil ? layer : shownDocument[layer: layer.id] ?? layer
  }

  /// Shows only some features of a layer; `nil` shows all.
  package mutating func filter(_ layer: LayerID, by filter: (any RowFilter)?) {
    work.filters[layer] = filter
    (matches, work.nearWalk, work.arrival) = (nil, nil, nil)
    letGoOfHidden()
  }

  /// Turns off the filters that a change has made unfit, and takes hidden features out of the
  /// selection: nobody would see what a command acts on.
  mutating func settleFilters() {
    for id in work.filters.filtered {
      guard let layer = document[layer: id] as? any BlockHolding,
        let fault = work.filters[id]?.fault(with: layer, in: document)
      else { continue }
      filter(id, by: nil)
      warn("the filter of “\(layer.name)” is off: \(fault)")
    }
    letGoOfHidden()
  }

  private mutating func letGoOfHidden() {
    selection.filter(isShown(among: Set(selection.features.map(\.layer))))
    endLostCarry()
  }

  /// Whether no filter hides a feature of some layers.
  func isShown(among layers: Set<LayerID>) -> (FeatureReference) -> Bool {
    let filtered = layers.intersection(work.filters.filtered)
    if filtered.isEmpty { return { _ in true } }
    let known = shownDocument.allFeatures(of: filtered)
    return { !filtered.contains($0.layer) || known.contains($0) }
  }

  /// The shown features of a layer and all of it: `214 of 28,298 shown`; `nil` without a filter.
  func filterWords(of layer: any Layer) -> String? {
    if work.filters[layer.id] == nil { return nil }
    let whole = document[layer: layer.id] ?? layer
    return "\(Figures.grouped(shown(whole).count)) of \(Figures.grouped(whole.count)) shown"
  }
}
