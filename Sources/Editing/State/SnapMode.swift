/// The snap targets of new vertices.
package enum SnapMode: String, Hashable, Sendable, CaseIterable {
  case off, vertex, edge, grid, all
}
