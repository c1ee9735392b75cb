import PortolanGraphics

/// The importance of a point against other points: by rank, then by its order in the layer.
struct PointRank {
  var rank: Double
  /// The number of its block in the layer.
  var part: Int
  var row: Int

  @inline(__always)
  func isHigher(than other: PointRank) -> Bool {
    if rank != other.rank { return rank > other.rank }
    return part != other.part ? part < other.part : row < other.row
  }
}

/// The points of a layer in view: all, and those that show their signs.
package struct SignCount: Hashable, Sendable {
  package var shown = 0
  package var all = 0

  static func += (sum: inout SignCount, count: SignCount) {
    sum.shown += count.shown
    sum.all += count.all
  }
}

/// The part of a window that shows the world once.
private struct SingleWorld {
  private let window: ViewWindow
  private let repeats: Bool
  /// The dots of its columns, and the number of its rows of dots.
  private let dots: Range<Int>
  private let height: Int

  init(_ camera: Camera, _ window: ViewWindow) {
    let columns = camera.worldColumns
    self.window = window
    repeats = camera.plane.repeats
    dots = 2 * columns.lowerBound..<2 * columns.upperBound
    height = camera.dotHeight
  }

  /// Whether a place in world units is in this part, and no copy of it to the west is: a place at
  /// 180 degrees may be at both ends.
  func shows(_ x: Int64, _ y: Int64) -> Bool {
    let dotY = window.dotY(y)
    guard dotY >= 0, dotY < height, dots.contains(window.dotX(x)) else { return false }
    return !repeats || !dots.contains(window.dotX(x - 1 << 31))
  }
}

/// Chooses the points of a layer that show their signs: those without a higher one within the
/// spacing.
///
/// Distances are counted in cells of the last half step of zoom, so that a nearer look never hides
/// a sign; points beside the window count like those within it, so that panning changes nothing.
struct SymbolChoice {
  struct Entry {
    /// The position in world units; in a copy of the world, beside the world itself.
    var x: Int64
    var y: Int32
    /// The next entry in the same square; -1 for none.
    var next: Int32
    var rank: PointRank
  }

  /// A square's size, in world units: the distance within which a higher point hides a lower one.
  private let width: Double
  private let height: Double
  private let window: ViewWindow
  private let left: Double
  private let top: Double
  private let across: Int
  private let down: Int
  private var entries: [Entry]
  /// The entries of each square; -1 for none.
  private var firsts: [Int32]
  /// The highest entry of each square.
  private var bests: [Int32]

  private init(_ camera: Camera, _ window: ViewWindow, spacing: Int, room: [Entry]) {
    self.window = window
    entries = room
    let scale = DotScale(zoom: Double(camera.worldHalfStep) * Camera.step)
    let unitsPerDot = WorldPoint.worldWidth / scale.worldDots
    width = 2 * unitsPerDot * Double(spacing)
    height = 4 * unitsPerDot * Double(spacing)
    let units = WorldPoint.worldWidth / camera.worldDots
    left = Double(camera.originX) * units - width
    top = Double(camera.originY) * units - height
    across = Int(Double(camera.dotWidth) * units / width) + 3
    down = Int(Double(camera.dotHeight) * units / height) + 3
    firsts = [Int32](repeating: -1, count: across * down)
    bests = firsts
  }

  /// Calls a body with each point that shows its sign, its place in world units and its rank; in a
  /// copy of the world x is moved by the world's width.
  ///
  /// - Returns: the number of points in the window that shows the world once.
  @discardableResult
  static func each(
    of set: SymbolSet, through camera: Camera, _ window: ViewWindow, _ memory: RenderMemory,
    _ body: (_ x: Int64, _ y: Int64, PointRank) -> Void
  ) -> Int {
    var choice = SymbolChoice(
      camera, window, spacing: max(1, set.spacing), room: memory.takeSymbolRoom())
    for part in set.parts {
      guard choice.sees(memory.cache(of: part.block, on: camera.plane).outline) else { continue }
      choice.add(part, memory.fullPaths(of: part.block, on: camera.plane))
    }
    choice.each(isThinned: set.spacing > 0, body)
    let world = SingleWorld(camera, window)
    let count = choice.entries.count { world.shows($0.x, Int64($0.y)) }
    memory.keepSymbolRoom(of: &choice.entries)
    return count
  }

  /// Counts the points of a layer in view.
  ///
  /// - Parameter show: is called as the body of `each`; returns whether the point has a sign.
  static func count(
    of set: SymbolSet, through camera: Camera, _ window: ViewWindow, _ memory: RenderMemory,
    _ show: (_ x: Int64, _ y: Int64, PointRank) -> Bool
  ) -> SignCount {
    var count = SignCount()
    let world = SingleWorld(camera, window)
    count.all = each(of: set, through: camera, window, memory) { x, y, rank in
      if show(x, y, rank), world.shows(x, y) { count.shown += 1 }
    }
    return count
  }

  private func box(copy: Int) -> (minX: Double, minY: Double, maxX: Double, maxY: Double) {
    let offset = Double(copy) * WorldPoint.worldWidth
    return (
      left - offset, top, left - offset + Double(across) * width, top + Double(down) * height
    )
  }

  private func sees(_ outline: WorldBox) -> Bool {
    guard !outline.isEmpty else { return false }
    return window.copies.contains { copy in
      let box = box(copy: copy)
      return Double(outline.maxX) >= box.minX && Double(outline.minX) < box.maxX
        && Double(outline.maxY) >= box.minY && Double(outline.minY) < box.maxY
    }
  }

  private mutating func add(_ part: SymbolSet.Part, _ paths: PathLevel) {
    let points = paths.points
    for copy in window.copies {
      let offset = Int64(copy) << 31
      let box = box(copy: copy)
      let near = paths.points(
        near: WorldBox(
          minX: Int32(clamping: Int64(limiting: box.minX.rounded(.down))),
          minY: Int32(clamping: Int64(limiting: box.minY.rounded(.down))),
          maxX: Int32(clamping: Int64(limiting: box.maxX.rounded(.up))),
          maxY: Int32(clamping: Int64(limiting: box.maxY.rounded(.up)))))
      points.coordinates.withUnsafeBufferPointer { places in
        near.each(in: points.rows.indices) { index in
          let (x, y) = (places[2 &* index], places[2 &* index &+ 1])
          guard Double(x) >= box.minX, Double(x) < box.maxX, Double(y) >= box.minY,
            Double(y) < box.maxY
          else { return }
          let row = Int(points.rows[index])
          add(
            Entry(
              x: Int64(x) + offset, y: y, next: -1,
              rank: PointRank(rank: part.ranks?[row] ?? -.infinity, part: part.number, row: row)))
        }
      }
    }
  }

  private mutating func add(_ entry: Entry) {
    let column = Int((Double(entry.x) - left) / width)
    let row = Int((Double(entry.y) - top) / height)
    guard column >= 0, row >= 0, column < across, row < down, entries.count < Int(Int32.max) else {
      return
    }
    let square = row * across + column
    let index = Int32(truncatingIfNeeded: entries.count)
    entries.append(entry)
    entries[Int(index)].next = firsts[square]
    firsts[square] = index
    let best = bests[square]
    if best < 0 || entry.rank.isHigher(than: entries[Int(best)].rank) { bests[square] = index }
  }

  private func each(isThinned: Bool, _ body: (Int64, Int64, PointRank) -> Void) {
    func report(_ entry: Entry) { body(entry.x, Int64(entry.y), entry.rank) }
    guard isThinned else { return entries.forEach(report) }
    entries.withUnsafeBufferPointer { entries in
      firsts.withUnsafeBufferPointer { firsts in
        bests.withUnsafeBufferPointer { bests in
          let squares = Squares(entries: entries, firsts: firsts, bests: bests)
          // Two points of a square are nearer than the spacing: only its highest can show.
          for row in 0..<down {
            for column in 0..<across {
              let best = bests[row * across + column]
              guard best >= 0 else { continue }
              let entry = entries[Int(best)]
              if !isHidden(entry, column, row, squares) { report(entry) }
            }
          }
        }
      }
    }
  }

  private struct Squares {
    let entries: UnsafeBufferPointer<Entry>
    let firsts: UnsafeBufferPointer<Int32>
    let bests: UnsafeBufferPointer<Int32>
  }

  /// Whether a higher point of a neighbouring square lies within the spacing.
  private func isHidden(_ entry: Entry, _ column: Int, _ row: Int, _ squares: Squares) -> Bool {
    let (entries, firsts, bests) = (squares.entries, squares.firsts, squares.bests)
    for nearRow in max(0, row - 1)...min(down - 1, row + 1) {
      for nearColumn in max(0, column - 1)...min(across - 1, column + 1)
      where nearRow != row || nearColumn != column {
        let square = nearRow * across + nearColumn
        let best = bests[square]
        guard best >= 0, entries[Int(best)].rank.isHigher(than: entry.rank) else { continue }
        var index = firsts[square]
        while index >= 0 {
          let other = entries[Int(index)]
          if other.rank.isHigher(than: entry.rank), abs(Double(other.x - entry.x)) < width,
            abs(Double(other.y) - Double(entry.y)) < height
          {
            return true
          }
          index = other.next
        }
      }
    }
    return false
  }
}
