import PortolanGraphics

/// The last vertices of lines, which carry arrowheads.
struct LineEnds {
  let paths: PathLevel

  /// Calls a body with the last vertex of each line of the chosen features, and with those before
  /// it in its last chunk, nearest first.
  func each(
    in runs: [PathLevel.Run], of rows: RowChoice,
    _ body: (_ row: Int, _ last: Int, _ before: ReversedCollection<Range<Int>>) -> Void
  ) {
    for run in runs where !run.isRing {
      for row in run.features where rows.contains(row) {
        for chunk in paths.chunks(ofFeature: row).clamped(to: run.chunks)
        where paths.beginsPath(chunk + 1) {
          var vertices = paths.vertices(ofChunks: chunk..<(chunk + 1))
          if vertices.count == 1, !paths.beginsPath(chunk) {
            vertices = paths.vertices(ofChunks: (chunk - 1)..<(chunk + 1))
          }
          guard vertices.count > 1 else { continue }
          body(row, vertices.upperBound - 1, vertices.dropLast().reversed())
        }
      }
    }
  }
}

/// The directions of arrowheads as characters.
enum Arrow {
  private static let eight = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]
  private static let ascii = [">", "/", "^", "\\", "<", "/", "v", "\\"]

  /// The character for a step in dots, y downwards.
  static func symbol(stepX: Int, stepY: Int, glyphs: GlyphSet) -> String {
    let (across, up) = (stepX.magnitude, stepY.magnitude)
    // Within 22.5 degrees of an axis: the tangent is 0.4142.
    let isLevel = 2_071 * across > 5_000 * up
    let isSteep = 2_071 * up > 5_000 * across
    let sector =
      switch (isLevel, isSteep, stepX >= 0, stepY > 0) {
      case (true, _, true, _): 0
      case (true, _, false, _): 4
      case (_, true, _, false): 2
      case (_, true, _, true): 6
      case (_, _, true, false): 1
      case (_, _, false, false): 3
      case (_, _, false, true): 5
      case (_, _, true, true): 7
      }
    return glyphs == .ascii ? ascii[sector] : eight[sector]
  }
}
