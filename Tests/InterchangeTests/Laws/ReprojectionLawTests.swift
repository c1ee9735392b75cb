import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanProjections
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite struct ReprojectionLawTests {
  static let oracle = PythonOracle("Projections/oracle.py")

  @Test(.enabled(if: oracle.isPresent, "PORTOLAN_PYTHON names no Python with pyproj"))
  func `Random systems are converted as pyproj does, within a millimetre`() throws {
    let seeds = Seeds.some(60)
    let lines = try Self.oracle.lines(seed: seeds.lowerBound, count: seeds.count)
    #expect(lines.count == seeds.count)
    var unknown = 0
    for line in lines {
      let cells = line.split(separator: "\t").map(String.init)
      let numbers = cells.dropFirst(2).compactMap { Double($0) }
      try #require(numbers.count == 6, "\(line)")
      guard let conversion = try? CoordinateConversion(from: cells[0], to: cells[1]) else {
        // A newer register than that of the machine, or no PROJ.
        unknown += 1
        continue
      }
      var pair = [numbers[0], numbers[1]]
      conversion.convert(&pair)
      #expect((pair[0] - numbers[2]).magnitude <= numbers[4], "\(line): \(pair)")
      #expect((pair[1] - numbers[3]).magnitude <= numbers[5], "\(line): \(pair)")
    }
    let hasProj = Proj() != nil
    #expect(unknown <= (hasProj ? lines.count / 6 : lines.count * 4 / 5))
  }

  /// Systems of other datums, with a place in each.
  private static let others: [(name: String, x: Double, y: Double)] = [
    ("EPSG:26918", -75, 40), ("EPSG:31467", 9, 52), ("EPSG:27700", -1.5, 52.5),
    ("EPSG:2154", 3, 46), ("EPSG:27572", 3, 46), ("EPSG:28992", 5.4, 52.1),
    ("EPSG:21781", 8, 47), ("EPSG:2056", 8, 47), ("EPSG:31370", 4.5, 50.7),
    ("EPSG:23030", -3, 40), ("EPSG:23032", 9, 45), ("EPSG:3003", 9, 45),
    ("EPSG:31287", 14, 47.5), ("EPSG:2180", 19, 52), ("EPSG:3067", 25, 62),
    ("EPSG:27492", -8, 41), ("EPSG:4267", -100, 40), ("EPSG:26717", -81, 35),
    ("EPSG:4269", -100, 40), ("EPSG:32118", -74, 40.7), ("EPSG:28355", 147, -37),
    ("EPSG:27200", 175, -40), ("EPSG:2193", 175, -40), ("EPSG:2326", 114.1, 22.3),
    ("EPSG:6677", 139, 35), ("EPSG:22235", 31, -29), ("EPSG:29193", -45, -20),
    ("EPSG:28407", 39, 55), ("EPSG:4612", 139, 35), ("EPSG:2039", 35, 31.5),
  ]

  @Test(.enabled(if: Proj() != nil, "PROJ is not installed"))
  func `WGS 84 is converted alike by both of its names`() throws {
    for (name, x, y) in Self.others {
      var (one, other) = ([x, y], [x, y])
      try CoordinateConversion(from: "OGC:CRS84", to: name).convert(&one)
      try CoordinateConversion(from: "EPSG:4326", to: name).convert(&other)
      #expect(one == other && one[0].isFinite, "\(name)")
      try CoordinateConversion(from: name, to: "OGC:CRS84").convert(&one)
      #expect((one[0] - x).magnitude < 1e-7 && (one[1] - y).magnitude < 1e-7, "\(name): \(one)")
    }
  }

  @Test(
    .enabled(
      if: Proj() != nil && ChildProcess(named: "gdaltransform") != nil,
      "PROJ or gdaltransform is not installed"))
  func `Other datums are converted as GDAL does, within a millimetre`() throws {
    let program = try #require(ChildProcess(named: "gdaltransform"))
    for seed in Seeds.some(8) {
      let (name, x, y) = Self.others[Int(seed * 7 % UInt64(Self.others.count))]
      let told = try program.run(
        ["-s_srs", "OGC:CRS84", "-t_srs", name, "-output_xy", "-coord", "\(x)", "\(y)"],
        in: ScratchFolder()
      ) { _ in }
      let wanted = told.output.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
      try #require(wanted.count == 2, "\(told)")
      var pair = [x, y]
      try CoordinateConversion(from: "OGC:CRS84", to: name).convert(&pair)
      let most = wanted[0].magnitude < 360 ? 1e-8 : 1e-3
      #expect(
        (pair[0] - wanted[0]).magnitude < most && (pair[1] - wanted[1]).magnitude < most,
        "\(name): \(pair), \(wanted)")
    }
  }

  /// Our own systems, without PROJ.
  @Test func `There and back is the same place, within a tenth of a millimetre`() throws {
    for seed in Seeds.some(40) {
      var generator = SeededGenerator(seed: seed)
      let zone = Int.random(in: 1...60, using: &generator)
      let place = [
        Double(6 * zone - 183) + Double.random(in: -6...6, using: &generator),
        Double.random(in: -84...84, using: &generator),
      ]
      for name in ["EPSG:\(32_600 + zone)", "EPSG:\(32_700 + zone)", "EPSG:3857", "EPSG:8857"] {
        var pair = [(place[0] * 1e9).rounded() / 1e9, (place[1] * 1e9).rounded() / 1e9]
        let former = pair
        try CoordinateConversion(from: "OGC:CRS84", to: name).convert(&pair)
        try CoordinateConversion(from: name, to: "EPSG:4326").convert(&pair)
        // Longitudes beyond 180 degrees are turned back.
        let turn = (pair[0] - former[0]).remainder(dividingBy: 360)
        let away = [turn.magnitude, (pair[1] - former[1]).magnitude]
        // A tenth of a millimetre is 9e-10 degrees of latitude, and more of longitude near a pole.
        // Equal Earth is flat towards the poles.
        let most = name == "EPSG:8857" ? 1e-8 : 3e-9
        #expect(away[0] < 2e-8 && away[1] < most, "seed \(seed), \(name)")
      }
    }
  }

  @Test func `Known places of the register's guidance are met`() throws {
    // EPSG guidance note 7-2, the example of Web Mercator.
    var pair = [-100.333_333_333, 24.381_786_944]
    try CoordinateConversion(from: "EPSG:4326", to: "EPSG:3857").convert(&pair)
    #expect((pair[0] + 11_169_055.576).magnitude < 0.01)
    #expect((pair[1] - 2_800_000.003).magnitude < 0.2)
    for corner in [[180.0, 90.0], [-180, -90], [180, 0], [0, 90]] {
      var place = corner
      try CoordinateConversion(from: "EPSG:4326", to: "EPSG:8857").convert(&place)
      try CoordinateConversion(from: "EPSG:8857", to: "EPSG:4326").convert(&place)
      #expect(zip(place, corner).allSatisfy { ($0 - $1).magnitude < 1e-4 }, "\(corner): \(place)")
    }
    var pole = [0.0, 90.0]
    try CoordinateConversion(from: "EPSG:4326", to: "EPSG:3857").convert(&pole)
    #expect(pole == [.infinity, .infinity])
  }

  @Test func `A layer is converted whole, or not at all`() throws {
    var random = RandomLayers(seed: 4)
    var layer = random.layer("one", kind: .lineString, hasHeights: true)
    layer.source.members.append(.init(name: "bbox", json: "[0,0,1,1]"))
    let mercator = CoordinateSystem(named: "EPSG:3857")
    let there = try Reprojection(from: .crs84, to: mercator)
    let converted = try #require(try there.layer(layer) { _ in } as? FeatureLayer)
    #expect(
      converted.count == layer.count && !converted.source.members.map(\.name).contains("bbox"))
    let back = try Reprojection(from: mercator, to: .crs84)
    let again = try #require(try back.layer(converted) { _ in } as? FeatureLayer)
    for (old, new) in zip(layer.blocks, again.blocks) {
      #expect(
        old.geometry.elevations.map(\.bitPattern) == new.geometry.elevations.map(\.bitPattern))
      for (a, b) in zip(old.geometry.coordinates, new.geometry.coordinates) {
        #expect((a - b).magnitude < 3e-9)
      }
    }
    _ = layer.add(geometry: .point(Coordinate(x: 0, y: 90)), attributes: [])
    let error = #expect(throws: ToolError.self) { _ = try there.layer(layer) { _ in } }
    #expect(error?.description.contains("1 feature reach") == true, "\(error?.description ?? "")")
  }

  @Test func `What nothing converts is refused with what helps`() throws {
    let zone = CoordinateSystem(named: "EPSG:25833")
    for unknown in [CoordinateSystem.planar, CoordinateSystem(named: "site grid")] {
      let error = #expect(throws: ToolError.self) {
        _ = try Reprojection(from: unknown, to: zone)
      }
      #expect(error?.description.contains("--input-crs") == true)
    }
  }
}
