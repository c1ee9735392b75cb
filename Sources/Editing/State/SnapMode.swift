/// What new vertices stick to.
package enum SnapMode: String, Hashable, Sendable, CaseIterable {
  case off, vertex, edge, grid, all
}
