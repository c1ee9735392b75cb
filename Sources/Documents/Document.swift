import Archiving
package import PortolanGraphics

/// The metadata of a document.
package struct DocumentMetadata: Hashable, Sendable {
  package var title: String
  package var author: String
  /// The licence text of the data.
  package var licence: String
  /// `degrees`, or the unit of planar coordinates.
  package var units: String
  package var coordinateSystem: CoordinateSystem
  /// The settings that are kept with the document, by their keys; none of them is known here.
  package var settings: [String: String] = [:]

  package init(
    title: String = "", author: String = "", licence: String = "", units: String = "degrees",
    coordinateSystem: CoordinateSystem = .crs84
  ) {
    self.title = title
    self.author = author
    self.licence = licence
    self.units = units
    self.coordinateSystem = coordinateSystem
  }
}

/// A map document: layers from the bottom up, views, and metadata. A value.
///
/// Copying it is cheap, since layers share their immutable blocks: undo keeps the former value, and
/// a snapshot can be encoded on another thread.
package struct Document: Sendable {
  package var metadata: DocumentMetadata
  /// Drawn in this order: the last is on top.
  package var layers: [any Layer]
  package var views: [any View]
  /// The layout of the panes; `nil` for one tab for each map view.
  package var layout: PaneLayout?
  /// Places to come back to; their names are unique.
  package var bookmarks: [Bookmark] = []
  /// The conflicts of a merge, until they are decided.
  package var conflicts: [Conflict] = []
  /// The next number for a layer or a view; never falls.
  package var nextID: UInt64
  /// The version of the format that it was read from, if that is newer than this program's.
  ///
  /// Such a document is read-only: its meaning may have changed, so it cannot be archived.
  package internal(set) var newerVersion: Int?
  /// Fields of the document that a newer program wrote.
  var unread = UnreadFields()

  /// An empty document with one map view.
  package init(metadata: DocumentMetadata = DocumentMetadata()) {
    self.metadata = metadata
    layers = []
    views = ViewKinds.standard(mapName: metadata.title)
    nextID = 3
  }

  /// The box of all layers; empty without content.
  package var extent: Box { layers.reduce(.empty) { $0.union($1.extent) } }

  /// A layer by its number.
  package subscript(layer id: LayerID) -> (any Layer)? {
    get { layers.first { $0.id == id } }
    set {
      guard let index = layers.firstIndex(where: { $0.id == id }) else { return }
      if let newValue { layers[index] = newValue } else { layers.remove(at: index) }
    }
  }

  /// A new number for a layer or a view.
  package mutating func makeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }
}
