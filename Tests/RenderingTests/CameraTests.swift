import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@Suite struct CameraTests {
  static let planes = [
    MapPlane.webMercator, MapPlane(projection: .equirectangular), MapPlane(projection: .equalEarth),
    MapPlane(projection: .planar, reference: Box(minX: 0, minY: 0, maxX: 1000, maxY: 500)),
  ]

  @Test(arguments: planes, [0.0, 3.1, 7.5, 14, 22])
  func `A cell's coordinate lies in that cell`(plane: MapPlane, zoom: Double) {
    let middle = plane.extent.center
    let camera = Camera(
      plane: plane, center: Coordinate(x: middle.x + 3.3, y: middle.y + 7.7), zoom: zoom,
      size: CellSize(columns: 57, rows: 20))
    for row in stride(from: 0, to: 20, by: 3) {
      for column in stride(from: 0, to: 57, by: 4) {
        let cell = camera.cell(at: camera.coordinate(column: column, row: row))
        #expect(cell?.column == column && cell?.row == row)
      }
    }
  }

  @Test(arguments: planes)
  func `Zooming at a cell keeps what it shows`(plane: MapPlane) {
    let middle = plane.extent.center
    let camera = Camera(
      plane: plane, center: middle, zoom: 4, size: CellSize(columns: 80, rows: 24))
    let before = camera.coordinate(column: 61, row: 5)
    for steps in [1, -1, 5, -3] {
      let after = camera.zoomed(bySteps: steps, column: 61, row: 5)
      #expect(after.zoom == 4 + 0.5 * Double(steps))
      let cell = after.cell(at: before)
      #expect(cell?.column == 61 && cell?.row == 5)
    }
  }

  @Test func `Zooms stay in range`() {
    let camera = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 99,
      size: CellSize(columns: 200, rows: 80))
    #expect(camera.zoom == 22)
    #expect(camera.zoomed(to: -5).zoom == 0)
    #expect(camera.zoomed(to: .nan).zoom == 0)
    // A window smaller than the world may see it whole.
    let small = camera.resized(to: CellSize(columns: 32, rows: 16)).zoomed(to: -5)
    #expect(small.zoom == -2)
    #expect(Camera.zoom(forMagnification: 8.6) > 3.1 && Camera.zoom(forMagnification: -1) == 0)
  }

  @Test(arguments: planes, 1...20)
  func `No empty rows are shown while the world goes on at the other side`(
    plane: MapPlane, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let extent = plane.extent
    let camera = Camera(
      plane: plane,
      center: Coordinate(
        x: extent.center.x, y: .random(in: extent.minY...extent.maxY, using: &random)),
      zoom: .random(in: -1...4, using: &random),
      size: CellSize(columns: 80, rows: .random(in: 1...60, using: &random)))
    let moved = camera.withoutEmptyRows
    #expect(moved.zoom == camera.zoom && moved.size == camera.size)
    guard plane.isGeographic else { return #expect(moved == camera) }
    func rows(_ camera: Camera) -> (above: Double, below: Double) {
      func dot(_ latitude: Double) -> Double {
        camera.dot(at: Coordinate(x: extent.center.x, y: latitude))?.y ?? .nan
      }
      return (dot(extent.maxY), Double(camera.dotHeight) - dot(extent.minY))
    }
    let (above, below) = rows(moved)
    // Whole rows are moved.
    #expect(above <= 5 || below >= -5, "\(above) \(below)")
    #expect(below <= 5 || above >= -5, "\(above) \(below)")
    let former = rows(camera)
    if former.above <= 0, former.below <= 0 { #expect(moved == camera) }
  }

  @Test(arguments: planes)
  func `Fitting a box shows all of it and little more`(plane: MapPlane) {
    let extent = plane.extent
    let box = Box(
      minX: extent.minX + extent.width * 0.4, minY: extent.minY + extent.height * 0.55,
      maxX: extent.minX + extent.width * 0.6, maxY: extent.minY + extent.height * 0.7)
    let camera = Camera.fitting(box, plane: plane, size: CellSize(columns: 80, rows: 24))
    let seen = camera.visible
    #expect(seen.minX <= box.minX && seen.maxX >= box.maxX)
    #expect(seen.minY <= box.minY && seen.maxY >= box.maxY)
    #expect(seen.width < box.width * 1.2 || seen.height < box.height * 1.2)
  }

  @Test(arguments: [
    Box(minX: 170, minY: -20, maxX: -170, maxY: -10),
    Box(minX: 170, minY: -20, maxX: 190, maxY: -10),
  ])
  func `A box across the antimeridian is fitted there`(box: Box) {
    let camera = Camera.fitting(
      box, plane: .webMercator, size: CellSize(columns: 80, rows: 24))
    #expect(abs(abs(camera.center.x) - 180) < 0.1)
    #expect(camera.zoom > 3)
    let cell = camera.cell(at: Coordinate(x: -175, y: -15))
    #expect(cell.map { $0.column > 40 } == true)
  }

  @Test func `The whole world fits into an ordinary terminal`() {
    let camera = Camera.fitting(
      MapPlane.webMercator.extent, plane: .webMercator, size: CellSize(columns: 80, rows: 21))
    #expect(camera.cell(at: Coordinate(x: 0, y: 84)) != nil)
    #expect(camera.cell(at: Coordinate(x: 0, y: -84)) != nil)
  }

  @Test func `Hostile numbers give a usable camera`() {
    for value in [Double.nan, .infinity, -.infinity, 1e308, -1e308] {
      for size in [CellSize(columns: 0, rows: 0), CellSize(columns: .max, rows: .min)] {
        let camera = Camera(
          plane: .webMercator, center: Coordinate(x: value, y: value), zoom: value, size: size)
        #expect(camera.center.x.isFinite && camera.center.y.isFinite && camera.zoom.isFinite)
        let box = Box(minX: value, minY: -value, maxX: -value, maxY: value)
        let fitted = Camera.fitting(box, plane: .webMercator, size: size, margin: value)
        #expect(fitted.center.x.isFinite && fitted.zoom.isFinite)
        #expect(fitted.panned(columns: .max, rows: .min).center.y.isFinite)
      }
    }
  }

  @Test func `A column's ground shrinks with the latitude`() {
    let size = CellSize(columns: 80, rows: 24)
    let equator = Camera(
      plane: .webMercator, center: Coordinate(x: 0, y: 0), zoom: 0, size: size)
    #expect(abs(equator.groundPerColumn - 40_075_016.7 / 128) < 1)
    let north = equator.centered(on: Coordinate(x: 0, y: 60))
    #expect(abs(north.groundPerColumn / equator.groundPerColumn - 0.5) < 1e-6)
  }
}
