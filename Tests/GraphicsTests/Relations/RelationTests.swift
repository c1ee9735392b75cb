import Testing

@testable import PortolanGraphics

/// Shapes where the world ends, and shapes that are none.
@Suite struct RelationTests {
  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Coordinate]
  {
    [(west, south), (east, south), (east, north), (west, north), (west, south)]
      .map { Coordinate(x: $0.0, y: $0.1) }
  }

  private func areas(_ rings: [[Coordinate]]) -> Geometry {
    let paths = rings.enumerated().map { index, ring in
      Geometry.Path(
        role: PathRole(kind: .multiPolygon, beginsMember: index == 0, beginsPolygon: true),
        vertices: ring)
    }
    return Geometry(kind: .multiPolygon, paths: paths)
  }

  private func shape(_ geometry: Geometry, isGeographic: Bool = true) throws -> IndexedShape {
    IndexedShape(try GeometryBlock.of([geometry]), row: 0, isGeographic: isGeographic)
  }

  /// As RFC 7946 cuts an area at the antimeridian.
  @Test func `An area that the world's edge cuts is one`() throws {
    let cut = try shape(areas([box(170, 60, 180, 70), box(-180, 60, -170, 70)]))
    let across = try shape(.line([Coordinate(x: 175, y: 61), Coordinate(x: -175, y: 69)]))
    #expect(cut.covers(across))
    let away = try shape(.line([Coordinate(x: 175, y: 61), Coordinate(x: -175, y: 71)]))
    #expect(!cut.covers(away))
    #expect(cut.meets(away))
    let inner = try shape(
      .polygon([
        [(178.0, 62.0), (-178, 62), (-178, 68), (178, 68)].map {
          Coordinate(x: $0.0, y: $0.1)
        }
      ]))
    #expect(cut.covers(inner))
    #expect(!inner.covers(cut))
    let plain = try shape(
      areas([box(170, 60, 180, 70), box(-180, 60, -170, 70)]), isGeographic: false)
    #expect(!plain.covers(try shape(across.line, isGeographic: false)))
  }

  @Test func `A ring around the world has its pole inside`() throws {
    let ring = stride(from: -180.0, through: 150, by: 30).map { Coordinate(x: $0 + 15, y: -65) }
    let south = try shape(.polygon([ring]))
    for (place, isInside) in [
      (Coordinate(x: 0, y: -90), true), (Coordinate(x: 179.9, y: -66), true),
      (Coordinate(x: -180, y: -65.5), true), (Coordinate(x: 20, y: -64), false),
      (Coordinate(x: 20, y: 90), false),
    ] {
      #expect(south.meets(place) == isInside, "\(place)")
    }
    let around = (0..<12).map { Coordinate(x: Double($0) * 30 - 170, y: -80) }
    #expect(south.covers(try shape(.line(around + around.prefix(1)))))
    #expect(south.distance(to: Coordinate(x: 179, y: -88)) == 0)
  }

  @Test func `An area in a hole is not within, whatever edges it shares`() throws {
    let ring = try shape(.polygon([box(0, 0, 10, 10), box(4, 4, 6, 6)]))
    #expect(!ring.covers(try shape(.polygon([box(4, 4, 6, 6)]))))
    #expect(!ring.covers(try shape(.polygon([box(2, 2, 8, 8)]))))
    #expect(ring.covers(try shape(.polygon([box(2, 2, 8, 8), box(4, 4, 6, 6)]))))
    #expect(ring.covers(try shape(.line(box(4, 4, 6, 6)))))
    #expect(ring.covers(ring))
  }

  /// Shapes without places, of one place, far away, and not finite.
  @Test func `Odd shapes have answers`() throws {
    let odd: [Geometry] = [
      .none, .point(Coordinate(x: .nan, y: 0)), .point(Coordinate(x: .infinity, y: 1e308)),
      .line([]), .line([Coordinate(x: 1, y: 1)]),
      .line(Array(repeating: Coordinate(x: 1, y: 1), count: 3)),
      .polygon([]), .polygon([[]]), .polygon([[Coordinate(x: 0, y: 0)]]),
      .polygon([box(0, 0, 0, 0)]), .polygon([box(-1e308, -1e308, 1e308, 1e308)]),
      .line([Coordinate(x: -1e308, y: 0), Coordinate(x: 1e308, y: 1e308)]),
      .polygon([
        [(0.0, 0.0), (10, 10), (10, 0), (0, 10), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
      ]),
      .line([Coordinate(x: 0, y: 0), Coordinate(x: .nan, y: 1), Coordinate(x: 5, y: 5)]),
      .polygon([box(-1000, -4000, 5000, 9e9)]), .line(box(-7000, -95, 9000, 95)),
    ]
    let block = try GeometryBlock.of(odd)
    for isGeographic in [true, false] {
      let index = ShapeIndex([block], isGeographic: isGeographic)
      for row in odd.indices {
        guard let subject = ShapeIndex.Subject(block, row: row, isGeographic: isGeographic) else {
          #expect(block.boxes[row].isEmpty)
          continue
        }
        _ = index.features(.intersecting, subject)
        _ = index.features(.within, subject)
        _ = index.nearest(to: subject, besides: row)
        _ = subject.distance(to: Coordinate(x: 3, y: 3), isGeographic: isGeographic)
      }
    }
  }
}

extension IndexedShape {
  /// Its only path as a line.
  fileprivate var line: Geometry { .line(paths[0].vertices.map { coordinate($0) }) }
}
