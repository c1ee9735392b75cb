import Graphics

/// Areas: the rings of a feature, by the even-odd rule.
extension BlockDrawing {
  func fillRings(
    _ stretches: [PathLevel.Run], _ box: WorldBox, _ copy: Int, _ plane: inout FillPlane
  ) {
    for stretch in stretches where stretch.isRing {
      for row in stretch.features where base.featureBoxes[row].intersects(box) {
        let chunks = paths.chunks(ofFeature: row).clamped(to: stretch.chunks)
        guard !chunks.isEmpty else { continue }
        paths.coordinates.withUnsafeBufferPointer { world in
          var begin = 0
          for chunk in chunks {
            if paths.beginsPath(chunk) { begin = paths.line(ofChunk: chunk).lowerBound }
            fillChunk(chunk, box, copy, world, &plane)
            if paths.beginsPath(chunk + 1) {
              close(world, begin, paths.line(ofChunk: chunk).upperBound - 1, copy, &plane)
            }
          }
        }
        plane.endFeature()
      }
    }
  }

  /// Adds a chunk's edges, or as little of them as makes no difference to what the window shows.
  @inline(__always)
  private func fillChunk(
    _ chunk: Int, _ box: WorldBox, _ copy: Int, _ world: UnsafeBufferPointer<Int32>,
    _ plane: inout FillPlane
  ) {
    let bounds = paths.chunkBoxes[chunk]
    guard bounds.maxY >= box.minY, bounds.minY <= box.maxY, bounds.minX <= box.maxX else { return }
    let line = paths.line(ofChunk: chunk)
    let last = line.upperBound - 1
    if bounds.maxX < box.minX {
      // Wholly to the left: only where it begins and ends counts.
      if line.lowerBound < last { edge(world, line.lowerBound, last, copy, &plane) }
      return
    }
    var vertex = line.lowerBound
    while vertex < last {
      edge(world, vertex, vertex + 1, copy, &plane)
      vertex += 1
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
