import Archiving
import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// Odd things that an import accepts come back from a document: single cases beside the laws.
@Suite struct ComeBackTests {
  private func comesBack(_ text: String) throws -> Bool {
    let voyage = try Voyage(Array(text.utf8), GeoJSONFormat())
    guard let layer = try Voyage.reopened(voyage.document).layers.first as? FeatureLayer else {
      return false
    }
    return try Array(Sample.rewritten(layer).utf8) == voyage.bytes
  }

  @Test(arguments: ["null", "true", "false", "[1, 2]", #"{"a":null}"#, #""\ud800""#, "1e400", "{}"])
  func `An id of any kind is saved, opened, recovered and exported`(id: String) throws {
    let text = Sample.collection(#""id":\#(id),"properties":{"a":1},"geometry":null"#)
    #expect(try comesBack(text))
    let voyage = try Voyage(Array(text.utf8), GeoJSONFormat())
    for seed in 1...5 as ClosedRange<UInt64> {
      var edits = RandomEdit(seed: seed)
      let (edited, recovered) = try voyage.recovered(&edits)
      #expect(try DocumentFile.bytes(of: edited) == DocumentFile.bytes(of: recovered))
    }
  }

  @Test func `An id that is neither a string nor a number is reported`() throws {
    let text = #"{"type":"Feature","id":null,"properties":{},"geometry":null}"#
    #expect(try Sample.read(text).report[.oddIdentifiers]?.count == 1)
    let usual = text.replacing("null,\"properties", with: "7,\"properties")
    #expect(try Sample.read(usual).report[.oddIdentifiers] == nil)
  }

  @Test(arguments: [
    #"{"type":"FeatureCollection","\u00e4":"\u00e4","features":[]}"#,
    #"{"type":"FeatureCollection","a\/b":1,"a/b":2,"\u0061":3,"features":[]}"#,
    #"{"type":"FeatureCollection","\ud800":1,"\ud801":2,"features":[]}"#,
    #"{"\u0074ype":"FeatureCollection","ä":1,"\u00E4":2,"\u00e4 b,c%=":3,"features":[]}"#,
    #"{"é":1,"features":[{"type":"Feature","properties":{"a":"\u00e9"},"geometry":{"é":1,"#
      + #""type":"Point","coordinates":[1,2],"\ud800":1,"\ud801":2}}],"type":"FeatureCollection"}"#,
  ])
  func `Names of foreign members keep their escapes`(text: String) throws {
    #expect(try comesBack(text))
  }

  @Test(arguments: [
    "\u{1E}{\"type\":\"Point\",\"coordinates\":[1,2]}",
    "\u{1E}\u{1E}\n {\"type\":\"Point\",\"coordinates\":[1,2]}\n\u{1E}{\"type\":\"Point\","
      + "\"coordinates\":[1,2]} \n\u{1E}\u{1E}",
    "{\"type\":\"Point\",\"coordinates\":[1,2]}\n{\"type\":\"Point\",\"coordinates\":[1,2]}\n\n"
      + "{\"type\":\"Point\",\"coordinates\":[1,2]} {\"type\":\"Point\",\"coordinates\":[1,2]}",
    "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2]} ,"
      + "{\"type\":\"Point\",\"coordinates\":[1,2]},\n{\"type\":\"Point\",\"coordinates\":[1,2]}]}",
  ])
  func `White space between features that differs from place to place comes back`(
    text: String
  ) throws {
    #expect(try comesBack(text))
  }

  @Test func `White space between features stays with its features when one is removed`() throws {
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let text = "\(point)\n\(point)\n\n\(point)\n\(point)"
    var layer = try Sample.read(text).featureLayers[0]
    layer.remove([FeatureID(1)])
    let written = try Sample.rewritten(layer)
    #expect(written == "\(point)\n\n\(point)\n\(point)")
  }

  @Test func `Foreign members of a collection of geometries stay when it becomes one of features`()
    throws
  {
    var layer = try Sample.read(
      #"{"title":"t","type":"GeometryCollection","geometries":[{"type":"Point","coordinates":"#
        + #"[1,2]}],"x":[1]}"#
    ).featureLayers[0]
    try layer.setAttribute("a", to: .number("1"), of: [FeatureID(1)])
    let written = String(decoding: try Sample.write([layer]), as: UTF8.self)
    #expect(written.hasPrefix(#"{"title":"t","type":"FeatureCollection","features":["#))
    #expect(written.hasSuffix(#"],"x":[1]}"#))
  }

  @Test func `Features that are given twice are refused`() {
    let error = Sample.error(
      Array(#"{"type":"FeatureCollection","features":[],"features":[]}"#.utf8))
    #expect(error?.code == .givenTwice)
  }
}
