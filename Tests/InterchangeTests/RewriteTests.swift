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
