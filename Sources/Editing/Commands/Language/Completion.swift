import PortolanDocuments

/// The words that can stand for a value of a command, for completion at the `:` prompt.
///
/// Values with a short list of choices and names of files are known from their declarations.
package struct Completion: Sendable {
  /// The words in a desk, after the words of the command so far.
  let words: @Sendable (_ desk: Desk, _ before: [String]) -> [String]

  static func list(_ words: [String]) -> Completion { Completion { _, _ in words } }

  /// Those of values with these names, in every command that does not say otherwise.
  static let usual = [
    "layer": layers, "layers": layers, "attribute": attributes, "attributes": attributes,
  ]

  static let layers = Completion { desk, _ in
    let layers = desk.document.layers
    return layers.map(\.name) + layers.map(\.title).filter { !$0.isEmpty }
  }

  /// The attributes of the layer that the first word names; else of the layers of the selection, or
  /// of the active layer.
  static let attributes = Completion { desk, before in
    let layers = desk.document.layers
    let named = layers.filter { $0.name == before.first || $0.title == before.first }.prefix(1)
    let selected = Set(desk.selection.features.map(\.layer))
    let meant =
      named.isEmpty
      ? layers.filter { selected.isEmpty ? $0.id == desk.activeLayer : selected.contains($0.id) }
      : Array(named)
    return meant.flatMap { ($0 as? any FeatureHolding)?.fieldNames ?? [] }
  }
}
