import PortolanComparing
import PortolanDocuments
import PortolanGraphics

/// Layers as they were before a simplification, drawn faintly below those of now.
struct Ghost: Sendable {
  /// What is drawn; its identity is part of the key of the picture.
  final class Drawing: Sendable {
    let layers: [any Layer]

    init(_ layers: [any Layer]) { self.layers = layers }
  }

  /// The former layers.
  let layers: [any BlockHolding]
  let drawing: Drawing
  /// The revisions of the document that it belongs to: other edits hide it.
  private(set) var revisions: Set<Int>

  init(_ layers: [any BlockHolding], revision: Int) {
    self.layers = layers
    var mark = MarkStyle(stroke: Colour(red: 0x80, green: 0x80, blue: 0x80), symbol: "·")
    mark.dash = .dotted
    mark.weight = .light
    mark.isEmphasized = false
    drawing = Drawing(layers.map { RowCollector.layer($0.id, name: $0.name, mark, $0.blocks) })
    revisions = [revision]
  }

  /// Keeps it in view after an edit that belongs to it.
  mutating func keep(at revision: Int) { revisions.insert(revision) }
}

extension Desk {
  /// The ghost that is drawn: none after an edit of another kind.
  var ghost: Ghost? {
    work.ghost.flatMap { $0.revisions.contains(history.present.revision) ? $0 : nil }
  }

  /// Brings back the vertex nearest to the cursor that a simplification left out, in all features
  /// that had it.
  mutating func restoreVertex() throws {
    guard let ghost else {
      throw EditingError(.refused, "nothing was simplified since the last edit: :simplify first")
    }
    let cursor = cursor
    let shown = Set(shownDocument.shownLayers.map(\.id))
    var nearest: (square: Double, place: Coordinate, former: any BlockHolding)?
    for former in ghost.layers where shown.contains(former.id) {
      guard let layer = document[layer: former.id] as? any BlockHolding,
        let (square, place) = layer.nearestVertex(
          to: cursor, leftOutOf: former, isGeographic: isGeographic)
      else { continue }
      if square < nearest?.square ?? .infinity { nearest = (square, place, former) }
    }
    guard let nearest else {
      throw EditingError(.notFound, "no vertex was left out of the layers that are shown")
    }
    let count = try restore(nearest.place, of: nearest.former)
    let revision = history.present.revision
    work.ghost?.keep(at: revision)
    visit(nearest.place)
    say(count > 1 ? "vertex brought back; \(count) areas share it" : "vertex brought back")
  }

  private mutating func restore(_ place: Coordinate, of former: any BlockHolding) throws -> Int {
    let isGeographic = isGeographic
    var count = 0
    do {
      try editFeatures("bring back a vertex", of: former.id) { layer in
        guard var restored = layer as? any BlockHolding else { return }
        count = try restored.restoreVertex(place, of: former, isGeographic: isGeographic)
        if count == 0 {
          throw EditingError(.refused, "the line or ring that had the vertex is gone: u goes back")
        }
        layer = restored
      }
    } catch let fault as BorderFault {
      guard case .crossing(let other) = fault else { throw fault }
      throw EditingError(
        .refused,
        "the border would cross or touch another one at \(other.x) \(other.y): "
          + "bring back the vertices there first")
    }
    return count
  }
}
