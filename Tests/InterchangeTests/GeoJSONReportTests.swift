import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// What the reader reports of odd files, and how it refuses broken ones.
@Suite struct GeoJSONReportTests {
  @Test(arguments: [
    (
      Sample.geometry(#"{"type":"Polygon","coordinates":[[[0,0],[0,9],[9,9],[0,0]]]}"#),
      ImportNoteCode.clockwiseRings, 1
    ),
    (
      Sample.geometry(
        #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}"#),
      .clockwiseRings, 1
    ),
    (
      Sample.geometry(#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9]]]}"#),
      .closedRings, 1
    ),
    (Sample.geometry(#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[0,0]]]}"#), .shortRings, 1),
    (Sample.geometry(#"{"type":"Polygon","coordinates":[[]]}"#), .emptyParts, 1),
    (
      Sample.geometry(#"{"coordinates":[[],[[0,0],[1,1]]],"type":"MultiLineString"}"#),
      .emptyParts, 1
    ),
    (
      Sample.geometry(#"{"type":"LineString","coordinates":[[1,2,3,4],[1,2,3,4,5]]}"#),
      .extraOrdinates, 1
    ),
    (Sample.geometry(#"{"type":"Point","coordinates":[52.5,113.4]}"#), .latitudes, 1),
    (
      #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:25832"}},"#
        + #""features":[]}"#, .crsKept, 1
    ),
    (
      Sample.collection(#""properties":{"a":12345678901234567890},"geometry":null"#),
      .bigNumbers, 1
    ),
    (
      Sample.collection(#""properties":{"a":1,"a":2,"a":3},"geometry":null"#),
      .duplicateMembers, 2
    ),
    (
      Sample.geometry(
        #"{"type":"GeometryCollection","geometries":["#
          + #"{"type":"GeometryCollection","geometries":[]}]}"#
      ), .nestedCollections, 1
    ),
    (Sample.collection(#""properties":{"a":"\udc00"},"geometry":null"#), .loneSurrogates, 1),
    ("\u{FEFF}" + #"{"type":"FeatureCollection","features":[]}"#, .byteOrderMark, 1),
    (Sample.collection(#""properties":{"a":"\u0041"},"geometry":null"#), .textKept, 1),
    (#"{"features":[]}"#, .typeMissing, 1),
  ])
  func `An odd thing is kept and reported`(text: String, code: ImportNoteCode, count: Int) throws {
    let result = try Sample.read(text)
    #expect(result.report[code]?.count == count)
    // A text that is kept for it is told as well.
    #expect(result.report.notes.map(\.code).allSatisfy { $0 == code || $0 == .textKept })
    #expect(String(decoding: try Sample.write(result.featureLayers), as: UTF8.self) == text)
  }

  @Test(arguments: [
    #"{"type":"Polygon","coordinates":[[[177,-20],[-178,-20],[-178,-16],[177,-16],[177,-20]]]}"#,
    #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,-60],[-180,-60],[-180,-90]]]}"#,
    #"{"type":"LineString","coordinates":[[170,45],[190,45],[-160,50]]}"#,
    "null", #"{"type":"MultiPoint","coordinates":[]}"#,
  ])
  func `What is legal is not reported`(geometry: String) throws {
    #expect(try Sample.read(Sample.geometry(geometry)).report.notes.isEmpty)
  }

  @Test func `A note tells how many, where first and of which feature`() throws {
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\n"
      + "{\"type\":\"Feature\",\"properties\":{\"name\":\"å\"},\"geometry\":null},\n"
      + " {\"type\":\"Feature\",\"properties\":{\"name\":\"Øy\"},\"geometry\":"
      + "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[9,0],[9,9]]]}}]}"
    let note = try #require(try Sample.read(text).report[.closedRings])
    #expect(
      note.text
        == "1 ring closed for use; the text is kept; first at 3:58, feature 2 (Øy)")
  }

  @Test func `Counts are grouped by thousands`() {
    #expect(ImportNoteCode.bigNumbers.text(count: 1_234_567).hasPrefix("1,234,567 numbers"))
    #expect(ImportNoteCode.bigNumbers.text(count: 999).hasPrefix("999 numbers"))
  }

  @Test(arguments: [
    ("", ImportError.Code.empty, 1, 1), (" \n ", .empty, 1, 1),
    ("{", .cut, 1, 2), ("{\"type\":\"Feat", .cut, 1, 9),
    ("<kml/>", .notJSON, 1, 1), ("hello", .notJSON, 1, 1), ("[1,2]", .notGeoJSON, 1, 1),
    ("12", .notGeoJSON, 1, 1), ("{}", .notGeoJSON, 1, 1), ("{\"a\":1}", .notGeoJSON, 1, 1),
    (#"{"type":"Topology","objects":{}}"#, .topoJSON, 1, 19),
    (#"{"geometryType":"esriGeometryPoint","spatialReference":{}}"#, .esriJSON, 1, 1),
    (#"{"type":"Thing"}"#, .unknownType, 1, 10),
    (#"{"type":"FeatureCollection"}"#, .wrongType, 1, 28),
    (#"{"type":"FeatureCollection","features":{}}"#, .wrongType, 1, 40),
    (#"{"type":"FeatureCollection","features":[1]}"#, .wrongType, 1, 41),
    (#"{"type":"FeatureCollection","features":[{}]}"#, .missingType, 1, 41),
    (#"{"type":"FeatureCollection","features":[]} x"#, .moreAfterEnd, 1, 44),
    (#"{"type":"Point","coordinates":[1,2]} x"#, .moreAfterEnd, 1, 38),
    ("{\"type\":\"Point\",\"coordinates\":[1,2]}\nx", .notJSON, 2, 1),
    (#"{"type":"FeatureCollection","features":[],}"#, .notJSON, 1, 43),
    (Sample.collection(#""properties":[],"geometry":null"#), .wrongType, 1, 72),
    (Sample.geometry("[]"), .wrongType, 1, 86),
    (Sample.geometry(#"{"type":"Point"}"#), .wrongType, 1, 86),
    (Sample.geometry(#"{"type":"Circle","coordinates":[1,2]}"#), .unknownType, 1, 95),
    (Sample.geometry(#"{"type":"Point","coordinates":[1]}"#), .shortPosition, 1, 118),
    (Sample.geometry(#"{"type":"Point","coordinates":[1,NaN]}"#), .notFinite, 1, 119),
    (Sample.geometry(#"{"type":"Point","coordinates":[-Infinity,1]}"#), .notFinite, 1, 117),
    (Sample.geometry(#"{"type":"Point","coordinates":[1,1e999]}"#), .numberTooLarge, 1, 119),
    (Sample.geometry(#"{"type":"Point","coordinates":[01,1]}"#), .badNumber, 1, 117),
    (Sample.geometry(#"{"type":"Point","coordinates":[1.,1]}"#), .badNumber, 1, 117),
    (Sample.geometry(#"{"type":"Point","coordinates":[+1,1]}"#), .badNumber, 1, 117),
    (Sample.geometry(#"{"type":"Point","coordinates":["1","2"]}"#), .wrongType, 1, 117),
    (Sample.geometry(#"{"type":"Point","coordinates":[[1,2]]}"#), .badCoordinates, 1, 86),
    (Sample.geometry(#"{"type":"LineString","coordinates":[[1,2],3]}"#), .badCoordinates, 1, 128),
    (Sample.geometry(#"{"type":"Polygon","coordinates":[[[[[1,2]]]]]}"#), .badCoordinates, 1, 122),
    (Sample.collection(#""properties":{"a":"\x"},"geometry":null"#), .badString, 1, 78),
    (
      Sample.collection("\"properties\":{\"a\":\"\t\"},\"geometry\":null"), .controlCharacter, 1, 78
    ),
    (Sample.collection(#""properties":{'a':1},"geometry":null"#), .notJSON, 1, 73),
    (Sample.collection(#""properties":{"a":nul},"geometry":null"#), .notJSON, 1, 77),
    ("{\n\"type\": \"FeatureCollection\",\n  // note\n\"features\": []}", .notJSON, 3, 3),
  ])
  func `A broken file is refused at its place`(
    text: String, code: ImportError.Code, line: Int, column: Int
  ) throws {
    let error = try #require(Sample.error(Array(text.utf8)))
    #expect(error.code == code, "\(error)")
    #expect((error.line, error.column) == (line, column), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0x00], ImportError.Code.utf16), ([0xFE, 0xFF, 0x00, 0x7B], .utf16),
      ([0x7B, 0x00, 0x22, 0x00], .utf16), ([0x00, 0x7B], .utf16),
      ([0xFF, 0xFE, 0x00, 0x00], .utf32), ([0x00, 0x00, 0xFE, 0xFF], .utf32),
      ([0x1F, 0x8B, 0x08, 0x00], .compressed), ([0x50, 0x4B, 0x03, 0x04], .compressed),
    ] as [([UInt8], ImportError.Code)])
  func `Another encoding is told`(bytes: [UInt8], code: ImportError.Code) {
    #expect(Sample.error(bytes)?.code == code)
  }

  @Test(
    arguments: [
      [0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF0, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `Text that is not UTF-8 is refused at its byte`(bad: [UInt8]) throws {
    let head = Array(#"{"type":"FeatureCollection","name":"abcdefgh"#.utf8)
    let bytes = head + bad + Array(#"","features":[]}"#.utf8)
    let error = try #require(Sample.error(bytes))
    #expect(error.code == .notUTF8)
    #expect(error.offset == head.count)
  }

  @Test func `An error names the feature and the way out`() throws {
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\n"
      + "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null},\n"
      + "{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
      + "{\"type\":\"Point\",\"coordinates\":[NaN,2]}}]}"
    #expect(
      Sample.error(Array(text.utf8))?.description
        == "3:77: NaN and Infinity are not JSON in feature 2: "
        + "write null, or remove the position")
  }
}
