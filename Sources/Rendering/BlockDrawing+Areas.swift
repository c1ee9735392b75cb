import Graphics

/// Areas: the rings of a feature, by the even-odd rule.
extension BlockDrawing {
  func fillRings(
    _ stretches: [PathLevel.Run], _ box: WorldBox, _ copy: Int, _ plane: inout FillPlane
  ) {
    for stretch in stretches where stretch.isRing {
      for row in stretch.features {
        let vertices = paths.vertices(ofFeature: row).clamped(to: stretch.vertices)
        guard !vertices.isEmpty, base.featureBoxes[row].intersects(box) else { continue }
        var vertex = vertices.lowerBound
        while vertex < vertices.upperBound {
          let next = paths.nextStart(after: vertex, limit: vertices.upperBound)
          fillRing(vertex..<next, box, copy, &plane)
          vertex = next
        }
        plane.endFeature()
      }
    }
  }

  /// Adds the edges of one ring, passing over chunks that cannot change what the window shows.
  private func fillRing(
    _ ring: Range<Int>, _ box: WorldBox, _ copy: Int, _ plane: inout FillPlane
  ) {
    let last = ring.upperBound - 1
    let size = PathLevel.chunkSize
    paths.coordinates.withUnsafeBufferPointer { world in
      paths.chunkBoxes.withUnsafeBufferPointer { boxes in
        for chunk in (ring.lowerBound / size)...(last / size) {
          let first = max(ring.lowerBound, chunk * size)
          let end = min(last, (chunk + 1) * size)
          let bounds = boxes[chunk]
          guard first < end, bounds.maxY >= box.minY, bounds.minY <= box.maxY,
            bounds.minX <= box.maxX
          else { continue }
          if bounds.maxX < box.minX {
            // Wholly to the left: only where it begins and ends counts.
            edge(world, first, end, copy, &plane)
            continue
          }
          var vertex = first
          while vertex < end {
            edge(world, vertex, vertex + 1, copy, &plane)
            vertex += 1
          }
        }
      }
      close(world, ring.lowerBound, last, copy, &plane)
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
