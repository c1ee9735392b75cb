package import PortolanGraphics

/// Features or a vertex that follow the cursor until they are dropped.
package struct Carry: Hashable, Sendable {
  /// The cursor's place when they were picked up.
  package var start: Coordinate
  /// The carried vertex; `nil` carries the whole selection.
  package var vertex: VertexReference?

  /// Whether the vertex moves in its own area alone, though others share it.
  package var isAlone: Bool

  package init(start: Coordinate, vertex: VertexReference? = nil, isAlone: Bool = false) {
    self.isAlone = isAlone
    self.start = start
    self.vertex = vertex
  }
}
