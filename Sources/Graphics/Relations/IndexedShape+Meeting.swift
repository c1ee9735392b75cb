extension IndexedShape {
  /// Whether both shapes have a point in common, edges included, on some turn of the globe; exact
  /// where none has to be moved by a turn.
  package func meets(_ other: IndexedShape) -> Bool {
    guard let frames = frames(meeting: other.box) else { return false }
    return frames.contains { meets(other, moved: $0) }
  }

  private func meets(_ other: IndexedShape, moved turns: Int) -> Bool {
    if stepsMeet(other, moved: turns) { return true }
    // No edge meets another one: each part of one lies in the other one or apart.
    return other.parts.contains { location(of: MiddlePoint($0.moved(turns))) != .outside }
      || parts.contains { other.location(of: MiddlePoint($0.moved(-turns))) != .outside }
  }

  /// A position of each part that hangs together.
  private var parts: some Sequence<Coordinate> {
    paths.lazy.flatMap { path in
      (path.dimension == 0 ? path.vertices : path.vertices.prefix(1)).lazy.map {
        self.coordinate($0)
      }
    }
  }

  private func stepsMeet(_ other: IndexedShape, moved turns: Int) -> Bool {
    // The shape with fewer steps is walked, the other one asked for what is near.
    let isSmaller = other.stepCount <= stepCount
    let (walked, asked) = isSmaller ? (other, self) : (self, other)
    let shift = isSmaller ? turns : -turns
    var isMet = false
    walked.visitSteps(meeting: asked.box.moved(-shift)) { path, vertex in
      let segment = walked.segment(path, vertex).moved(shift)
      asked.visitSteps(meeting: segment.box) { path, vertex in
        isMet = segment.meeting(asked.segment(path, vertex)) != .apart
        return !isMet
      }
      return !isMet
    }
    return isMet
  }

  private var stepCount: Int { paths.reduce(0) { $0 + $1.tree.count } }

  func segment(_ path: Int, _ vertex: Int) -> Segment {
    Segment(a: coordinate(vertex), b: coordinate(vertex + paths[path].tree.step))
  }
}
