/// Levels of detail: a level serves the zooms from its number up to two above.
extension PathLevel {
  /// The level for a zoom: even numbers, and none where full detail is drawn.
  static func level(forZoom zoom: Double) -> Int? {
    let level = Int((zoom / 2).rounded(.down)) * 2
    return shift(ofLevel: level) > 0 ? level : nil
  }

  /// Half a dot, one zoom above the level's number, is 2^shift world units.
  static func shift(ofLevel level: Int) -> Int32 { Int32(clamping: 21 - level) }

  /// The same paths with vertices snapped to the level's grid and duplicates dropped.
  ///
  /// Paths of no more than a dot become dots. Returns the receiver if little would be saved.
  /// - Complexity: O(vertices), about 3 ns each.
  func simplified(toLevel level: Int) -> PathLevel {
    let shift = min(Self.shift(ofLevel: level), 30)
    guard shift > 0 else { return self }
    var builder = DetailBuilder(self, shift)
    defer { builder.scratch.deallocate() }
    builder.run()
    let result = PathLevel(
      coordinates: Array(UnsafeBufferPointer(rebasing: builder.scratch[0..<(2 * builder.used)])),
      starts: Array(builder.starts[0..<((builder.used + 63) / 64)]),
      featureEnds: builder.featureEnds, runs: builder.runs, points: points.snapped(shift: shift),
      dots: builder.dots.snapped(shift: shift))
    let isWorthIt = 10 * result.byteCount < 7 * byteCount
    return isWorthIt ? result : self
  }
}

/// The work of making one level.
private struct DetailBuilder {
  let source: PathLevel
  let shift: Int32
  let scratch: UnsafeMutableBufferPointer<Int32>
  var used = 0
  var starts: [UInt64]
  var featureEnds: [UInt32]
  var runs: [PathLevel.Run] = []
  var dots: DotSet

  init(_ source: PathLevel, _ shift: Int32) {
    self.source = source
    self.shift = shift
    scratch = .allocate(capacity: max(2, source.coordinates.count))
    starts = [UInt64](repeating: 0, count: source.starts.count)
    featureEnds = [UInt32](repeating: 0, count: source.featureEnds.count)
    dots = source.dots
  }

  mutating func run() {
    var feature = 0
    for run in source.runs {
      let first = used
      for row in run.features {
        // Features between runs have no vertices of their own.
        while feature < row {
          featureEnds[feature] = UInt32(truncatingIfNeeded: max(used, end(before: feature)))
          feature += 1
        }
        let vertices = source.vertices(ofFeature: row).clamped(to: run.vertices)
        addPaths(vertices, isRing: run.isRing, row)
        featureEnds[row] = UInt32(truncatingIfNeeded: used)
      }
      if used > first {
        runs.append(
          PathLevel.Run(isRing: run.isRing, vertices: first..<used, features: run.features))
      }
    }
    while feature < featureEnds.count {
      featureEnds[feature] = UInt32(
        truncatingIfNeeded: max(Int(featureEnds[feature]), end(before: feature)))
      feature += 1
    }
  }

  private func end(before feature: Int) -> Int {
    feature == 0 ? 0 : Int(featureEnds[feature - 1])
  }

  /// Adds the paths in a run of vertices, each up to the next start bit.
  private mutating func addPaths(_ vertices: Range<Int>, isRing: Bool, _ row: Int) {
    var vertex = vertices.lowerBound
    while vertex < vertices.upperBound {
      let next = source.nextStart(after: vertex, limit: vertices.upperBound)
      addPath(vertex..<next, isRing: isRing, row)
      vertex = next
    }
  }

  private mutating func addPath(_ vertices: Range<Int>, isRing: Bool, _ row: Int) {
    let first = used
    let shift = shift
    let half = Int32(1) << (shift - 1)
    let scratch = scratch
    var out = used
    var box = WorldBox.empty
    source.coordinates.withUnsafeBufferPointer { world in
      var (lastX, lastY) = (Int32.min, Int32.min)
      for vertex in vertices {
        let x = ((world[2 * vertex] >> shift) << shift) &+ half
        let y = ((world[2 * vertex + 1] >> shift) << shift) &+ half
        if x == lastX && y == lastY { continue }
        (lastX, lastY) = (x, y)
        scratch[2 * out] = x
        scratch[2 * out + 1] = y
        out += 1
        box.formUnion(x: x, y: y)
      }
    }
    let step = Int64(1) << Int64(shift)
    if out - first < 2 || (isRing && box.width + box.height <= step) {
      if out > first { dots.append(x: scratch[2 * first], y: scratch[2 * first + 1], row: row) }
      return
    }
    used = out
    starts[first >> 6] |= 1 << UInt64(first & 63)
  }
}
