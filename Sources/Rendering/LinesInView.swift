import PortolanGraphics

/// The lines of a layer in view; those with one name are one: a river of several features.
struct LinesInView {
  /// A line, or its copy in another copy of the world.
  struct Line {
    var set: Int
    var row: Int
    var copy: Int
    var bounds: WorldBox
    /// Its length in view, in world units.
    var length: Double
    /// The number of the whole that it belongs to.
    var whole: Int
  }

  private struct Whole {
    var rank = -Double.infinity
    var length = 0.0
  }

  private(set) var lines: [Line] = []
  private var wholes: [Whole] = []
  private var numbers: [UInt64: Int] = [:]

  /// The highest rank of the lines of its name, and their length together.
  func whole(of line: Line) -> (rank: Double, length: Double) {
    (wholes[line.whole].rank, wholes[line.whole].length)
  }

  /// Makes room for so many lines at most.
  mutating func reserve(_ count: Int) { lines.reserveCapacity(min(count, Self.reservedMax)) }

  private static let reservedMax = 1 << 15

  /// - Parameter name: the number of its name.
  mutating func add(_ line: Line, rank: Double, name: UInt64?) {
    let number = name.flatMap { numbers[$0] } ?? wholes.count
    if number == wholes.count {
      wholes.append(Whole())
      if let name { numbers[name] = number }
    }
    wholes[number].rank = max(wholes[number].rank, rank)
    wholes[number].length += line.length
    var line = line
    line.whole = number
    lines.append(line)
  }
}

extension LabelPlacer {
  /// The lines of a layer that are in the columns of names.
  func linesInView(ofPriority priority: Int) -> LinesInView {
    var found = LinesInView()
    found.reserve(sets.reduce(0) { $0 + ($1.priority == priority ? $1.block.featureCount : 0) })
    for (index, set) in sets.enumerated() where set.priority == priority {
      guard window.sees(memory.cache(of: set.block, on: camera.plane).outline) else { continue }
      let base = memory.projected(set.block, on: camera.plane)
      guard base.size.hasLines else { continue }
      let (boxes, dimensions) = (base.featureBoxes, base.dimensions)
      let lengths = memory.lineLengths(of: set.block, on: camera.plane)
      let paths = visiblePaths(ofSet: index)
      for copy in window.copies {
        guard let view = window.box(copy: copy, columns: columns) else { continue }
        base.rows(near: view).each(in: boxes.indices) { row in
          let bounds = boxes[row]
          guard bounds.intersects(view), dimensions[row] == 1 else { return }
          let name = set.lineNames?[row]
          if name == nil && set.lineNames != nil { return }
          let length =
            view.contains(bounds)
            ? Double(lengths[row]) : paths.length(ofFeature: row, within: view)
          found.add(
            LinesInView.Line(
              set: index, row: row, copy: copy, bounds: bounds, length: length, whole: 0),
            rank: Self.comparable(set.rank(row)), name: name)
        }
      }
    }
    return found
  }

  /// Offers the lines of a layer: by the rank and the length of all lines of their names in view.
  func collectLines(ofPriority priority: Int, into grid: inout LabelGrid) {
    let found = linesInView(ofPriority: priority)
    let dotsPerUnit = camera.worldDots / WorldPoint.worldWidth
    for line in found.lines {
      let size = Int(min(line.length * dotsPerUnit, 1e6))
      // Too small for any text.
      guard size >= Self.leastLength, let part = visiblePart(of: line.bounds, copy: line.copy)
      else { continue }
      let whole = found.whole(of: line)
      let weight = LabelWeight(rank: whole.rank, extent: whole.length, length: size)
      let isChosen =
        !selected.isEmpty
        && selected[ObjectIdentifier(sets[line.set].block)]?.contains(line.row) ?? false
      guard isChosen || grid.mayTake(weight, isLine: true, x: part.x, y: part.y) else { continue }
      var candidate = LabelCandidate(
        key: LabelKey(
          block: ObjectIdentifier(sets[line.set].block), row: line.row, copy: line.copy),
        set: line.set, weight: weight, size: size, x: part.x, y: part.y, dimension: 1)
      if isChosen { candidate.turn = .chosen }
      grid.offer(candidate, text: sets[line.set].text)
    }
  }
}

extension PathLevel {
  /// The length of a feature's paths, in world units; in a box the part there.
  ///
  /// - Complexity: O(vertices), of a box those near it.
  func length(ofFeature row: Int, within box: WorldBox?) -> Double {
    var sum = 0.0
    for chunk in chunks(ofFeature: row) {
      let isCut = box.map { !$0.contains(chunkBoxes[chunk]) } ?? false
      if isCut, let box, !box.intersects(chunkBoxes[chunk]) { continue }
      for vertex in line(ofChunk: chunk).dropFirst() {
        let (x, y) = (Double(coordinates[2 * vertex - 2]), Double(coordinates[2 * vertex - 1]))
        let stepX = Double(coordinates[2 * vertex]) - x
        let stepY = Double(coordinates[2 * vertex + 1]) - y
        let part = isCut ? box?.part(ofLineFrom: x, y, stepX, stepY) ?? 0 : 1
        if part > 0 { sum += part * (stepX * stepX + stepY * stepY).squareRoot() }
      }
    }
    return sum
  }
}

extension WorldBox {
  /// The part of a straight line that is in the box, 0 to 1.
  fileprivate func part(
    ofLineFrom x: Double, _ y: Double, _ stepX: Double, _ stepY: Double
  ) -> Double {
    var (start, end) = (0.0, 1.0)
    for (from, step, low, high) in [
      (x, stepX, Double(minX), Double(maxX)), (y, stepY, Double(minY), Double(maxY)),
    ] {
      if step == 0 {
        if from < low || from > high { return 0 }
        continue
      }
      let (one, other) = ((low - from) / step, (high - from) / step)
      (start, end) = (max(start, min(one, other)), min(end, max(one, other)))
    }
    return max(0, end - start)
  }
}
