import PortolanGraphics
import Testing

@Suite struct MapPlaneTests {
  static let planes = [
    MapPlane(projection: .webMercator), MapPlane(projection: .equirectangular),
    MapPlane(
      projection: .planar, reference: Box(minX: -500, minY: 200, maxX: 1500, maxY: 900)),
  ]

  @Test(arguments: planes)
  func `The inverse of forward is the coordinate itself`(plane: MapPlane) {
    let extent = plane.extent
    for i in 0...20 {
      for j in 0...20 {
        let position = Coordinate(
          x: extent.minX + extent.width * Double(i) / 20,
          y: extent.minY + extent.height * Double(j) / 20)
        let back = plane.inverse(plane.forward(position))
        #expect(abs(back.x - position.x) < 1e-9 && abs(back.y - position.y) < 1e-9)
      }
    }
  }

  @Test func `Web Mercator's square ends at its limits`() {
    let plane = MapPlane.webMercator
    let corner = plane.forward(Coordinate(x: -180, y: 85.051_128_779_806_59))
    #expect(abs(corner.x) < 1e-12 && abs(corner.y) < 1e-12)
    #expect(plane.forward(Coordinate(x: 0, y: 90)).y == corner.y)
    #expect(plane.forward(Coordinate(x: 0, y: -90)).y <= 1)
    let middle = plane.forward(Coordinate(x: 0, y: 0))
    #expect(middle.x == 0.5 && abs(middle.y - 0.5) < 1e-15)
  }

  @Test func `A planar map keeps its shape and lies in the middle`() {
    let plane = MapPlane(
      projection: .planar, reference: Box(minX: 0, minY: 0, maxX: 200, maxY: 100))
    #expect(plane.forward(Coordinate(x: 0, y: 0)) == UnitPoint(x: 0, y: 0.75))
    #expect(plane.forward(Coordinate(x: 200, y: 100)) == UnitPoint(x: 1, y: 0.25))
  }

  @Test(arguments: [
    Box.empty,
    Box(minX: 1.797e308, minY: 0, maxX: 1.797e308, maxY: 0),
    Box(minX: .nan, minY: 0, maxX: .nan, maxY: 0),
    Box(minX: -.infinity, minY: 0, maxX: 1, maxY: 1),
    Box(minX: -1e308, minY: -1e308, maxX: 1e308, maxY: 1e308),
  ])
  func `A planar map without a usable reference takes the unit box`(reference: Box) {
    let plane = MapPlane(projection: .planar, reference: reference)
    #expect(plane.reference == Box(minX: 0, minY: 0, maxX: 1, maxY: 1))
  }

  @Test(arguments: [
    Coordinate(x: 0, y: 0), Coordinate(x: 4_500_000, y: -20), Coordinate(x: 0.1, y: 1e299),
  ])
  func `A planar map of one place has it in the middle, and room around it`(place: Coordinate) {
    let plane = MapPlane(
      projection: .planar,
      reference: Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y))
    let point = plane.forward(place)
    #expect(abs(point.x - 0.5) < 1e-9 && abs(point.y - 0.5) < 1e-9)
    #expect(plane.reference.width >= 1 && plane.reference.width.isFinite)
    let greatest = max(place.x.magnitude, place.y.magnitude)
    #expect(plane.reference.minX < place.x && place.x < plane.reference.maxX)
    #expect(plane.reference.height >= greatest / 1000)
  }

  @Test(arguments: planes)
  func `Bulk projection agrees with forward and marks what is not finite`(plane: MapPlane) {
    let middle = plane.extent.center
    let odd = [1e308, -1e308, .nan, .infinity, middle.x]
    var source: [Double] = []
    for x in odd {
      for y in odd { source += [x, y] }
    }
    source += [plane.extent.minX, plane.extent.minY, plane.extent.maxX, plane.extent.maxY]
    var world = [Int32](repeating: 0, count: source.count)
    source.withUnsafeBufferPointer { source in
      world.withUnsafeMutableBufferPointer { plane.project(source, into: $0) }
    }
    for index in stride(from: 0, to: source.count, by: 2) {
      let position = Coordinate(x: source[index], y: source[index + 1])
      guard position.x.isFinite && position.y.isFinite else {
        #expect(world[index] == .min && world[index + 1] == .min)
        continue
      }
      let point = WorldPoint(plane.forward(position))
      let (x, y) = (Int64(point?.x ?? 0), Int64(point?.y ?? 0))
      #expect(abs(x - Int64(world[index])) <= 2 && abs(y - Int64(world[index + 1])) <= 2)
    }
  }
}
