/// The options of reading a file.
package struct ImportOptions: Hashable, Sendable {
  /// The file's name without folder and extension; the default name of the layer.
  package var name: String
  /// The number of the first layer; further layers count on from it.
  package var firstLayerID: UInt64
  /// The column of longitudes or x, if the format has columns and the guess is wrong.
  package var xColumn: String?
  /// The column of latitudes or y.
  package var yColumn: String?
  /// The column that holds each feature's `id`.
  package var idColumn: String?

  package init(
    name: String, firstLayerID: UInt64 = 1, xColumn: String? = nil, yColumn: String? = nil,
    idColumn: String? = nil
  ) {
    self.name = name
    self.firstLayerID = firstLayerID
    self.xColumn = xColumn
    self.yColumn = yColumn
    self.idColumn = idColumn
  }

  /// Whether columns of a table are named.
  package var namesColumns: Bool { xColumn != nil || yColumn != nil || idColumn != nil }
}
