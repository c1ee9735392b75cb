import Foundation
import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// What was read and not edited is written byte for byte.
@Suite struct GeoJSONRoundTripTests {
  @Test(arguments: [
    "ne_110m_countries.geojson", "ne_110m_populated_places.geojson", "edge_rfc7946.geojson",
  ])
  func `A fixture comes back byte for byte`(name: String) throws {
    let bytes = try Sample.fixture(name)
    let layers = try Sample.read(bytes).featureLayers
    #expect(try Sample.write(layers) == bytes)
  }

  @Test(
    .enabled(if: Sample.data != nil, "no ../shared/data"),
    arguments: [
      "airports.geojson.gz", "cities15000.geojson.gz", "gshhg_coast_l.geojson.gz",
      "ne_50m_countries.geojson.gz", "ne_usa_can_roads.geojson.gz", "wdb_borders_i.geojson.gz",
      "wdb_rivers_i.geojson.gz",
    ])
  func `A map comes back byte for byte`(name: String) throws {
    let bytes = try #require(try Sample.unpacked(name))
    let result = try Sample.read(bytes)
    #expect(try Sample.write(result.featureLayers) == bytes)
    #expect(result.report[.textKept] == nil)
    for block in result.featureLayers[0].blocks {
      #expect(block.sourceFeatures == nil && block.sourceGeometries == nil)
    }
  }

  @Test(
    .enabled(if: Sample.runsSlowTests && Sample.data != nil, "set PORTOLAN_SLOW"),
    arguments: ["gshhg_coast_h.geojson.gz", "gshhg_coast_f.geojson.xz"])
  func `A large map comes back byte for byte`(name: String) throws {
    let bytes = try #require(try Sample.unpacked(name))
    let layers = try Sample.read(bytes).featureLayers
    #expect(try Sample.write(layers) == bytes)
  }

  @Test(arguments: [
    // White space.
    #"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": 1, "b": "#
      + #"[1, 2]}, "geometry": {"type": "LineString", "coordinates": [[1.0, 2.0], [3.5, 4.0]]}}]}"#,
    "{ \"type\": \"FeatureCollection\",\n\"features\": [\n{ \"type\": \"Feature\", \"properties\": "
      + "{ \"a\": 1 }, \"geometry\": { \"type\": \"Point\", \"coordinates\": [ 1.0, 2.0 ] } },\n"
      + "{ \"type\": \"Feature\", \"properties\": { }, \"geometry\": null }\n]\n}\n",
    "\u{FEFF}{\"type\":\"FeatureCollection\",\r\n\"features\":[ ] }\r\n\r\n",
    "{\"features\" : [] , \"type\" : \"FeatureCollection\"}",
    "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\","
      + "\"properties\":{\"a\":1},\"geometry\":null}, "
      + "{\"type\":\"Feature\", \"properties\":{ \"a\":1},\"geometry\":null}]}",
    // Kinds of root.
    #"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}"# + "\n",
    #"{"coordinates":[1,2],"type":"Point"}"#,
    #" {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]} "#,
    "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}\n"
      + "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}\n",
    "{\"type\":\"Point\",\"coordinates\":[1,2]}\r\n{\"type\":\"Point\",\"coordinates\":[3,4]}",
    "\u{1E}{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}\n"
      + "\u{1E}{\"type\":\"Point\",\"coordinates\":[1,2]}\n",
    #"{"type":"FeatureCollection","features":[]}"#,
    // Members.
    #"{"features":[{"geometry":null,"x":[ 1 ],"type":"Feature","id":null,"y":{}}],"z":1,"#
      + #""type":"FeatureCollection","name":"n"}"#,
    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"bbox":[1,2,1,2],"#
      + #""type":"Point","v":true,"coordinates":[1,2]}},{"type":"Feature","properties":"#
      + #"{"b":1,"a":2},"geometry":null},"#
      + #"{"type":"Feature","properties":{"a":2,"b":1},"geometry":null}]}"#,
    #"{"type":"FeatureCollection","x":1,"x":2,"features":[{"type":"Feature","properties":"#
      + #"{"a":1,"a":2},"geometry":null,"geometry":null}]}"#,
  ])
  func `An odd file comes back byte for byte`(text: String) throws {
    let layers = try Sample.read(text).featureLayers
    #expect(try Sample.rewritten(layers[0]) == text)
  }

  @Test(arguments: [
    "[1,2]", "[1.0,2.0]", "[1.50,2.25]", "[1,2.5]", "[1.0,2]", "[1e2,2]", "[-0,0]", "[-0.0,0.0]",
    "[0.1,0.30000000000000004]", "[-122.41941550000001,37.7749295]", "[1.10,2.5]",
    "[123456789012345678901234567890,1]", "[0.0000001,5e-324]", "[1E+2,2e-2]", "[1.000,2.000]",
    "[1,2,3]", "[1.5,2.5,0.0]", "[1,2,3,4,5]", "[9007199254740993,9007199254740992]",
    "[1.7976931348623157e308,0]", "[12.3456789012345678,1.5]", "[]", "[0.1000000000000000055,1]",
    "[179.99999999999997,89.99999999999999]",
  ])
  func `Every number of a position comes back as it was written`(position: String) throws {
    let text = Sample.geometry(#"{"type":"Point","coordinates":\#(position)}"#)
    let layers = try Sample.read(text).featureLayers
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  @Test(arguments: [
    #"{"a":"\u00e9","b":"caf\u00e9 \ud83d\ude00"}"#, #"{"a":"\u00C9","b":"é"}"#,
    #"{"a":"x\/y","b":"\/"}"#, #"{"a":"x/y","b":"\/"}"#, #"{"a":"\u0041"}"#,
    #"{"a":"\b\f\n\r\t\"\\ \u0001\u001f"}"#, #"{"a":"\u001F\u000B"}"#, #"{"\u0061":1,"b\n":2}"#,
    #"{"a":"\ud800","\udc00":1}"#, #"{"é":"e\u0301","é":2}"#, "{\"a\":\"\u{7F}\u{2028}\"}",
  ])
  func `Every way of escaping comes back as it was written`(properties: String) throws {
    let text = Sample.collection(#""properties":\#(properties),"geometry":null"#)
    let layers = try Sample.read(text).featureLayers
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  @Test func `A file of every indentation comes back byte for byte`() throws {
    let object = try JSONSerialization.jsonObject(
      with: Data(Sample.fixture("edge_rfc7946.geojson")))
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys]
    let bytes = [UInt8](try JSONSerialization.data(withJSONObject: object, options: options))
    let layers = try Sample.read(bytes).featureLayers
    #expect(try Sample.write(layers) == bytes)
  }
}
