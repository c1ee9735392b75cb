import PortolanGraphics

extension LabelAnchors {
  /// A line in a window, in dots.
  struct Line {
    private typealias Dot = (x: Int, y: Int)

    /// The dots of the parts of the line in the window, each of two or more, one after the other,
    /// and where each part ends.
    private var dots: [Dot] = []
    private var ends: [Int] = []

    /// - Complexity: O(chunks of the line), and its vertices near the window.
    init(
      row: Int, paths: PathLevel, window: ViewWindow, copy: Int, width: Int, height: Int
    ) {
      guard let box = window.box(copy: copy) else { return }
      let chunks = paths.chunks(ofFeature: row)
      dots.reserveCapacity(min(paths.vertices(ofChunks: chunks).count, 2 * PathLevel.chunkSize))
      var start = 0
      for chunk in chunks {
        if paths.beginsPath(chunk) { finish(&start) }
        guard paths.chunkBoxes[chunk].intersects(box) else {
          finish(&start)
          continue
        }
        let line = paths.line(ofChunk: chunk)
        paths.coordinates.withUnsafeBufferPointer { places in
          // The first vertex is the last one of the chunk before.
          for vertex in dots.count == start ? line : line.dropFirst() {
            let x = window.dotX(places[2 * vertex], copy: copy)
            let y = window.dotY(places[2 * vertex + 1])
            if x >= 0 && x < width && y >= 0 && y < height {
              dots.append((x, y))
            } else {
              finish(&start)
            }
          }
        }
      }
      finish(&start)
    }

    /// Ends the part that began at a dot.
    private mutating func finish(_ start: inout Int) {
      if dots.count > start + 1 {
        ends.append(dots.count)
      } else {
        dots.removeLast(dots.count - start)
      }
      start = dots.count
    }

    /// Calls a body with the dots of each part.
    private func eachStretch(_ body: (Range<Int>) -> Void) {
      var start = 0
      for end in ends {
        body(start..<end)
        start = end
      }
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
      eachStretch { stretch in
        var start = dots[stretch.lowerBound]
        var direction = 0
        func finish(_ end: Dot) {
          let length = abs(end.x - start.x)
          if length >= least {
            runs.append(Run(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, length: length))
          }
        }
        for index in stretch.dropLast() {
          let (dot, next) = (dots[index], dots[index + 1])
          let (stepX, stepY) = (next.x - dot.x, next.y - dot.y)
          // Short steps of a dot or two have no clear direction.
          let isLevel = abs(stepY) <= max(1, abs(stepX) / 2)
          if !isLevel || direction * stepX.signum() < 0 || abs(next.y - start.y) > 4 {
            finish(dot)
            (start, direction) = (isLevel ? dot : next, 0)
          }
          if isLevel, direction == 0 { direction = stepX.signum() }
        }
        finish(dots[stretch.upperBound - 1])
      }
      guard runs.count > 1 else { return runs }
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
      var (longest, length) = (0..<0, least - 1)
      eachStretch { stretch in
        let own = stretch.dropLast().reduce(0) { $0 + step(from: $1) }
        if own > length { (longest, length) = (stretch, own) }
      }
      guard !longest.isEmpty else { return [] }
      // How far each dot is from the first one, along the line.
      var away = 0
      let lengths = longest.map { index in
        if index > longest.lowerBound { away += step(from: index - 1) }
        return away
      }
      return [4, 3, 5, 2, 6, 1, 7].map { eighth in
        dots[longest.lowerBound + (lengths.firstIndex { 8 * $0 >= eighth * length } ?? 0)]
      }
    }

    /// The length of the step from a dot to the next one.
    private func step(from index: Int) -> Int {
      max(abs(dots[index + 1].x - dots[index].x), abs(dots[index + 1].y - dots[index].y))
    }
  }
}
