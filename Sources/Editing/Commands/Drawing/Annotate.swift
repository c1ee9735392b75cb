package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Writes a note upon the map.
package struct Annotate: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "annotate", abstract: "Write a note upon the map, or change the selected ones.",
    discussion: """
      The text begins at the cursor, or at `--place`. With `--to` an arrow leads from there to \
      another position; with `--box` the text stands in a box; without a text there is only the \
      arrow or the box. `\\n` begins a new line. Notes are features of a layer of their own, which \
      is made if there is none: they are selected, moved, styled and exported like any others. \
      `--change` gives the selected notes another text. Positions are those of `put`.
      """)

  @Option(parsing: .unconditional, help: "Begin at this position, as in --place '13.4 52.5'.")
  var place: String?

  @Option(parsing: .unconditional, help: "Draw an arrow to this position.")
  var to: String?

  @Option(
    parsing: .unconditional, help: "Draw this box, W,S,E,N, with the text in its middle.",
    transform: BoxArgument.read)
  var box: BoxArgument?

  @Option(help: "Write into this layer of notes; it is made if there is none of the name.")
  var layer: String?

  @Flag(help: "Change the text of the selected notes.")
  var change = false

  @Argument(help: "The text.")
  var words: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    let text = words.joined(separator: " ").replacing("\\n", with: "\n")
    try box?.check(in: desk.document)
    if box != nil, place != nil || to != nil {
      throw EditingError(.usage, "a note has a place or a box: write --place and --to, or --box")
    }
    if text.isEmpty, box == nil, to == nil {
      throw EditingError(.usage, "write the note's text: annotate TEXT")
    }
    if change {
      if box != nil || place != nil || to != nil || layer != nil {
        throw EditingError(.usage, "--change changes texts only: write annotate --change TEXT")
      }
      return try desk.changeSelectedNotes(text)
    }
    try desk.addNote(text, try geometry(desk), layer: layer)
  }

  private func geometry(_ desk: Desk) throws -> Geometry {
    if let box {
      let east = box.west > box.east ? box.east + 360 : box.east
      let (south, north) = (box.south, box.north)
      if box.west == east || south == north {
        throw EditingError(.usage, "that box has no area")
      }
      let corners = [
        (box.west, south), (east, south), (east, north), (box.west, north), (box.west, south),
      ].map { Coordinate(x: $0.0, y: $0.1) }
      return .polygon([corners])
    }
    let start = try place.map(desk.position) ?? desk.cursor
    guard let to else { return .point(start) }
    var end = try Positions.parse(to, base: start, isGeographic: desk.isGeographic)
    // An arrow goes the shorter way.
    if desk.isGeographic { end.x = Longitude.nearest(end.x, to: start.x) }
    if start == end { throw EditingError(.usage, "the arrow ends where it begins") }
    return .line([start, end])
  }
}

extension Desk {
  /// Changes the text of the selected features, all of which must be notes.
  fileprivate mutating func changeSelectedNotes(_ text: String) throws {
    let features = selection.features
    let layers = Set(features.map(\.layer)).map { id in
      document.layers.first { $0.id == id } as? any NoteHolding
    }
    if features.isEmpty { throw nothingSelected() }
    if layers.contains(where: { $0 == nil }) {
      throw EditingError(.refused, "not all that is selected are notes")
    }
    try editAttributes(
      "change note", of: features, saying: "changed \(Self.notes(features.count))"
    ) { layer, ids in
      let field = (layer as? any NoteHolding)?.textField ?? ""
      try layer.setAttribute(field, to: .string(text), of: ids)
    }
  }

  /// Adds a note and selects it, in one step with the layer if there is none.
  fileprivate mutating func addNote(
    _ text: String, _ geometry: Geometry, layer name: String?
  ) throws {
    guard geometry.isFinite else { throw EditingError.beyondNumbers }
    let found = try noteLayer(named: name)
    var added: FeatureReference?
    try edit("write note") { document in
      let index: Int
      if let found, let place = document.layers.firstIndex(where: { $0.id == found }) {
        index = place
      } else {
        let names = Set(document.layers.map(\.name))
        var free = name ?? "notes"
        var number = 2
        while names.contains(free) {
          free = "notes \(number)"
          number += 1
        }
        document.layers.append(LayerKinds.notes(LayerID(document.makeID()), name: free))
        index = document.layers.count - 1
      }
      guard var layer = document.layers[index] as? any NoteHolding else { return }
      if document.isProtected(layer) { throw EditingError.locked(layer.name) }
      let attributes = text.isEmpty ? [] : [(layer.textField, AttributeValue.string(text))]
      let id = layer.add(geometry: geometry, attributes: attributes)
      document.layers[index] = layer
      added = FeatureReference(layer: layer.id, feature: id)
    }
    guard let added else { return }
    activeLayer = added.layer
    select([added], .replace)
    say("note written: annotate --change TEXT changes it")
  }

  /// The layer for a note: of the name, else the active one, else the topmost that is free; `nil`
  /// to make one.
  private func noteLayer(named name: String?) throws -> LayerID? {
    if let name {
      guard let layer = document.layers.last(where: { $0.name == name }) else { return nil }
      guard layer is any NoteHolding else {
        throw EditingError(.refused, "“\(name)” is no layer of notes")
      }
      return layer.id
    }
    let notes = document.layers.filter { $0 is any NoteHolding && !document.isProtected($0) }
    return (notes.first { $0.id == activeLayer } ?? notes.last)?.id
  }

  private static func notes(_ count: Int) -> String { count == 1 ? "the note" : "\(count) notes" }
}
