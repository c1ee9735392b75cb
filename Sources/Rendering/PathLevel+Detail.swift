/// Levels of detail: a level is used for zooms from its number up to two above.
extension PathLevel {
  /// A block that is this many times larger than the window, by area, is drawn in full detail: its
  /// small visible part is found by the boxes of its chunks.
  private static let areaRatioMax = 64.0

  /// The level for a zoom: even numbers.
  static func level(forZoom zoom: Double) -> Int { Int((zoom / 2).rounded(.down)) * 2 }

  /// The level at which a camera draws a block with a given outline; `nil` is full detail.
  ///
  /// It depends on the zoom and on sizes alone, so that moving the window never changes it.
  ///
  /// - Parameter nearer: zooms by which the picture is more exact than the camera's dots.
  static func level(for camera: Camera, outline: WorldBox, nearer: Double = 0) -> Int? {
    let level = level(forZoom: camera.worldZoom + nearer)
    guard shift(ofLevel: level) > 0 else { return nil }
    let dotsPerUnit = camera.worldDots / 2_147_483_648
    let area =
      (Double(outline.width) * dotsPerUnit + 1) * (Double(outline.height) * dotsPerUnit + 1)
    let window = Double(max(1, camera.dotWidth) * max(1, camera.dotHeight))
    return area > Self.areaRatioMax * window ? nil : level
  }

  /// Half a dot, one zoom above the level's number, is 2^shift world units.
  static func shift(ofLevel level: Int) -> Int32 { Int32(clamping: min(21 - level, 30)) }

  /// The same paths with vertices snapped to the level's grid and duplicates dropped.
  ///
  /// Paths of no more than a dot become dots. Called on a finer level it returns the same as called
  /// on full detail, which is returned itself if little would be saved.
  /// - Complexity: O(vertices), about 3 ns each.
  func simplified(toLevel level: Int, of full: PathLevel) -> PathLevel {
    simplified(toLevel: level, below: full.size) ?? full
  }

  /// The same; `nil` if little would be saved of paths of a size.
  func simplified(toLevel level: Int, below full: Size) -> PathLevel? {
    let shift = Self.shift(ofLevel: level)
    guard shift > 0 else { return nil }
    var builder = DetailBuilder(self, shift)
    defer { builder.scratch.deallocate() }
    builder.run()
    guard full.isReduced(to: builder.used) else { return nil }
    return PathLevel(
      coordinates: Array(UnsafeBufferPointer(rebasing: builder.scratch[0..<(2 * builder.used)])),
      chunks: builder.chunks, cuts: builder.cuts, featureEnds: builder.featureEnds,
      points: points.thinned(shift: shift - 2), dots: builder.dots.snapped(shift: shift))
  }
}

extension PathLevel.Size {
  /// Whether a level with so many vertices of lines and rings saves more than little.
  func isReduced(to vertices: Int) -> Bool {
    numbers == 0 ? hasPoints : 20 * vertices < 7 * numbers
  }
}

/// Builds one level.
private struct DetailBuilder {
  let source: PathLevel
  let shift: Int32
  let scratch: UnsafeMutableBufferPointer<Int32>
  var used = 0
  var chunks = PathChunks()
  var cuts = PathCuts()
  var featureEnds: [UInt32] = []
  var dots: DotSet

  init(_ source: PathLevel, _ shift: Int32) {
    self.source = source
    self.shift = shift
    scratch = .allocate(capacity: max(2, source.coordinates.count))
    dots = source.dots
  }

  mutating func run() {
    featureEnds.reserveCapacity(source.featureEnds.count)
    var run = 0
    for row in source.featureEnds.indices {
      let chunks = source.chunks(ofFeature: row)
      var first = chunks.lowerBound
      while first < chunks.upperBound {
        var end = first + 1
        while end < chunks.upperBound && !source.beginsPath(end) { end += 1 }
        while first >= source.runs[run].chunks.upperBound { run += 1 }
        addPath(
          source.vertices(ofChunks: first..<end), isRing: source.runs[run].isRing, row)
        first = end
      }
      featureEnds.append(UInt32(truncatingIfNeeded: self.chunks.count))
    }
  }

  private mutating func addPath(_ vertices: Range<Int>, isRing: Bool, _ row: Int) {
    let first = used
    let shift = shift
    let half = Int32(1) << (shift - 1)
    let scratch = scratch
    var out = used
    var box = WorldBox.empty
    let cutCount = cuts.starts.count
    let hasCuts = isRing && source.cuts.contains(anyOf: vertices)
    source.coordinates.withUnsafeBufferPointer { world in
      var (lastX, lastY) = (Int32.max, Int32.max)
      for vertex in vertices {
        let x = world[2 &* vertex] >> shift
        let y = world[2 &* vertex &+ 1] >> shift
        if x == lastX && y == lastY { continue }
        // The edge that leads here from where the vertex before was.
        if hasCuts, out > first, source.cuts.contains(vertex &- 1) { cuts.add(out &- 1) }
        (lastX, lastY) = (x, y)
        scratch[2 &* out] = (x << shift) &+ half
        scratch[2 &* out &+ 1] = (y << shift) &+ half
        out &+= 1
        box.formUnion(x: x, y: y)
      }
    }
    if out - first < 2 || (isRing && box.width + box.height <= 1) {
      if out > first { dots.append(x: scratch[2 * first], y: scratch[2 * first + 1], row: row) }
      cuts.keep(first: cutCount)
      return
    }
    used = out
    chunks.add(first..<out, of: scratch, isRing: isRing, feature: row)
  }
}
