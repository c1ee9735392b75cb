package import Archiving

/// The difference between the contents of a layer before and after an edit, for the journal.
///
/// To add one: beside the kind that returns it from `change(from:)`, and in the `changeTypes` of
/// that kind.
package protocol LayerChange: Coding, Sendable {
  /// The layer's place in the document after the edit; archived with the change.
  var layer: Int { get set }

  /// The layer after the edit.
  ///
  /// - Parameters:
  ///   - former: the layer before; `nil` for a new one.
  ///   - bare: the layer after the edit, still without its content.
  /// - Throws: `DocumentError` if the change does not belong to the layer.
  func applied(to former: (any Layer)?, as bare: any Layer) throws -> any Layer
}
