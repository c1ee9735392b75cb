import PortolanGraphics

extension LabelAnchors {
  /// A line in a window, in dots.
  struct Line {
    private typealias Dot = (x: Int, y: Int)

    /// The parts of the line in the window, each of two vertices or more.
    private let stretches: [[Dot]]

    /// - Complexity: O(chunks of the line), and its vertices near the window.
    init(
      row: Int, paths: PathLevel, window: ViewWindow, copy: Int, width: Int, height: Int
    ) {
      guard let box = window.box(copy: copy) else {
        stretches = []
        return
      }
      var found: [[Dot]] = []
      var stretch: [Dot] = []
      func finish() {
        if stretch.count > 1 { found.append(stretch) }
        stretch.removeAll(keepingCapacity: true)
      }
      for chunk in paths.chunks(ofFeature: row) {
        if paths.beginsPath(chunk) { finish() }
        guard paths.chunkBoxes[chunk].intersects(box) else {
          finish()
          continue
        }
        let line = paths.line(ofChunk: chunk)
        // The first vertex is the last one of the chunk before.
        for vertex in stretch.isEmpty ? line : line.dropFirst() {
          let x = window.dotX(paths.coordinates[2 * vertex], copy: copy)
          let y = window.dotY(paths.coordinates[2 * vertex + 1])
          if x >= 0 && x < width && y >= 0 && y < height {
            stretch.append((x, y))
          } else {
            finish()
          }
        }
      }
      finish()
      stretches = found
    }

    /// A nearly level stretch of the line.
    struct Run {
      /// Its middle.
      var x: Int
      var y: Int
      var length: Int
    }

    /// The nearly level stretches in the window of some length, the longest first.
    func levelRuns(ofDots least: Int) -> [Run] {
      var runs: [Run] = []
      for stretch in stretches {
        var start = stretch[0]
        var direction = 0
        func finish(_ end: Dot) {
          let length = abs(end.x - start.x)
          if length >= least {
            runs.append(Run(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, length: length))
          }
        }
        for (dot, next) in zip(stretch, stretch.dropFirst()) {
          let (stepX, stepY) = (next.x - dot.x, next.y - dot.y)
          // Short steps of a dot or two have no clear direction.
          let isLevel = abs(stepY) <= max(1, abs(stepX) / 2)
          if !isLevel || direction * stepX.signum() < 0 || abs(next.y - start.y) > 4 {
            finish(dot)
            (start, direction) = (isLevel ? dot : next, 0)
          }
          if isLevel, direction == 0 { direction = stepX.signum() }
        }
        finish(stretch[stretch.count - 1])
      }
      // The offset keeps equal ones in their order.
      return runs.enumerated().sorted {
        ($1.element.length, $0.offset) < ($0.element.length, $1.offset)
      }.map(\.element)
    }

    /// The middle and the eighths of its longest stretch in the window, those near the middle
    /// first.
    ///
    /// - Parameter least: shorter stretches have none.
    func middles(ofDots least: Int) -> [(x: Int, y: Int)] {
      let longest = stretches.map { ($0, Self.lengths($0)) }
        .max { $0.1[$0.1.count - 1] < $1.1[$1.1.count - 1] }
      guard let (dots, lengths) = longest, let length = lengths.last, length >= least else {
        return []
      }
      return [4, 3, 5, 2, 6, 1, 7].map { eighth in
        dots[lengths.firstIndex { 8 * $0 >= eighth * length } ?? 0]
      }
    }

    /// How far each dot of a stretch is from the first one, along the line.
    private static func lengths(_ dots: [Dot]) -> [Int] {
      var length = 0
      return dots.indices.map { index in
        if index > 0 {
          length += max(
            abs(dots[index].x - dots[index - 1].x), abs(dots[index].y - dots[index - 1].y))
        }
        return length
      }
    }
  }
}
