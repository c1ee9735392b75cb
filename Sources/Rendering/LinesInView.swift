import PortolanGraphics

/// The lines of a layer in view; those with one name are one: a river of several features.
struct LinesInView {
  /// A line with the length for a name, or its copy in another copy of the world.
  struct Line {
    var set: Int32
    var row: Int32
    var copy: Int32
    /// The middle of the visible part of its box, in dots.
    var x: Int32
    var y: Int32
    /// Its visible length, in dots.
    var size: Int32
    /// The number of the whole that it belongs to.
    var whole: Int32
  }

  /// The lines of a name: the highest rank, and their length in view together, in world units.
  struct Whole {
    var rank: Double
    var length: Double
  }

  private(set) var lines: [Line] = []
  private(set) var wholes: [Whole] = []
  private var numbers = NameNumbers()

  /// Counts a line as one of its name.
  ///
  /// - Parameter name: the number of its name.
  /// - Returns: the number of its whole.
  mutating func count(rank: Double, length: Double, name: UInt64?) -> Int {
    let number = name.map { numbers.number(of: $0, ifNew: wholes.count) } ?? wholes.count
    if number == wholes.count {
      wholes.append(Whole(rank: rank, length: length))
    } else {
      wholes[number].rank = max(wholes[number].rank, rank)
      wholes[number].length += length
    }
    return number
  }

  mutating func add(_ line: Line) { lines.append(line) }

  /// Makes room for so many lines at most.
  mutating func reserve(_ count: Int) { lines.reserveCapacity(min(count, Self.reservedMax)) }

  private static let reservedMax = 1 << 15
}

/// Numbers by the numbers of names: a dictionary takes as long for a line as all the rest.
private struct NameNumbers {
  /// Names in no place of their own are in the next free one; 0 is none.
  private var names = [UInt64](repeating: 0, count: 256)
  private var numbers = [Int32](repeating: 0, count: 256)
  private var count = 0
  /// Odd; nobody can choose names whose places are the same.
  private static let factor = UInt64.random(in: .min ... .max) | 1

  /// The number of a name, which a new one gets now.
  mutating func number(of name: UInt64, ifNew number: Int) -> Int {
    var place = Self.place(of: name, in: names.count)
    while names[place] != name {
      guard names[place] != 0 else {
        names[place] = name
        numbers[place] = Int32(truncatingIfNeeded: number)
        count += 1
        if 2 * count > names.count { grow() }
        return number
      }
      place = (place + 1) & (names.count - 1)
    }
    return Int(numbers[place])
  }

  /// The first place of a name among a power of two.
  @inline(__always)
  private static func place(of name: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: (name &* factor) >> UInt64(64 - count.trailingZeroBitCount))
  }

  private mutating func grow() {
    let (formerNames, formerNumbers) = (names, numbers)
    names = [UInt64](repeating: 0, count: 2 * formerNames.count)
    numbers = [Int32](repeating: 0, count: names.count)
    for (name, number) in zip(formerNames, formerNumbers) where name != 0 {
      var place = Self.place(of: name, in: names.count)
      while names[place] != 0 { place = (place + 1) & (names.count - 1) }
      (names[place], numbers[place]) = (name, number)
    }
  }
}

extension LabelPlacer {
  /// The lines of a layer that are in the columns of names.
  func linesInView(ofPriority priority: Int) -> LinesInView {
    var found = LinesInView()
    found.reserve(sets.reduce(0) { $0 + ($1.priority == priority ? $1.block.featureCount : 0) })
    let dotsPerUnit = camera.worldDots / WorldPoint.worldWidth
    for (index, set) in sets.enumerated() where set.priority == priority {
      guard window.sees(memory.cache(of: set.block, on: camera.plane).outline) else { continue }
      let base = memory.projected(set.block, on: camera.plane)
      guard base.size.hasLines else { continue }
      let (boxes, kinds) = (base.featureBoxes, base.kinds)
      let lengths = memory.lineLengths(of: set.block, on: camera.plane)
      let paths = visiblePaths(ofSet: index)
      for copy in window.copies {
        guard let view = window.box(copy: copy, columns: columns) else { continue }
        base.rows(near: view).each(in: boxes.indices) { row in
          let bounds = boxes[row]
          guard bounds.intersects(view), kinds[row].dimension == 1 else { return }
          let name = set.lineNames?[row]
          if name == nil && set.lineNames != nil { return }
          let length =
            view.contains(bounds)
            ? Double(lengths[row]) : paths.length(ofFeature: row, within: view)
          let whole = found.count(
            rank: Self.comparable(set.rank(row)), length: length, name: name)
          let size = Int(min(length * dotsPerUnit, 1e6))
          // Too small for any text.
          guard size >= Self.leastLength, let part = visiblePart(of: bounds, copy: copy) else {
            return
          }
          found.add(
            LinesInView.Line(
              set: Int32(truncatingIfNeeded: index), row: Int32(truncatingIfNeeded: row),
              copy: Int32(truncatingIfNeeded: copy), x: Int32(truncatingIfNeeded: part.x),
              y: Int32(truncatingIfNeeded: part.y), size: Int32(truncatingIfNeeded: size),
              whole: Int32(truncatingIfNeeded: whole)))
        }
      }
    }
    return found
  }

  /// Offers the lines of a layer: by the rank and the length of all lines of their names in view.
  func collectLines(ofPriority priority: Int, into grid: inout LabelGrid) {
    let found = linesInView(ofPriority: priority)
    let blocks = sets.map { ObjectIdentifier($0.block) }
    grid.expect(lines: found.lines.count)
    for line in found.lines {
      let whole = found.wholes[Int(line.whole)]
      let (set, row, x, y) = (Int(line.set), Int(line.row), Int(line.x), Int(line.y))
      let weight = LabelWeight(rank: whole.rank, extent: whole.length, length: Int(line.size))
      let isChosen = !selected.isEmpty && selected[blocks[set]]?.contains(row) ?? false
      guard isChosen || grid.mayTake(weight, isLine: true, x: x, y: y) else { continue }
      var candidate = LabelCandidate(
        key: LabelKey(block: blocks[set], row: row, copy: Int(line.copy)), set: set,
        weight: weight, size: Int(line.size), x: x, y: y, dimension: 1)
      if isChosen { candidate.turn = .chosen }
      grid.offer(candidate, text: sets[set].text)
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
      let line = line(ofChunk: chunk)
      coordinates.withUnsafeBufferPointer { places in
        var (x, y) = (Double(places[2 * line.lowerBound]), Double(places[2 * line.lowerBound + 1]))
        for vertex in line.dropFirst() {
          let (endX, endY) = (Double(places[2 * vertex]), Double(places[2 * vertex + 1]))
          let (stepX, stepY) = (endX - x, endY - y)
          let part = isCut ? box?.part(ofLineFrom: x, y, stepX, stepY) ?? 0 : 1
          if part > 0 { sum += part * (stepX * stepX + stepY * stepY).squareRoot() }
          (x, y) = (endX, endY)
        }
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
    let (endX, endY) = (x + stepX, y + stepY)
    let (low, high) = (Double(minX), Double(maxX))
    let (top, bottom) = (Double(minY), Double(maxY))
    if min(x, endX) >= low, max(x, endX) <= high, min(y, endY) >= top, max(y, endY) <= bottom {
      return 1
    }
    if max(x, endX) < low || min(x, endX) > high || max(y, endY) < top || min(y, endY) > bottom {
      return 0
    }
    var (start, end) = (0.0, 1.0)
    for (from, step, low, high) in [
      (x, stepX, low, high), (y, stepY, top, bottom),
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
