import PortolanDocuments
import PortolanGraphics
import PortolanProjections
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Coordinate systems in well-known text, and layers that state none beside others that do.
@Suite struct SystemTextTests {
  private func system(_ text: String) -> CoordinateSystem? {
    var notes: [ImportNoteCode: Int] = [:]
    return ProjectionText.system(text, &notes)
  }

  /// A text with codes of units, datums and methods at random places, as ogrinfo prints them.
  private static func text(code: String?, random: inout SeededGenerator) -> String {
    func mark() -> String {
      let number = Int.random(in: 1024...32_767, using: &random)
      return switch Int.random(in: 0...3, using: &random) {
      case 0: ",ID[\"EPSG\",\(number)]"
      case 1: ",AUTHORITY[\"EPSG\",\"\(number)\"]"
      default: ""
      }
    }
    let degree = "ANGLEUNIT[\"degree\",0.0174532925199433\(mark())]"
    let base = """
      BASEGEOGCRS["b ""]"" b",DATUM["none",ELLIPSOID["e",6378000,299\(mark())]\(mark())],
        PRIMEM["Greenwich",0,\(degree)\(mark())]\(mark())]
      """
    let own = code.map { ",\n  ID[\"EPSG\",\($0)]" } ?? ""
    return """
      PROJCRS["(x) [y]",\(base),
        CONVERSION["c",METHOD["unknown"\(mark())],PARAMETER["p",7,\(degree)\(mark())]],
        CS[Cartesian,2],AXIS["(E)",east,ORDER[1],LENGTHUNIT["metre",1\(mark())]],
        AXIS["(N)",north,ORDER[2],LENGTHUNIT["metre",1\(mark())]]\(own)]
      """
  }

  @Test(arguments: Seeds.some(60))
  func `A code is that of the system, never of a unit or a datum in it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let code = Bool.random(using: &random) ? "31467" : nil
    let found = system(Self.text(code: code, random: &random))
    #expect(found?.name == (code.map { "EPSG:" + $0 } ?? "(x) [y]"), "seed \(seed)")
  }

  /// Systems as programs write them, and their names.
  private static let texts = [
    """
    GEOGCS["WGS_1984_3D",PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433],
    LINUNIT["Meter",1.0]]
    """: "OGC:CRS84",
    """
    GEOGCRS["unnamed",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257]],
    PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433,ID["EPSG",9122]]],
    CS[ellipsoidal,2],AXIS["latitude",north,ANGLEUNIT["degree",0.0174532925199433]]]
    """: "OGC:CRS84",
    """
    COMPD_CS["x + height",PROJCS["x",UNIT["metre",1],AUTHORITY["EPSG","25833"]],
    VERT_CS["h",UNIT["metre",1,AUTHORITY["EPSG","9001"]]]]
    """: "EPSG:25833",
    """
    BOUNDCRS[SOURCECRS[PROJCRS["x",CS[Cartesian,2],ID["EPSG",31467]]],
    TARGETCRS[GEOGCRS["WGS 84",ID["EPSG",4326]]],ABRIDGEDTRANSFORMATION["t"]]
    """: "EPSG:31467",
    #"PROJCS["y",AUTHORITY["ESRI","102003"]]"#: "ESRI:102003",
    #"LOCAL_CS["Nonearth",UNIT["Meter",1]]"#: "Nonearth",
    #"GEOGCS["gon",PRIMEM["Paris",2.6],UNIT["grad",0.01570796326794897]]"#: "gon",
  ]

  @Test func `Whole, three-dimensional, compound and local systems are told apart`() {
    for (text, name) in Self.texts { #expect(system(text)?.name == name, "\(text)") }
  }

  @Test func `A compound system is that of its places`() {
    let text =
      #"COMPD_CS["WGS 84 + EGM96 height",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["#
      + #""WGS 84",6378137,298.25]],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],"#
      + #"VERT_CS["EGM96 height",VERT_DATUM["EGM96 geoid",2005],UNIT["metre",1]],"#
      + #"AUTHORITY["EPSG","9707"]]"#
    #expect(system(text)?.isDegrees == true)
  }

  @Test func `Grads are no lengths`() {
    for name in ["degree", "grad", "gon", "radian", "arc-second"] {
      #expect(SystemUnit.isAngle(name))
    }
    for name in ["metre", "foot", "US survey foot"] { #expect(!SystemUnit.isAngle(name)) }
  }

  @Test(arguments: Seeds.some(60))
  func `Damaged text gives a system or none`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(Self.text(code: "25833", random: &random).utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = Array("[](),\"X9".utf8).randomElement(using: &random) ?? 0
    }
    let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
    #expect(system(String(decoding: cut, as: UTF8.self))?.name != "EPSG:9122")
  }

  @Test func `Deep text is read in bounded time`() {
    let deep = String(repeating: "COMPD_CS[", count: 100_000)
    #expect(system(deep) == nil)
  }

  // MARK: Layers without a stated system

  private func part(_ name: String, _ x: Double, _ y: Double, _ system: String?) -> LayerPart {
    var layer = FeatureLayer(
      id: LayerID(1), name: name, style: Style(name: name, mark: MarkStyle()))
    _ = layer.add(geometry: .point(Coordinate(x: x, y: y)), attributes: [])
    return LayerPart(layer, system.map { CoordinateSystem(named: $0) })
  }

  @Test func `A layer of no stated system never takes that of another`() throws {
    let known = part("known", 500_000, 5_538_630.702, "EPSG:32633")
    let options = ImportOptions(name: "file")
    let result = try ImportResult([known, part("open", 15, 50, nil)], options)
    let open = try #require(result.layers.last as? FeatureLayer)
    let place = try #require(open.blocks.first).geometry.coordinates
    #expect((place[0] - 500_000).magnitude < 0.01 && (place[1] - 5_538_630.702).magnitude < 0.01)
    #expect(result.remarks.contains { $0.contains("layer open states no coordinate system") })
    let error = #expect(throws: ToolError.self) {
      _ = try ImportResult([known, part("far", 3e5, 5e6, nil)], options)
    }
    #expect(error?.description.contains("layer far states no coordinate system") == true)
    let stated = ImportOptions(
      name: "file", own: ReadingOptions(system: CoordinateSystem(named: "EPSG:32633")))
    #expect(try ImportResult([known, part("far", 3e5, 5e6, nil)], stated).layers.count == 2)
  }
}
