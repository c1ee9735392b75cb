import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// Tables that are written back over their files: what they have no place for, and what stays.
@Suite struct RewriteTests {
  private func read(_ text: String) throws -> FeatureLayer {
    try Voyage.read(Array(text.utf8), CSVFormat.comma)
  }

  private func rewritten(
    _ text: String, _ edit: (inout FeatureLayer) throws -> Void
  ) throws -> (text: String, losses: [String]) {
    let former = try read(text)
    var layer = former
    try edit(&layer)
    let file = try CSVFormat.comma.rewrite(
      layer, over: FormerFile(Array(text.utf8), former), system: .crs84)
    return (String(decoding: file.bytes, as: UTF8.self), file.losses)
  }

  private static let table = "lon,lat,\"n\",a\n1.0,2,5, x \n\n+3,4,7,\"y\""

  @Test func `A new column stands behind each record, which stays as it is`() throws {
    let (text, losses) = try rewritten(Self.table) {
      try $0.setAttribute("new", to: .string("z"), of: [FeatureID(2)])
    }
    #expect(text == "lon,lat,\"n\",a,new\n1.0,2,5, x ,\n\n+3,4,7,\"y\",z")
    #expect(losses == [])
  }

  @Test func `A record that is removed or added leaves the others alone`() throws {
    let (text, _) = try rewritten(Self.table) {
      $0.remove([FeatureID(1)])
      _ = $0.add(geometry: .point(Coordinate(x: 8, y: 9)), attributes: [("a", .string("new"))])
    }
    #expect(text == "lon,lat,\"n\",a\n\n+3,4,7,\"y\"\n8,9,,new\n")
  }

  @Test func `Columns stay when the records with their values are removed, and come back`() throws {
    let text = "name,\"lon\",lat,n,\"kind of\",empty\r\n\"a\",1,2,5,,\r\nb,3,4,,\"x\",\r\n"
    let former = try read(text)
    let all: Set = [FeatureID(1), FeatureID(2)]
    for gone in [[FeatureID(1)], [FeatureID(2)], [FeatureID(1), FeatureID(2)]] {
      var layer = former
      layer.remove(Set(gone))
      var file = try CSVFormat.comma.rewrite(
        layer, over: FormerFile(Array(text.utf8), former), system: .crs84)
      #expect(file.losses == [])
      var expected = text
      for (id, record) in [(UInt64(1), "\"a\",1,2,5,,\r\n"), (2, "b,3,4,,\"x\",\r\n")]
      where gone.contains(FeatureID(id)) {
        expected = expected.replacing(record, with: "")
      }
      #expect(String(decoding: file.bytes, as: UTF8.self) == expected)
      // A second save, then what was removed comes back.
      file = try CSVFormat.comma.rewrite(
        layer, over: FormerFile(file.bytes, layer), system: .crs84)
      #expect(String(decoding: file.bytes, as: UTF8.self) == expected)
      file = try CSVFormat.comma.rewrite(
        former, over: FormerFile(file.bytes, layer), system: .crs84)
      #expect(
        String(decoding: file.bytes, as: UTF8.self).hasPrefix(String(text.prefix { $0 != "\r\n" })))
    }
    // An attribute that is taken away takes its column with it.
    let (without, _) = try rewritten(text) {
      try $0.setAttribute("n", to: .missing, of: all)
      $0.remove([FeatureID(2)])
    }
    #expect(without.hasPrefix("name,\"lon\",lat,\"kind of\",empty\r\n"), "\(without)")
  }

  @Test(arguments: ["lon,lat,n\n1,2,a\n,,b\n", "lon,lat,n\n1,2,a\n?,,b\n", "n,lon,lat\na,1,2\nb\n"])
  func `A record without a place gets one by its position columns`(text: String) throws {
    let (saved, losses) = try rewritten(text) {
      try $0.setAttribute("lon", to: .number("10.5"), of: [FeatureID(2)])
      try $0.setAttribute("lat", to: .number("60"), of: [FeatureID(2)])
    }
    #expect(losses == [])
    let place = try read(saved).feature(FeatureID(2))?.geometry
    #expect(place == .point(Coordinate(x: 10.5, y: 60)), "\(saved)")
    // Half a place is kept as it is.
    #expect(
      try rewritten(text) {
        try $0.setAttribute("lon", to: .missing, of: [FeatureID(2)])
        try $0.setAttribute("lat", to: .number("60"), of: [FeatureID(2)])
      }.losses == [])
  }

  @Test func `A record without a shape gets one by its well-known text`() throws {
    let (saved, losses) = try rewritten("n,wkt\na,POINT (1 2)\nb,\n") {
      try $0.setAttribute("wkt", to: .string("POINT (3 4)"), of: [FeatureID(2)])
    }
    #expect(losses == [])
    #expect(saved == "n,wkt\na,POINT (1 2)\nb,POINT (3 4)\n")
  }

  @Test(arguments: [
    (
      "geojson", #""{""type"":""Point"",""coordinates"":[1,2]}""#,
      #""{""type"":""Point"",""coordinates"":[2,1]}""#
    ),
    (
      "wkb_geometry", "0101000020E6100000000000000000F03F0000000000000040",
      "0101000020E61000000000000000000040000000000000F03F"
    ),
    (
      "geom", #"\x0101000000000000000000F03F0000000000000040"#,
      #"\x01010000000000000000000040000000000000F03F"#
    ),
  ])
  func `A changed shape keeps the form of its column`(
    name: String, shape: String, changed: String
  ) throws {
    let (saved, losses) = try rewritten("n,\(name)\na,\(shape)\nb,\(shape)\n") { layer in
      try layer.setGeometry(Geometry.point(Coordinate(x: 2, y: 1)), of: FeatureID(2))
    }
    #expect(losses == [])
    #expect(saved == "n,\(name)\na,\(shape)\nb,\(changed)\n")
  }

  @Test func `What a table has no place for is told`() throws {
    func losses(_ edit: (inout FeatureLayer) throws -> Void) throws -> [String] {
      try rewritten("lon,lat,n,a\n1,2,5,x\n3,4,7,y\n", edit).losses
    }
    let id: Set = [FeatureID(1)]
    #expect(
      try losses { try $0.setAttribute("a", to: .null, of: id) }
        == ["null in “a”, which becomes no value"])
    #expect(
      try losses { try $0.setAttribute("a", to: .bool(true), of: id) }
        == ["true and false in “a”, which become text"])
    #expect(
      try losses { try $0.setAttribute("a", to: .json("[1]"), of: id) }
        == ["lists and objects in “a”, which become text"])
    #expect(
      try losses { try $0.setAttribute("n", to: .string("many"), of: id) }
        == ["numbers in “n”, which become text"])
    #expect(try losses { try $0.setAttribute("n", to: .number("1e3"), of: id) } == [])
    #expect(
      try losses {
        let line = Geometry.line([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])
        try $0.setGeometry(line, of: FeatureID(1))
      } == ["shapes other than points, in a table of points"])
  }
}
