import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

@Suite struct GeoJSONReaderTests {
  @Test(
    arguments: [
      (#"{"type":"Point","coordinates":[1,2]}"#, GeometryKind.point, [1]),
      (#"{"coordinates":[1,2],"type":"Point"}"#, .point, [1]),
      (#"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, .multiPoint, [2]),
      (#"{"type":"LineString","coordinates":[[1,2],[3,4],[5,6]]}"#, .lineString, [3]),
      (
        #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
        .multiLineString, [2, 2]
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,2],[2,1],[1,1]]]}"#,
        .polygon, [4, 4]
      ),
      (
        #"{"coordinates":[[[[0,0],[4,0],[4,4],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]],"#
          + #""type":"MultiPolygon"}"#, .multiPolygon, [4, 4]
      ),
      (
        #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},"#
          + #"{"type":"LineString","coordinates":[[1,2],[3,4]]}]}"#, .geometryCollection, [1, 2]
      ),
      (#"{"type":"Polygon","coordinates":[]}"#, .polygon, []),
      ("null", .none, []),
    ] as [(String, GeometryKind, [Int])])
  func `Every kind of geometry becomes paths`(
    text: String, kind: GeometryKind, counts: [Int]
  ) throws {
    let feature = try Sample.read(Sample.geometry(text)).featureLayers[0].row(0)
    #expect(feature.geometry.kind == kind)
    #expect(feature.geometry.paths.map(\.vertices.count) == counts)
  }

  @Test func `Roles tell the members, the polygons and the holes`() throws {
    let text =
      #"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],"#
      + #"[[1,1],[2,2],[2,1],[1,1]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#
    let paths = try Sample.read(Sample.geometry(text)).featureLayers[0].row(0).geometry.paths
    #expect(paths.map(\.role.beginsMember) == [true, false, false])
    #expect(paths.map(\.role.beginsPolygon) == [true, false, true])
    #expect(paths.map(\.role.isHole) == [false, true, false])
  }

  @Test func `Attributes keep their kinds, texts and order`() throws {
    let text = Sample.collection(
      #""properties":{"z":1.50,"a":"é\n\"x\"","n":null,"t":true,"f":false,"#
        + #""big":12345678901234567890,"j":[1, {"b": null}],"lone":"\ud800"},"geometry":null,"#
        + #""id":"x7""#)
    let result = try Sample.read(text)
    let feature = try result.featureLayers[0].row(0)
    #expect(feature.identifier == .string("x7"))
    #expect(feature.attributes.map(\.name) == ["z", "a", "n", "t", "f", "big", "j", "lone"])
    #expect(
      feature.attributes.map(\.value) == [
        .number("1.50"), .string("é\n\"x\""), .null, .bool(true), .bool(false),
        .number("12345678901234567890"), .json(#"[1, {"b": null}]"#), .json(#""\ud800""#),
      ])
    #expect(result.report[.bigNumbers]?.count == 1)
    #expect(result.report[.loneSurrogates]?.count == 1)
  }

  @Test func `A file without features gives an empty layer`() throws {
    let result = try Sample.read(#"{"features":[],"type":"FeatureCollection","name":"Empty"}"#)
    #expect(result.featureLayers[0].name == "Empty")
    #expect(result.featureLayers[0].count == 0)
    #expect(result.report.notes.isEmpty)
  }

  @Test func `The layer is named by the file unless its text says`() throws {
    let result = try Sample.read(#"{"type":"FeatureCollection","features":[]}"#, name: "roads")
    #expect(result.featureLayers[0].name == "roads")
  }

  @Test func `Reading can be cancelled`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      _ = try GeoJSONFormat().read(
        Array(Sample.geometry("null").utf8), options: ImportOptions(name: "x")
      ) { _ in throw Stop() }
    }
  }
}
