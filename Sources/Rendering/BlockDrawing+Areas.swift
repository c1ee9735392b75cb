import PortolanGraphics

/// Areas: the rings of a feature, by the even-odd rule.
extension BlockDrawing {
  func fillRings(
    _ stretches: [PathLevel.Run], _ box: WorldBox, _ copy: Int, _ plane: inout FillPlane
  ) {
    paths.coordinates.withUnsafeBufferPointer { world in
      paths.chunkBoxes.withUnsafeBufferPointer { boxes in
        paths.chunkStarts.withUnsafeBufferPointer { starts in
          base.featureBoxes.withUnsafeBufferPointer { features in
            let chunks = ChunkView(world: world, boxes: boxes, starts: starts)
            let near = base.rows(near: box)
            let isChosen = near != nil
            for stretch in stretches where stretch.isRing {
              near.each(in: stretch.features) { row in
                guard isChosen || features[row].intersects(box) else { return }
                let own = paths.chunks(ofFeature: row).clamped(to: stretch.chunks)
                if !own.isEmpty { fillFeature(own, chunks, box, copy, &plane) }
              }
            }
          }
        }
      }
    }
  }

  /// The arrays of a level, for a hot loop.
  private struct ChunkView {
    let world: UnsafeBufferPointer<Int32>
    let boxes: UnsafeBufferPointer<WorldBox>
    let starts: UnsafeBufferPointer<UInt32>
  }

  private func fillFeature(
    _ own: Range<Int>, _ chunks: ChunkView, _ box: WorldBox, _ copy: Int,
    _ plane: inout FillPlane
  ) {
    var begin = 0
    for chunk in own {
      let start = chunks.starts[chunk]
      let next = chunks.starts[chunk &+ 1]
      let isEnd = next & PathLevel.pathBit != 0
      let first = Int(start & ~PathLevel.pathBit)
      let last = Int(next & ~PathLevel.pathBit) &- (isEnd ? 1 : 0)
      if start & PathLevel.pathBit != 0 { begin = first }
      fillChunk(first, last, chunks.boxes[chunk], box, copy, chunks.world, &plane)
      if isEnd { close(chunks.world, begin, last, copy, &plane) }
    }
    plane.endFeature()
  }

  /// Adds a chunk's edges, or a few of them if the others make no visible difference.
  @inline(__always)
  private func fillChunk(
    _ first: Int, _ last: Int, _ bounds: WorldBox, _ box: WorldBox, _ copy: Int,
    _ world: UnsafeBufferPointer<Int32>, _ plane: inout FillPlane
  ) {
    guard bounds.maxY >= box.minY, bounds.minY <= box.maxY, bounds.minX <= box.maxX else { return }
    if bounds.maxX < box.minX {
      // Wholly to the left: only its two ends count.
      if first < last { edge(world, first, last, copy, &plane) }
      return
    }
    var above = y(world[2 &* first &+ 1])
    var row = plane.row(at: above)
    var vertex = first
    while vertex < last {
      let below = y(world[2 &* vertex &+ 3])
      let nextRow = plane.row(at: below)
      // Most edges of a small scale cross no row.
      if nextRow != row {
        let (x0, x1) = (x(world[2 &* vertex], copy), x(world[2 &* vertex &+ 2], copy))
        if row < nextRow {
          plane.cross(row..<nextRow, x0, above, x1, below)
        } else {
          plane.cross(nextRow..<row, x1, below, x0, above)
        }
      }
      (above, row) = (below, nextRow)
      vertex &+= 1
    }
  }

  @inline(__always)
  private func edge(
    _ world: UnsafeBufferPointer<Int32>, _ from: Int, _ to: Int, _ copy: Int,
    _ plane: inout FillPlane
  ) {
    plane.addEdge(
      x(world[2 * from], copy), y(world[2 * from + 1]), x(world[2 * to], copy),
      y(world[2 * to + 1]))
  }

  /// Ends an open ring: straight, or along the pole if it runs around the whole world.
  private func close(
    _ world: UnsafeBufferPointer<Int32>, _ first: Int, _ last: Int, _ copy: Int,
    _ plane: inout FillPlane
  ) {
    let (startX, startY) = (world[2 * first], world[2 * first + 1])
    let (endX, endY) = (world[2 * last], world[2 * last + 1])
    guard startX != endX || startY != endY else { return }
    let turn = abs(Int64(endX) - Int64(startX))
    if turn == 1 << 31 && window.copies.count > 1 {
      let pole = y(startY > 0 ? 1 << 30 : -(1 << 30))
      plane.addEdge(x(endX, copy), y(endY), x(endX, copy), pole)
      plane.addEdge(x(startX, copy), pole, x(startX, copy), y(startY))
    } else {
      edge(world, last, first, copy, &plane)
    }
  }

  @inline(__always)
  private func x(_ units: Int32, _ copy: Int) -> Double {
    Double(Int64(units) &+ Int64(copy) &<< 31) * (window.scale.worldDots / 2_147_483_648)
      - Double(window.originX)
  }

  @inline(__always)
  private func y(_ units: Int32) -> Double {
    Double(units) * (window.scale.worldDots / 2_147_483_648) - Double(window.originY)
  }
}
